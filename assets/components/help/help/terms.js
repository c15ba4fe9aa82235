// The glossary's terms in the page's own text. The page's elements belong to React and stay as they are: ranges are
// painted by the CSS Custom Highlight API (assets/style.css), and the pointer is tested against them.
import { debounce } from "../../shared/dom.js";
import { termFinder } from "./finder.js";
import { TermCard } from "./term_card.js";

const BLOCKS =
  '[data-testid="stMain"] :is([data-testid="stMarkdownContainer"], [data-testid="stCaptionContainer"]) :is(p, li)';
// No term is sought in the reader's own words (bold, code, a text field) and in controls.
const NOT_HERE = 'strong, b, em, code, pre, a, button, label, summary, table, .katex, [class*="st-key-written"]';
const REST = 350; // milliseconds until a card opens under a resting pointer
const LINGER = 300; // milliseconds until it closes behind the pointer

const textNodes = (block) => {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  const nodes = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) nodes.push(node);
  return nodes.filter((node) => node.parentElement.closest("p, li") === block && !node.parentElement.closest(NOT_HERE));
};

// The first place of each term in each paragraph, as {term, range}, in the order of the page.
function findTerms(find) {
  return [...document.querySelectorAll(BLOCKS)].flatMap((block) => {
    const seen = new Set();
    return textNodes(block).flatMap((node) =>
      find(node.data).flatMap(({ term, start, end }) => {
        if (seen.has(term)) return [];
        seen.add(term);
        const range = document.createRange();
        range.setStart(node, start);
        range.setEnd(node, end);
        return [{ term, range }];
      }),
    );
  });
}

function paint(ranges) {
  if (!globalThis.CSS?.highlights) return;
  if (ranges.length) CSS.highlights.set("glossary", new Highlight(...ranges));
  else CSS.highlights.delete("glossary");
}

// Whether a point lies in a box, or one pixel beside it.
const isInside = (box, x, y) => x >= box.left - 1 && x <= box.right + 1 && y >= box.top - 1 && y <= box.bottom + 1;

function nodeAt(x, y) {
  const caret = document.caretPositionFromPoint?.(x, y);
  return caret ? caret.offsetNode : document.caretRangeFromPoint?.(x, y)?.startContainer;
}

const boxOf = ({ range }) => range.getBoundingClientRect();

// Watches the page and the pointer.
export class Terms {
  // `go` is told where a card leads; `onChange` gets the terms of the page when they may have changed.
  constructor(root, { terms, titles }, go, onChange) {
    Object.assign(this, { root, onChange });
    this.find = termFinder(terms);
    this.card = new TermCard(root, titles, go);
    this.found = [];
    this.hovered = null; // one of those that were found
    this.listening = new AbortController();
    this.changes = new MutationObserver(debounce(() => this.scan(), 150));
    const main = document.querySelector('[data-testid="stMain"]');
    this.changes.observe(main, { subtree: true, childList: true, characterData: true });
    this.listen();
    this.scan();
  }

  listen() {
    const { card } = this.card;
    const options = { signal: this.listening.signal };
    document.addEventListener("pointermove", (event) => this.onMove(event), options);
    document.addEventListener("click", (event) => this.onClick(event), options);
    const onScroll = (event) => card.contains(event.composedPath()[0]) || this.card.hide();
    document.addEventListener("scroll", onScroll, { ...options, capture: true, passive: true });
    card.onpointerleave = () => this.after(LINGER, () => this.hovered || this.card.hide());
  }

  // Acts after a while, unless the card is pinned or something else shall happen first.
  after(wait, act) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.card.isPinned() || act(), wait);
  }

  // While a lecture is presented, nothing is underlined.
  isQuiet() {
    return getComputedStyle(this.root).getPropertyValue("--foot").trim() === "none";
  }

  // One that was put off may be due after the end, when the next Terms of the page has painted.
  scan() {
    if (this.listening.signal.aborted) return;
    this.found = this.isQuiet() ? [] : findTerms(this.find);
    paint(this.found.map(({ range }) => range));
    this.onChange([...new Set(this.found.map(({ term }) => term))]);
  }

  // The term that was found at a point of the page's text; undefined elsewhere.
  foundAt({ target, clientX, clientY }) {
    if (!target.closest?.('[data-testid="stMain"]')) return undefined;
    const node = nodeAt(clientX, clientY);
    return this.found.find(({ range }) => {
      if (range.startContainer !== node) return false;
      return [...range.getClientRects()].some((box) => isInside(box, clientX, clientY));
    });
  }

  onMove(event) {
    if (event.pointerType !== "mouse" || this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.hover((!event.buttons && this.foundAt(event)) || null);
    });
  }

  hover(found) {
    if (found === this.hovered) return;
    this.hovered = found;
    document.documentElement.toggleAttribute("data-over-term", Boolean(found));
    if (found) this.after(REST, () => this.card.show(found.term, boxOf(found)));
    else this.after(LINGER, () => this.card.card.matches(":hover") || this.card.hide());
  }

  onClick(event) {
    const found = getSelection().isCollapsed && this.foundAt(event);
    if (!found) return;
    clearTimeout(this.timer);
    this.card.show(found.term, boxOf(found), { before: document.activeElement });
  }

  stop() {
    this.listening.abort();
    this.changes.disconnect();
    clearTimeout(this.timer);
    this.card.stop();
    document.documentElement.removeAttribute("data-over-term");
    paint([]);
  }
}
