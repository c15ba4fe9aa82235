// The time that is left to answer, the same on all screens.
import { createElement } from "../shared/dom.js";

const TICK = 250; // milliseconds

// Minutes and seconds that are left: 0:45.
export function formatLeft(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export class Countdown {
  constructor() {
    this.node = createElement("p", { className: "countdown", role: "timer", hidden: true });
    this.of = null; // the number of the question
    this.ends = null;
  }

  // `left`: seconds, undefined where there is no timer. A question that goes on keeps its end, give or take a second.
  set(of, left) {
    if (left === undefined || left === null) {
      this.stop();
      return;
    }
    const ends = Date.now() + 1000 * left;
    if (of !== this.of || Math.abs(ends - this.ends) > 1500) Object.assign(this, { of, ends });
    this.timer ??= setInterval(() => this.draw(), TICK);
    this.draw();
  }

  stop() {
    clearInterval(this.timer);
    Object.assign(this, { of: null, ends: null, timer: undefined });
    this.draw();
  }

  isOver() {
    return this.ends !== null && Date.now() >= this.ends;
  }

  draw() {
    this.node.hidden = this.ends === null;
    if (this.ends === null) return;
    const text = this.isOver() ? "Time is up" : formatLeft(this.ends - Date.now());
    if (this.node.textContent !== text) this.node.textContent = text;
    this.node.classList.toggle("over", this.isOver());
  }
}
