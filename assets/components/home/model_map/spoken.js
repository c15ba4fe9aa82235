// The same facts as text, for those who hear the map.
import { formatNumber } from "../../shared/numbers.js";
import { pathWords, shapeText } from "./names.js";
import { describeCell } from "./why.js";

export const WAYS =
  "Arrows move between neighbours, Enter steps in, Escape steps out, slash searches, plus and minus zoom.";

// Where one has come: a group or a matrix, with what is in it.
export function sayItem(layout, item) {
  if (item.tensor) {
    const path = [pathWords(layout, item.group), item.title].filter(Boolean).join(" › ");
    return `${path}, ${shapeText(item)}: ${item.meaning}.`;
  }
  const count = item.children.length;
  const inside = count ? `${count} parts inside.` : "";
  return `${pathWords(layout, item) || item.title}. ${inside}`;
}

export function sayCell(layout, cell, value, words = "") {
  const number = value === undefined ? "" : ` ${formatNumber(value)}.`;
  return `${describeCell(layout, cell)}.${number} ${words}`.trim();
}
