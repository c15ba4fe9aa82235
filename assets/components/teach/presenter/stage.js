// The stage: what a scene points at is kept in view, marked, and enlarged to the whole screen and back.
import { scrollToFit, shrinkToFit } from "../places.js";

const MARK_TIME = 4000; // milliseconds
const LEAST_PICTURE = 40; // pixels; a lower element is no picture
const LEAST_SCROLL = 20; // pixels; less than that leaves a focus in sight
const LARGEST_ZOOM = 3;
const LEAST_ZOOM = 1.1; // a picture that would be enlarged less keeps the whole width
const SETTLING_TIME = 250; // milliseconds until a picture is laid out for another width
const MOST_FITS = 4; // of one zoom: pictures that keep on moving are left as they are
const PICTURES = ".stPlotlyChart, .stBidiComponent, [data-testid=stDataFrame], [data-testid=stImage]";
const BARS = ".st-key-run-bar-place, .st-key-help-foot, .st-key-teaching";

// The share of the stage's width in which an element is laid out, to be enlarged to the whole width.
export const shareToFill = (height, room) => Math.min(Math.max(height / room, 1 / LARGEST_ZOOM), 1);

export class Stage {
  constructor() {
    this.name = ""; // the class of the scene's focus
    this.scene = -1;
    this.focus = null; // the element in focus
    this.isZoomed = false;
    this.isMarked = false;
    this.hasScrolled = false; // the presenter scrolled since the scene came
    this.sizes = new ResizeObserver(() => this.wait());
    this.elements = new MutationObserver(() => this.wait());
    this.isWatching = false;
    this.page = null;
    this.bar = null;
    this.listeners = { wheel: () => this.letGo(), touchmove: () => this.letGo(), resize: () => this.leaveZoom() };
  }

  // Shows a scene; `name` is the class of its focus, "" for the first picture. Returns whether it is another scene.
  show(scene, name, bar) {
    this.bar = bar;
    this.watch();
    const isNew = scene !== this.scene || name !== this.name;
    if (isNew) {
      this.unmark();
      this.leaveZoom();
      this.release();
      Object.assign(this, { scene, name, hasScrolled: false });
    }
    this.wait();
    return isNew;
  }

  watch() {
    if (this.isWatching) return;
    this.isWatching = true;
    this.elements.observe(document.querySelector('[data-testid="stApp"]'), { childList: true, subtree: true });
    for (const [event, listen] of Object.entries(this.listeners)) window.addEventListener(event, listen);
  }

  // Leaves the page as it was.
  stop() {
    this.isWatching = false;
    this.sizes.disconnect();
    this.elements.disconnect();
    for (const [event, listen] of Object.entries(this.listeners)) window.removeEventListener(event, listen);
    this.unmark();
    this.leaveZoom();
    this.release();
    this.page = null;
    delete document.documentElement.dataset.controls;
  }

  letGo() {
    this.hasScrolled = true;
  }

  // Elements come one after another: the place is found once a frame.
  wait() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.findPage();
      if (this.isWatching && this.page) this.place();
    });
  }

  // The app may make the page anew.
  findPage() {
    const page = document.querySelector('[data-testid="stMainBlockContainer"]');
    if (page === this.page) return;
    if (this.page) this.sizes.unobserve(this.page);
    if (page) this.sizes.observe(page);
    this.page = page;
  }

  // The named element, once it has a height, or without one the first picture.
  find() {
    const isPicture = (node) => node.offsetHeight > LEAST_PICTURE && !node.closest(BARS);
    const named = this.name && this.page.querySelector(`.${CSS.escape(this.name)}`);
    if (!named) return [...this.page.querySelectorAll(PICTURES)].find(isPicture) ?? null;
    if (isPicture(named)) return named;
    this.sizes.observe(named);
    return null;
  }

  // The part of the window that nothing covers: between the bars above the page and the presenter's bar.
  room() {
    const runBar = this.page.querySelector(".st-key-run-bar-place")?.parentElement;
    const head = this.page.querySelector(".st-key-stage-head")?.parentElement;
    const barHeight = Math.round(runBar?.offsetHeight ?? 0);
    document.documentElement.style.setProperty("--stage-bar", `${barHeight}px`);
    const top = barHeight + (head?.offsetHeight ?? 0) + 4;
    return { top, bottom: window.innerHeight - this.bar.offsetHeight - 4 };
  }

  place() {
    const focus = this.find();
    if (focus !== this.focus) this.take(focus);
    if (!focus) return;
    if (this.isZoomed) {
      this.zoom();
      return;
    }
    const room = this.room();
    const height = room.bottom - room.top;
    this.giveRoom(height);
    this.shrink(height);
    if (!this.hasScrolled) this.scroll(focus, room);
  }

  // Draws a focus that is too high smaller. Charts measure their width as they are seen: so this waits until they are
  // laid out, and afterwards they are made to measure again.
  shrink(height) {
    const { focus } = this;
    const sizes = `${focus.offsetHeight} ${height}`;
    if (sizes === this.sizesShrunk) return;
    this.sizesShrunk = sizes;
    clearTimeout(this.shrinking);
    if (focus.style.transform) {
      focus.style.transform = "";
      focus.style.paddingRight = focus.style.paddingRight ? "" : "1px";
    }
    if (shrinkToFit(focus.offsetHeight, height) === 1) return;
    this.shrinking = setTimeout(() => {
      if (focus !== this.focus || this.isZoomed) return;
      focus.style.transform = `scale(${shrinkToFit(focus.offsetHeight, height)})`;
      focus.style.transformOrigin = "top center";
      this.wait();
    }, SETTLING_TIME);
  }

  scroll(focus, room) {
    const main = document.querySelector('[data-testid="stMain"]');
    const { top, bottom } = focus.getBoundingClientRect();
    const rest = main.scrollTop; // as if it were not scrolled: the view begins at the top where that shows all
    main.scrollTop += scrollToFit({ top: top + rest, bottom: bottom + rest }, room) - rest;
  }

  // Whether the presenter scrolled the focus out of sight.
  isLeftBehind() {
    if (!this.focus || this.isZoomed) return false;
    return Math.abs(scrollToFit(this.focus.getBoundingClientRect(), this.room())) > LEAST_SCROLL;
  }

  // Pictures in the focus learn from a variable how high they may be (shared/layout.js).
  giveRoom(height) {
    const text = `${Math.floor(height)}px`;
    if (this.focus.style.getPropertyValue("--stage-room") === text) return;
    this.focus.style.setProperty("--stage-room", text);
    window.dispatchEvent(new Event("stageroom"));
  }

  take(focus) {
    this.release();
    this.focus = focus;
    if (focus) {
      this.sizes.observe(focus);
      focus.dataset.stage = this.isZoomed ? "zoomed" : this.isMarked ? "marked" : "shown";
    }
  }

  release() {
    const { focus } = this;
    clearTimeout(this.shrinking);
    this.sizesShrunk = "";
    if (!focus) return;
    this.sizes.unobserve(focus);
    delete focus.dataset.stage;
    for (const name of [
      "--stage-room",
      "transform",
      "transform-origin",
      "width",
      "max-width",
      "left",
      "padding-right",
    ]) {
      focus.style.removeProperty(name);
    }
    this.focus = null;
  }

  // Outlines the focus for a moment.
  mark() {
    this.isMarked = true;
    if (this.focus && !this.isZoomed) this.focus.dataset.stage = "marked";
    clearTimeout(this.fading);
    this.fading = setTimeout(() => this.fade(), MARK_TIME);
  }

  fade() {
    this.isMarked = false;
    if (this.focus?.dataset.stage === "marked") this.focus.dataset.stage = "shown";
  }

  unmark() {
    clearTimeout(this.fading);
    this.fade();
  }

  toggleZoom() {
    if (this.isZoomed) this.leaveZoom();
    else if (this.focus) this.enterZoom();
    this.wait();
  }

  // The focus takes the whole window but the presenter's bar.
  enterZoom() {
    this.isZoomed = true;
    this.fitsLeft = MOST_FITS;
    document.documentElement.dataset.zoomed = "";
    this.focus.dataset.stage = "zoomed";
    this.fitZoom();
  }

  // A picture that is wide and low is laid out narrower, and enlarged as a whole.
  async fitZoom() {
    this.fitsLeft -= 1;
    this.heightFitted = null; // while it is measured
    const { height } = this.zoomRoom();
    const whole = await this.layOutZoomed(1);
    const share = shareToFill(whole, height);
    const high = share < 1 ? await this.layOutZoomed(share) : whole;
    if (share < 1 && height / high < LEAST_ZOOM) await this.layOutZoomed(1);
    if (!this.isZoomed) return;
    this.heightFitted = this.focus.scrollHeight;
    this.factor = Math.min(1 / this.share, height / this.heightFitted);
    this.wait();
  }

  // On a busy machine a picture follows after it was measured: then it is fitted again.
  isLate() {
    return this.heightFitted !== null && this.focus.scrollHeight !== this.heightFitted && this.fitsLeft > 0;
  }

  // Lays the focus out in a share of the window's width. Returns its height some frames later, when its pictures have
  // followed. They measure themselves as they are seen, so nothing is enlarged meanwhile.
  async layOutZoomed(share) {
    Object.assign(this, { share, factor: 1 });
    this.wait();
    await new Promise((resolve) => setTimeout(resolve, SETTLING_TIME));
    return this.focus?.scrollHeight ?? 0;
  }

  leaveZoom() {
    if (!this.isZoomed) return;
    this.isZoomed = false;
    delete document.documentElement.dataset.zoomed;
    const { focus } = this;
    this.release();
    if (focus?.isConnected) this.take(focus);
  }

  zoomRoom() {
    return { width: this.bar.offsetWidth, height: window.innerHeight - this.bar.offsetHeight };
  }

  zoom() {
    const { focus } = this;
    if (this.isLate()) this.fitZoom();
    const { width, height } = this.zoomRoom();
    const part = width * this.share;
    this.giveRoom(height);
    focus.style.setProperty("width", `${part}px`, "important");
    focus.style.setProperty("max-width", "none", "important");
    focus.style.transform = this.factor === 1 ? "" : `scale(${this.factor})`;
    focus.style.transformOrigin = "0 0";
    focus.style.left = `${(width - this.factor * part) / 2}px`;
  }
}
