// A panel that opens at a part of the run bar, above everything else, and closes where the reader goes on elsewhere.
import { createElement } from "../../shared/dom.js";

const GAP = 4; // pixels between the anchor and the panel
const MARGIN = 8; // pixels to the edge of the window

// Where a panel stands, in pixels of the window: below its anchor, or above it where the anchor is in the lower half.
export function placePanel(anchor, width, view) {
  const wide = Math.min(width, view.width - 2 * MARGIN);
  const left = Math.max(MARGIN, Math.min(anchor.left, view.width - wide - MARGIN));
  const room = { left: `${left}px`, width: `${wide}px` };
  if (anchor.top > view.height / 2) {
    const bottom = view.height - anchor.top + GAP;
    return { ...room, top: "auto", bottom: `${bottom}px`, maxHeight: `${view.height - bottom - MARGIN}px` };
  }
  const top = anchor.bottom + GAP;
  return { ...room, top: `${top}px`, bottom: "auto", maxHeight: `${view.height - top - MARGIN}px` };
}

// An empty panel. It stands at `anchor`, is opened by the button `opener`, and is at least `width` pixels wide.
export class Panel {
  constructor(root, { anchor, opener, label, width }) {
    this.anchor = anchor;
    this.width = width;
    this.node = createElement("div", { className: "panel", popover: "auto", role: "dialog", "aria-label": label });
    this.node.addEventListener("toggle", (event) =>
      opener.setAttribute("aria-expanded", String(event.newState === "open")),
    );
    opener.setAttribute("aria-expanded", "false");
    opener.setAttribute("aria-haspopup", "dialog");
    root.append(this.node);
  }

  get isOpen() {
    return this.node.matches(":popover-open");
  }

  open() {
    const { left, top, bottom, width } = this.anchor.getBoundingClientRect();
    const view = { width: window.innerWidth, height: window.innerHeight };
    Object.assign(this.node.style, placePanel({ left, top, bottom }, Math.max(width, this.width), view));
    if (!this.isOpen) this.node.showPopover();
  }

  close() {
    if (this.isOpen) this.node.hidePopover();
  }
}
