// Tells the size of the page's type and of the window where the theme or the type are not those that the figures were
// drawn for: Streamlit does not run the page again when the reader switches the theme or moves to a larger screen.
import { debounce } from "../../shared/dom.js";
import { watchFields } from "../../shared/fields.js";
import { findOrCreateRoot, unpackNewest } from "../../shared/mount.js";
import { applyTheme } from "../../shared/theme.js";
import { watchWideParts } from "./wide_parts.js";

const TOLERANCE = 0.08; // of the size of the type, as a share

export default async function watchTheme({ data, parentElement, setTriggerValue }) {
  watchFields(); // this component is on every page
  watchWideParts();
  const drawnFor = await unpackNewest(parentElement, data);
  if (!drawnFor) return undefined;
  const root = findOrCreateRoot(parentElement, "div", { className: "gf", hidden: true });
  const look = () => tell(root, drawnFor, (sizes) => setTriggerValue("seen", sizes));
  look();
  const onResize = debounce(look, 400);
  window.addEventListener("resize", onResize);
  return () => window.removeEventListener("resize", onResize);
}

function tell(root, drawnFor, send) {
  applyTheme(root);
  const theme = root.classList.contains("dark") ? "dark" : "light";
  const style = getComputedStyle(document.documentElement);
  const typeSize = style.getPropertyValue("--presenting") ? drawnFor.type : parseFloat(style.fontSize);
  const isSame = theme === drawnFor.theme && Math.abs(typeSize / drawnFor.type - 1) < TOLERANCE;
  const seen = isSame ? null : `${theme} ${typeSize}`;
  const isNew = seen !== null && root.asked !== seen; // it is told once
  root.asked = seen;
  if (isNew) send([typeSize, window.innerHeight]);
}
