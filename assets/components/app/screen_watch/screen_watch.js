// While a lecture is presented, charts are drawn for a screen of the usual size (pages/shared/lecture_screen.py). This
// component tells the server of a very different one. It is apart from the presenter's bar: of two messages that one
// component sends at once, one is lost.
import { debounce } from "../../shared/dom.js";
import { findOrCreateRoot } from "../../shared/mount.js";

const TOLERANCE = 0.25; // as a share

// Whether one of the sizes differs much from what was expected.
export const differs = (sizes, expected) => sizes.some((size, i) => Math.abs(size / expected[i] - 1) > TOLERANCE);

export default function watchScreen({ data: expected, parentElement, setTriggerValue }) {
  const root = findOrCreateRoot(parentElement, "div", { className: "gf" });
  const measure = debounce(() => {
    const typeSize = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const sizes = [typeSize, window.innerHeight];
    if (root.isConnected && differs(sizes, expected)) setTriggerValue("sizes", sizes);
  }, 500);
  window.addEventListener("resize", measure);
  measure();
  return () => window.removeEventListener("resize", measure);
}
