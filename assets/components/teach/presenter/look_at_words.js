// The presenter's look at the words of a class, in the notes window: each can be left out before the class sees them.
import { createElement } from "../../shared/dom.js";
import { say } from "../room.js";

const STYLE = { display: "flex", flexWrap: "wrap", gap: "0.3rem", margin: "0.5rem 0", padding: "0", listStyle: "none" };

// The nodes for the notes; none where no words are asked for.
export function wordsToLookAt(presenter) {
  const answers = presenter.asked() && presenter.words();
  if (!answers) return [];
  const items = answers.words.map(([word, count, isOut]) => createElement("li", {}, wordButton(word, count, isOut)));
  const hint = answers.closed
    ? "No more words come in. Press a word to leave it out; the next key shows the others to the class."
    : "Words come in. The next key closes the answers, the one after it shows them. Press a word to leave it out.";
  return [createElement("p", { textContent: hint }), createElement("ul", { style: STYLE }, ...items)];
}

function wordButton(word, count, isOut) {
  const style = { textDecoration: isOut ? "line-through" : "", opacity: isOut ? 0.5 : 1 };
  const textContent = count > 1 ? `${word} ×${count}` : word;
  const props = { type: "button", dir: "auto", textContent, style, "aria-pressed": String(isOut) };
  return createElement("button", { ...props, onclick: () => say({ leave_out: [word, !isOut] }) });
}
