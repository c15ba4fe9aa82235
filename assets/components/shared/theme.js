// The colours of the page. They are CSS variables made from viz/shared/style.py.
import { createElement } from "./dom.js";

// How bright a colour looks, 0 to 255.
const brightness = (red, green, blue) => 0.3 * red + 0.59 * green + 0.11 * blue;
export const isDarkColour = (red, green, blue) => brightness(red, green, blue) < 128;

const linear = (channel) => (channel <= 10.31475 ? channel / 3294.6 : ((channel / 255 + 0.055) / 1.055) ** 2.4);
const EVEN = 0.1791; // the luminance of a colour from which black and white differ alike

// Black or white for words on a colour, whichever can be read better (WCAG 2.2); as `ink_on` of viz/shared/ink.py.
export function inkOn(red, green, blue) {
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  return luminance > EVEN ? "#000000" : "#ffffff";
}

// Light or dark, from the page's own background. Returns a function from the name of a colour to the colour.
export function applyTheme(root) {
  const probe = createElement("canvas", { width: 1, height: 1 }).getContext("2d");
  probe.fillStyle = getComputedStyle(root).getPropertyValue("--st-background-color").trim() || "#fff";
  probe.fillRect(0, 0, 1, 1);
  const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
  root.classList.toggle("dark", isDarkColour(red, green, blue));
  const style = getComputedStyle(root);
  return (name) => style.getPropertyValue(`--${name}`).trim();
}
