// The words of a class after a restart of the app, which forgets them. Where words still come in, the browsers of the
// students tell theirs again. Those that were looked at are told by the presenter's, so that none comes in unseen.

// The messages to a room that asks for words again, from what was known: the words [word, how many wrote it, whether it
// is left out], and whether they were closed and revealed.
export function messagesAfterRestart(name, { words, closed, revealed }) {
  if (!closed) return words.filter(([, , isOut]) => isOut).map(([word]) => ({ keep: [word, 0, true] }));
  const reveal = revealed ? [{ reveal: name }] : [];
  return [{ close: name, anew: true }, ...words.map((word) => ({ keep: word })), ...reveal];
}
