// The keys of this page, on `?`.
import { createElement } from "../../shared/dom.js";
import { hasModifier, TYPING_FIELDS } from "../../shared/keyboard.js";

// The roots of the components on the page: each lives in a shadow tree of its own.
function shadowRoots() {
  const nodes = document.querySelectorAll('[data-testid="stApp"] *');
  return [...nodes].map((node) => node.shadowRoot).filter(Boolean);
}

export class KeysDialog {
  // `general`: the keys of every page. `parts`: the keys of components, each with a selector of where it is.
  constructor(root, { general, parts }) {
    Object.assign(this, { general, parts });
    this.dialog = createElement("dialog", { className: "keyboard", "aria-label": "Keyboard" });
    root.append(this.dialog);
    this.dialog.onclick = (event) => event.target === this.dialog && this.dialog.close(); // a click beside it
    this.onKey = (event) => this.press(event);
    window.addEventListener("keydown", this.onKey);
  }

  toggle() {
    if (!this.dialog.isConnected) return;
    if (this.dialog.open) {
      this.dialog.close();
      return;
    }
    const trees = shadowRoots();
    const present = this.parts.filter(({ where }) => trees.some((tree) => tree.querySelector(where)));
    const onclick = () => this.dialog.close();
    const close = createElement("button", { type: "button", className: "close", textContent: "Close", onclick });
    const title = createElement("h2", { textContent: "Keyboard" });
    this.dialog.replaceChildren(
      createElement("div", { className: "head" }, title, close),
      keysList(this.general),
      ...present.flatMap((part) => [createElement("h3", { textContent: part.title }), keysList(part.keys)]),
    );
    this.dialog.showModal();
  }

  press(event) {
    if (event.key !== "?" || event.defaultPrevented || hasModifier(event)) return;
    if (event.composedPath()[0].closest?.(TYPING_FIELDS)) return;
    event.preventDefault();
    this.toggle();
  }

  stop() {
    window.removeEventListener("keydown", this.onKey);
    this.dialog.close();
    this.dialog.remove();
  }
}

// Pairs [key, its meaning] as a list.
function keysList(keys) {
  const nodes = keys.flatMap(([key, meaning]) => [
    createElement("dt", {}, createElement("kbd", { textContent: key })),
    createElement("dd", { textContent: meaning }),
  ]);
  return createElement("dl", {}, ...nodes);
}
