// Tells the browser's theme where it is not the one that the figures were drawn for: Streamlit does not run the page
// again when the reader switches the theme.
import { watchFields } from "../../shared/fields.js";
import { findOrCreateRoot, unpackNewest } from "../../shared/mount.js";
import { applyTheme } from "../../shared/theme.js";
import { watchWideParts } from "./wide_parts.js";

export default async function watchTheme({ data, parentElement, setTriggerValue }) {
  watchFields(); // this component is on every page
  watchWideParts();
  const header = await unpackNewest(parentElement, data);
  if (!header) return;
  const root = findOrCreateRoot(parentElement, "div", { className: "gf", hidden: true });
  applyTheme(root);
  const theme = root.classList.contains("dark") ? "dark" : "light";
  if (theme !== header.theme && root.asked !== theme) {
    root.asked = theme; // it is told once
    setTriggerValue("theme", theme);
  }
  if (theme === header.theme) root.asked = null;
}
