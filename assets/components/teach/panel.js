// The panel of a question over the page, and what it does to the page.

const findMain = () => document.querySelector('[data-testid="stMain"]');
const findPage = () => document.querySelector('[data-testid="stMainBlockContainer"]');

const LEAST_WIDE = 900; // pixels of a screen on which a panel has room beside the page (question.css)

const placements = new WeakMap(); // root -> the observer that keeps its panel in place

// Keeps the variables that place a panel: beside the sidebar, above the bar.
export function placePanel(root, bar) {
  const main = findMain();
  const place = () => {
    root.style.setProperty("--left", `${Math.max(0, main.getBoundingClientRect().left)}px`);
    root.style.setProperty("--below", `${bar.offsetHeight}px`);
    document.documentElement.style.setProperty("--bar-below", `${bar.offsetHeight}px`); // of a phone: assets/style.css
  };
  placements.get(root)?.disconnect();
  const observer = new ResizeObserver(place);
  placements.set(root, observer);
  observer.observe(main);
  observer.observe(bar);
  place();
}

let focusBefore = null; // the element that had the focus before a question covered the page

// While a question covers the page, nobody reaches the page below it, by eye, keyboard or screen reader: the page is
// hidden, and the focus is in the question, to return when it closes. A panel that shows an answer covers nothing.
function coverPage(panel) {
  const page = findPage();
  const isCovered = page.style.visibility === "hidden";
  const covers = Boolean(panel && !panel.hidden && !panel.classList.contains("known"));
  if (covers === isCovered) return;
  if (covers) focusBefore = focusedElement();
  page.style.visibility = covers ? "hidden" : "";
  if (covers) panel.focus({ preventScroll: true });
  else if (focusBefore?.isConnected) focusBefore.focus({ preventScroll: true });
  if (!covers) focusBefore = null;
}

// The element that has the focus, also one within a component.
function focusedElement() {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused === document.body ? null : focused;
}

// While a panel shows an answer, the page stands beside it. On a narrow screen it can be scrolled into sight.
function makeRoom(panel, bar) {
  const shows = panel && !panel.hidden && panel.classList.contains("known");
  const isBeside = shows && panel.classList.contains("beside") && window.innerWidth >= LEAST_WIDE;
  const below = shows && !isBeside ? `${panel.offsetHeight + bar.offsetHeight + 16}px` : "";
  findPage().style.paddingBottom = below;
  const { style } = document.documentElement;
  if (isBeside) style.setProperty("--panel-width", `${panel.offsetWidth}px`);
  else style.removeProperty("--panel-width");
}

export function showPanel(panel, bar) {
  makeRoom(panel, bar);
  coverPage(panel);
}

// The page as it was without a panel.
export const clearPage = () => showPanel(null, null);

// Acts after a component has been taken off the page. One that is only drawn anew keeps what it does to the page.
export function onceGone(root, act) {
  setTimeout(() => root.isConnected || act());
}
