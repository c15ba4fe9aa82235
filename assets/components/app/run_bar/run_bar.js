// The run bar at the top of every page: the model, the sentence, its size and cost, layer and head, undo and redo.
import { announcePlace } from "../../shared/chosen_place.js";
import { createElement, replaceKeepingFocus } from "../../shared/dom.js";
import { icon } from "../../shared/icons.js";
import { hasModifier, TYPING_FIELDS } from "../../shared/keyboard.js";
import { mountOnce } from "../../shared/mount.js";
import { formatMilliseconds } from "../../shared/numbers.js";
import { applyTheme } from "../../shared/theme.js";
import { BesideMenu } from "./beside_menu.js";
import { Demonstration } from "./demonstration.js";
import { EditSigns } from "./edit_signs.js";
import { ModelMenu } from "./model_menu.js";
import { lightPlotRows } from "./plot_rows.js";
import { SentenceChips } from "./sentence_chips.js";
import { SentenceEditor } from "./sentence_editor.js";

// The size alone, where there is little room: "11/256".
export const describeSize = ({ count, limit }) => (count === null ? `≤ ${limit}` : `${count}/${limit}`);

// The size of the sentence and what its run took: "11 of 256 tokens · 41 ms".
export function describeRun({ count, limit, milliseconds }) {
  const size = count === null ? `at most ${limit} tokens` : `${count} of ${limit} tokens`;
  if (milliseconds === null) return size;
  return `${size} · ${formatMilliseconds(milliseconds / 1000)}`;
}

class RunBar {
  constructor(parent) {
    this.root = parent.appendChild(
      createElement("div", { className: "gf runbar", role: "region", "aria-label": "Run" }),
    );
    const tell = (event, value) => this.send(event, value);
    this.models = new ModelMenu(this.root, tell);
    this.beside = new BesideMenu(this.root, tell);
    this.chips = new SentenceChips(tell, () => this.editor.open());
    this.editor = new SentenceEditor(this.root, this.chips, tell);
    this.demonstration = new Demonstration(this.editor, this.chips, tell, () => this.root.checkVisibility());
    this.facts = createElement("span", { className: "facts muted", role: "status" });
    this.places = createElement("span", { className: "places" });
    this.edits = new EditSigns(tell);
    this.steps = ["undo", "redo"].map((name) => this.stepButton(name));
    const row = [
      this.models.button,
      this.beside.box,
      this.chips.box,
      this.facts,
      this.places,
      this.edits.button,
      ...this.steps,
    ];
    this.root.prepend(createElement("div", { className: "bar" }, ...row));
    this.onKey = (event) => this.react(event);
    this.notes = createElement("div", { className: "notes muted", role: "status" });
    this.root.querySelector(".bar").after(this.edits.signs, this.notes);
    document.addEventListener("keydown", this.onKey);
    this.endLight = lightPlotRows();
    this.watchRuns();
  }

  update(data, send) {
    this.send = send;
    applyTheme(this.root);
    for (const part of [this.models, this.beside, this.chips, this.editor, this.demonstration, this.edits])
      part.update(data);
    this.facts.replaceChildren(
      createElement("span", { className: "long", textContent: describeRun(data) }),
      createElement("span", { className: "short", "aria-hidden": "true", textContent: describeSize(data) }),
    );
    this.facts.classList.toggle("over", data.count > data.limit);
    replaceKeepingFocus(this.places, ...data.places.map((place) => this.placeControl(place)));
    this.notes.replaceChildren(...data.notes.map((line) => createElement("p", { textContent: line })));
    this.steps.forEach((button) => {
      button.disabled = !data[button.dataset.id];
    });
  }

  // A layer or a head, counted from 0.
  placeControl({ name, title, count, value }) {
    const options = Array.from({ length: count }, (_, i) =>
      createElement("option", { value: i, textContent: `${title} ${i}` }),
    );
    const props = { className: "box", "aria-label": title, title: `${title}s count from 0`, "data-id": name };
    const select = createElement("select", props, ...options);
    select.value = value;
    select.onchange = () => {
      this.send("place", [name, Number(select.value)]);
      announcePlace(name, Number(select.value));
    };
    return select;
  }

  stepButton(name) {
    const title = name === "undo" ? "The run before" : "The run after";
    const button = createElement(
      "button",
      { className: "step", title, "aria-label": title, "data-id": name },
      icon(name),
    );
    button.onclick = () => this.send("step", name);
    return button;
  }

  // A sign while the page runs, whoever asked for it.
  watchRuns() {
    const app = document.querySelector("[data-testid=stApp]");
    if (!app) return;
    const show = () => this.root.classList.toggle("busy", app.dataset.testScriptState === "running");
    this.runs = new MutationObserver(show);
    this.runs.observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });
    show();
  }

  react(event) {
    const isTyping = event.composedPath()[0].matches?.(TYPING_FIELDS);
    if (hasModifier(event) || isTyping || !this.root.checkVisibility()) return;
    const key = event.key.toLowerCase();
    if (key === "m" && !event.repeat) this.edits.toggle();
    if (key !== "e") return;
    event.preventDefault(); // the letter would be typed into the editor
    this.editor.open();
  }

  stop() {
    document.removeEventListener("keydown", this.onKey);
    this.endLight();
    this.runs?.disconnect();
    this.demonstration.stop();
    this.root.remove();
  }
}

export default mountOnce(RunBar);
