// Half of a character (a lone surrogate) in a field of the page: Streamlit sends it as it is. The server takes only
// whole text, and ends the connection without a word. So it becomes U+FFFD in the field, where readers see it.

const HALF = /\p{Surrogate}/gu;

// Call it as often as you like.
export function watchFields() {
  document.addEventListener("input", onInput, true); // before Streamlit hears of it
}

export const replaceHalves = (text) => text.replace(HALF, "\ufffd");

function onInput(event) {
  const field = event.composedPath()[0];
  if (event.isComposing || typeof field.value !== "string") return;
  const whole = replaceHalves(field.value);
  if (whole === field.value) return;
  const caret = field.selectionStart;
  // React has put a setter of its own on the field, which would keep the change from Streamlit.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, whole);
  field.setSelectionRange(caret, caret);
}
