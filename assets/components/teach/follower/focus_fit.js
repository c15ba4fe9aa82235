// What a scene points at, drawn so low that a student's screen shows all of it, where it stays readable.
import { shrinkToFit } from "../places.js";

// A picture that would be smaller is scrolled instead. On a phone that is nearer at hand than small letters.
const LEAST_FACTOR = { wide: 0.65, narrow: 0.85 };
const LEAST_WIDE = 640; // pixels of the window

export class FocusFit {
  constructor() {
    this.node = null;
    this.sizes = "";
  }

  // Pictures that can be lower learn first how high they may be (shared/layout.js). What is still too high is drawn
  // smaller as a whole. A picture may follow later, so this is called again.
  fit(node, height) {
    if (node !== this.node) this.release();
    this.node = node;
    node.dataset.stage = "shown";
    const room = `${Math.floor(height)}px`;
    if (node.style.getPropertyValue("--stage-room") !== room) {
      node.style.setProperty("--stage-room", room);
      window.dispatchEvent(new Event("stageroom"));
    }
    const sizes = `${node.offsetHeight} ${room}`;
    if (sizes === this.sizes) return;
    this.sizes = sizes;
    const factor = shrinkToFit(node.offsetHeight, height);
    const least = LEAST_FACTOR[window.innerWidth < LEAST_WIDE ? "narrow" : "wide"];
    const isSmaller = least <= factor && factor < 1;
    node.style.transform = isSmaller ? `scale(${factor})` : "";
    node.style.transformOrigin = "top left";
    node.style.marginBottom = isSmaller ? `${-(1 - factor) * node.offsetHeight}px` : "";
  }

  // Draws it as large as the page has it.
  release() {
    const { node } = this;
    this.node = null;
    this.sizes = "";
    if (!node) return;
    delete node.dataset.stage;
    for (const name of ["--stage-room", "transform", "transform-origin", "margin-bottom"]) {
      node.style.removeProperty(name);
    }
    window.dispatchEvent(new Event("stageroom"));
  }
}
