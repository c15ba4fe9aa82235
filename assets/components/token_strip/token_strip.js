// Tokens as chips: click or arrow keys choose one; its id and bytes appear below.
export default async function ({ data, parentElement, setTriggerValue }) {
  const given = await newest(parentElement, data);
  if (!given) return undefined;
  const { tokens, selected, label } = given;
  let root = parentElement.querySelector(".gf");
  if (!root) {
    root = make("div", { className: "gf" });
    parentElement.append(root);
  }
  applyTheme(root);
  let chosen = selected;
  const facts = make("div", { className: "facts muted", role: "status" });
  const chips = tokens.map((token, i) =>
    make("button", { className: "chip" + (token.special ? " special" : ""), "data-id": String(i), "aria-description": describe(token, i), title: describe(token, i),
      onclick: () => choose(i) },
      make("span", { className: token.rtl ? "token rtl" : "token" }, ...tokenText(token.label)),
      make("small", { className: "muted", textContent: String(i) })));
  const strip = make("div", { className: "strip", role: "listbox", "aria-label": label }, ...chips);
  if (tokens.length && tokens.filter((token) => token.rtl).length > tokens.length / 2) strip.dir = "rtl";
  chips.forEach((chip) => chip.setAttribute("role", "option"));

  function describe(token, i) {
    return `Token ${i}: ${bare(token.label)}, id ${token.id}, bytes ${token.bytes || "none"}${token.special ? ", special token" : ""}`;
  }
  function show() {
    chips.forEach((chip, i) => {
      chip.setAttribute("aria-selected", String(i === chosen));
      chip.tabIndex = i === (chosen ?? 0) ? 0 : -1;
    });
    const token = tokens[chosen];
    facts.replaceChildren();
    if (token) facts.append(`Token ${chosen} · id ${token.id} · `, make("span", { className: "mono", textContent: token.bytes || "no bytes" }),
      token.special ? " · a special token that the tokenizer adds" : "");
  }
  function choose(i) {
    chosen = i === chosen ? null : i;
    show();
    setTriggerValue("pick", chosen);
  }
  strip.onkeydown = (event) => {
    const at = chips.indexOf(parentElement.activeElement);
    const back = strip.dir === "rtl" ? "ArrowRight" : "ArrowLeft";
    const forth = strip.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
    const to = { [forth]: at + 1, [back]: at - 1, Home: 0, End: chips.length - 1 }[event.key];
    if (to === undefined || !chips[to]) return;
    event.preventDefault();
    chips.forEach((chip, i) => (chip.tabIndex = i === to ? 0 : -1));
    chips[to].focus();
  };
  redrawn(root, strip, facts);
  show();
}
