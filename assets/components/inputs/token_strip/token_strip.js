// Tokens as chips: click or arrow keys choose one; its id and bytes appear below.
import { createChip } from "../../shared/chip.js";
import { createElement, replaceKeepingFocus } from "../../shared/dom.js";
import { moveFocusByKeys } from "../../shared/keyboard.js";
import { findOrCreateRoot, unpackNewest } from "../../shared/mount.js";
import { applyTheme } from "../../shared/theme.js";
import { isMostlyRtl, tokenNodes } from "../../shared/tokens.js";

function chip(token, i, onclick) {
  const label = createElement("span", { className: token.rtl ? "token rtl" : "token" }, ...tokenNodes(token.label));
  const number = createElement("small", { className: "muted", textContent: String(i) });
  return createChip(token, i, { "data-id": String(i), "data-spot": `token ${i}`, onclick }, label, number);
}

function factsOf(token, i) {
  if (!token) return [];
  const bytes = createElement("span", { className: "mono", textContent: token.bytes || "no bytes" });
  const special = token.special ? " · a special token that the tokenizer adds" : "";
  return [`Token ${i} · id ${token.id} · `, bytes, special];
}

export default async function drawTokenStrip({ data, parentElement, setTriggerValue }) {
  const received = await unpackNewest(parentElement, data);
  if (!received) return;
  const { tokens, label } = received;
  const root = findOrCreateRoot(parentElement, "div", { className: "gf" });
  applyTheme(root);
  let chosen = received.selected;
  const facts = createElement("div", { className: "facts muted", role: "status" });
  const chips = tokens.map((token, i) => chip(token, i, () => choose(i)));
  const strip = createElement("div", { className: "strip", role: "listbox", "aria-label": label }, ...chips);
  if (isMostlyRtl(tokens)) strip.dir = "rtl";
  const [left, right] = [["ArrowLeft"], ["ArrowRight"]];
  moveFocusByKeys(strip, chips, strip.dir === "rtl" ? { forward: left, back: right } : { forward: right, back: left });

  function show() {
    chips.forEach((node, i) => {
      node.setAttribute("aria-selected", String(i === chosen));
      node.tabIndex = i === (chosen ?? 0) ? 0 : -1;
    });
    facts.replaceChildren(...factsOf(tokens[chosen], chosen));
  }
  function choose(i) {
    chosen = i === chosen ? null : i;
    show();
    setTriggerValue("pick", chosen);
  }
  replaceKeepingFocus(root, strip, facts);
  show();
}
