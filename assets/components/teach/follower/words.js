// Sentences for a student about the lecture and its question.
import { LETTERS } from "../question.js";
import { restartText } from "../restart_line.js";

const UNNAMED = "The presenter"; // as pages/teach/rooms/room.py calls one without a name

// `state`: whether the window explores, the presenter's name and presence, the connection, whether the servers of the
// class and of the presenter are apart, why the lecture has ended, whether a question is asked.
export function followStatus({ isAway, name, isPresenterHere, isOnline, isApart, ended, hasQuestion }) {
  if (ended) return ended;
  const who = name || UNNAMED;
  const whom = who === UNNAMED ? UNNAMED.toLowerCase() : who;
  const asks = hasQuestion && isAway ? " A question is being asked." : "";
  if (!isOnline) return `${restartText("The lecture comes back by itself.")}${asks}`;
  const follows = isAway ? `You explore on your own. ${who} presents.` : `You follow ${whom}.`;
  const isMissed = isApart || !isPresenterHere;
  const away = isMissed ? ` ${isApart ? `${who} cannot be reached now` : `${who} is away`}; the last view stays.` : "";
  return follows + away + asks;
}

// `chosen`: the place of the own choice, or null. The question has its `answer` once it is known.
export function questionStatus(question, chosen) {
  const { choices, answer, words } = question;
  if (words) return wordStatus(question, chosen);
  const letter = chosen === null ? "" : LETTERS[chosen];
  if (answer === null) return letter ? `You chose ${letter}.` : "The answers are in.";
  if (answer === undefined) {
    if (!letter) return "Choose an answer.";
    return `You chose ${letter}. You can change it until the answer is shown.`;
  }
  const right = `${LETTERS[answer]}, ${choices[answer]}`;
  if (!letter) return `The answer is ${right}.`;
  return chosen === answer ? `Right: ${right}.` : `You chose ${letter}. The answer is ${right}.`;
}

// `chosen`: the own word, or null.
function wordStatus({ answer, closed }, chosen) {
  const own = chosen === null ? "" : `You wrote “${chosen}”.`;
  if (answer !== undefined) return own || "The answers are in.";
  if (closed) return `${own} The presenter looks at the answers.`.trim();
  return own ? `${own} You can change it.` : "Write one word, or a few.";
}
