// The colours of the page. They are CSS variables made from viz/shared/style.py.
import { createElement } from "./dom.js";

// How bright a colour looks, 0 to 255.
export const brightness = (red, green, blue) => 0.3 * red + 0.59 * green + 0.11 * blue;

// Light or dark, from the page's own background. Returns a function from the name of a colour to the colour.
export function applyTheme(root) {
  const probe = createElement("canvas", { width: 1, height: 1 }).getContext("2d");
  probe.fillStyle = getComputedStyle(root).getPropertyValue("--st-background-color").trim() || "#fff";
  probe.fillRect(0, 0, 1, 1);
  const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
  root.classList.toggle("dark", brightness(red, green, blue) < 128);
  const style = getComputedStyle(root);
  return (name) => style.getPropertyValue(`--${name}`).trim();
}
