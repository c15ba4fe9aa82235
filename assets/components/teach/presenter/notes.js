// The speaker's notes: a second window that this one writes, so that it needs neither server nor network.
import { createElement } from "../../shared/dom.js";
import { LETTERS } from "../question.js";
import { wordsToLookAt } from "./look_at_words.js";
import { NOTES_STYLE } from "./notes_style.js";
import { notesNodes } from "./notes_text.js";
import { takePicture } from "./page_picture.js";
import { compareWithPlan, plannedMinutes, Stopwatch } from "./stopwatch.js";

const SIZES = [0.8, 1, 1.25, 1.5, 1.8, 2.2]; // of the text, in parts of its usual size
const PICTURE_TIME = 2; // seconds between two pictures of the screen
const MAX_PICTURES = 30; // that are kept
const MAX_ASKED = 15; // times for one picture: its scene may have none, or not be ready before it is shown

// The fonts that Urdu has in the window of the app: a window has its own.
function urduFonts() {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const faces = rules.filter((rule) => rule instanceof CSSFontFaceRule && rule.cssText.includes("Urdu"));
  return faces.map((rule) => rule.cssText).join("\n");
}

export class Notes {
  constructor(presenter) {
    this.presenter = presenter;
    this.window = null;
    this.size = 1; // the place in SIZES
    this.stopwatch = new Stopwatch();
    this.pictures = new Map(); // "lecture scene" -> the address of its picture
    this.seconds = 0; // since the window was opened
    this.asked = { path: "", times: 0 }; // of the server, for the picture of the next scene
  }

  open() {
    this.window = window.open("", "glassformer-notes", "width=1000,height=720");
    if (!this.window) return;
    this.window.document.title = "Speaker notes";
    this.window.document.documentElement.lang = "en";
    this.window.addEventListener("keydown", (event) => this.press(event));
    this.write();
    clearInterval(this.window.clock);
    this.window.clock = this.window.setInterval(() => this.tick(), 1000);
  }

  close() {
    this.window?.close();
    this.stopwatch.start();
  }

  isOpen() {
    return Boolean(this.window && !this.window.closed);
  }

  // The keys of this window; all others are the presenter's.
  press(event) {
    const step = { "+": 1, "=": 1, "-": -1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return this.presenter.press(event);
    event.preventDefault();
    this.resize(step);
  }

  resize(step) {
    this.size = Math.max(0, Math.min(SIZES.length - 1, this.size + step));
    this.write();
  }

  // -- the picture of a scene --------------------------------------------------------------------------------------

  nameOf(scene) {
    return `${this.presenter.show.which} ${scene} ${this.presenter.steps.scenes[scene]?.title}`;
  }

  // Asks the server for the picture of the next scene, which is being computed meanwhile.
  async askForNext() {
    const { ahead } = this.presenter.show;
    if (!ahead || this.pictures.has(this.nameOf(ahead.scene))) return;
    if (this.asked.path !== ahead.path) this.asked = { path: ahead.path, times: 0 };
    if (this.asked.times >= MAX_ASKED) return;
    this.asked.times += 1;
    const name = this.nameOf(ahead.scene);
    const answer = await fetch(new URL(ahead.path, location.href)).catch(() => null);
    if (answer?.status !== 200) return; // There is no picture, or not yet.
    this.keepPicture(name, `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await answer.text())}`);
    this.write();
  }

  keepPicture(name, address) {
    this.pictures.delete(name);
    this.pictures.set(name, address);
    if (this.pictures.size > MAX_PICTURES) this.pictures.delete(this.pictures.keys().next().value);
  }

  // Takes a picture of the page, also of one that a question covers. A scene that is still on its way has none.
  takePicture() {
    const { steps } = this.presenter;
    const page = document.querySelector('[data-testid="stMainBlockContainer"]');
    if (steps.isOnItsWay() || !page) return;
    const address = takePicture(page);
    const name = this.nameOf(steps.at);
    if (!address || this.pictures.get(name) === address) return;
    this.keepPicture(name, address);
    const shown = this.window.document.querySelector("#now img");
    if (shown) shown.src = address;
    else this.write();
  }

  // -- what the window shows ---------------------------------------------------------------------------------------

  write() {
    const { steps } = this.presenter;
    const scene = steps.scene();
    if (scene) this.stopwatch.enter(steps.at, Date.now());
    if (!this.isOpen() || !scene) return;
    const { head, body, documentElement } = this.window.document;
    const title = createElement("title", { textContent: "Speaker notes" });
    head.replaceChildren(createElement("style", { textContent: NOTES_STYLE + urduFonts() }), title);
    documentElement.style.fontSize = `${16 * SIZES[this.size]}px`;
    body.replaceChildren(
      this.header(),
      ...this.blankSign(),
      createElement(
        "main",
        {},
        createElement("section", {}, createElement("h1", { textContent: scene.title }), ...this.lines(scene)),
        createElement("aside", {}, this.figure("now", steps.at), ...this.nextFigure()),
      ),
      this.footer(),
    );
    this.showTime();
  }

  header() {
    const { steps } = this.presenter;
    const place = createElement("span", { textContent: `${steps.at + 1} / ${steps.scenes.length}` });
    const times = ["clock", "scene-time", "all-time"].map((id) => createElement("span", { id }));
    return createElement("header", {}, ...times, place);
  }

  blankSign() {
    if (!this.presenter.isBlank) return [];
    return [
      createElement("p", { className: "blank", role: "status", textContent: "The screen is blank. B shows it." }),
    ];
  }

  lines({ point, question, notes }) {
    const written = createElement("div", { className: "notes" }, ...notesNodes(notes));
    return [
      ...line("point", point && `Point at: ${point}`),
      ...line("question", question && `Ask: ${question}`),
      ...this.askedLines(),
      ...(notes ? [written] : line("", "No notes for this scene.")),
    ];
  }

  // The question to the class, its answer, and the votes so far.
  askedLines() {
    const asked = this.presenter.asked();
    if (!asked?.text) return [];
    if (asked.words) return [...line("question", asked.text), ...wordsToLookAt(this.presenter)];
    const right = asked.choices[asked.answer]; // undefined for a question of opinion
    const answer = right === undefined ? asked.text : `${asked.text} Answer: ${right}. ${asked.explanation}`;
    const counts = this.presenter.counts();
    if (!counts) return line("question", answer);
    const rows = asked.choices.map((choice, place) =>
      createElement(
        "tr",
        { className: place === asked.answer ? "right" : "" },
        createElement("td", { textContent: LETTERS[place] }),
        createElement("td", { textContent: choice, dir: "auto" }),
        createElement("td", { textContent: String(counts[place] ?? 0) }),
      ),
    );
    const votes = createElement("table", { className: "votes", "aria-label": "Votes" }, ...rows);
    return [...line("question", answer), votes, ...line("", this.presenter.answerStatus())];
  }

  figure(id, scene) {
    const { title, point } = this.presenter.steps.scenes[scene];
    const name = id === "now" ? "This scene" : "Next";
    const address = this.pictures.get(this.nameOf(scene));
    const background = getComputedStyle(document.body).backgroundColor;
    const picture = address
      ? createElement("img", { src: address, alt: title, style: { background } })
      : createElement("p", { className: "no-picture", textContent: point || "No picture yet." });
    return createElement("figure", { id }, createElement("figcaption", { textContent: `${name}: ${title}` }), picture);
  }

  nextFigure() {
    const next = this.presenter.steps.next();
    return next === undefined
      ? line("", "This is the last scene. The end slide follows.")
      : [this.figure("next", next)];
  }

  footer() {
    const { presenter } = this;
    const { beats } = presenter;
    const button = (textContent, disabled, onclick, more = {}) =>
      createElement("button", { type: "button", textContent, disabled, onclick, ...more });
    const smaller = { title: "Smaller text (-)", "aria-label": "A−: smaller text" };
    const larger = { title: "Larger text (+)", "aria-label": "A+: larger text" };
    return createElement(
      "footer",
      {},
      button("Back", false, () => presenter.do("goBack")),
      button(beats.label(), beats.isEndShown, () => presenter.do("goForward")),
      button("A−", this.size === 0, () => this.resize(-1), smaller),
      button("A+", this.size === SIZES.length - 1, () => this.resize(1), larger),
    );
  }

  tick() {
    if (!this.isOpen()) return;
    this.seconds += 1;
    if (this.seconds % PICTURE_TIME === 1) this.takePicture();
    this.askForNext();
    this.showTime();
  }

  showTime() {
    const place = (id) => this.isOpen() && this.window.document.getElementById(id);
    if (!place("clock")) return;
    const { steps, since } = this.presenter;
    const now = Date.now();
    place("clock").textContent = new Date(now).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    const show = (id, milliseconds, minutes, what) => {
      const { text, isOver } = compareWithPlan(milliseconds, minutes);
      place(id).textContent = `${text} ${what}`;
      place(id).classList.toggle("over", isOver);
    };
    show("scene-time", this.stopwatch.timeOf(now), steps.scene()?.minutes, "in this scene");
    show("all-time", now - (since ?? now), plannedMinutes(steps.scenes), "since the start");
  }
}

// A paragraph as a list; an empty list where there is no text.
function line(className, text) {
  return text ? [createElement("p", { className, textContent: text })] : [];
}
