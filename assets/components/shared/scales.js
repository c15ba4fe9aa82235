// Colour scales: numbers as places on a scale of 256 colours, and pictures of cells in those colours.
import { createElement } from "./dom.js";

// The 256 colours of a scale given as "place colour, place colour, ...": red, green, blue and opacity of each in turn.
export function colourRamp(stops) {
  const line = createElement("canvas", { width: 256, height: 1 }).getContext("2d", { willReadFrequently: true });
  const gradient = line.createLinearGradient(0, 0, 256, 0);
  for (const stop of stops.split(",")) {
    const [place, colour] = stop.trim().split(/\s+/);
    gradient.addColorStop(Number(place), colour);
  }
  line.fillStyle = gradient;
  line.fillRect(0, 0, 256, 1);
  return line.getImageData(0, 0, 256, 1).data;
}

// The colour at a place 0..255 of a ramp: red, green, blue and opacity, and the same for CSS.
export const rampColour = (ramp, step) => ramp.subarray(step * 4, step * 4 + 4);
export const rampCss = (ramp, step) => `rgb(${ramp.subarray(step * 4, step * 4 + 3).join(",")})`;

// The place 0..255 of a number from 0 to 1, and of one from -1 to 1. A number beyond them is at the nearer end.
export const unitStep = (x) => Math.round(Math.min(Math.max(x, 0), 1) * 255);
export const signedStep = (x) => Math.round((Math.max(-1, Math.min(1, x)) + 1) * 127.5);

// A picture of one pixel a cell. `colour` gives red, green, blue and opacity of each cell, counted row by row.
export function cellPicture(rows, columns, colour, props = {}) {
  const canvas = createElement("canvas", { ...props, width: columns, height: rows });
  paintCells(canvas, colour);
  return canvas;
}

// The same on a canvas that is there.
export function paintCells(canvas, colour) {
  const { width, height } = canvas;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const image = pen.createImageData(width, height);
  for (let cell = 0; cell < width * height; cell++) image.data.set(colour(cell), cell * 4);
  pen.putImageData(image, 0, 0);
}
