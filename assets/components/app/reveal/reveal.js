// After a press on a prompt, brings what the prompt is about into sight.
import { mountOnce } from "../../shared/mount.js";
import { bringIntoSight } from "../../teach/places.js";
import { isAppIdle } from "../../teach/restart_line.js";

const LOOK_TIME = 150; // milliseconds
const WATCH_TIME = 3000; // pictures above the place may still grow
const LEAST_HEIGHT = 60; // pixels of a picture: a strip of tokens has fewer
const MOST_TIME = 20_000; // the page may take so long to draw the place
const DEEDS = ["wheel", "touchmove", "keydown", "pointerdown"]; // the reader's own scrolling, or the next press
const PICTURES = ".stPlotlyChart, .stBidiComponent, [data-testid=stDataFrame], [data-testid=stTable], .stImage";

// The element of a class, or the first picture after the row of prompts.
function findPlace(place) {
  if (place) return document.querySelector(`.${place}`);
  const row = document.querySelector(".st-key-try-this");
  const isBehind = (node) => row?.compareDocumentPosition(node) === Node.DOCUMENT_POSITION_FOLLOWING;
  const pictures = [...document.querySelectorAll(PICTURES)].filter(isBehind);
  return pictures.find((node) => node.getBoundingClientRect().height > LEAST_HEIGHT);
}

class Reveal {
  constructor() {
    this.leave = () => this.stop();
  }

  // `press` is another number for each press.
  update({ place, press }) {
    if (press === this.press) return;
    const now = performance.now();
    Object.assign(this, { place, press, end: now + WATCH_TIME, last: now + MOST_TIME });
    for (const deed of DEEDS) window.addEventListener(deed, this.leave);
    this.look();
  }

  look() {
    clearTimeout(this.timer);
    const now = performance.now();
    if (!isAppIdle()) this.end = Math.min(now + WATCH_TIME, this.last);
    const node = findPlace(this.place);
    if (node && isAppIdle()) this.show(node);
    if (now < this.end) this.timer = setTimeout(() => this.look(), LOOK_TIME);
    else this.stop();
  }

  show(node) {
    for (const earlier of document.querySelectorAll("[data-press]")) if (earlier !== node) delete earlier.dataset.press;
    node.dataset.press = this.press; // tests look for it
    bringIntoSight(node);
  }

  stop() {
    clearTimeout(this.timer);
    for (const deed of DEEDS) window.removeEventListener(deed, this.leave);
  }
}

export default mountOnce(Reveal);
