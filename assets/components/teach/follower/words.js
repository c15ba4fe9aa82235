// Sentences for a student about the lecture and its question.
import { LETTERS } from "../question.js";

// `state`: whether the window explores, the presenter's name and presence, the connection, why the lecture has ended,
// whether a question is asked.
export function followStatus({ isAway, name, isPresenterHere, isOnline, ended, hasQuestion }) {
  if (ended) return ended;
  const who = name || "the presenter";
  const asks = hasQuestion && isAway ? " A question is being asked." : "";
  if (!isOnline) return `The connection is lost; trying again. ${who} presents.${asks}`;
  const follows = isAway ? `You explore on your own. ${who} presents.` : `You follow ${who}.`;
  const away = isPresenterHere ? "" : ` ${who} is away; the last view stays.`;
  return follows + away + asks;
}

// `chosen`: the place of the own choice, or null. The question has its `answer` once it is known.
export function questionStatus({ choices, answer }, chosen) {
  const letter = chosen === null ? "" : LETTERS[chosen];
  if (answer === undefined) {
    if (!letter) return `Choose, or press 1 to ${choices.length}.`;
    return `You chose ${letter}. You can change it until the answer is shown.`;
  }
  const right = `${LETTERS[answer]}, ${choices[answer]}`;
  if (!letter) return `The answer is ${right}.`;
  return chosen === answer ? `Right: ${right}.` : `You chose ${letter}. The answer is ${right}.`;
}
