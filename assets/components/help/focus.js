// A control that had the focus has it again when Streamlit has put another in its place: what changes above a button may
// make it anew, and who works by keyboard would begin at the top of the page.

function watchFocus() {
  // The control, the class that names its place, and which of the controls there it is. Kept by the window: this script
  // may be loaded anew with the page.
  const last = (now) => (now === undefined ? window.glassformerFocus ?? null : (window.glassformerFocus = now));
  const controls = (place) => [...place.querySelectorAll("button, input, textarea, select, [tabindex]")];
  const note = ({ target }) => {
    const place = target.closest('[class*="st-key-"]');
    const name = [...(place?.classList ?? [])].find((each) => each.startsWith("st-key-"));
    last(name ? { target, name, at: controls(place).indexOf(target) } : null);
  };
  const forget = () => last(null);
  const restore = () => {
    if (!last() || last().target.isConnected || document.activeElement !== document.body) return;
    const place = document.getElementsByClassName(last().name)[0];
    if (place) controls(place)[last().at]?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(restore);
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener("focusin", note);
  document.addEventListener("pointerdown", forget);
  const held = document.activeElement;
  if (held && held !== document.body) note({ target: held }); // since before this script came
  else restore();
  return () => {
    observer.disconnect();
    document.removeEventListener("focusin", note);
    document.removeEventListener("pointerdown", forget);
  };
}
