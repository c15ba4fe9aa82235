// Plays the run on the map: the bar below it, with speed.
import { createElement } from "../../shared/dom.js";
import { Playback } from "../../shared/playback.js";
import { listSteps, stepWords } from "./progress.js";

const WHOLE_MILLISECONDS = 14_000; // of a run at speed 1
const FRAME = { least: 50, most: 700 }; // milliseconds of a step at speed 1
const MAX_WRITTEN = 24; // tokens that one press of Play appends
const SPEEDS = [0.5, 1, 2, 4];

export class Player {
  constructor(map) {
    this.map = map;
    this.root = createElement("div", { className: "player", hidden: true });
  }

  get isOpen() {
    return !this.root.hidden;
  }

  // The present step; null while nothing is played.
  get step() {
    return this.isOpen ? this.steps[this.number] : null;
  }

  open() {
    if (this.isOpen) return;
    this.written = 0; // tokens that the run was extended by
    this.begin(0);
    this.playback.play();
  }

  // The bar for the run that the map shows now. `token`: the one at whose first layer it begins.
  begin(token) {
    this.playback?.stop();
    this.root.hidden = false;
    this.isWaiting = false;
    this.steps = listSteps(this.map.layout);
    this.frame = Math.min(FRAME.most, Math.max(FRAME.least, WHOLE_MILLISECONDS / this.steps.length));
    this.playback = new Playback(this.root, {
      frame: this.frame,
      step: () => this.number,
      last: () => this.steps.length - 1,
      go: (step) => this.go(step),
      goBeyond: () => this.extend(),
    });
    const close = createElement("button", { textContent: "Close", "data-id": "close", onclick: () => this.close() });
    this.words = createElement("span", { className: "muted words" });
    this.root.replaceChildren(this.playback.bar, this.createSpeeds(), this.words, close);
    this.go(this.steps.findIndex((step) => step.token === token || step.token === null));
  }

  createSpeeds() {
    const select = createElement("select", { "aria-label": "Speed" });
    for (const speed of SPEEDS)
      select.append(createElement("option", { value: String(speed), textContent: `${speed}×` }));
    select.value = "1";
    select.onchange = () => {
      this.playback.steps.frame = this.frame / Number(select.value);
    };
    return select;
  }

  go(number) {
    this.number = Math.max(0, Math.min(this.steps.length - 1, number));
    this.playback.draw(this.canExtend);
    this.words.textContent = stepWords(this.step, this.steps.at(-1).stack, this.map.layout.tokens);
    this.map.redraw();
    if (this.number === this.steps.length - 1 && this.playback.loop.isRunning()) this.extend();
  }

  // Whether the model can write on: a decoder whose next token is read as it was written.
  get canExtend() {
    return Boolean(this.map.data.next) && this.written < MAX_WRITTEN;
  }

  // Asks the page for the run with the next token. It goes on there, at the new token.
  extend() {
    if (!this.canExtend || this.isWaiting) return;
    this.isWaiting = true;
    this.isPlaying = this.playback.loop.isRunning();
    this.playback.pause();
    this.written++;
    this.map.send("next", this.written);
  }

  // The map shows another run: the one that was waited for, or one that has nothing to do with what was played.
  receive() {
    if (!this.isOpen || !this.isWaiting) {
      this.close();
      return;
    }
    const { source, target } = this.map.layout.tokens;
    this.begin((target ?? source).length - 1);
    if (this.isPlaying) this.playback.play();
  }

  // Space plays, opens the bar where there is none.
  toggle() {
    if (this.isOpen) this.playback.act("play");
    else this.open();
  }

  act(action) {
    this.playback.act(action);
  }

  close() {
    if (!this.isOpen) return;
    this.playback.stop();
    this.root.hidden = true;
    this.map.redraw();
  }
}
