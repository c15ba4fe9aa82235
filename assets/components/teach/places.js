// Places on a page that do not depend on the size of its window: [element, part, x, y]. The element is one of the
// page, by its key or its order among those of its kind; the part is a cell, a chip, a picture or the whole; x and y
// are shares of the part's size.

import { partOf, partUnder } from "../shared/pointed_part.js";

const BAR = ".st-key-run-bar-place";
const MAX_NAME = 120; // characters, as pages/teach/rooms/routes.py reads them
const FOCUS = "focus"; // in the place of a part: the element is what a scene points at

// The elements of the page without those of teaching, which students do not have alike.
export function pageElements() {
  const all = document.querySelectorAll('[data-testid="stMain"] [data-testid="stElementContainer"]');
  return [...all].filter((element) => !element.closest(".st-key-teaching"));
}

// The page for students has the same places: there viz/documents/places.py has named them.
const KINDS = "stHeading stMarkdown stText stAlert stCode stMetric stDataFrame stTable stPlotlyChart"
  .split(" ")
  .map((kind) => `[data-testid="${kind}"]`)
  .join();

// Elements of a view are counted for themselves: those around it, and the controls in it, are on no other page.
const VIEW = ".st-key-view";
const CONTROLS = '[class*="st-key-controls-"]';

function regionOf(element) {
  if (element.closest(CONTROLS)) return "controls ";
  return element.closest(VIEW) ? "" : "page ";
}

const kindOf = (element) => element.querySelector(KINDS)?.dataset.testid ?? "#";
const keyOf = (element) => [...element.classList].find((name) => name.startsWith("st-key-") && name.length <= MAX_NAME);

// The name of each element: its key, or its order among those of its kind in its part of the page.
export function namesOf(elements) {
  const counts = {};
  return elements.map((element) => {
    const known = element.dataset.place ?? keyOf(element);
    if (known) return known;
    const kind = `${regionOf(element)}${kindOf(element)}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
    return `${kind} ${counts[kind]}`;
  });
}

// The shares of a box at a point, from 0 to 1.
export function sharesIn(box, x, y) {
  const share = (part, whole) => Number(Math.min(Math.max(part / (whole || 1), 0), 1).toFixed(3));
  return [share(x - box.left, box.width), share(y - box.top, box.height)];
}

// The place under the pointer, or null.
export function placeUnder(event) {
  const { clientX, clientY } = event;
  const path = event.composedPath();
  const elements = pageElements();
  const number = elements.findIndex((each) => path.includes(each));
  if (number < 0) return null;
  const element = elements[number];
  const [part, box] = partUnder(element, path, event);
  return [namesOf(elements)[number], part, ...sharesIn(box, clientX, clientY)];
}

// Where a place is on this screen: {x, y, box, node, isNamed}, or null where the page has no such element. `isNamed`:
// its box is what was pointed at, to be marked as a whole.
export function findPlace([name, part, x, y]) {
  const elements = pageElements();
  const element = part === FOCUS ? findFocus(name) : elements[namesOf(elements).indexOf(name)];
  if (!element) return null;
  const { node, box, isNamed } = findPart(element, part);
  return { node, box, isNamed, x: box.left + x * box.width, y: box.top + y * box.height };
}

// The element or container of a key, once it is drawn.
function findFocus(name) {
  const found = findMain().querySelector(
    `.${CSS.escape(name)}, [data-place="${CSS.escape(name)}"], [data-name="${CSS.escape(name)}"]`,
  );
  return found?.offsetHeight ? found : null;
}

function findPart(element, part) {
  if (part === FOCUS) return { node: element, box: element.getBoundingClientRect(), isNamed: false };
  const whole = { node: element, box: element.getBoundingClientRect(), isNamed: part !== "" };
  return partOf(element, part) ?? whole;
}

// -- scrolling -----------------------------------------------------------------------------------------------------

const MARGIN = 90; // pixels at the edges of the screen that bars may cover
const REACH = 0.12; // the share of a scrolled part at its edges that counts as out of sight

const findMain = () => document.querySelector('[data-testid="stMain"]');
const isScrolled = (node) =>
  (node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1) &&
  /auto|scroll/.test(getComputedStyle(node).overflow);

// Scrolls everything around a place until it is seen. `find` returns the place as it is now, as `findPlace`.
export function reveal(find) {
  const start = find();
  for (let node = start?.node; node; node = node.parentElement ?? node.getRootNode().host) {
    if (node instanceof Element && node.matches(BAR)) return; // it stays on the screen
    if (!(node instanceof Element) || !isScrolled(node)) continue;
    const { x, y } = find();
    const box = node.getBoundingClientRect();
    const edge = node === findMain() ? MARGIN : 4;
    node.scrollBy(stepInto(x, box.left, box.width, 4), stepInto(y, box.top, box.height, edge));
    if (node === findMain()) return;
  }
}

const ENOUGH = 0.5; // of the room: what is higher counts as seen when so much of it is

// Scrolls the page as little as shows an element below the run bar, or the beginning of a very high one.
export function bringIntoSight(element) {
  const main = findMain();
  const { top, height } = element.getBoundingClientRect();
  const room = { top: upperEdge(), bottom: main.getBoundingClientRect().bottom - 4 };
  const seen = Math.min(height, ENOUGH * (room.bottom - room.top));
  main.scrollBy({ top: scrollToFit({ top, bottom: top + seen }, room) });
}

// How far to scroll so that a point comes into the middle; 0 where it is well inside.
export function stepInto(point, start, length, edge) {
  const margin = Math.max(edge, Math.min(REACH * length, MARGIN));
  const isInside =
    point >= start + Math.min(margin, length / 3) && point <= start + length - Math.min(margin, length / 3);
  return isInside ? 0 : point - start - length / 2;
}

// The place at the upper edge of the page, below the run bar; null where the page is not scrolled.
export function topPlace() {
  const main = findMain();
  if (main.scrollTop < 8) return null;
  const elements = pageElements();
  const top = upperEdge();
  const number = elements.findIndex((element) => {
    const box = element.getBoundingClientRect();
    return box.height > 1 && box.bottom > top + 1 && !element.closest(BAR);
  });
  if (number < 0) return null;
  const box = elements[number].getBoundingClientRect();
  return [namesOf(elements)[number], "", 0, sharesIn(box, box.left, top)[1]];
}

// The place of what a scene points at; null for no name.
// `share` of its height is what a screen shows that is too low for all of it.
export const focusPlace = (name, share = 0) => (name ? [name, FOCUS, 0, share] : null);
export const isFocus = (place) => place?.[1] === FOCUS;

// How large an element is drawn, as a factor, so that its height fits; it is never enlarged.
export const shrinkToFit = (height, room) => (height > room ? room / height : 1);

// How far a page must be scrolled so that `box` lies between `top` and `bottom`; its top is seen in any case.
export function scrollToFit(box, { top, bottom }) {
  if (box.top < top) return box.top - top;
  return box.bottom > bottom ? Math.min(box.bottom - bottom, box.top - top) : 0;
}

// How far a page must be scrolled for a focus: all of it is seen, or as much as there is room for around its `share`.
export function scrollToFocus(box, share, { top, bottom }) {
  const excess = box.bottom - box.top - (bottom - top);
  return excess > 0 ? box.top - top + share * excess : scrollToFit(box, { top, bottom });
}

// Scrolls a place to the upper edge, and what a scene points at into view above a bar of this height. Returns whether
// the page has it.
export function scrollToTop(place, barHeight) {
  const main = findMain();
  if (place === null) {
    main.scrollTo({ top: 0 });
    return true;
  }
  const found = findPlace(place);
  if (!found) return false;
  const top = upperEdge();
  const room = { top, bottom: main.getBoundingClientRect().bottom - barHeight };
  main.scrollBy({ top: isFocus(place) ? scrollToFocus(found.box, place[3], room) : found.y - top });
  return true;
}

// The height of the page's window without its bars.
export const freeHeight = (barHeight) => findMain().getBoundingClientRect().bottom - barHeight - upperEdge();

// The lower edge of the run bar where it stays at the top, else the upper edge of the page.
function upperEdge() {
  const { top } = findMain().getBoundingClientRect();
  const bar = document.querySelector(BAR)?.getBoundingClientRect();
  return bar && bar.top <= top + 8 && bar.bottom > top ? bar.bottom : top;
}
