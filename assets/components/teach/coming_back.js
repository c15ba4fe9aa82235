// Whether a component of teaching that was taken off the page comes back. A restarted app draws a page without it, then
// reads from this window what it presents or follows (lecture_memory), and draws it again.

const WINDOW = "glassformer window"; // the key of lecture_memory
const LONGEST = 120_000; // milliseconds

// What this window keeps: `names` are of "playing", "room" and "follow".
function keeps(names) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(WINDOW)) ?? {};
    return names.some((name) => kept[name]);
  } catch {
    return false;
  }
}

// Watches one component. Another part of the app that ends it has `keeps` changed first; so what is kept tells the two.
export class ComingBack {
  constructor(names) {
    this.names = names;
    this.goneSince = null;
  }

  isGone() {
    return this.goneSince !== null;
  }

  leave() {
    this.goneSince ??= Date.now();
  }

  // Returns whether it was away.
  arrive() {
    const wasGone = this.isGone();
    this.goneSince = null;
    return wasGone;
  }

  isExpected() {
    return this.isGone() && Date.now() - this.goneSince < LONGEST && keeps(this.names);
  }
}
