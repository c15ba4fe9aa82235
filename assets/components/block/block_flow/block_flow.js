// One layer as a column of steps: each a small picture of its tensor on this sentence. Click or arrow keys open one.
import { createElement, replaceKeepingFocus } from "../../shared/dom.js";
import { moveFocusByKeys } from "../../shared/keyboard.js";
import { findOrCreateRoot, unpackNewest } from "../../shared/mount.js";
import { cellPicture, colourRamp, rampColour } from "../../shared/scales.js";
import { applyTheme } from "../../shared/theme.js";

function stepButton(step, codes, ramp, isChosen, onclick) {
  const colour = (cell) => rampColour(ramp, codes[cell]);
  const props = {
    className: `step ${step.role}`,
    role: "option",
    "aria-selected": String(isChosen),
    tabIndex: isChosen ? 0 : -1,
    "data-id": step.name,
    "aria-description": `${step.title}: ${step.does}, ${step.shape}`,
    onclick,
  };
  return createElement(
    "button",
    props,
    createElement("span", { className: "does", textContent: step.does }),
    createElement("span", { className: "name", textContent: step.title }),
    cellPicture(...codes.shape, colour, { "aria-hidden": "true" }),
    createElement("small", { className: "muted", textContent: step.shape }),
  );
}

export default async function drawBlockFlow({ data, parentElement, setTriggerValue }) {
  const received = await unpackNewest(parentElement, data);
  if (!received) return;
  const { steps, chosen, label } = received;
  const root = findOrCreateRoot(parentElement, "div", { className: "gf flow" });
  const ramp = colourRamp(applyTheme(root)("signed"));
  const buttons = steps.map((step, i) => {
    const open = () => setTriggerValue("pick", step.name);
    return stepButton(step, received[`picture${i}`], ramp, i === chosen, open);
  });
  const list = createElement("div", { className: "steps", role: "listbox", "aria-label": label }, ...buttons);
  moveFocusByKeys(list, buttons, { forward: ["ArrowDown", "ArrowRight"], back: ["ArrowUp", "ArrowLeft"] });
  replaceKeepingFocus(root, list);
}
