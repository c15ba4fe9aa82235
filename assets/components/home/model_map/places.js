// Where one is on the map, and the steps in and out.
import { cellBox, contains, middle } from "./layout.js";
import { levelAt } from "./levels.js";

const COVERED = 0.12; // of the window
const CLOSER = 1.25; // how much larger something must become for a step in
const CELL_STEP_PIXELS = 26; // how large a cell becomes by a step into its matrix
const READABLE_CELL = 9; // pixels of a cell that a click chooses

// The scale at which a box fills a window.
export const fillingScale = (box, [wide, high]) => Math.min(wide / box[2], high / box[3]);

// The groups at a point of the world, outer ones first.
export function groupsAt(layout, x, y) {
  const path = [];
  let level = layout.roots;
  while (level.length) {
    const group = level.find(({ box }) => contains(box, x, y));
    if (!group) break;
    path.push(group);
    level = group.children;
  }
  return path;
}

// The matrix that is drawn at a point; null where there is none.
export function matrixAt(seen, x, y) {
  for (let i = seen.matrices.length - 1; i >= 0; i--) {
    if (contains(seen.matrices[i].box, x, y)) return seen.matrices[i];
  }
  return null;
}

// The groups in which the window is, outer ones first: those that fill much of it.
export function groupsAround(layout, { box }) {
  const path = groupsAt(layout, ...middle(box));
  return path.filter((group, i) => i === 0 || coverage(group.box, box) >= COVERED);
}

// The share of a window that a box covers. A low window, or a narrow one, is covered by what reaches across it.
function coverage(box, sight) {
  const along = (axis) => {
    const from = Math.max(box[axis], sight[axis]);
    const to = Math.min(box[axis] + box[axis + 2], sight[axis] + sight[axis + 2]);
    return Math.max(0, to - from) / sight[axis + 2];
  };
  return along(0) * along(1);
}

// What a step towards a point leads to: {group}, the innermost one, {matrix}, or {cell} with its matrix, row and
// column.
export function stepIn(layout, seen, { k, size }, [x, y], cellOf) {
  const matrix = matrixAt(seen, x, y);
  const isFar = matrix && matrix.until != null; // a thumbnail of what is inside
  if (matrix && !isFar && Math.min(...matrix.cell) * k >= READABLE_CELL) return { cell: cellOf(matrix) };
  const further = groupsAt(layout, x, y).findLast((group) => k * CLOSER < fillingScale(group.box, size) * 0.85);
  if (further) return { group: further };
  if (!matrix) return null;
  return k * CLOSER < fillingScale(matrix.box, size) * 0.85 ? { matrix } : { cell: cellOf(matrix) };
}

// The group that a step out leads to.
export function stepOut(layout, view) {
  const path = groupsAround(layout, view);
  const wider = path.filter(({ box }) => fillingScale(box, view.size) * CLOSER < view.k);
  return wider.at(-1) ?? layout.roots[0];
}

// The part of the world to show for a cell: the cells around it, so many pixels high that their values are read.
export function boxAround({ matrix, row, column }, [wide, high], pixels = CELL_STEP_PIXELS) {
  const [x, y] = middle(cellBox(matrix, row, column));
  const k = pixels * Math.max(2 / matrix.cell[0], 1 / matrix.cell[1]);
  const [width, height] = [wide / k, high / k];
  const keep = (from, length, [start, whole]) =>
    whole <= length ? start - (length - whole) / 2 : Math.min(Math.max(from, start), start + whole - length);
  return [
    keep(x - width / 2, width, [matrix.box[0], matrix.box[2]]),
    keep(y - height / 2, height, [matrix.box[1], matrix.box[3]]),
    width,
    height,
  ];
}

// The item nearest in a direction [right, down] from a box; null where none lies there.
export function neighbour(items, box, [right, down]) {
  const [x, y] = middle(box);
  let best = null;
  let least = Infinity;
  for (const item of items) {
    const [itemX, itemY] = middle(item.box);
    const along = (itemX - x) * right + (itemY - y) * down;
    const across = Math.abs((itemX - x) * down) + Math.abs((itemY - y) * right);
    if (along <= 1e-9 || across > along * 2) continue;
    const distance = along + 2 * across;
    if (distance < least) [best, least] = [item, distance];
  }
  return best;
}

// What the keyboard walks over inside a group: its groups and, where it has room, its matrices.
export const itemsIn = (group, k) => [...group.children, ...group.matrices.filter((each) => levelAt(each, k) >= 0)];
