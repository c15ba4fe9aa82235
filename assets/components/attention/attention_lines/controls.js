// The controls above the lines: heads, the least weight, hidden words, the direction.
import { createElement, replaceKeepingFocus } from "../../shared/dom.js";
import { formatFixed } from "../../shared/numbers.js";
import { headColour } from "./drawing.js";

const range = (count) => Array.from({ length: count }, (_, i) => i);

export function drawControls(picture) {
  replaceKeepingFocus(
    picture.controls,
    headButtons(picture),
    leastWeight(picture),
    hidingBoxes(picture),
    directionButton(picture),
  );
}

function headButtons(picture) {
  const { heads } = picture.weights;
  const name = createElement("span", { className: "muted", textContent: heads === 1 ? "Head" : "Heads" });
  const buttons = range(heads).map((head) => headButton(picture, head));
  const props = { className: "heads", role: "group", "aria-label": "Heads" };
  return createElement("span", props, name, ...buttons, heads > 1 ? allButton(picture) : "");
}

function headButton(picture, head) {
  const { view } = picture;
  const isShown = view.heads.includes(head);
  const colour = headColour(picture, head);
  const button = createElement("button", {
    className: "head",
    textContent: String(head),
    "aria-pressed": String(isShown),
    "data-id": `head-${head}`,
    "aria-label": `Head ${head}`,
    title: `Head ${head}: click to show or hide, double click to show it alone`,
    style: isShown ? { background: colour, borderColor: colour } : {},
  });
  const showAlone = () => picture.change({ heads: [head], head });
  button.onclick = (event) => {
    if (event.detail > 1) return; // the second click of a double click
    const others = view.heads.filter((other) => other !== head);
    if (isShown && !others.length) return;
    picture.change({ heads: isShown ? others : [...others, head].sort((a, b) => a - b) });
  };
  button.ondblclick = showAlone;
  button.onkeydown = (event) => {
    if (event.key !== "Enter" || !event.shiftKey) return;
    event.preventDefault();
    showAlone();
  };
  return button;
}

function allButton(picture) {
  const { heads } = picture.weights;
  const areAllShown = picture.view.heads.length === heads;
  return createElement("button", {
    className: "plain",
    textContent: areAllShown ? "one" : "all",
    "data-id": "all",
    "aria-label": areAllShown ? "Show one head" : "Show all heads",
    onclick: () => picture.change({ heads: areAllShown ? [picture.view.head] : range(heads) }),
  });
}

function leastWeight(picture) {
  const { view } = picture;
  const value = createElement("output", { textContent: formatFixed(view.least, 2) });
  const slider = createElement("input", {
    type: "range",
    min: 0,
    max: 0.5,
    step: 0.01,
    value: view.least,
    "aria-label": "Hide weights below",
    "data-id": "least",
  });
  slider.oninput = () => {
    view.least = Number(slider.value);
    value.textContent = formatFixed(view.least, 2);
    picture.draw();
    picture.sendView();
  };
  return createElement("label", { className: "muted" }, "hide below ", value, slider);
}

function hidingBoxes(picture) {
  const { query, key } = picture.tokens;
  const hasSpecial = [...query, ...key].some((token) => token.special);
  const special = ["special", "special tokens", "Tokens that the tokenizer adds, such as [CLS]"];
  const first = ["sink", "first token", "Many heads park the attention they do not use on the first token"];
  const boxes = [hasSpecial ? hidingBox(picture, ...special) : "", hidingBox(picture, ...first)];
  return createElement("span", { className: "muted boxes" }, "hide ", ...boxes);
}

function hidingBox(picture, id, text, title) {
  const { hide } = picture.view;
  const onchange = ({ target }) => {
    const isHidden = (other) => (other === id ? target.checked : hide.includes(other));
    picture.change({ hide: ["special", "sink"].filter(isHidden) });
  };
  const box = createElement("input", { type: "checkbox", checked: hide.includes(id), "data-id": id, onchange });
  return createElement("label", { title }, box, ` ${text}`);
}

function directionButton(picture) {
  const isDown = picture.view.layout === "down";
  return createElement("button", {
    className: "plain",
    "data-id": "way",
    textContent: isDown ? "lay across" : "lay down",
    title: "Turn the picture",
    onclick: () => picture.change({ layout: isDown ? "across" : "down" }),
  });
}
