// The keyboard: arrows in a grid, arrows along a list, and which controls keep their keys.

// Where a key means a letter, not a command.
export const TYPING_FIELDS =
  "input:not([type=radio],[type=checkbox],[type=range],[type=button]), textarea, select, [contenteditable=true]";

export const hasModifier = (event) => event.ctrlKey || event.metaKey || event.altKey;

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The step [to the right, down] that an arrow key means; undefined for other keys.
export const arrowStep = (key) => ARROWS[key];

// A place in a row of `count`: the nearest to `index`.
export const clampIndex = (index, count) => Math.max(0, Math.min(count - 1, index));

// One press of a key in a grid of `rows` x `columns`, at a cell {row, column}. An arrow leads to the cell beside it, or
// at the edge to the same one, which `move` is given. Enter and Space `act`. Returns whether the key was one of these.
export function pressInGrid(event, { row, column }, { rows, columns }, { move, act }) {
  const step = arrowStep(event.key);
  if (step) move({ row: clampIndex(row + step[1], rows), column: clampIndex(column + step[0], columns) });
  else if (act && (event.key === "Enter" || event.key === " ")) act();
  else return false;
  event.preventDefault();
  return true;
}

// The place in a list that a key leads to; undefined for other keys. `forward` and `back` name the keys for the next
// place and for the one before.
export function listStep(key, index, count, { forward, back }) {
  if (forward.includes(key)) return index + 1;
  if (back.includes(key)) return index - 1;
  return { Home: 0, End: count - 1 }[key];
}

// Keys move the focus along the items of a list. Tab reaches the one that had it last.
export function moveFocusByKeys(list, items, directions) {
  list.onkeydown = (event) => {
    const next = listStep(event.key, items.indexOf(event.target), items.length, directions);
    if (next === undefined || !items[next]) return;
    event.preventDefault();
    items.forEach((item, i) => {
      item.tabIndex = i === next ? 0 : -1;
    });
    items[next].focus();
  };
}
