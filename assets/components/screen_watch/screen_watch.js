// While a lecture is presented, charts are drawn for a screen of the usual size (pages/shared/lecture_screen.py); a very
// different one is told. It has a place of its own: what a component tells is lost where it tells something else at once.
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".gf") ?? make("div", { className: "gf" });
  parentElement.append(root);
  const measure = settle(() => {
    const sizes = [parseFloat(getComputedStyle(document.documentElement).fontSize), window.innerHeight];
    if (root.isConnected && sizes.some((size, i) => Math.abs(size / data[i] - 1) > 0.25)) setTriggerValue("sizes", sizes);
  }, 500);
  window.addEventListener("resize", measure);
  measure();
  return () => window.removeEventListener("resize", measure);
}
