// Drawing waits while something is pressed: a vote that comes in between would put another button in the place of the
// pressed one, and the browser would click neither.

const LONGEST = 1000; // milliseconds: the release may go to another window

export class Presses {
  constructor(draw) {
    this.draw = draw;
    this.since = null; // when the press began
    this.isStale = false;
  }

  // Also the presses of the notes window count.
  watch(view) {
    const options = { capture: true, passive: true };
    for (const type of ["pointerdown", "keydown"]) view.addEventListener(type, () => this.begin(), options);
    for (const type of ["pointerup", "pointercancel", "keyup", "blur"]) {
      view.addEventListener(type, () => this.end(), options);
    }
  }

  begin() {
    this.since ??= Date.now();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(), LONGEST);
  }

  // The click comes right after the release, and finds its button.
  end() {
    clearTimeout(this.timer);
    this.since = null;
    if (!this.isStale) return;
    this.isStale = false;
    setTimeout(this.draw, 0);
  }

  request() {
    if (this.since === null) this.draw();
    else this.isStale = true;
  }
}
