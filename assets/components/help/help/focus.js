// Gives the focus back when Streamlit has replaced the control that had it. A change above a button may create the
// button anew, and a reader who works by keyboard would begin at the top of the page.

const CONTROLS = "button, input, textarea, select, [tabindex]";
const PLACES = '[class*="st-key-"]';

const controlsOf = (place) => [...place.querySelectorAll(CONTROLS)];

// Returns a function that stops watching.
export function watchFocus() {
  const observer = new MutationObserver(restore);
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener("focusin", onFocus);
  document.addEventListener("pointerdown", forget);
  const focused = document.activeElement;
  if (focused && focused !== document.body)
    note(focused); // since before this script came
  else restore();
  return () => {
    observer.disconnect();
    document.removeEventListener("focusin", onFocus);
    document.removeEventListener("pointerdown", forget);
  };
}

// The control, the class that names its place, and which of the controls there it is. Kept by the window, because this
// script may be loaded anew with the page.
function note(target) {
  const place = target.closest(PLACES);
  const name = [...(place?.classList ?? [])].find((each) => each.startsWith("st-key-"));
  window.glassformerFocus = name ? { target, name, index: controlsOf(place).indexOf(target) } : null;
}

const onFocus = ({ target }) => note(target);

function forget() {
  window.glassformerFocus = null;
}

function restore() {
  const last = window.glassformerFocus;
  if (!last || last.target.isConnected || document.activeElement !== document.body) return;
  const place = document.getElementsByClassName(last.name)[0];
  if (place) controlsOf(place)[last.index]?.focus({ preventScroll: true });
}
