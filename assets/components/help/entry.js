// A term of the glossary, the same in its card and on the Glossary page.
import { createElement } from "../shared/dom.js";

// MathML made by the app, as elements.
function mathNode(text) {
  return document.importNode(new DOMParser().parseFromString(text, "application/xml").documentElement, true);
}

// A piece of a source line. One that cites a work leads to the work in the list of sources.
function sourceNode([text, address]) {
  if (!address) return text;
  return createElement("a", { textContent: text, href: address, target: "_blank", rel: "noopener" });
}

// `titles`: those of the pages by URL path. `heading`: the tag of the term's name. `open` leads to the view that shows
// the term, and `more` are further buttons.
export function termNodes(term, titles, heading, { open, more }) {
  const name = createElement(heading, { className: "name", textContent: term.name });
  if (term.symbol) name.append(createElement("span", { className: "symbol" }, mathNode(term.symbol)));
  const parts = [name, createElement("p", { className: "definition", textContent: term.definition })];
  if (term.equation) {
    parts.push(createElement("div", { className: "equation", tabIndex: -1 }, mathNode(term.equation)));
  }
  if (term.source.length) parts.push(createElement("p", { className: "source muted" }, ...term.source.map(sourceNode)));
  const text = `Open ${titles[term.page]}`;
  const props = { type: "button", className: "open", textContent: text, "aria-label": `${text}: ${term.name}` };
  const button = createElement("button", { ...props, onclick: open });
  parts.push(createElement("div", { className: "buttons" }, button, ...more));
  return parts;
}
