// The search of the glossary.

// A text without case, accents and vowel marks.
export const simplify = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").trim();

export const wordsOf = (text) => simplify(text).split(/\s+/).filter(Boolean);

// Whether all words stand somewhere in a term.
export function matches({ name, forms, definition, source }, words) {
  const text = simplify([name, ...forms, definition, source].join(" "));
  return words.every((word) => text.includes(word));
}
