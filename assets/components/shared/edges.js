// A part of a page that is wider than its place is moved sideways. Its edges fade where there is more (`data-more`,
// whose style is in base.css for components and in assets/style.css for the page), and it begins at what is chosen.
import { createElement } from "./dom.js";

const TOLERANCE = 2; // pixels that browsers round away

// Where a part has more than it shows: "left", "right", "both" or "". In pixels, `left`: how far it was moved, `inner`:
// the width of its place, `whole`: the width of all of it.
export function moreOf({ left, inner, whole }) {
  const isLeft = left > TOLERANCE;
  const isRight = left + inner < whole - TOLERANCE;
  return isLeft && isRight ? "both" : isLeft ? "left" : isRight ? "right" : "";
}

// How far a part has to be moved for [start, end] of its content to be seen: not at all where it is in sight.
export function moveFor([start, end], { left, inner, whole }) {
  if (start >= left && end <= left + inner) return left;
  return Math.max(0, Math.min((start + end - inner) / 2, whole - inner));
}

// Text from right to left begins at the right. There, browsers count from 0 down.
function measure(node) {
  const { clientWidth: inner, scrollWidth: whole } = node;
  const origin = getComputedStyle(node).direction === "rtl" ? whole - inner : 0;
  return { left: origin + node.scrollLeft, inner, whole, origin };
}

// Says in `data-more` on which sides of a part there is more.
export function markEdges(node) {
  const more = moreOf(measure(node));
  if (more) node.dataset.more = more;
  else delete node.dataset.more;
}

// Keeps `data-more` true while the part is moved or gets another size. Returns the end of it.
export function watchEdges(node) {
  const mark = () => markEdges(node);
  const sizes = new ResizeObserver(mark);
  sizes.observe(node);
  for (const child of node.children) sizes.observe(child);
  node.addEventListener("scroll", mark, { passive: true });
  return () => {
    sizes.disconnect();
    node.removeEventListener("scroll", mark);
  };
}

// The part around a picture that may be wider than the page.
export function createScroller(...children) {
  const scroller = createElement("div", { className: "scroller" }, ...children);
  watchEdges(scroller);
  return scroller;
}

const shownPlaces = new WeakMap(); // part -> the place that it was moved to last

// Moves a part to [start, end] of its content, once for each place: from then on it stays where the reader moves it.
export function showPlace(node, place) {
  const sizes = measure(node);
  const text = place.map(Math.round).join();
  if (shownPlaces.get(node) === text || sizes.whole <= sizes.inner) return;
  shownPlaces.set(node, text);
  node.scrollLeft = moveFor(place, sizes) - sizes.origin;
}
