// The tour of a first visit: a card that says what stands where, and a frame round it. Nothing else is blocked.
import { createElement } from "../../shared/dom.js";
import { coverOf, surround } from "./boxes.js";

const SEEN = "glassformer tour";
const GAP = 16; // pixels between the card and the edge of the window
const TOP = 80; // pixels of the window above what is explained

const isNarrow = () => innerWidth < 768; // Streamlit folds its sidebar away
const menuOr = (selector) => (isNarrow() && '[data-testid="stExpandSidebarButton"]') || selector;

// The stops: a title, a text, and selectors of the places that are framed together.
const STOPS = [
  {
    title: "Type here",
    text:
      "Your sentence, cut into the tokens that the model reads. Press E, type, and press Enter: " +
      "every picture is computed anew. The model stands beside it.",
    where: () => [".st-key-run-bar"],
  },
  {
    title: "The map of this run",
    text:
      "From the tokens to the prediction, each part is a small picture of what happened. " +
      "Click a part to open its page at the same layer and head.",
    where: () => [".st-key-home_map, .st-key-home-map"],
  },
  {
    title: "A page for each part",
    text: "Each page answers one question: where a head looks, what a mask hides, how the next word comes about.",
    where: () => [menuOr('[data-testid="stSidebarNav"]')],
  },
  {
    title: "Four depths",
    text: "The same view as a picture, as its numbers, as the formula with its source, or as the code that ran.",
    where: () => [".st-key-depth"],
  },
  {
    title: "Keep it, send it",
    text:
      "Export saves a picture or its numbers. The address in the browser holds the whole view: " +
      "send it, or add it to a lecture in the sidebar.",
    where: () => ['[class*="st-key-export"]'],
  },
  {
    title: "Try this",
    text:
      "Every page ends with things to try. Underlined words open what they mean, and ? shows the keys. " +
      "This tour is found again at the foot of every page.",
    where: () => ['[class*="st-key-try-this"], [class*="st-key-try_this"]'],
  },
];

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

let current = -1; // the stop that is shown, also after the page is made anew; -1 while the tour is not on

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
  }

  isOn() {
    return current >= 0;
  }

  start() {
    current = 0;
    rememberTour();
    const focused = document.activeElement;
    const isFree = focused === null || focused === document.body;
    this.draw(isFree || this.root.contains(this.root.getRootNode().activeElement));
  }

  end() {
    current = -1;
    cancelAnimationFrame(this.frame);
    for (const part of [this.ring, this.card]) if (part.matches(":popover-open")) part.hidePopover();
  }

  go(by) {
    if (current + by >= STOPS.length) {
      this.end();
      return;
    }
    current += by;
    this.draw(true);
  }

  // `focus`: whether the card takes the keyboard's focus.
  draw(focus) {
    if (!this.card.isConnected) return; // the page was left: the next page draws the tour anew
    const { title, text, where } = STOPS[current];
    const isLast = current === STOPS.length - 1;
    const button = (textContent, onclick, className) =>
      createElement("button", { type: "button", className, textContent, onclick });
    const next = button(isLast ? "Finish" : "Next", () => this.go(1), "open");
    const buttons = [next];
    if (current > 0) buttons.push(button("Back", () => this.go(-1), "plain"));
    if (!isLast) buttons.push(button("Leave", () => this.end(), "plain"));
    buttons.push(createElement("span", { className: "muted count", textContent: `${current + 1} of ${STOPS.length}` }));
    this.card.replaceChildren(
      createElement("h2", { textContent: title }),
      createElement("p", { role: "status", textContent: text }),
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

  // Scrolls a place to where the card does not hide it.
  bringIntoView(place) {
    const main = document.querySelector('[data-testid="stMain"]');
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
    cancelAnimationFrame(this.frame);
    this.ring.remove();
    this.card.remove();
  }
}
