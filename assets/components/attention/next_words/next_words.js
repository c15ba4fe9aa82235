// The likeliest outcomes of a run as bars. Where heads are muted, those of the whole model are pale above them.
import { createElement } from "../../shared/dom.js";
import { hasArabicScript } from "../../shared/fonts.js";
import { findOrCreateRoot, unpackNewest } from "../../shared/mount.js";
import { formatNumber, formatPercent } from "../../shared/numbers.js";
import { applyTheme } from "../../shared/theme.js";
import { plainLabel, tokenNodes } from "../../shared/tokens.js";

// One row in words: "blue 12%, with all heads 31%". `write` makes text of a score.
export function describeRow({ label, share, whole }, write = formatPercent) {
  const now = `${plainLabel(label)} ${write(share)}`;
  return whole === null ? now : `${now}, with all heads ${write(whole)}`;
}

function bar(className, share) {
  const width = `${Math.max(share * 100, 0.5)}%`;
  return createElement("i", { className, style: { width } });
}

// `longest` is the score of a bar over the whole width.
function row(each, write, longest) {
  const { label, share, whole } = each;
  const now = bar("now", Math.abs(share) / longest);
  const bars = whole === null ? [now] : [bar("whole", Math.abs(whole) / longest), now];
  const shares = [createElement("span", { className: "share", textContent: write(share) })];
  if (whole !== null) shares.unshift(createElement("span", { className: "muted", textContent: `${write(whole)} →` }));
  return createElement(
    "li",
    { "aria-label": describeRow(each, write) },
    createElement(
      "span",
      { className: `word token${hasArabicScript(label) ? " rtl" : ""}`, title: plainLabel(label) },
      ...tokenNodes(label),
    ),
    createElement("span", { className: "bars" }, ...bars),
    createElement("span", { className: "shares" }, ...shares),
  );
}

export default async function drawNextWords({ data, parentElement }) {
  const received = await unpackNewest(parentElement, data);
  if (!received) return;
  const root = findOrCreateRoot(parentElement, "div", { className: "gf outcomes" });
  applyTheme(root);
  const title = createElement("b", { textContent: received.title });
  const isNumber = received.kind === "none"; // a model that gives numbers, of any size
  const sizes = received.rows.flatMap(({ share, whole }) => [Math.abs(share), Math.abs(whole ?? 0)]);
  const [write, longest] = isNumber ? [formatNumber, Math.max(...sizes) || 1] : [formatPercent, 1];
  const drawn = received.rows.map((each) => row(each, write, longest));
  const rows = createElement("ol", { "aria-label": received.title }, ...drawn);
  root.replaceChildren(
    createElement("p", {}, title, createElement("span", { className: "muted", textContent: received.note })),
    rows,
  );
}
