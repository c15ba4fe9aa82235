// Texts in which a head looks from one token to another: the query framed, and the keys in the colour of their weights.
// A click opens a text.
import { createElement } from "../../shared/dom.js";
import { moveFocusByKeys } from "../../shared/keyboard.js";
import { findOrCreateRoot, unpackNewest } from "../../shared/mount.js";
import { formatFixed } from "../../shared/numbers.js";
import { applyTheme } from "../../shared/theme.js";
import { describeLine, describeLook, looksOfLines, piecesOf } from "./lines.js";

const DOWN_AND_UP = { forward: ["ArrowDown"], back: ["ArrowUp"] };

function tokenNode(piece, looks, tip) {
  if (!piece) return createElement("span", { className: "cut", textContent: " … " });
  const classes = ["at", piece.isQuery && "query", piece.isKey && "key", piece.isSpecial && "special"];
  const node = createElement("span", { className: classes.filter(Boolean).join(" "), textContent: piece.text });
  const weight = looks.get(piece.place);
  if (weight === undefined) return node;
  node.style.setProperty("--weight", String(weight));
  node.onpointerenter = () => tip.show(node, describeLook(piece.text, weight));
  node.onpointerleave = () => tip.hide();
  return node;
}

function sideNode(side, line, looks, tip) {
  const seen = side.role === "queries" ? new Map() : looks;
  const tokens = piecesOf(side, line).map((piece) => tokenNode(piece, seen, tip));
  return createElement("span", { className: "sentence", dir: side.rtl ? "rtl" : "ltr" }, ...tokens);
}

function lineNode(line, looks, tip, props) {
  const kind = createElement("span", { className: "kind muted", textContent: line.kind });
  const size = formatFixed(line.length ?? line.weight, 2);
  const weight = createElement("span", { className: "weight", textContent: size });
  const sentences = line.sides.map((side) => sideNode(side, line, looks, tip));
  const text = createElement("span", { className: "sentences" }, ...sentences);
  return createElement("button", { "aria-label": describeLine(line), ...props }, weight, kind, text);
}

// A box of words beside what is pointed at.
class Tip {
  constructor(root) {
    this.root = root;
    this.node = createElement("div", { className: "tip", hidden: true, "aria-hidden": "true" });
  }

  show(node, words) {
    const [at, around] = [node.getBoundingClientRect(), this.root.getBoundingClientRect()];
    this.node.textContent = words;
    this.node.hidden = false;
    const room = around.width - this.node.offsetWidth;
    this.node.style.left = `${Math.max(0, Math.min(at.left - around.left, room))}px`;
    this.node.style.top = `${at.top - around.top - this.node.offsetHeight - 4}px`;
  }

  hide() {
    this.node.hidden = true;
  }
}

export default async function drawHeadTexts({ data, parentElement, setTriggerValue }) {
  const received = await unpackNewest(parentElement, data);
  if (!received) return;
  const root = findOrCreateRoot(parentElement, "div", { className: "gf head-texts" });
  applyTheme(root);
  const tip = new Tip(root);
  const looks = looksOfLines(received.groups, received.looks);
  const lines = [];
  const groups = received.groups.flatMap(({ title, lines: ofGroup }, group) => {
    const rows = ofGroup.map((line, place) => {
      const number = lines.length;
      const act = () => setTriggerValue("open", [group, place]);
      const props = { "data-spot": `text ${number}`, tabIndex: number ? -1 : 0, onclick: act };
      lines.push(lineNode(line, looks[group][place], tip, props));
      return createElement("li", {}, lines.at(-1));
    });
    const heading = title ? [createElement("h4", { textContent: title })] : [];
    return [...heading, createElement("ol", { "aria-label": title || received.title }, ...rows)];
  });
  root.replaceChildren(...groups, tip.node);
  moveFocusByKeys(root, lines, DOWN_AND_UP);
}
