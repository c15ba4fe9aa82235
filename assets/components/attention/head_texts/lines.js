// A line of the list: the tokens of its sentences, and what it says in words.
import { formatFixed } from "../../shared/numbers.js";
import { weightOfCode } from "../../shared/payload.js";

// The weights of each line on the keys that it shows, by the places of the keys. `looks` has those of all lines of all
// groups, one after another.
export function looksOfLines(groups, looks) {
  let start = 0;
  return groups.map(({ lines }) =>
    lines.map(({ sides }) => {
      const found = new Map();
      for (const { first, texts } of keySide(sides).parts) {
        texts.forEach((_, i) => {
          found.set(first + i, weightOfCode(looks[start + i]));
        });
        start += texts.length;
      }
      return found;
    }),
  );
}

export const keySide = (sides) => sides.find(({ role }) => role !== "queries");

// The pieces of a sentence in their order: a token {place, text, isQuery, isKey, isSpecial}, or null for what is cut.
export function piecesOf({ role, count, parts, special }, { query, key }) {
  const pieces = [];
  let end = 0;
  for (const { first, texts } of parts) {
    if (first > end) pieces.push(null);
    texts.forEach((text, i) => {
      const place = first + i;
      const isQuery = role !== "keys" && place === query;
      const isKey = role !== "queries" && place === key;
      pieces.push({ place, text, isQuery, isKey, isSpecial: special.includes(place) });
    });
    end = first + texts.length;
  }
  if (end < count) pieces.push(null);
  return pieces;
}

// The sentence as it is read: "… the cat sees …".
export const textOfSide = (side, line) =>
  piecesOf(side, line)
    .map((piece) => piece?.text ?? " … ")
    .join("")
    .replace(/ +/g, " ")
    .trim();

// "0.92, code: “station” at 12 looks at “station” at 1. The station is near the station".
export function describeLine(line) {
  const [query, key] = line.words;
  const kind = line.kind ? `, ${line.kind}` : "";
  const looks = `“${query}” at ${line.query} looks at “${key}” at ${line.key}.`;
  const text = line.sides.map((side) => textOfSide(side, line)).join(" → ");
  const weight = `${line.length === null ? "" : "weight "}${formatFixed(line.weight, 2)}`;
  const length = line.length === null ? "" : `length ${formatFixed(line.length, 2)}, `;
  return `${length}${weight}${kind}: ${looks} ${text}`;
}

// "0.92 of its attention on “station”".
export const describeLook = (word, weight) => `${formatFixed(weight, 2)} of its attention on “${word.trim()}”`;
