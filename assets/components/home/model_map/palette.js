// The colours of cells: the scales of viz/shared/style.py, by the codes of viz/shared/tiles.py.
import { colourRamp } from "../../shared/scales.js";

export const LAST_CODE = 252; // 0..252 are places on a scale
export const MASKED_CODE = 254; // minus infinity
export const NAN_CODE = 255;

const HALF = LAST_CODE / 2;

// The code of a number on a scale, as `scale_codes` of viz/shared/tiles.py makes it.
export function codeOf(value, { low, high }) {
  if (value === Number.NEGATIVE_INFINITY) return MASKED_CODE;
  if (Number.isNaN(value)) return NAN_CODE;
  const centre = low / 2 + high / 2;
  const place = (Math.min(Math.max(value, low), high) - centre) / (high - centre);
  return Math.round((place + 1) * HALF);
}

// The opaque colour, [red, green, blue], that `css` shows on `below`.
function mix(css, below, share) {
  return css.map((part, i) => Math.round(part * share + below[i] * (1 - share)));
}

const MASKED_SHARE = 0.5; // of the grey of masked cells over the background

// For each kind of scale the 256 colours of its codes, as pixels of an ImageData (little-endian).
export function createPalettes(colours) {
  const solid = (name) => [...colourRamp(`0 ${colours(name)}, 1 ${colours(name)}`).subarray(0, 3)];
  const masked = mix(solid("masked"), solid("background"), MASKED_SHARE);
  const invalid = solid("warn");
  const lookUp = (name) => codeColours(colourRamp(colours(name)), masked, invalid);
  return { sequential: lookUp("sequential"), diverging: lookUp("signed") };
}

// `ramp`: 256 colours of red, green, blue and opacity.
export function codeColours(ramp, masked, invalid) {
  const pixels = new Uint32Array(256);
  const pixel = ([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  for (let code = 0; code <= LAST_CODE; code++) {
    const place = Math.round((code / LAST_CODE) * 255) * 4;
    pixels[code] = pixel(ramp.subarray(place, place + 3));
  }
  pixels[MASKED_CODE] = pixel(masked);
  pixels[NAN_CODE] = pixel(invalid);
  return pixels;
}

export const channels = (pixel) => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];

// The pixels of a tile: its codes, or its numbers on its scale.
export function colourCells(tile, pixels, into) {
  const { cells, scale } = tile;
  if (cells instanceof Uint8Array) for (let i = 0; i < cells.length; i++) into[i] = pixels[cells[i]];
  else for (let i = 0; i < cells.length; i++) into[i] = pixels[codeOf(cells[i], scale)];
}
