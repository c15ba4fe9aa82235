// What the tour does in the reader's place. All of it is taken back when the tour ends.
import { ask, tellShown } from "../../shared/demonstration.js";

const TEXTS = ["I am a robot", "What time is it?"]; // that every model can read
const AGAIN = 300; // milliseconds until a bar that is not there yet is asked again
const NUMBERS = "Numbers";

let usedBar = false; // whether the run bar has something to take back, also after the page is made anew
let depthBefore = null; // the label of the depth that the reader had

const depthButtons = () => [...document.querySelectorAll('.st-key-depth [role="radio"]')];
const depthButton = (label) => depthButtons().find((button) => button.textContent.trim() === label);
const isChosen = (button) => button.getAttribute("aria-checked") === "true";

const acts = {
  type: () => askBar({ act: "type", texts: TEXTS }),
  choose: () => askBar({ act: "choose" }),
  depth: openNumbers,
};

// Returns whether the act could begin. `onShown` of shared/demonstration.js hears of its end.
export function show(name) {
  return acts[name]();
}

function askBar(detail) {
  const isTaken = ask(detail);
  usedBar ||= isTaken;
  return isTaken;
}

function openNumbers() {
  const chosen = depthButtons().find(isChosen);
  const numbers = depthButton(NUMBERS);
  if (!chosen || !numbers || chosen === numbers) return false;
  depthBefore = chosen.textContent.trim();
  numbers.click();
  tellShown(true);
  return true;
}

// The depth that the reader had, unless the reader has chosen another one since.
export function leaveNumbers() {
  const [numbers, before] = [depthButton(NUMBERS), depthBefore && depthButton(depthBefore)];
  depthBefore = null;
  if (before && numbers && isChosen(numbers)) before.click();
}

// Everything as it was. On a page that has just been opened the bar may come later.
export function takeBack() {
  leaveNumbers();
  if (!usedBar) return;
  usedBar = !ask({ act: "back" });
  if (usedBar) setTimeout(takeBack, AGAIN);
}
