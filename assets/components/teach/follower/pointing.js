// What the presenter points at and scrolls to, on a student's screen.
import { findPlace, freeHeight, isFocus, reveal, scrollToTop } from "../places.js";
import { createMark, createSpot, moveMark, moveSpot } from "../spot.js";
import { FocusFit } from "./focus_fit.js";

const TRY_TIME = 250; // milliseconds until the page is looked at again for a place that it does not have yet
const MOST_TRIES = 20;
const REDRAW_TIME = 400;
const BAR_MARGIN = 8; // pixels between what is shown and the bar
const CONTENT = '[data-testid="stMainBlockContainer"]';
const DEEDS = ["wheel", "touchmove", "keydown", "pointerdown"]; // by which students scroll themselves

export class Pointing {
  // `bar`: the element at the lower edge of the screen that covers the page, once there is one.
  constructor(bar) {
    this.bar = bar;
    this.focusFit = new FocusFit();
    this.spot = createSpot();
    this.mark = createMark();
    this.place = null; // that is pointed at
    this.isOn = true; // whether this window follows
    this.top = null; // the place that the presenter has scrolled to
    window.addEventListener("scroll", () => this.draw(), { capture: true, passive: true });
    window.addEventListener("resize", () => this.draw());
    for (const deed of DEEDS) window.addEventListener(deed, () => this.letGo(), { passive: true });
    this.isHeld = false; // whether what a scene points at is kept in view
    this.content = null; // of the page, whose growth is watched
    this.growth = new ResizeObserver(() => this.isHeld && this.scrollTo(this.top));
  }

  show(place) {
    this.place = place;
    clearInterval(this.redraw);
    if (place) this.redraw = setInterval(() => this.draw(), REDRAW_TIME); // a page may be laid out anew meanwhile
    if (place && this.isOn) reveal(() => findPlace(place));
    this.draw();
  }

  draw() {
    const found = this.isOn && this.place ? findPlace(this.place) : null;
    this.spot.hidden = !found;
    this.mark.hidden = !found?.isNamed;
    if (!found) return;
    moveSpot(this.spot, found.x, found.y);
    if (found.isNamed) moveMark(this.mark, found.box);
  }

  // The page may still be on its way, so a place that is missing is looked for again. What a scene points at is kept in
  // view while pictures above it grow, however late they come, until the student scrolls.
  scrollTo(place, tries = 0) {
    this.top = place;
    this.letGo();
    this.watchGrowth();
    if (!this.isOn || tries >= MOST_TRIES) return;
    this.fitFocus();
    if (scrollToTop(place, this.barHeight())) this.isHeld = isFocus(place);
    else this.timer = setTimeout(() => this.scrollTo(place, tries + 1), TRY_TIME);
  }

  watchGrowth() {
    const content = document.querySelector(CONTENT);
    if (content === this.content) return; // to watch it once more would tell of its size at once
    this.growth.disconnect();
    if (content) this.growth.observe(content);
    this.content = content;
  }

  barHeight() {
    return (this.bar()?.offsetHeight ?? 0) + BAR_MARGIN;
  }

  // A place to which the presenter has scrolled by hand leaves the focus of the scene as it is drawn.
  fitFocus() {
    if (!isFocus(this.top)) return;
    const found = findPlace(this.top);
    if (found) this.focusFit.fit(found.node, freeHeight(this.barHeight()));
  }

  letGo() {
    clearTimeout(this.timer);
    this.isHeld = false;
  }

  // The page has come, or has changed.
  arrive(isNew) {
    if (isNew && this.top) this.scrollTo(this.top);
    if (isNew && this.isOn && this.place) reveal(() => findPlace(this.place));
    this.draw();
  }

  follow(isOn) {
    if (this.isOn === isOn) return;
    this.isOn = isOn;
    if (!isOn) this.focusFit.release();
    this.draw();
  }
}
