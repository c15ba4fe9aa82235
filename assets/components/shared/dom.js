// Elements of the page, and how they react.

// An element with properties and children. Text goes in as text, never as HTML.
export function createElement(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === "style") Object.assign(node.style, value);
    else if (name.includes("-") || name === "role" || name === "for") node.setAttribute(name, value);
    else node[name] = value;
  }
  node.append(...children);
  return node;
}

// Words that name keys. base.css hides them where there is no keyboard.
export const keyHint = (textContent) => createElement("span", { className: "keys", textContent });

// All nodes below one that `fits` takes, in the order of the page, also those within components.
export function collectNodes(node, fits, found = []) {
  for (const child of (node.shadowRoot ?? node).children) {
    if (fits(child)) found.push(child);
    collectNodes(child, fits, found);
  }
  return found;
}

// Replaces the children of a part. The control that had the keyboard's focus gets it back, by its data-id.
export function replaceKeepingFocus(part, ...children) {
  const focused = part.getRootNode().activeElement?.dataset?.id;
  part.replaceChildren(...children);
  if (focused) part.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

// Calls `act` once, `wait` milliseconds after the last call.
export function debounce(act, wait) {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...args), wait);
  };
}

// A table for those who hear the picture: its caption, the names of its columns, its rows of texts.
export function createTable(caption, columns, rows) {
  const row = (tag, cells) =>
    createElement("tr", {}, ...cells.map((text) => createElement(tag, { textContent: text })));
  const head = createElement("caption", { textContent: caption });
  return createElement("table", {}, head, row("th", columns), ...rows.map((cells) => row("td", cells)));
}
