// The keys of this page, on `?`.
const TYPING = "input:not([type=radio],[type=checkbox],[type=range],[type=button]), textarea, select, [contenteditable=true]";

// The roots of the components on the page: each lives in a shadow tree of its own.
function shadows() {
  return [...document.querySelectorAll('[data-testid="stApp"] *')].map((node) => node.shadowRoot).filter(Boolean);
}

function makeKeyboard(root, data) {
  const dialog = make("dialog", { className: "keyboard", "aria-label": "Keyboard" });
  root.append(dialog);
  const list = (keys) => make("dl", {}, ...keys.flatMap(([key, does]) =>
    [make("dt", {}, make("kbd", { textContent: key })), make("dd", { textContent: does })]));
  const toggle = () => {
    if (!dialog.isConnected) return undefined;
    if (dialog.open) return dialog.close();
    const trees = shadows(), here = data.parts.filter(({ where }) => trees.some((tree) => tree.querySelector(where)));
    const close = make("button", { type: "button", className: "close", textContent: "Close", onclick: () => dialog.close() });
    dialog.replaceChildren(
      make("div", { className: "head" }, make("h2", { textContent: "Keyboard" }), close),
      list(data.general),
      ...here.flatMap(({ title, keys }) => [make("h3", { textContent: title }), list(keys)]),
    );
    return dialog.showModal();
  };
  dialog.onclick = (event) => event.target === dialog && dialog.close(); // beside it
  const press = (event) => {
    if (event.key !== "?" || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.composedPath()[0].closest?.(TYPING)) return;
    event.preventDefault();
    toggle();
  };
  window.addEventListener("keydown", press);
  return { toggle, stop: () => (window.removeEventListener("keydown", press), dialog.close(), dialog.remove()) };
}
