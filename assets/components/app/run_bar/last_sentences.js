// The reader's own last sentences. They stay in the browser and never reach the server by themselves.
const KEY = "glassformer sentences";
export const MOST = 10;

// The list with a sentence put first. Each sentence is in it once; one without a word is not.
export function withNewest(sentences, text) {
  if (!text.trim()) return sentences;
  return [text, ...sentences.filter((each) => each !== text)].slice(0, MOST);
}

// The sentences that a stored text holds; none where it was damaged.
export function parseSentences(stored) {
  try {
    const found = JSON.parse(stored ?? "[]");
    return Array.isArray(found) ? found.filter((each) => typeof each === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

// Storage may be forbidden or full: then the list is lost with the tab, and nothing else.
export function readSentences() {
  try {
    return parseSentences(localStorage.getItem(KEY));
  } catch {
    return [];
  }
}

export function keepSentence(text) {
  try {
    localStorage.setItem(KEY, JSON.stringify(withNewest(readSentences(), text)));
  } catch {
    // see readSentences
  }
}
