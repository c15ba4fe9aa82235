// The tour of a first visit: a card that says what stands where, and a frame round it. Nothing else is blocked.
const SEEN = "glassformer tour";
const narrow = () => innerWidth < 768; // Streamlit folds its sidebar away
const menuOr = (selector) => (narrow() && '[data-testid="stExpandSidebarButton"]') || selector;

const STOPS = [
  {
    title: "A model, and your sentence",
    text: "Choose a model and type a sentence of your own. Everything on screen is computed from these two.",
    where: () => [menuOr('[data-testid="stSidebar"] .st-key-model'), menuOr('[data-testid="stSidebar"] .st-key-text')],
  },
  {
    title: "The map of this run",
    text: "From the tokens to the prediction, each part is a small picture of what happened. Click a part to open its page at the same layer and head.",
    where: () => ['.st-key-home_map, .st-key-home-map'],
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
    text: "Export saves a picture or its numbers. The address in the browser holds the whole view: send it, or add it to a lecture in the sidebar.",
    where: () => ['[class*="st-key-export"]'],
  },
  {
    title: "Try this",
    text: "Every page ends with things to try. Underlined words open what they mean, and ? shows the keys. This tour is found again at the foot of every page.",
    where: () => ['[class*="st-key-try-this"], [class*="st-key-try_this"]'],
  },
];

let stop = -1, asked = null, seenNow = false; // the stop that is shown, and the last tour that was asked for

function tourSeen() {
  try {
    return seenNow || localStorage.getItem(SEEN) !== null;
  } catch {
    return seenNow;
  }
}

function rememberTour() {
  seenNow = true;
  try {
    localStorage.setItem(SEEN, "yes");
  } catch {
    // storage is switched off: not again in this window
  }
}

function makeTour(root) {
  const ring = make("div", { className: "ring", "aria-hidden": "true" });
  const card = make("section", { className: "tour", role: "dialog", tabIndex: -1, "aria-label": "Tour" });
  [ring.popover, card.popover] = ["manual", "manual"];
  root.append(ring, card);
  let frame = 0, places = [];

  const start = () => {
    stop = 0;
    rememberTour();
    draw(document.activeElement === document.body || document.activeElement === null || root.contains(root.getRootNode().activeElement));
  };
  const end = () => {
    stop = -1;
    cancelAnimationFrame(frame);
    for (const part of [ring, card]) if (part.matches(":popover-open")) part.hidePopover();
  };
  const go = (by) => (stop + by >= STOPS.length ? end() : ((stop += by), draw(true)));

  function draw(focus) {
    const { title, text, where } = STOPS[stop], last = stop === STOPS.length - 1;
    const button = (name, act, kind) => make("button", { type: "button", className: kind, textContent: name, onclick: act });
    const next = button(last ? "Finish" : "Next", () => go(1), "open");
    card.replaceChildren(
      make("h2", { textContent: title }),
      make("p", { role: "status", textContent: text }),
      make("div", { className: "buttons" }, next,
        ...(stop > 0 ? [button("Back", () => go(-1), "plain")] : []),
        ...(last ? [] : [button("Leave", end, "plain")]),
        make("span", { className: "muted count", textContent: `${stop + 1} of ${STOPS.length}` })),
    );
    places = where().map((selector) => document.querySelector(selector)).filter((place) => place?.getClientRects().length);
    if (!card.matches(":popover-open")) card.showPopover();
    places.forEach(bring);
    cancelAnimationFrame(frame);
    follow();
    if (focus) next.focus({ preventScroll: true });
  }

  // What is explained comes to where the card is not.
  function bring(place) {
    const main = document.querySelector('[data-testid="stMain"]');
    if (!place) return;
    if (!main.contains(place)) return place.scrollIntoView({ block: "nearest" });
    const box = place.getBoundingClientRect(), top = 80, room = innerHeight - top - (narrow() ? card.offsetHeight + 24 : 24);
    if (box.top >= top && box.bottom <= top + room) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    main.scrollBy({ top: box.top - top - Math.max(0, (room - box.height) / 2), behavior: calm ? "auto" : "smooth" });
  }

  function follow() {
    const boxes = places.filter((place) => place.isConnected).map((place) => place.getBoundingClientRect());
    if (boxes.length) {
      const least = (side) => Math.min(...boxes.map((box) => box[side])), most = (side) => Math.max(...boxes.map((box) => box[side]));
      const box = { left: least("left") - 6, top: least("top") - 6, right: most("right") + 6, bottom: most("bottom") + 6 };
      Object.assign(ring.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.right - box.left}px`, height: `${box.bottom - box.top}px` });
      if (!ring.matches(":popover-open")) (ring.showPopover(), card.hidePopover(), card.showPopover()); // the card on top
      corner(box);
    } else {
      if (ring.matches(":popover-open")) ring.hidePopover();
      corner(null);
    }
    frame = requestAnimationFrame(follow);
  }

  // The corner in which the card hides least of it.
  function corner(box) {
    const gap = 16, width = card.offsetWidth, height = card.offsetHeight;
    const [right, bottom] = [innerWidth - width - gap, innerHeight - height - gap];
    const covered = ([x, y]) => (box ? Math.max(0, Math.min(box.right, x + width) - Math.max(box.left, x)) * Math.max(0, Math.min(box.bottom, y + height) - Math.max(box.top, y)) : 0);
    const corners = narrow() ? [[gap, bottom]] : [[right, bottom], [gap, bottom], [right, 70], [gap, 70]];
    const [x, y] = corners.reduce((best, each) => (covered(each) < covered(best) ? each : best));
    Object.assign(card.style, { left: `${x}px`, top: `${y}px` });
  }

  const press = (event) => {
    if (stop < 0 || event.key !== "Escape" || event.defaultPrevented || root.querySelector(".card:popover-open, dialog[open]")) return;
    end();
  };
  window.addEventListener("keydown", press);
  return { start, end, draw, stop: () => (window.removeEventListener("keydown", press), cancelAnimationFrame(frame), ring.remove(), card.remove()) };
}
