// The layout of a run, made by Python, as a tree of groups with their matrices, and which of them are in sight.
// Boxes are [x, y, width, height] in world units, y downwards.

import { levelAt } from "./levels.js";
import { stacksOf } from "./rows.js";

const LEAST_SIDE = 3; // pixels on screen of a group that is looked into

export const area = ([, , width, height]) => width * height;
export const middle = ([x, y, width, height]) => [x + width / 2, y + height / 2];
export const contains = ([x, y, width, height], left, top) =>
  left >= x && top >= y && left < x + width && top < y + height;
export const intersects = (one, other) =>
  one[0] < other[0] + other[2] &&
  other[0] < one[0] + one[2] &&
  one[1] < other[1] + other[3] &&
  other[1] < one[1] + one[3];

// The smallest box around two others.
export function join(one, other) {
  const x = Math.min(one[0], other[0]);
  const y = Math.min(one[1], other[1]);
  const right = Math.max(one[0] + one[2], other[0] + other[2]);
  const bottom = Math.max(one[1] + one[3], other[1] + other[3]);
  return [x, y, right - x, bottom - y];
}

// A text of a template with its blanks filled in.
const fill = (text, blanks) => text.replace(/\{(\w+)\}/g, (blank, name) => blanks[name] ?? blank);

const moved = (box, [x, y]) => [box[0] + x, box[1] + y, box[2], box[3]];

// The groups, matrices and links of a layout, those of its templates at each of their places.
export function expand(json) {
  const groups = [...json.groups];
  const matrices = [...json.matrices];
  const links = [...(json.links ?? [])];
  for (const place of json.placed ?? []) {
    const template = json.templates[place.template];
    for (const group of template.groups) {
      const [id, title, parent] = [group.id, group.title, group.parent].map((text) => fill(text, place));
      const go = group.go && { ...group.go, layer: place.layer };
      groups.push({ ...group, id, title, parent, go, box: moved(group.box, place.box) });
    }
    for (const matrix of template.matrices) {
      const [tensor, group] = [matrix.tensor, matrix.group].map((text) => fill(text, place));
      matrices.push({ ...matrix, tensor, group, box: moved(matrix.box, place.box) });
    }
    for (const link of template.links ?? []) {
      links.push({ ...link, points: link.points.map(([x, y]) => [x + place.box[0], y + place.box[1]]) });
    }
  }
  return { groups, matrices, links };
}

export class Layout {
  constructor(json) {
    const { groups, matrices, links } = expand(json);
    this.links = links;
    this.outcome = json.outcome;
    this.tokens = json.tokens ?? { source: [], target: null };
    this.groups = new Map(groups.map((group) => [group.id, { ...group, children: [], matrices: [] }]));
    this.roots = [];
    for (const group of this.groups.values()) {
      group.parent = this.groups.get(group.parent) ?? null;
      (group.parent?.children ?? this.roots).push(group);
    }
    this.stacks = stacksOf(json, this.groups);
    this.matrices = matrices.map((matrix, number) => this.place(matrix, number, json.kinds[matrix.kind]));
    this.byTensor = new Map();
    for (const matrix of this.matrices) {
      if (!this.byTensor.has(matrix.tensor)) this.byTensor.set(matrix.tensor, []);
      this.byTensor.get(matrix.tensor).push(matrix);
    }
    this.bounds = this.roots.map((root) => measure(root)).reduce(join, [0, 0, ...json.size]);
  }

  // A matrix with what all of its kind share, its group as an object, and the size of its cells in world units.
  place(matrix, number, kind) {
    const group = this.groups.get(matrix.group) ?? this.roots[0];
    const { rows = [0, kind.shape[0]], columns = [0, kind.shape[1]] } = matrix;
    const cell = [matrix.box[2] / (columns[1] - columns[0]), matrix.box[3] / (rows[1] - rows[0])];
    const placed = { matrix: 0, ...kind, ...matrix, rows, columns, number, group, cell };
    group.matrices.push(placed);
    return placed;
  }

  // The path of groups from the whole model to one.
  path(group) {
    return group ? [...this.path(group.parent), group] : [];
  }

  // The matrix that has a cell of a tensor: the one that is seen from near, the largest where several are. Null where
  // none has it.
  find(tensor, matrix, row, column) {
    const having = (this.byTensor.get(tensor) ?? []).filter(
      (each) => each.matrix === matrix && isWithin(each.rows, row) && isWithin(each.columns, column),
    );
    const isFar = ({ until }) => until != null;
    return having.sort((one, other) => isFar(one) - isFar(other) || area(other.box) - area(one.box))[0] ?? null;
  }
}

const isWithin = ([first, end], place) => place >= first && place < end;

// Keeps in each group the box around all that it holds. Returns it.
function measure(group) {
  const boxes = [...group.children.map(measure), ...group.matrices.map(({ box }) => box)];
  group.bounds = boxes.reduce(join, group.box);
  return group.bounds;
}

// The groups and the matrices that are in sight, outer ones first. `view`: the box of the world that is seen, and `k`,
// the pixels of a world unit.
export function inSight(layout, { box, k }) {
  const seen = { groups: [], matrices: [] };
  const look = (group) => {
    if (!intersects(group.bounds, box) || Math.max(group.bounds[2], group.bounds[3]) * k < LEAST_SIDE) return;
    seen.groups.push(group);
    for (const matrix of group.matrices) {
      if (levelAt(matrix, k) >= 0 && intersects(matrix.box, box)) seen.matrices.push(matrix);
    }
    group.children.forEach(look);
  };
  layout.roots.forEach(look);
  return seen;
}

// The cell of a matrix at a point of the world, as [row, column] of its tensor.
export function cellAt(matrix, x, y) {
  const column = matrix.columns[0] + Math.floor((x - matrix.box[0]) / matrix.cell[0]);
  const row = matrix.rows[0] + Math.floor((y - matrix.box[1]) / matrix.cell[1]);
  return [Math.min(row, matrix.rows[1] - 1), Math.min(column, matrix.columns[1] - 1)];
}

// The box of a cell, in the world.
export function cellBox({ box, cell, rows, columns }, row, column) {
  return [box[0] + (column - columns[0]) * cell[0], box[1] + (row - rows[0]) * cell[1], cell[0], cell[1]];
}

// The place of a cell in its tensor. `axes`: one for a vector, three for a tensor with a matrix for each head.
export const indexOf = ({ axes, matrix }, row, column) => [matrix, row, column].slice(-axes.length);

// The other way: the number of the matrix, the row and the column of an index.
export const placeOf = (index) => [0, 0, 0, ...index].slice(-3);
