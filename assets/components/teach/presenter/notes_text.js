// Speaker notes with simple formatting: **bold**, and lists whose lines begin with "- " or "1. ".
// viz/documents/notes_text.py reads them alike.
import { createElement } from "../../shared/dom.js";

const BULLET = /^\s*[-*•]\s+(.*)$/;
const NUMBER = /^\s*\d{1,3}[.)]\s+(.*)$/;
const BOLD = /\*\*(\S(?:.*?\S)?)\*\*/g;

// The parts of a line: [{text, bold}].
export function partsOf(line) {
  const parts = [];
  let end = 0;
  for (const match of line.matchAll(BOLD)) {
    if (match.index > end) parts.push({ text: line.slice(end, match.index), bold: false });
    parts.push({ text: match[1], bold: true });
    end = match.index + match[0].length;
  }
  if (end < line.length) parts.push({ text: line.slice(end), bold: false });
  return parts;
}

// The blocks of a text: [{kind: "p", "ul" or "ol", lines: [parts, ...]}]. Each line of plain text is a paragraph.
export function blocksOf(text) {
  const blocks = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const item = BULLET.exec(line) ?? NUMBER.exec(line);
    const kind = !item ? "p" : BULLET.test(line) ? "ul" : "ol";
    const last = blocks.at(-1);
    if (item && last?.kind === kind) last.lines.push(partsOf(item[1]));
    else if (line.trim()) blocks.push({ kind, lines: [partsOf(item ? item[1] : line)] });
    else if (last) blocks.push({ kind: "gap", lines: [] }); // An empty line ends a list.
  }
  return blocks.filter(({ kind }) => kind !== "gap");
}

// The nodes of a text. All of it goes in as text.
export function notesNodes(text) {
  const inline = (parts) =>
    parts.map(({ text: textContent, bold }) => createElement(bold ? "strong" : "span", { textContent }));
  return blocksOf(text).map(({ kind, lines }) =>
    kind === "p"
      ? createElement("p", {}, ...inline(lines[0]))
      : createElement(kind, {}, ...lines.map((parts) => createElement("li", { dir: "auto" }, ...inline(parts)))),
  );
}
