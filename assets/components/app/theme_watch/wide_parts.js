// What Streamlit draws wider than its place: charts with many labels, tables, rows of buttons. Their edges fade where
// there is more, and a chart begins at the frame or line by which it marks what is chosen. Components do so themselves.
import { markEdges, showPlace } from "../../shared/edges.js";

const PARTS = [
  ".st-key-prompts",
  '[class*="st-key-labels-"]',
  '[class*="st-key-wide"]',
  '[data-testid="stMarkdownContainer"]:has(> table)',
  '[data-testid="stButtonGroup"] > div',
].join();
const PAUSE = 200; // milliseconds from a change of the page to the look at it: some pages never rest

let changes = null;

// Call it as often as you like.
export function watchWideParts() {
  const main = document.querySelector('[data-testid="stMain"]');
  if (!main || changes?.main === main) return;
  changes?.observer.disconnect();
  let timer = null;
  const lookNow = () => {
    timer = null;
    for (const part of main.querySelectorAll(PARTS)) showMore(part);
  };
  const look = () => {
    if (timer === null) timer = setTimeout(lookNow, PAUSE);
  };
  const observer = new MutationObserver(look);
  observer.observe(main, { subtree: true, childList: true });
  changes = { main, observer };
  window.addEventListener("resize", look);
  main.addEventListener("scroll", ({ target }) => target.matches?.(PARTS) && markEdges(target), true);
  look();
}

function showMore(part) {
  const marks = [...part.querySelectorAll(".js-plotly-plot .shapelayer path")];
  const mark = marks.at(-1)?.getBoundingClientRect();
  if (mark) {
    const start = mark.left - part.getBoundingClientRect().left + part.scrollLeft;
    showPlace(part, [start, start + mark.width]);
  }
  markEdges(part);
}
