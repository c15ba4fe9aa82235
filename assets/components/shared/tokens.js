// A token's label: a dot for each space that it begins with, then its letters.
import { createElement } from "./dom.js";

// The label without its leading dots, unless it has nothing else.
export const plainLabel = (label) => label.replace(/^·+(?=.)/, "");

// The label as text: the dots faint, right-to-left words whole.
export function tokenNodes(label) {
  const dots = label.match(/^·+/)?.[0] ?? "";
  const word = label.slice(dots.length);
  return [
    createElement("span", { className: "space", textContent: dots }),
    createElement("bdi", { textContent: word }),
  ];
}

// What a control token means, after the name of what it is.
export const meaningOf = ({ meaning }) => (meaning ? `: ${meaning}` : "");

// Who said a token of a conversation.
const saidBy = ({ said, frame }) =>
  said ? `, ${frame ? "of the chat template, around what" : "said by"} the ${said}${frame ? " says" : ""}` : "";

export function describeToken(token, i) {
  const special = token.special ? `, special token${meaningOf(token)}` : "";
  const what = `Token ${i}: ${plainLabel(token.label)}, id ${token.id}, bytes ${token.bytes || "none"}`;
  return `${what}${special}${saidBy(token)}`;
}

// Whether most tokens are of a right-to-left script, so that the strip is.
export const isMostlyRtl = (tokens) => tokens.filter((token) => token.rtl).length > tokens.length / 2;
