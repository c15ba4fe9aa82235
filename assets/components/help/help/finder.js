// Finds the glossary's terms in a text.

// The reader's own words stand in quotation marks.
const QUOTED = /“[^”]*”?|"[^"]*"/g;

const escapeForm = (form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/ /g, "\\s+");

// Returns a function from a text to its terms, as {term, start, end}. A term's longest form counts, also in the plural,
// and only where it is no part of a word.
export function termFinder(terms) {
  const byForm = new Map(terms.flatMap((term) => term.forms.map((form) => [form, term])));
  const longestFirst = [...byForm.keys()].sort((a, b) => b.length - a.length).map(escapeForm);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_-])(${longestFirst.join("|")})(?:s|es)?(?![\\p{L}\\p{N}_-])`, "giu");
  return (text) => {
    const own = text.replace(QUOTED, (quoted) => " ".repeat(quoted.length));
    return [...own.matchAll(pattern)].map((match) => ({
      term: byForm.get(match[1].toLowerCase().replace(/\s+/g, " ")),
      start: match.index,
      end: match.index + match[0].length,
    }));
  };
}
