// One card for all terms. It stands above everything, and never on the word that it explains.
import { createElement } from "../../shared/dom.js";
import { termNodes } from "../entry.js";

const GAP = 8; // pixels between the card, the word and the edge of the window

// Where a card `width` x `height` large stands beside the box of a word: below it, or above where there is more room.
export function cardPlace(box, { width, height }, window) {
  const above = box.top - GAP - height;
  const below = box.bottom + GAP;
  const fitsBelow = below + height <= window.height || above < 0;
  return {
    left: Math.max(GAP, Math.min(box.left, window.width - width - GAP)),
    top: Math.max(GAP, Math.min(fitsBelow ? below : above, window.height - height - GAP)),
  };
}

export class TermCard {
  // `go` is told [what, which]: "view" or "glossary", and the anchor of a term.
  constructor(root, titles, go) {
    Object.assign(this, { root, titles, go });
    this.card = createElement("div", { className: "card", role: "dialog", tabIndex: -1 });
    this.card.popover = "auto";
    this.before = null; // the element that gets the focus back
    root.append(this.card);
    this.card.ontoggle = (event) => {
      if (event.newState === "open") return;
      delete this.card.dataset.pinned;
      const focused = this.root.getRootNode().activeElement;
      if (this.card.contains(focused)) this.before?.focus?.({ preventScroll: true });
    };
  }

  isPinned() {
    return "pinned" in this.card.dataset;
  }

  // `box`: of the word. A pinned card stays until it is closed, and has the focus, which then goes back to `before`.
  show(term, box, pin = null) {
    if (!this.card.isConnected) return; // the page was left while the pointer rested
    const leaveFor = (what) => () => {
      this.hide();
      this.go([what, term.anchor]);
    };
    const onclick = leaveFor("glossary");
    const more = { type: "button", className: "plain", textContent: "In the glossary", onclick };
    const buttons = { open: leaveFor("view"), more: [createElement("button", more)] };
    this.card.replaceChildren(...termNodes(term, this.titles, "h2", buttons));
    this.card.setAttribute("aria-label", term.name);
    this.card.dataset.term = term.anchor;
    if (!this.card.matches(":popover-open")) this.card.showPopover();
    const size = this.card.getBoundingClientRect();
    const { left, top } = cardPlace(box, size, { width: innerWidth, height: innerHeight });
    this.card.style.left = `${left}px`;
    this.card.style.top = `${top}px`;
    if (!pin) return;
    this.card.dataset.pinned = "yes";
    this.before = pin.before;
    this.card.focus({ preventScroll: true });
  }

  hide() {
    if (this.card.matches(":popover-open")) this.card.hidePopover();
  }

  stop() {
    this.hide();
    this.card.remove();
  }
}
