// Drawing on a canvas.
import { scaleOf } from "./layout.js";

const LONGEST_SIDE = 16000; // device pixels that a browser allows a canvas

// Makes a canvas `width` x `height` of its own pixels large, crisp on any screen. Returns its context, cleared.
export function resizeCanvas(canvas, width, height) {
  const wanted = (window.devicePixelRatio || 1) * scaleOf(canvas);
  const ratio = Math.min(wanted, LONGEST_SIDE / Math.max(width, height));
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  setSize(canvas, width, height);
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return pen;
}

export function setSize(node, width, height) {
  node.style.width = `${width}px`;
  node.style.height = `${height}px`;
}

export const sizeOf = (node) => [parseFloat(node.style.width), parseFloat(node.style.height)];

// Where the hand is on a canvas, in the canvas' own pixels.
export function pointOn(canvas, { clientX, clientY }) {
  const box = canvas.getBoundingClientRect();
  const [width, height] = sizeOf(canvas);
  return [((clientX - box.left) / box.width) * width, ((clientY - box.top) / box.height) * height];
}

// Lines through points [x, y], each line begun anew.
export function strokeLines(pen, lines, colour, width = 1) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.beginPath();
  for (const [start, ...rest] of lines) {
    pen.moveTo(...start);
    for (const point of rest) pen.lineTo(...point);
  }
  pen.stroke();
}

export function strokeBox(pen, x, y, width, height, colour, thickness = 2) {
  pen.strokeStyle = colour;
  pen.lineWidth = thickness;
  pen.strokeRect(x, y, width, height);
}

// An arc of a circle, in radians clockwise from the right: a whole circle unless told otherwise.
export function strokeArc(pen, x, y, radius, colour, { width = 1, from = 0, to = 7, backwards = false } = {}) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.beginPath();
  pen.arc(x, y, radius, from, to, backwards);
  pen.stroke();
}

export function fillDot(pen, x, y, radius, colour) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 7);
  pen.fill();
}

export function drawText(pen, text, x, y, { font, colour, align = "left", widest }) {
  pen.font = font;
  pen.fillStyle = colour;
  pen.textAlign = align;
  pen.fillText(text, x, y, widest);
}

// Draws around `x`, `y` as the origin, turned by a quarter to the left: upwards is then to the right.
export function drawUpwards(pen, x, y, draw) {
  pen.save();
  pen.translate(x, y);
  pen.rotate(-Math.PI / 2);
  draw();
  pen.restore();
}

// The text, or as much of it as fits before an ellipsis, at least one letter.
export function clipText(pen, text, room) {
  if (pen.measureText(text).width <= room) return text;
  let kept = text;
  while (kept.length > 1 && pen.measureText(`${kept}…`).width > room) kept = kept.slice(0, -1);
  return `${kept}…`;
}
