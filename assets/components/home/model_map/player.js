// Plays the run on the map: the bar below it, with speed. At the end it asks whether the model is to write on.
import { createElement } from "../../shared/dom.js";
import { formatPercent } from "../../shared/numbers.js";
import { Playback } from "../../shared/playback.js";
import { plainLabel } from "../../shared/tokens.js";
import { listSteps, stepWords } from "./progress.js";

const WHOLE_MILLISECONDS = 14_000; // of a run at speed 1
const FRAME = { least: 50, most: 700 }; // milliseconds of a step at speed 1
const MAX_WRITTEN = 24; // tokens that are appended before the bar is opened anew
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
    this.begin();
    this.playback.play();
  }

  // The bar for the run that the map shows now.
  begin() {
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
    });
    const close = createElement("button", { textContent: "Close", "data-id": "close", onclick: () => this.close() });
    this.words = createElement("span", { className: "muted words" });
    this.offer = createElement("button", { className: "offer", "data-id": "write", onclick: () => this.extend() });
    this.root.replaceChildren(this.playback.bar, this.createSpeeds(), this.words, this.offer, close);
    this.go(0);
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
    const { layout, data } = this.map;
    this.number = Math.max(0, Math.min(this.steps.length - 1, number));
    this.playback.draw();
    const isEnd = this.number === this.steps.length - 1;
    this.words.textContent = stepWords(this.step, this.steps, layout.tokens, lastAnswer(layout, data.predictions));
    this.offer.hidden = !(isEnd && this.canExtend);
    if (!this.offer.hidden) this.offer.textContent = `Write “${plainLabel(data.outcome.bars[0].label)}” and go on`;
    if (isEnd) this.map.say(this.words.textContent);
    this.map.redraw();
  }

  // Whether the model can write on: a decoder whose next token is read as it was written.
  get canExtend() {
    return Boolean(this.map.data.next) && this.written < MAX_WRITTEN;
  }

  // Asks the page for the run with the next token, which is then played.
  extend() {
    if (!this.canExtend || this.isWaiting) return;
    this.isWaiting = true;
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
    this.begin();
    this.playback.play();
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

// What the last token predicts; null where tokens predict nothing.
function lastAnswer({ tokens: { source, target } }, predictions) {
  const { label, share } = predictions?.tokens.at(-1) ?? {};
  if (label === undefined) return null;
  return { token: plainLabel((target ?? source).at(-1)), label: plainLabel(label), share: formatPercent(share) };
}
