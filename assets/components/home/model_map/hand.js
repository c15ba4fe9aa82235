// The mouse, the finger and the keyboard on the map.
import { pointOn } from "../../shared/canvas.js";
import { hasModifier, TYPING_FIELDS } from "../../shared/keyboard.js";
import { asPrinted, equalsSign, formatNumber } from "../../shared/numbers.js";
import { canvasCells } from "../../shared/pointed_cell.js";
import { fitBeside } from "./camera.js";
import { bothRuns } from "./comparison.js";
import { describe, Hover } from "./hover.js";
import { cellAt, cellBox, contains, indexOf, middle } from "./layout.js";
import { readPlace, writePlace } from "./names.js";
import { boxAround, groupsAround, itemsIn, matrixAt, neighbour, stepIn } from "./places.js";
import { valueAt } from "./scene.js";
import { sayItem } from "./spoken.js";
import { addressOf } from "./tile_file.js";
import { readKey, stepCell } from "./travel.js";

const HOVERED_CELL = 1.5; // pixels of a cell that the mouse can point at

export class Hand {
  constructor(map) {
    this.map = map;
    this.hover = new Hover();
    this.focus = null; // the group or matrix that the keyboard is at
    this.pointed = null; // the cell under the mouse
    const { board } = map;
    board.addEventListener("click", (event) => this.click(event));
    board.addEventListener("keydown", (event) => this.press(event));
    board.addEventListener("pointermove", (event) => this.move(event));
    board.addEventListener("pointerleave", () => this.leave());
    this.onSlash = (event) => this.searchByKey(event);
    window.addEventListener("keydown", this.onSlash);
    board.addEventListener("focus", () => map.redraw());
    board.addEventListener("blur", () => map.redraw());
  }

  // The frame of the keyboard, where the keyboard is used.
  get shownFocus() {
    return this.map.board.matches(":focus-visible") ? this.focus : null;
  }

  focusOn(item) {
    this.focus = item?.parent || item?.tensor ? item : null;
  }

  cellOf(matrix, [x, y]) {
    const [row, column] = cellAt(matrix, x, y);
    return { matrix, row, column };
  }

  click(event) {
    if (event.defaultPrevented || event.detail > 1) return;
    const { map } = this;
    const point = map.camera.toWorld(...pointOn(map.board, event));
    this.leave();
    const titled = map.scene.titledAt(...pointOn(map.board, event));
    if (titled) {
      map.journey.goTo({ group: titled });
      return;
    }
    if (map.scene.isCovered(...pointOn(map.board, event))) return;
    const step = stepIn(map.layout, map.scene.seen, map.camera.view, point, (matrix) => this.cellOf(matrix, point));
    if (step?.cell) this.chooseInSight(step.cell);
    else if (step) map.journey.goTo(step);
  }

  // Chooses a cell. One that is lit lies on the trail; the map moves only where the cell cannot be read.
  chooseInSight(cell) {
    const { choice, camera } = this.map;
    const isLit = choice.lit.some((each) => each.matrix === cell.matrix && isSame(each, cell));
    if (isLit && choice.chosen) choice.trail.push(choice.chosen);
    else choice.trail = [];
    choice.choose(cell);
    const [, , width, height] = camera.toScreen(cellBox(cell.matrix, cell.row, cell.column));
    if (width < 5 || height < 5) this.map.journey.goTo({ cell });
  }

  move(event) {
    const { map } = this;
    if (event.pointerType !== "mouse" || event.buttons || map.camera.isFlying || !map.scene.seen) {
      this.leave();
      return;
    }
    const at = pointOn(map.board, event);
    const point = map.camera.toWorld(...at);
    const matrix = map.scene.isCovered(...at) ? null : matrixAt(map.scene.seen, ...point);
    if (!matrix) {
      this.leave();
      return;
    }
    this.pointed = this.cellOf(matrix, point);
    this.at = at;
    this.showHover();
    map.redraw();
  }

  showHover() {
    const { map, pointed } = this;
    const { k } = map.camera.view;
    const isSmall = Math.max(...pointed.matrix.cell) * k < HOVERED_CELL;
    const value = isSmall ? undefined : valueAt(map.tiles, pointed.matrix, pointed.row, pointed.column);
    const words = describe(map.layout, pointed, value);
    if (value !== undefined && map.data.compared) words.value += this.bothValues(pointed, value);
    this.hover.show(isSmall ? { ...words, cell: "" } : words, this.at, map.size);
  }

  // The numbers of both runs behind their difference: “ = 0.350 − 0.120”; "" while they have not come.
  bothValues({ matrix, row, column }, difference) {
    const [a, b] = bothRuns(matrix).map((each) => valueAt(this.map.tiles, each, row, column));
    if (a === undefined || b === undefined) return "";
    const sign = equalsSign(asPrinted(a) - asPrinted(b), formatNumber(difference));
    return ` ${sign} ${formatNumber(a)} − ${formatNumber(b)},`;
  }

  leave() {
    this.pointed = null;
    this.hover.hide();
  }

  // The tile with the number under the mouse.
  addresses() {
    if (!this.pointed) return [];
    const { matrix, row, column } = this.pointed;
    if (Math.max(...matrix.cell) * this.map.camera.view.k < HOVERED_CELL) return [];
    const shown = this.map.data.compared ? [matrix, ...bothRuns(matrix)] : [matrix];
    return shown.map((each) => addressOf(each, row, column));
  }

  press(event) {
    const key = readKey(event);
    if (!key) return;
    const { map } = this;
    const { choice, camera } = map;
    const acts = {
      enter: () => this.enter(),
      leave: () => this.leavePlace(),
      back: () => (choice.trail.length ? choice.goBack() : this.leavePlace()),
      play: () => map.player.toggle(),
      search: () => map.search.open(map.layout, map.data.outcome),
      closer: () => camera.scaleBy(1.6),
      further: () => camera.scaleBy(1 / 1.6),
      whole: () => map.journey.goTo({ group: map.layout.roots[0] }),
    };
    if (key.step && map.player.isOpen) map.player.act(key.step[0] + key.step[1] > 0 ? "step" : "back");
    else if (key.step) this.step(key.step);
    else if (acts[key.command]) acts[key.command]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // The slash searches wherever it means nothing else.
  searchByKey(event) {
    if (event.key !== "/" || event.defaultPrevented || hasModifier(event)) return;
    if (event.composedPath()[0].closest?.(TYPING_FIELDS)) return;
    event.preventDefault();
    this.map.search.open(this.map.layout, this.map.data.outcome);
  }

  step(step) {
    const { map } = this;
    const { choice, camera } = map;
    this.leave();
    if (choice.chosen) {
      const cell = stepCell(choice.chosen, step);
      choice.trail = [];
      choice.choose(cell);
      this.keepInSight(cellBox(cell.matrix, cell.row, cell.column), cell);
      return;
    }
    const around = this.focus?.parent ?? this.focus?.group ?? groupsAround(map.layout, camera.view).at(-1);
    const items = itemsIn(around, camera.view.k);
    const next = this.focus ? neighbour(items, this.focus.box, step) : (items[0] ?? null);
    if (!next) {
      this.stepToCousin(step);
      return;
    }
    this.setFocus(next);
  }

  // Beyond the last of its group, to the next one of the same kind: from a head to a head of the next layer.
  stepToCousin(step) {
    const { map, focus } = this;
    if (!focus) return;
    const alike = focus.tensor
      ? map.scene.seen.matrices
      : [...map.layout.groups.values()].filter(({ kind, id }) => kind === focus.kind && id !== focus.id);
    const next = neighbour(alike, focus.box, step);
    if (next) this.setFocus(next);
  }

  setFocus(item) {
    this.focus = item;
    this.map.say(sayItem(this.map.layout, item));
    this.keepInSight(item.box);
    this.map.redraw();
  }

  // Moves the map so that a box is in sight.
  keepInSight(box, cell = null) {
    const { map } = this;
    const { view } = map.camera;
    const covered = map.choice.panel.width / view.k;
    const seen = [view.box[0], view.box[1], Math.max(view.box[2] - covered, view.box[2] / 3), view.box[3]];
    if (contains(seen, ...middle(box))) return;
    const around = cell ? boxAround(cell, map.size, map.cellPixels) : box;
    const target = fitBeside(around, map.size, map.choice.panel.width, cell ? 0 : 0.06, view.k);
    map.camera.fly(target);
  }

  enter() {
    const { map } = this;
    const { choice, camera } = map;
    if (choice.chosen) {
      map.journey.goTo({ cell: choice.chosen });
      return;
    }
    if (!this.focus) {
      this.step([1, 0]);
      return;
    }
    if (this.focus.tensor) {
      const { rows, columns } = this.focus;
      map.journey.goTo({ cell: { matrix: this.focus, row: rows[0], column: columns[0] } });
      return;
    }
    const group = this.focus;
    map.journey.goTo({ group });
    const k = Math.min(map.size[0] / group.box[2], map.size[1] / group.box[3]) * 0.88;
    const inside = itemsIn(group, Math.max(k, camera.view.k));
    this.focus = inside[0] ?? group;
    map.say(sayItem(map.layout, this.focus));
  }

  leavePlace() {
    const { map } = this;
    if (map.player.isOpen) {
      map.player.close();
      return;
    }
    if (map.choice.chosen) {
      const { matrix } = map.choice.chosen;
      map.journey.goTo({ matrix });
      return;
    }
    const inner = this.focus?.tensor ? this.focus.group : this.focus?.parent;
    if (inner) map.journey.goTo({ group: inner });
    else map.journey.stepOut();
    if (this.focus) map.say(sayItem(map.layout, this.focus));
  }

  // What the laser of a presenter points at: cells, by their places in the URL.
  get offer() {
    const { map } = this;
    const find = (x, y) => {
      const point = map.camera.toWorld(x, y);
      const matrix = map.scene.seen && matrixAt(map.scene.seen, ...point);
      if (!matrix) return null;
      const { row, column } = this.cellOf(matrix, point);
      return writePlace({ target: matrix.tensor, index: indexOf(matrix, row, column) });
    };
    const place = (address) => {
      const { target, index } = readPlace(address) ?? {};
      const cell = index?.length ? map.choice.find(target, index) : null;
      return cell && map.scene.markedBox(cell);
    };
    return canvasCells(map.board, find, place);
  }

  stop() {
    window.removeEventListener("keydown", this.onSlash);
    this.hover.hide();
  }
}

const isSame = (one, other) => one.row === other.row && one.column === other.column;
