// A question and its choices, as the presenter's bar and the students' browsers show them. All text goes in as text.
import { createElement } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { wordCloud } from "./words_shown.js";

export const LETTERS = "ABCDEFGH";

// The part of all answers that each choice has, in percent.
export function sharesOf(counts) {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => (100 * count) / Math.max(1, all));
}

// `question` has `text`, whose last line asks, while those before say what it is about, `choices` and `picture` (or
// ""); once the answer is `known` also `answer`, `notes` and `explanation`. `counts`: how many chose each. `chosen`:
// the place of one's own choice. With `pick`, a function of the place, choices are buttons. `shown`: the words of a
// question for words, once the class sees them.
export function questionNodes(question, { known = false, counts = null, chosen = null, pick = null }) {
  const { text, choices, picture, explanation, shown } = question;
  const state = { known, counts, chosen, shares: counts && sharesOf(counts), pick: known ? null : pick };
  const rows = choices.map((_, place) => createElement("li", {}, choiceNode(question, place, state)));
  const lines = text.split("\n");
  const asking = lines.pop();
  const nodes = lines.map((textContent) => createElement("p", { className: "about", textContent }));
  nodes.push(createElement("h2", { textContent: asking }));
  if (picture && !known) nodes.push(createElement("img", { src: picture, alt: "The picture that is asked about" }));
  if (rows.length) nodes.push(createElement("ol", { className: "choices" }, ...rows));
  if (shown) nodes.push(wordCloud(shown));
  if (known && explanation) nodes.push(createElement("p", { className: "explanation", textContent: explanation }));
  return nodes;
}

function choiceNode(question, place, { known, counts, chosen, shares, pick }) {
  const isRight = known && place === question.answer;
  const isChosen = place === chosen;
  const label = createElement("bdi", { className: "label", textContent: question.choices[place] });
  const parts = [signNode(place, isRight, known && isChosen && question.answer !== null), label];
  if (known) parts.push(createElement("span", { className: "note", textContent: question.notes[place] }));
  if (counts) {
    const text = counts[place] === 1 ? "1 answer" : `${counts[place]} answers`;
    const style = { width: `${shares[place]}%` };
    parts.push(createElement("span", { className: "votes", textContent: text }));
    parts.push(createElement("span", { className: "share", "aria-hidden": "true", style }));
  }
  const className = `choice${isRight ? " right" : ""}${isChosen ? " chosen" : ""}`;
  if (!pick) return createElement("div", { className }, ...parts);
  const ids = { "aria-pressed": String(isChosen), "data-id": `choice ${place}` };
  return createElement("button", { type: "button", className, ...ids, onclick: () => pick(place) }, ...parts);
}

// The letter of a choice; once the answer is known, a tick before the right one and a cross before a wrong choice.
function signNode(place, isRight, isOwnChoice) {
  if (!isRight && !isOwnChoice) return createElement("span", { className: "letter", textContent: LETTERS[place] });
  const label = isRight ? "right" : "your answer, not right";
  const sign = icon(isRight ? "right" : "wrong");
  return createElement("span", { className: "letter", role: "img", "aria-label": label }, sign);
}
