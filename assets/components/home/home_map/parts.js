// The elements that the map is made of.
import { createElement } from "../../shared/dom.js";
import { cellPicture, rampColour } from "../../shared/scales.js";

export function createPart(title, note, body, kind) {
  const heading = createElement("h4", { textContent: title });
  const caption = createElement("p", { className: "muted note", textContent: note });
  return createElement("div", { className: `part ${kind}` }, heading, caption, body);
}

export const arrow = () => createElement("span", { className: "arrow", textContent: "→", "aria-hidden": "true" });

// A button that opens a page, or, where there is no page, the picture alone.
export function linked(page, title, body, onclick) {
  if (!page) return createElement("div", { className: "still" }, body);
  const props = { className: "lead", title: `Open ${page}`, "aria-description": `${title}: open ${page}`, onclick };
  return createElement("button", props, body);
}

// Codes (rows, columns) as a canvas of as many pixels, which the style sheet stretches. `words` say what it shows.
export function cells(codes, ramp, words) {
  const props = { role: "img", "aria-label": words, className: "cells" };
  return cellPicture(...codes.shape, (cell) => rampColour(ramp, codes[cell]), props);
}
