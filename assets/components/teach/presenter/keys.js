// The keys of the presenter, and of a clicker.
import { hasModifier, TYPING_FIELDS } from "../../shared/keyboard.js";

const CONTROLS =
  "button, a, input, summary, [role=slider], [role=radio], [role=grid], [role=application], [tabindex='0']";

const ALWAYS = {
  a: "askClass",
  b: "toggleBlank",
  ".": "toggleBlank",
  l: "toggleLaser",
  f: "toggleFullScreen",
  j: "toggleJoin",
  v: "toggleVotes",
};
const PRESENTING = {
  PageDown: "goForward",
  ArrowRight: "goForward",
  ArrowDown: "goForward",
  " ": "goForward",
  PageUp: "goBack",
  ArrowLeft: "goBack",
  ArrowUp: "goBack",
  Home: "goToFirst",
  End: "goToLast",
  n: "openNotes",
  q: "toggleSceneQuestion",
  z: "toggleZoom",
  p: "togglePoint",
  c: "toggleControls",
  Escape: "stopOneThing",
};

// The method of the presenter that a key calls, or undefined. A clicker's black screen is the full stop.
export function actionOf(key, isPresenting) {
  const name = key.length === 1 ? key.toLowerCase() : key;
  return ALWAYS[name] ?? (isPresenting ? PRESENTING[name] : undefined);
}

// Whether the presenter may have a key. A field keeps all its keys, another control the arrows, Enter and the space
// bar; Page Up and Page Down are the clicker's.
export function mayTake(event) {
  // The elements of the notes' window are of other classes, so `instanceof` would fail there.
  const isInside = (selector) => Boolean(event.composedPath()[0]?.closest?.(selector));
  if (event.defaultPrevented || hasModifier(event) || isInside(TYPING_FIELDS)) return false;
  if (isInside(".presenter button") && event.key === " ") return false;
  if (!isInside(CONTROLS) || isInside(".presenter")) return true;
  return ![" ", "Enter"].includes(event.key) && !event.key.startsWith("Arrow");
}

// Whether a key steps through the scenes. Held down by mistake, it must not run through the lecture.
export const isStep = (key) => ["goForward", "goBack"].includes(PRESENTING[key]);
