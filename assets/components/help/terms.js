// The glossary's terms in the page's own text. The page's elements belong to React and stay as they are: ranges are
// painted by the CSS Custom Highlight API (assets/style.css), and the pointer is tested against them.
const BLOCKS = '[data-testid="stMain"] :is([data-testid="stMarkdownContainer"], [data-testid="stCaptionContainer"]) :is(p, li)';
// What the reader wrote (bold, code, or in quotation marks), and what does something itself.
const NOT_HERE = 'strong, b, em, code, pre, a, button, label, summary, table, .katex, [class*="st-key-written"]';
const QUOTED = /“[^”]*”?|"[^"]*"/g;
const REST = 350, LINGER = 300; // milliseconds until a card opens under a resting pointer, and closes behind it

const escaped = (form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/ /g, "\\s+");

function finder(terms) {
  const byForm = new Map(terms.flatMap((term) => term.forms.map((form) => [form, term])));
  const forms = [...byForm.keys()].sort((a, b) => b.length - a.length).map(escaped);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_-])(${forms.join("|")})(?:s|es)?(?![\\p{L}\\p{N}_-])`, "giu");
  return { pattern, of: (match) => byForm.get(match[1].toLowerCase().replace(/\s+/g, " ")) };
}

// The first place of each term in each paragraph, in the order of the page.
function findTerms({ pattern, of }) {
  const found = [], seen = new Map();
  for (const block of document.querySelectorAll(BLOCKS)) {
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement.closest("p, li") !== block || node.parentElement.closest(NOT_HERE)) continue;
      const here = seen.get(block) ?? seen.set(block, new Set()).get(block);
      const text = node.data.replace(QUOTED, (quoted) => " ".repeat(quoted.length));
      for (const match of text.matchAll(pattern)) {
        const term = of(match);
        if (here.has(term)) continue;
        here.add(term);
        const range = document.createRange();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        found.push({ term, range });
      }
    }
  }
  return found;
}

function paint(name, ranges) {
  if (!globalThis.CSS?.highlights) return;
  if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges));
  else CSS.highlights.delete(name);
}

const inside = (box, x, y, by = 1) => x >= box.left - by && x <= box.right + by && y >= box.top - by && y <= box.bottom + by;

function termAt(found, x, y) {
  const caret = document.caretPositionFromPoint?.(x, y), old = caret ? null : document.caretRangeFromPoint?.(x, y);
  const node = caret?.offsetNode ?? old?.startContainer;
  return found.find(({ range }) => range.startContainer === node && [...range.getClientRects()].some((box) => inside(box, x, y)));
}

// One card for all terms; it stands above everything, and never under the pointer's word.
function makeCard(root, titles, go) {
  const card = make("div", { className: "card", role: "dialog", tabIndex: -1 });
  card.popover = "auto";
  root.append(card);
  let back = null;
  card.ontoggle = (event) => {
    if (event.newState === "open") return;
    delete card.dataset.pinned;
    if (root.getRootNode().activeElement === card || card.contains(root.getRootNode().activeElement)) back?.focus?.({ preventScroll: true });
  };
  const hide = () => card.matches(":popover-open") && card.hidePopover();
  const show = (term, box, pinned, from) => {
    if (!card.isConnected) return; // the page was left while the pointer rested
    const leave = (what) => () => (hide(), go([what, term.anchor]));
    const all = make("button", { type: "button", className: "plain", textContent: "In the glossary", onclick: leave("glossary") });
    card.replaceChildren(...entry(term, titles, "h2", { open: leave("view"), more: [all] }));
    card.setAttribute("aria-label", term.name);
    card.dataset.term = term.anchor;
    if (!card.matches(":popover-open")) card.showPopover();
    const { width, height } = card.getBoundingClientRect(), gap = 8;
    const below = box.bottom + gap + height <= innerHeight || box.top - gap - height < 0;
    card.style.left = `${Math.max(gap, Math.min(box.left, innerWidth - width - gap))}px`;
    card.style.top = `${Math.max(gap, Math.min(below ? box.bottom + gap : box.top - gap - height, innerHeight - height - gap))}px`;
    if (!pinned) return;
    card.dataset.pinned = "yes";
    back = from;
    card.focus({ preventScroll: true });
  };
  return { card, show, hide };
}

// Watches the page and the pointer. `tell` is called with the terms of the page when they change.
function watchTerms(root, data, go, tell) {
  const look = finder(data.terms), { card, show, hide } = makeCard(root, data.titles, go);
  const still = new AbortController(), on = { signal: still.signal };
  let found = [], over = null, timer = null;
  const quiet = () => getComputedStyle(root).getPropertyValue("--foot").trim() === "none"; // while presenting
  const scan = () => {
    found = quiet() ? [] : findTerms(look);
    paint("glossary", found.map(({ range }) => range));
    tell([...new Set(found.map(({ term }) => term))]);
  };
  const hover = (at) => {
    if (at === over) return;
    over = at;
    document.documentElement.toggleAttribute("data-over-term", Boolean(at));
    clearTimeout(timer);
    if (at) timer = setTimeout(() => card.dataset.pinned || show(at.term, at.range.getBoundingClientRect(), false), REST);
    else timer = setTimeout(() => card.dataset.pinned || card.matches(":hover") || hide(), LINGER);
  };
  const onPage = (event) => event.target.closest?.('[data-testid="stMain"]');
  let frame = 0;
  document.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse" || frame) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      hover(onPage(event) && !event.buttons ? termAt(found, event.clientX, event.clientY) ?? null : null);
    });
  }, on);
  card.onpointerleave = () => (timer = setTimeout(() => card.dataset.pinned || over || hide(), LINGER));
  document.addEventListener("click", (event) => {
    const at = onPage(event) && getSelection().isCollapsed && termAt(found, event.clientX, event.clientY);
    if (!at) return;
    clearTimeout(timer);
    show(at.term, at.range.getBoundingClientRect(), true, document.activeElement);
  }, on);
  document.addEventListener("scroll", (event) => card.contains(event.composedPath()[0]) || hide(), { ...on, capture: true, passive: true });
  const changes = new MutationObserver(settle(scan, 150));
  changes.observe(document.querySelector('[data-testid="stMain"]'), { subtree: true, childList: true, characterData: true });
  scan();
  return {
    show,
    stop: () => {
      still.abort();
      changes.disconnect();
      clearTimeout(timer);
      hide();
      card.remove();
      document.documentElement.removeAttribute("data-over-term");
      paint("glossary", []);
    },
  };
}
