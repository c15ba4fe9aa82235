// Keys of the map: arrows between neighbours, Enter in, Esc and Backspace out, + and − for the scale.
import { arrowStep, hasModifier } from "../../shared/keyboard.js";

const COMMANDS = {
  Enter: "enter",
  Escape: "leave",
  Backspace: "back",
  "/": "search",
  " ": "play",
  "+": "closer",
  "=": "closer",
  "-": "further",
  0: "whole",
  Home: "whole",
};

// What a key means: {step: [right, down]}, {command}, or null for a key that is not the map's.
export function readKey(event) {
  if (hasModifier(event)) return null;
  const step = arrowStep(event.key);
  if (step) return { step };
  const command = COMMANDS[event.key];
  return command ? { command } : null;
}

// The cell beside another one of its matrix; the cell itself at the edge.
export function stepCell({ matrix, row, column }, [right, down]) {
  const clamp = (place, [first, end]) => Math.max(first, Math.min(end - 1, place));
  return { matrix, row: clamp(row + down, matrix.rows), column: clamp(column + right, matrix.columns) };
}
