// A question and its choices, as the presenter's bar and the students' browsers show them. All text goes in as text.
const LETTERS = "ABCDEFGH";

// `asked` has `text`, `choices` and `picture` (or ""); once the answer is `known` also `answer`, `notes` and `explanation`.
// `counts`: how many chose each. `chosen`: what was picked here. With `pick`, a function of the place, choices are buttons.
function questionCard(asked, { known = false, counts = null, chosen = null, pick = null }) {
  const all = Math.max(1, (counts ?? []).reduce((sum, count) => sum + count, 0));
  const rows = asked.choices.map((text, place) => {
    const right = known && place === asked.answer, wrong = known && place === chosen && !right;
    const letter = make("span", { className: "letter", textContent: right ? "✓" : wrong ? "✗" : LETTERS[place] });
    if (right || wrong) [letter.role, letter.ariaLabel] = ["img", right ? "right" : "your answer, not right"];
    const parts = [letter, make("bdi", { className: "label", textContent: text })];
    if (known) parts.push(make("span", { className: "note", textContent: asked.notes[place] }));
    if (counts) {
      const width = `${(100 * counts[place]) / all}%`;
      parts.push(make("span", { className: "votes", textContent: counts[place] === 1 ? "1 answer" : `${counts[place]} answers` }));
      parts.push(make("span", { className: "share", "aria-hidden": "true", style: { width } }));
    }
    const row = pick && !known
      ? make("button", { type: "button", "aria-pressed": String(place === chosen), "data-id": `choice ${place}`, onclick: () => pick(place) }, ...parts)
      : make("div", {}, ...parts);
    row.className = `choice${right ? " right" : ""}${place === chosen ? " chosen" : ""}`;
    return make("li", {}, row);
  });
  return [
    make("h2", { textContent: asked.text }),
    ...(asked.picture && !known ? [make("img", { src: asked.picture, alt: "The picture that is asked about" })] : []),
    make("ol", { className: "choices" }, ...rows),
    ...(known ? [make("p", { className: "explanation", textContent: asked.explanation })] : []),
  ];
}

// Keeps the variables that place a panel: beside the sidebar, above the bar.
function placePanel(root, bar) {
  const main = document.querySelector('[data-testid="stMain"]');
  const place = () => {
    root.style.setProperty("--left", `${Math.max(0, main.getBoundingClientRect().left)}px`);
    root.style.setProperty("--below", `${bar.offsetHeight}px`);
  };
  root.watch?.disconnect();
  root.watch = new ResizeObserver(place);
  root.watch.observe(main);
  root.watch.observe(bar);
  place();
}

// While a question covers the page, nobody reaches what lies under it, by eye, keyboard or screen reader: the page is
// hidden, and the focus is in the question, to return when it closes. A panel that shows an answer covers nothing.
let before = null; // what had the focus
function cover(panel) {
  const page = document.querySelector('[data-testid="stMainBlockContainer"]'), hidden = page.style.visibility === "hidden";
  const covers = Boolean(panel && !panel.hidden && !panel.classList.contains("known"));
  if (covers === hidden) return;
  if (covers) before = focused();
  page.style.visibility = covers ? "hidden" : "";
  if (covers) panel.focus({ preventScroll: true });
  else if (before?.isConnected) before.focus({ preventScroll: true });
  if (!covers) before = null;
}

// The element that has the focus, also one within a component.
function focused() {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at === document.body ? null : at;
}

// After a component has been taken off the page; one that is only drawn anew keeps what it does to the page.
function onceGone(root, act) {
  setTimeout(() => root.isConnected || act());
}

// While a panel shows an answer, what it covers can be scrolled into sight. Without a panel: as before.
function makeRoom(panel, bar) {
  const block = document.querySelector('[data-testid="stMainBlockContainer"]');
  const covers = panel && !panel.hidden && panel.classList.contains("known");
  block.style.paddingBottom = covers ? `${panel.offsetHeight + bar.offsetHeight + 16}px` : "";
}
