// The pen that the keyboard moves over the ink.

export const INK_SIDE = 56; // pixels of the ink
const STEP = 2;
const EDGE = 3; // pixels that stay free, so that the whole width of a line is seen

export function movePen({ x, y }, [right, down]) {
  const keepInside = (value) => Math.min(Math.max(value, EDGE), INK_SIDE - EDGE);
  return { x: keepInside(x + STEP * right), y: keepInside(y + STEP * down) };
}
