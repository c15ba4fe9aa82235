// The tour of a first visit: a card that says what stands where, and a frame round it. Where the reader asks for it,
// the tour also shows what can be done there. Nothing else is blocked.
import { onShown } from "../../shared/demonstration.js";
import { createElement, keyHint, replaceKeepingFocus } from "../../shared/dom.js";
import { coverOf, surround } from "./boxes.js";
import { isNarrow, STOPS } from "./stops.js";
import { leaveNumbers, show, takeBack } from "./tour_acts.js";

const SEEN = "glassformer tour";
const GAP = 16; // pixels between the card and the edge of the window
const TOP = 80; // pixels of the window above what is explained

let isSeenNow = false; // in this window, where the browser keeps nothing

export function wasTourSeen() {
  try {
    return isSeenNow || localStorage.getItem(SEEN) !== null;
  } catch {
    return isSeenNow;
  }
}

function rememberTour() {
  isSeenNow = true;
  try {
    localStorage.setItem(SEEN, "yes");
  } catch {
    // The storage is switched off: the tour is not shown again in this window.
  }
}

// The stop on screen, -1 while the tour is not on, and which of its texts its card says: "shown", "refused", or "" for
// the text that it begins with. Both stay when the page is made anew.
let current = -1;
let said = "";

export class Tour {
  constructor(root) {
    this.root = root;
    this.ring = createElement("div", { className: "ring", "aria-hidden": "true" });
    this.card = createElement("section", { className: "tour", role: "dialog", tabIndex: -1, "aria-label": "Tour" });
    this.ring.popover = "manual";
    this.card.popover = "manual";
    root.append(this.ring, this.card);
    this.places = [];
    this.onKey = (event) => {
      const isOver = root.querySelector(".card:popover-open, dialog[open]"); // what Escape closes first
      if (current >= 0 && event.key === "Escape" && !event.defaultPrevented && !isOver) this.end();
    };
    window.addEventListener("keydown", this.onKey);
    this.listening = new AbortController();
    onShown((isDone) => this.isOn() && this.say(isDone ? "shown" : "", isDone), { signal: this.listening.signal });
  }

  isOn() {
    return current >= 0;
  }

  start() {
    this.turnTo(0);
    rememberTour();
    const focused = document.activeElement;
    const isFree = focused === null || focused === document.body;
    this.draw(isFree || this.root.contains(this.root.getRootNode().activeElement));
  }

  turnTo(stop) {
    current = stop;
    said = "";
  }

  end() {
    this.turnTo(-1);
    takeBack();
    cancelAnimationFrame(this.frame);
    for (const part of [this.ring, this.card]) if (part.matches(":popover-open")) part.hidePopover();
  }

  go(by) {
    if (current + by >= STOPS.length) {
      this.end();
      return;
    }
    this.turnTo(current + by);
    leaveNumbers();
    this.draw(true);
  }

  // Does what this stop is about. The reader's own draft stays as it is.
  show() {
    if (!show(STOPS[current].show)) this.say("refused", true);
  }

  say(which, focus) {
    said = which;
    this.draw(focus);
  }

  // `focus`: whether the card takes the keyboard's focus.
  draw(focus) {
    if (!this.card.isConnected) return; // the page was left: the next page draws the tour anew
    const { title, where, show: act, keys = "", ...texts } = STOPS[current];
    const isLast = current === STOPS.length - 1;
    const button = (textContent, onclick, className) =>
      createElement("button", { type: "button", className, textContent, onclick, "data-id": textContent });
    const next = button(isLast ? "Finish" : "Next", () => this.go(1), "open");
    const buttons = [next];
    if (act && said !== "shown") buttons.unshift(button("Show me", () => this.show(), "open"));
    if (current > 0) buttons.push(button("Back", () => this.go(-1), "plain"));
    if (!isLast) buttons.push(button("Leave", () => this.end(), "plain"));
    buttons.push(createElement("span", { className: "muted count", textContent: `${current + 1} of ${STOPS.length}` }));
    replaceKeepingFocus(
      this.card,
      createElement("h2", { textContent: title }),
      createElement("p", { role: "status" }, texts[said || "text"], said ? "" : keyHint(keys && ` ${keys}`)),
      createElement("div", { className: "buttons" }, ...buttons),
    );
    const places = where().map((selector) => document.querySelector(selector));
    this.places = places.filter((place) => place?.getClientRects().length);
    if (!this.card.matches(":popover-open")) this.card.showPopover();
    for (const place of this.places) this.bringIntoView(place);
    cancelAnimationFrame(this.frame);
    this.follow();
    if (focus) next.focus({ preventScroll: true });
  }

  // Scrolls a place to where the card does not hide it. The run bar stays where it is.
  bringIntoView(place) {
    const main = document.querySelector('[data-testid="stMain"]');
    if (place.closest(".st-key-run-bar-place")) return;
    if (!main.contains(place)) {
      place.scrollIntoView({ block: "nearest" });
      return;
    }
    const box = place.getBoundingClientRect();
    const room = innerHeight - TOP - (isNarrow() ? this.card.offsetHeight + 24 : 24);
    if (box.top >= TOP && box.bottom <= TOP + room) return;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const top = box.top - TOP - Math.max(0, (room - box.height) / 2);
    main.scrollBy({ top, behavior: isCalm ? "auto" : "smooth" });
  }

  // Keeps the frame round what is explained, while the page moves.
  follow() {
    if (!this.card.isConnected) return; // the page was left between two frames
    const places = this.places.filter((place) => place.isConnected);
    const box = places.length
      ? surround(
          places.map((place) => place.getBoundingClientRect()),
          6,
        )
      : null;
    if (box) this.showRing(box);
    else if (this.ring.matches(":popover-open")) this.ring.hidePopover();
    this.placeCard(box);
    this.frame = requestAnimationFrame(() => this.follow());
  }

  showRing({ left, top, right, bottom }) {
    const size = { width: `${right - left}px`, height: `${bottom - top}px` };
    Object.assign(this.ring.style, { left: `${left}px`, top: `${top}px`, ...size });
    if (this.ring.matches(":popover-open")) return;
    this.ring.showPopover();
    this.card.hidePopover();
    this.card.showPopover(); // on top of the ring
  }

  // The card stands in the corner in which it hides least of the box.
  placeCard(box) {
    const { offsetWidth: width, offsetHeight: height } = this.card;
    const right = innerWidth - width - GAP;
    const bottom = innerHeight - height - GAP;
    const corners = isNarrow()
      ? [
          [GAP, bottom],
          [GAP, 70],
        ]
      : [
          [right, bottom],
          [GAP, bottom],
          [right, 70],
          [GAP, 70],
        ];
    const covered = ([left, top]) => (box ? coverOf(box, { left, top, right: left + width, bottom: top + height }) : 0);
    const [left, top] = corners.reduce((best, each) => (covered(each) < covered(best) ? each : best));
    Object.assign(this.card.style, { left: `${left}px`, top: `${top}px` });
  }

  stop() {
    window.removeEventListener("keydown", this.onKey);
    this.listening.abort();
    cancelAnimationFrame(this.frame);
    this.ring.remove();
    this.card.remove();
  }
}
