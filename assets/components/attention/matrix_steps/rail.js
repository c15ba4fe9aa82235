// The steps of attention in a row: back, play, next, a dot for each step, and which of Q, K and V is made.
import { createElement, replaceKeepingFocus } from "../../shared/dom.js";
import { watchEdges } from "../../shared/edges.js";
import { icon } from "../../shared/icons.js";
import { arrowStep } from "../../shared/keyboard.js";

const STEP_TIME = 2200; // milliseconds while it plays
const FIRST_STEP_TIME = 400;

export class Rail {
  // `send` of the picture tells the server which step or projection is wanted; its next data show it.
  constructor(picture) {
    this.picture = picture;
    this.isPlaying = false;
    this.root = createElement("div", { className: "rail", role: "toolbar", "aria-label": "Steps of attention" });
    this.root.onkeydown = (event) => {
      const [move] = arrowStep(event.key) ?? [0];
      if (!move) return;
      event.preventDefault();
      this.goByHand(this.picture.data.step + move);
    };
  }

  draw() {
    const { step, steps, choices } = this.picture.data;
    const last = steps.length - 1;
    const [sign, label] = this.isPlaying ? [[icon("pause")], "Pause"] : [[icon("play"), " play"], "Play all steps"];
    const buttons = [
      this.button("back", [icon("back")], "Back", () => this.goByHand(step - 1), step === 0),
      this.button("play", sign, label, () => (this.isPlaying ? this.pause() : this.play())),
      this.button("next", [icon("next")], "Next step", () => this.goByHand(step + 1), step === last),
    ];
    const dots = createElement("span", { className: "dots" }, ...steps.map((title, i) => this.dot(title, i)));
    const group = createElement("span", { className: "buttons" }, ...buttons);
    watchEdges(dots);
    replaceKeepingFocus(this.root, group, dots, choices.length ? this.projections() : "");
    const here = this.root.querySelector('[aria-current="step"]');
    if (here) dots.scrollLeft = here.offsetLeft - dots.offsetLeft - dots.clientWidth / 2 + here.clientWidth / 2;
  }

  button(id, sign, label, onclick, disabled = false) {
    const props = { className: "go", "aria-label": label, title: label };
    return createElement("button", { ...props, "data-id": id, disabled, onclick }, ...sign);
  }

  dot(title, i) {
    const { step, steps } = this.picture.data;
    const props = {
      className: i < step ? "dot done" : "dot",
      "data-id": `step-${i}`,
      "aria-description": `Step ${i + 1} of ${steps.length}: ${title}`,
      onclick: () => this.goByHand(i),
    };
    const number = createElement("b", { textContent: String(i + 1) });
    const dot = createElement("button", props, number, createElement("span", { textContent: title }));
    if (i === step) dot.setAttribute("aria-current", "step");
    return dot;
  }

  projections() {
    const { data, colours } = this.picture;
    const buttons = data.choices.map(({ key, symbol, role, title }) =>
      createElement("button", {
        textContent: symbol,
        "data-id": `of-${key}`,
        "aria-pressed": String(key === data.of),
        style: { color: colours(role) },
        title,
        onclick: () => {
          this.pause();
          this.picture.send("of", key);
        },
      }),
    );
    return createElement("span", { className: "which", role: "group", "aria-label": "Which projection" }, ...buttons);
  }

  goByHand(step) {
    this.pause();
    this.go(step);
  }

  go(step) {
    const { data } = this.picture;
    if (step < 0 || step >= data.steps.length || step === data.step) return;
    this.root.querySelectorAll(".dot").forEach((dot, i) => {
      if (i === step) dot.setAttribute("aria-current", "step");
      else dot.removeAttribute("aria-current");
    });
    this.picture.send("step", step);
  }

  isAtEnd() {
    return this.picture.data.step === this.picture.data.steps.length - 1;
  }

  play() {
    this.isPlaying = true;
    if (this.isAtEnd()) this.go(0);
    else this.goAfter(FIRST_STEP_TIME);
    this.draw();
  }

  pause() {
    this.isPlaying = false;
    clearTimeout(this.timer);
    this.draw();
  }

  // While it plays, the next step follows the one that has come.
  playOn() {
    if (this.isPlaying) this.goAfter(STEP_TIME);
  }

  goAfter(wait) {
    clearTimeout(this.timer);
    if (this.isAtEnd()) this.pause();
    else this.timer = setTimeout(() => this.go(this.picture.data.step + 1), wait);
  }

  stop() {
    clearTimeout(this.timer);
  }
}
