// The numbers behind the picture of two positions.

// The angle in degrees between two vectors, from their product and the product of their lengths.
export function angleBetween(product, lengths) {
  const cosine = Math.max(-1, Math.min(1, product / lengths));
  return (Math.acos(cosine) * 180) / Math.PI;
}

// Every n-th position has a tick, so that there are at most sixty.
export const tickStride = (length) => [1, 5, 10, 50].find((stride) => length / stride <= 60);

// The pixels for row labels beside a matrix `width` wide; 0 where its rows are too low for them.
export function labelSpace(width, labels, length) {
  if (width / length < 16) return 0;
  const longest = Math.max(...labels.map((label) => label.length), 1);
  return Math.min(8 * longest + 8, 0.28 * width);
}

// The staircases along both edges of the cells whose row is `distance` more than their column, in a matrix `length`
// wide: lines through points [column, row].
export function diagonalEdges(distance, length) {
  const first = Math.max(distance, 0);
  const cells = Array.from({ length: length - Math.abs(distance) }, (_, n) => [first + n - distance, first + n]);
  const above = cells.map(([x, y]) => [
    [x, y],
    [x + 1, y],
    [x + 1, y + 1],
  ]);
  const below = cells.map(([x, y]) => [
    [x, y],
    [x, y + 1],
    [x + 1, y + 1],
  ]);
  return [...above, ...below];
}
