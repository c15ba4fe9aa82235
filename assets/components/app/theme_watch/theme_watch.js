// Tells the browser's theme where it is not the one that the figures were drawn for: Streamlit does not run the page
// again when the reader switches the theme.
import { findOrCreateRoot, unpackNewest } from "../../shared/mount.js";
import { applyTheme } from "../../shared/theme.js";

const asked = new WeakMap(); // root -> the theme that was told last, so that it is told once

export default async function watchTheme({ data, parentElement, setTriggerValue }) {
  const header = await unpackNewest(parentElement, data);
  if (!header) return;
  const root = findOrCreateRoot(parentElement, "div", { className: "gf", hidden: true });
  applyTheme(root);
  const theme = root.classList.contains("dark") ? "dark" : "light";
  if (theme === header.theme) asked.delete(root);
  else if (asked.get(root) !== theme) {
    asked.set(root, theme);
    setTriggerValue("theme", theme);
  }
}
