// The keys of a saved lecture.

const STEPS = {
  PageDown: "next",
  ArrowRight: "next",
  ArrowDown: "next",
  " ": "next",
  PageUp: "back",
  ArrowLeft: "back",
  ArrowUp: "back",
  Home: "first",
  End: "last",
  n: "notes",
  q: "question",
};
const FIELDS = "input, textarea, select, [contenteditable]";
const CONTROLS = "button, a, summary, [role=slider], [role=radio], [role=grid], [role=application], [tabindex='0']";

// What a key does, or undefined. `isWithin(selector)` says where the focus is: a field keeps all its keys but the
// clicker's, Page Up and Page Down; another control keeps arrows, Home, End and the space bar.
export function actionOf({ key, ctrlKey, altKey, metaKey, defaultPrevented }, isWithin) {
  const action = STEPS[key.length === 1 ? key.toLowerCase() : key];
  if (!action || ctrlKey || altKey || metaKey || defaultPrevented) return undefined;
  if (key.startsWith("Page")) return action;
  if (isWithin(FIELDS)) return undefined;
  const isLetter = key.length === 1 && key !== " ";
  return isLetter || !isWithin(CONTROLS) ? action : undefined;
}

// The place after a step, within the scenes.
export function placeAfter(action, place, count) {
  const places = { next: place + 1, back: place - 1, first: 0, last: count - 1 };
  return Math.max(0, Math.min(count - 1, places[action]));
}

// The place that an address names: "#3" is the third scene. The first one where it names none.
export function placeInAddress(hash, count) {
  const number = Number(hash.slice(1));
  return Number.isInteger(number) && number >= 1 && number <= count ? number - 1 : 0;
}
