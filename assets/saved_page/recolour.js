// Figures hold the colours of the theme in which they were drawn. For a reader who prefers the other theme each colour
// has its counterpart there (viz/documents/counterparts.py), and each text in a cell its ink (viz/shared/ink.py).
const COLOURED = /^<span style="color:(#[0-9a-f]{6})">/; // a word in a colour of its own; a reader's text has no tags
const RGBA = /^rgba\((\d+), ?(\d+), ?(\d+), ?([\d.]+)\)$/;

const hex = (channels) => `#${channels.map((each) => Number(each).toString(16).padStart(2, "0")).join("")}`;
const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

function counterpart(text, colours) {
  const [, red, green, blue, alpha] = RGBA.exec(text) ?? [];
  if (alpha === undefined) return colours[text.toLowerCase()] ?? text;
  const other = colours[hex([red, green, blue])];
  return other ? `rgba(${channels(other).join(",")},${alpha})` : text;
}

// A part of a figure. `isColour`: it stands below a key such as "color" or "colorscale", where no words are.
function exchange(part, swaps, isColour) {
  if (Array.isArray(part)) {
    const scale = isColour && swaps.scales.find(([drawn]) => JSON.stringify(drawn) === JSON.stringify(part));
    return scale ? scale[1] : part.map((each) => exchange(each, swaps, isColour));
  }
  if (part && typeof part === "object") {
    const entries = Object.entries(part);
    return Object.fromEntries(
      entries.map(([key, value]) => [key, exchange(value, swaps, isColour || key.includes("color"))]),
    );
  }
  if (typeof part !== "string") return part;
  if (isColour) return counterpart(part, swaps.colours);
  return part.replace(COLOURED, (tag, colour) => tag.replace(colour, swaps.colours[colour] ?? colour));
}

// The figure as it is drawn in the theme `shown`; `swaps` are those of the theme in which it was drawn.
export function recolour(figure, shown, swaps) {
  const { data, ...rest } = exchange(figure, swaps, false);
  for (const trace of data) {
    const ink = trace.meta?.inks?.[shown];
    if (!ink) continue;
    trace.textfont.color = ink;
    trace.unselected.textfont.color = ink;
  }
  return { data, ...rest };
}
