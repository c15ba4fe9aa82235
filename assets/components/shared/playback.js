// A bar that walks through steps: buttons, a slider, the space bar and the arrows.
import { createElement, keyHint } from "./dom.js";
import { FrameLoop } from "./frame_loop.js";
import { icon } from "./icons.js";
import { hasModifier } from "./keyboard.js";

const BUTTONS = [
  ["restart", "Restart"],
  ["back", "Back one step"],
  ["play", "Play"],
  ["step", "One step on"],
  ["end", "To the last step"],
];
const KEYS = { " ": "play", ArrowLeft: "back", ArrowRight: "step", Home: "restart", End: "end" };
const FIELDS =
  "input, textarea, select, [role=slider], [role=radio], [role=tab], [role=listbox], [contenteditable=true]";
const CONTROLS = `${FIELDS}, button, a, canvas, .js-plotly-plot`;

// The step that a button leads to; undefined for Play.
export const stepAfter = (action, step, last) => ({ restart: 0, end: last, back: step - 1, step: step + 1 })[action];

export class Playback {
  // `frame`: milliseconds of a step while it plays. `step()` and `last()` tell the present step and the last one, and
  // `go(step)` moves. `goBeyond()`, where there is one, does one more step after the last. `onPlaying(whether)` hears
  // of play and pause.
  constructor(root, steps) {
    this.root = root;
    this.steps = { goBeyond: () => {}, onPlaying: () => {}, ...steps };
    this.loop = new FrameLoop((milliseconds) => this.playOn(milliseconds));
    this.buttons = Object.fromEntries(BUTTONS.map((button) => [button[0], this.createButton(...button)]));
    this.slider = createElement("input", { type: "range", min: 0, step: 1, "aria-label": "Step" });
    this.slider.oninput = () => {
      this.pause();
      this.steps.go(Number(this.slider.value));
    };
    const help = keyHint("space plays, arrows step");
    const props = { className: "bar", role: "toolbar", "aria-label": "Playback" };
    this.bar = createElement("div", props, ...Object.values(this.buttons), this.slider, help);
    this.onKey = (event) => this.press(event);
    window.addEventListener("keydown", this.onKey);
  }

  createButton(action, label) {
    const onclick = () => this.act(action);
    const props = { "aria-label": label, title: label, "data-id": action, onclick };
    return createElement("button", props, icon(action));
  }

  act(action) {
    const { step, last, go, goBeyond } = this.steps;
    if (action === "play") {
      if (this.loop.isRunning()) this.pause();
      else this.play();
      return;
    }
    this.pause();
    if (action === "step" && step() >= last()) goBeyond();
    else go(stepAfter(action, step(), last()));
  }

  play() {
    if (this.steps.step() >= this.steps.last()) this.steps.go(0);
    this.loop.start();
    this.showWhetherPlaying();
  }

  playOn(milliseconds) {
    const { step, last, go, frame } = this.steps;
    if (milliseconds < frame) return false;
    if (step() >= last()) this.pause();
    else go(step() + 1);
    return true;
  }

  pause() {
    this.loop.stop();
    this.showWhetherPlaying();
  }

  showWhetherPlaying() {
    const playing = this.loop.isRunning();
    const label = playing ? "Pause" : "Play";
    this.buttons.play.replaceChildren(icon(playing ? "pause" : "play"));
    this.buttons.play.setAttribute("aria-label", label);
    this.buttons.play.setAttribute("title", label);
    this.steps.onPlaying(playing);
  }

  // Shows the present step. `hasMore`: there is something after the last step.
  draw(hasMore = false) {
    const step = this.steps.step();
    const last = this.steps.last();
    this.slider.max = last;
    this.slider.value = step;
    this.buttons.back.disabled = step === 0;
    this.buttons.restart.disabled = step === 0;
    this.buttons.end.disabled = step === last;
    this.buttons.step.disabled = step === last && !hasMore;
  }

  // Keys work wherever they mean nothing else: not in a text field, on a slider or a tab.
  press(event) {
    const target = event.composedPath()[0];
    const isOwn = this.root.contains(target);
    if (event.defaultPrevented || hasModifier(event)) return;
    if (target.closest?.(isOwn ? FIELDS : CONTROLS)) return;
    if (isOwn && event.key === " " && target.closest("button")) return;
    if (!KEYS[event.key]) return;
    event.preventDefault();
    this.act(KEYS[event.key]);
  }

  stop() {
    this.loop.stop();
    window.removeEventListener("keydown", this.onKey);
  }
}
