// The likeliest outcomes of a run as bars. Where heads are muted, those of the whole model are pale above them.
import { createElement } from "../../shared/dom.js";
import { hasArabicScript } from "../../shared/fonts.js";
import { findOrCreateRoot, unpackNewest } from "../../shared/mount.js";
import { formatPercent } from "../../shared/numbers.js";
import { applyTheme } from "../../shared/theme.js";
import { plainLabel, tokenNodes } from "../../shared/tokens.js";

// One row in words: "blue 12%, with all heads 31%".
export function describeRow({ label, share, whole }) {
  const now = `${plainLabel(label)} ${formatPercent(share)}`;
  return whole === null ? now : `${now}, with all heads ${formatPercent(whole)}`;
}

function bar(className, share) {
  const width = `${Math.max(share * 100, 0.5)}%`;
  return createElement("i", { className, style: { width } });
}

function row(each) {
  const { label, share, whole } = each;
  const bars = whole === null ? [bar("now", share)] : [bar("whole", whole), bar("now", share)];
  const shares = [createElement("span", { className: "share", textContent: formatPercent(share) })];
  if (whole !== null)
    shares.unshift(createElement("span", { className: "muted", textContent: `${formatPercent(whole)} →` }));
  return createElement(
    "li",
    { "aria-label": describeRow(each) },
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
  const rows = createElement("ol", { "aria-label": received.title }, ...received.rows.map(row));
  root.replaceChildren(
    createElement("p", {}, title, createElement("span", { className: "muted", textContent: received.note })),
    rows,
  );
}
