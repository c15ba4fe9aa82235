// Where matrices of the same rows and columns stand: as many side by side as are wide enough to be read.

const MOST_WIDTH = 470; // pixels of a matrix

// How many of `count` matrices stand in a row. `widthOf` gives the width of each for a number in a row.
export function countAcross(count, columns, widthOf) {
  const options = count === 4 ? [4, 2, 1] : count === 3 ? [3, 1] : [count, 2, 1];
  const least = Math.min(Math.max(columns * 13, 118), 190);
  return options.find((across) => across <= count && widthOf(across) >= least) ?? 1;
}

// The boxes of `count` matrices and the size of all. `side`, `top`: pixels of the row labels, and of the titles and
// column labels above each box; `sums`: pixels of the sums beside each box.
export function arrangePanels({ count, rows, columns, width, side, top, sums, isNarrow }) {
  const gap = isNarrow ? 14 : 22;
  const widthOf = (across) => (width - side - across * sums - (across - 1) * gap - 2) / across;
  const across = countAcross(count, columns, widthOf);
  const wide = Math.min(widthOf(across), columns * 46, MOST_WIDTH);
  const tall = Math.min(Math.max((wide / columns) * rows, rows * 11), rows * 30);
  const boxes = Array.from({ length: count }, (_, i) => ({
    x: side + (i % across) * (wide + sums + gap),
    y: top + Math.floor(i / across) * (tall + top + 6),
    width: wide,
    height: tall,
  }));
  const total = side + across * (wide + sums) + (across - 1) * gap + 2;
  return { boxes, width: total, height: boxes.at(-1).y + tall + 6 };
}
