// Words that students wrote, as a cloud: larger where more wrote them. All go in as text.
import { createElement } from "../shared/dom.js";

// The size of a word in the type of the panel, from how many wrote it.
export const wordSize = (count, most) => 1 + 1.2 * Math.sqrt((count - 1) / Math.max(1, most - 1));

// `words`: [word, how many wrote it], the most frequent first.
export function wordCloud(words) {
  const most = Math.max(1, ...words.map(([, count]) => count));
  const items = words.map(([word, count]) => {
    const times = count > 1 ? [createElement("small", { textContent: ` ×${count}` })] : [];
    const text = createElement("bdi", { textContent: word });
    return createElement("li", { style: { fontSize: `${wordSize(count, most)}em` } }, text, ...times);
  });
  return items.length
    ? createElement("ul", { className: "cloud" }, ...items)
    : createElement("p", { textContent: "No words are shown." });
}
