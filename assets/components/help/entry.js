// A term of the glossary, the same in its card and on the Glossary page.

// MathML made by the app, as elements.
function math(text) {
  return document.importNode(new DOMParser().parseFromString(text, "application/xml").documentElement, true);
}

function entry(term, titles, heading, buttons) {
  const name = make(heading, { className: "name", textContent: term.name });
  if (term.symbol) name.append(make("span", { className: "symbol" }, math(term.symbol)));
  const parts = [name, make("p", { className: "definition", textContent: term.definition })];
  if (term.equation) parts.push(make("div", { className: "equation", tabIndex: -1 }, math(term.equation)));
  if (term.source) parts.push(make("p", { className: "source muted", textContent: term.source }));
  const open = `Open ${titles[term.page]}`;
  parts.push(make("div", { className: "buttons" },
    make("button", { type: "button", className: "open", textContent: open, "aria-label": `${open}: ${term.name}`, onclick: buttons.open }),
    ...(buttons.more ?? [])));
  return parts;
}
