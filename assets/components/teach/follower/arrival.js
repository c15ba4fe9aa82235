// The way of a student's window to where the presenter is.
import { isAppIdle } from "../restart_line.js";

const CHECK_TIME = 700; // milliseconds
const MOST_TRIES = 4;

// Whether a view shows what was wanted. It may say more.
export const fits = (wanted, page, view) =>
  wanted.page === page && Object.entries(wanted.view).every(([name, value]) => view[name] === value);

// `take(page, view)` asks the app for a view. The message may be lost, so it is sent again until the view has come.
export class Arrival {
  constructor(take) {
    this.take = take;
    this.wanted = null;
    this.text = ""; // what was asked for last
    this.shown = null; // what the app shows
    this.timer = null;
  }

  want(page, view) {
    this.wanted = { page, view };
  }

  see(page, view) {
    this.shown = { page, view };
    if (this.timer && this.hasArrived()) this.stop();
  }

  hasArrived() {
    return !this.wanted || (this.shown && fits(this.wanted, this.shown.page, this.shown.view));
  }

  go() {
    const text = JSON.stringify(this.wanted);
    if (!this.wanted || text === this.text) return;
    this.text = text;
    this.take(this.wanted.page, this.wanted.view);
    this.insist();
  }

  again() {
    this.text = "";
    this.go();
  }

  insist() {
    let tries = 0;
    this.stop();
    this.timer = setInterval(() => {
      if (this.hasArrived() || tries >= MOST_TRIES) this.stop();
      else if (isAppIdle()) {
        tries += 1;
        this.take(this.wanted.page, this.wanted.view);
      }
    }, CHECK_TIME);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
  }
}
