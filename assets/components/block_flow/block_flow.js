// One layer as a column of steps: each a small picture of its tensor on this sentence. Click or arrow keys open one.
export default async function ({ data, parentElement, setTriggerValue }) {
  const given = await newest(parentElement, data);
  if (!given) return undefined;
  const { steps, chosen, label, ...pictures } = given;
  let root = parentElement.querySelector(".gf");
  if (!root) {
    root = make("div", { className: "gf flow" });
    parentElement.append(root);
  }
  const colour = applyTheme(root);
  const shades = ramp(colour("signed"));

  const buttons = steps.map((step, i) => {
    const codes = pictures[`picture${i}`], canvas = pixels(...codes.shape, shades, (at) => codes[at], { "aria-hidden": "true" });
    return make("button", { className: `step ${step.role}`, role: "option", "aria-selected": String(i === chosen),
        tabIndex: i === chosen ? 0 : -1, "data-id": step.name, "aria-description": `${step.name}: ${step.does}, ${step.shape}`,
        onclick: () => setTriggerValue("pick", step.name) },
      make("span", { className: "does", textContent: step.does }),
      make("span", { className: "mono name", textContent: step.name }),
      canvas,
      make("small", { className: "muted", textContent: step.shape }));
  });
  const list = make("div", { className: "steps", role: "listbox", "aria-label": label }, ...buttons);
  list.onkeydown = (event) => {
    const at = buttons.indexOf(parentElement.activeElement ?? document.activeElement);
    const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined || !buttons[to]) return;
    event.preventDefault();
    buttons.forEach((button, i) => (button.tabIndex = i === to ? 0 : -1));
    buttons[to].focus();
  };
  redrawn(root, list);
}
