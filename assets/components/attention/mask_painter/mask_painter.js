// A mask to paint: press and drag over cells, or move with the arrow keys and press Space. The mask goes to the model.
import { drawText, pointOn, resizeCanvas, setSize, sizeOf } from "../../shared/canvas.js";
import { createElement, debounce, replaceKeepingFocus } from "../../shared/dom.js";
import { createScroller } from "../../shared/edges.js";
import { textFont } from "../../shared/fonts.js";
import { pressInGrid } from "../../shared/keyboard.js";
import { mountOnce } from "../../shared/mount.js";
import { toBase64 } from "../../shared/payload.js";
import { Picture } from "../../shared/picture.js";
import { plainLabel } from "../../shared/tokens.js";
import { drawColumnLabels, drawRowLabels, labelWidth } from "../labels.js";
import { frameCells, placeAt } from "../matrix.js";
import { nameOf, PaintedMask } from "./mask.js";

const WIDEST = 900; // pixels
const MOST_SENT = 20; // masks that are remembered until they come back from the server
const HELP = "Press and drag over cells, or click a word for its whole row or column.";
const WINDOW_HELP = "Press and drag over cells, or click a word for its row or column in this window.";
const KEYS_HELP =
  "Arrow keys move, Space hides or shows a cell, R its row, C its column, Shift with an arrow key paints, " +
  "Control Z undoes.";

const isCell = (place) => place?.row !== undefined && place.column !== undefined;

class MaskPainter extends Picture {
  constructor(parent) {
    super(parent, { className: "gf painter" });
    this.cursor = { row: 0, column: 0 }; // where the keyboard is
    this.hover = null;
    this.brush = null; // the value that is painted, while the hand is down
    this.sent = []; // names of masks
    this.board = createElement("canvas", { tabIndex: 0, role: "application" });
    this.tools = createElement("div", { className: "tools", role: "toolbar", "aria-label": "Mask" });
    this.words = createElement("div", { className: "words muted" });
    this.status = createElement("p", { className: "sr", role: "status" });
    const scroller = createScroller(this.board);
    this.root.append(this.tools, scroller, this.words, this.status);
    this.isUnsent = false;
    this.report = debounce(() => this.sendMask(), 250);
    this.listen();
  }

  listen() {
    const { board } = this;
    board.onpointerdown = (event) => this.startPainting(event);
    board.onpointermove = (event) => this.goOnPainting(event);
    board.onpointerup = () => this.endPainting();
    board.onpointercancel = () => this.endPainting();
    board.onpointerleave = () => {
      this.hover = null;
      this.draw();
    };
    this.trackFocus(board, () => this.draw());
    this.root.onkeydown = (event) => this.press(event);
  }

  // Whether a mask of the page is one that was sent. Those that were sent before it may then come from elsewhere, as by
  // the browser's Back.
  isOwn(given) {
    const answered = this.sent.indexOf(nameOf(given));
    if (answered > 0) this.sent.splice(0, answered);
    return answered >= 0;
  }

  sendMask() {
    if (!this.isUnsent) return;
    const { rows, columns, first, around } = this.mask;
    this.sent.push(nameOf(this.mask));
    if (this.sent.length > MOST_SENT) this.sent.shift();
    const window = this.data.window ? { first, around } : {};
    this.send("mask", { rows, columns, bits: toBase64(this.mask.toBits()), ...window });
    this.isUnsent = false;
  }

  update(data, send) {
    if (this.data?.window) this.sendMask(); // before the window moves
    const before = this.data;
    this.receive(data, send);
    const [rows, columns] = [data.queries.length, data.keys.length];
    const { first = [0, 0], around = "", refused } = data.window ?? {};
    const given = { cells: data.mask, rows, columns, first, around };
    // A mask that was sent comes back with the page. Only one from elsewhere, as of a link, replaces the painted one.
    if (before?.id !== data.id) {
      this.mask = new PaintedMask(data.mask, rows, columns, first, around);
      this.sent.length = 0;
    } else if (before.window?.refused !== refused) {
      this.mask.goBackTo(given);
      this.sent.length = 0;
    } else if (!this.mask.isInWindowOf(given)) this.mask.take(given);
    else if (!this.isOwn(given)) this.mask.accept(given);
    this.cursor = { row: Math.min(this.cursor.row, rows - 1), column: Math.min(this.cursor.column, columns - 1) };
    this.drawTools();
    this.layOut();
  }

  // Shows and sends the mask, if `changed`.
  show(changed = true) {
    if (!changed) return;
    this.isUnsent = true;
    this.drawTools();
    this.draw();
    this.report();
  }

  undo() {
    this.show(this.mask.undo());
  }

  redo() {
    this.show(this.mask.redo());
  }

  replace(cells, around) {
    this.show(this.mask.replace(cells, around));
  }

  // Starts from a preset, which is for the whole mask.
  start(i) {
    const { starts, window } = this.data;
    const { length } = this.mask.cells;
    this.replace(starts.subarray(i * length, (i + 1) * length), window?.starts[i]);
  }

  // Whether the page shows the window of the mask. After a step in another window was undone, it will.
  isHere() {
    const { queries, keys, window } = this.data;
    return this.mask.isInWindowOf({ rows: queries.length, columns: keys.length, first: window?.first ?? [0, 0] });
  }

  // -- drawing -----------------------------------------------------------------------------------------------------

  drawTools() {
    const { presets, window } = this.data;
    const { past, future, cells, around } = this.mask;
    const isAway = !this.isHere();
    const hidesNothing = cells.every(Boolean) && (!window || around === window.starts[0]);
    const button = (id, label, onclick, disabled = false, title = label) =>
      createElement("button", { className: "tool", textContent: label, "data-id": id, disabled, title, onclick });
    replaceKeepingFocus(
      this.tools,
      createElement(
        "span",
        { className: "group" },
        createElement("span", { className: "muted", textContent: window ? "Start the whole mask from" : "Start from" }),
        ...presets.map((name, i) => button(`preset-${i}`, name, () => this.start(i), isAway)),
      ),
      createElement(
        "span",
        { className: "group" },
        button("undo", "Undo", () => this.undo(), !past.length, "Undo (Ctrl Z)"),
        button("redo", "Redo", () => this.redo(), !future.length, "Redo (Ctrl Shift Z)"),
        button("clear", "Clear", () => this.start(0), isAway || hidesNothing, "Hide nothing"),
      ),
    );
  }

  arrange(room) {
    const width = Math.min(room, WIDEST);
    if (!width) return 0;
    if (!this.isHere()) return sizeOf(this.board)[1];
    const { rows, columns } = this.mask;
    const pen = this.board.getContext("2d");
    const side = labelWidth(pen, this.data.queries, this.root, width < 480 ? 76 : 130) + 8;
    const top = labelWidth(pen, this.data.keys, this.root, 92) + 10;
    const step = Math.max(Math.min((width - side - 4) / columns, 34), 9);
    this.box = { x: side, y: top, width: step * columns, height: Math.min(step, 30) * rows };
    setSize(this.board, side + this.box.width + 4, top + this.box.height + 4);
    this.board.dataset.box = JSON.stringify(this.box);
    this.draw();
    return sizeOf(this.board)[1];
  }

  // The place that is told and framed: under the hand, else at the keyboard's cursor.
  current() {
    return this.hover ?? (this.isFocused ? this.cursor : null);
  }

  draw() {
    const { box, mask, colours, root, data } = this;
    if (!this.isHere()) {
      this.words.textContent = "The window moves to where this was painted.";
      return;
    }
    const pen = resizeCanvas(this.board, ...sizeOf(this.board));
    const current = this.current();
    this.drawCells(pen);
    const queries = { root, colours, role: "query", chosen: current?.row };
    const keys = { root, colours, role: "key_text", chosen: current?.column };
    drawRowLabels(pen, data.queries, box, box.x - 7, box.x - 9, queries);
    drawColumnLabels(pen, data.keys, box, box.y - 5, 90, keys);
    if (isCell(current)) frameCells(pen, box, mask, current, colours("text"));
    this.tell(current);
  }

  drawCells(pen) {
    const { box, mask, colours } = this;
    const width = box.width / mask.columns;
    const height = box.height / mask.rows;
    const gap = width > 12 ? 1.5 : 0.5;
    const [w, h] = [width - 2 * gap, height - 2 * gap];
    const font = `${Math.min(12, h * 0.6)}px ${textFont(this.root)}`;
    mask.cells.forEach((visible, cell) => {
      const x = box.x + (cell % mask.columns) * width + gap;
      const y = box.y + Math.floor(cell / mask.columns) * height + gap;
      pen.fillStyle = colours(visible ? "query" : "masked");
      pen.globalAlpha = visible ? 0.22 : 0.55;
      pen.fillRect(x, y, w, h);
      pen.globalAlpha = 1;
      if (w < 14) return;
      const colour = colours(visible ? "query" : "masked_text");
      drawText(pen, visible ? "0" : "−∞", x + w / 2, y + h / 2 + 4, { font, colour, align: "center" });
    });
  }

  tell(current) {
    const { mask } = this;
    const { queries, keys, window } = this.data;
    const hidden = `${mask.hiddenCount()} of ${mask.cells.length} cells hidden${window ? " in this window" : ""}`;
    let text = `${hidden}. ${window ? WINDOW_HELP : HELP}`;
    if (isCell(current)) {
      const may = mask.isVisible(current.row, current.column) ? "may" : "may not";
      text = `${plainLabel(queries[current.row])} ${may} look at ${plainLabel(keys[current.column])}.`;
    }
    // A query that sees nothing in a window may see keys outside it.
    const blind = window ? [] : mask.blindRows().map((row) => plainLabel(queries[row]));
    if (blind.length) {
      const names = `${blind.slice(0, 3).join(", ")}${blind.length > 3 ? " and others" : ""}`;
      text += ` ${names} may look at nothing: the weights of that row are 0.`;
    }
    this.words.textContent = text;
    const size = `${mask.rows} queries and ${mask.columns} keys`;
    this.board.setAttribute(
      "aria-label",
      `${window ? "Window of a mask" : "Mask"} of ${size}, ${hidden}. ${KEYS_HELP}`,
    );
  }

  // -- the hand ----------------------------------------------------------------------------------------------------

  // The cell under the hand; {row} or {column} on a label; else null.
  placeUnder(event) {
    const { rows, columns } = this.mask;
    const [x, y] = pointOn(this.board, event);
    const { row, column } = placeAt(this.box, rows, columns, x, y);
    const isRow = row >= 0 && row < rows;
    const isColumn = column >= 0 && column < columns;
    if (isRow && isColumn) return { row, column };
    if (x < this.box.x && isRow) return { row };
    if (y < this.box.y && isColumn) return { column };
    return null;
  }

  startPainting(event) {
    const found = this.placeUnder(event);
    if (!found || event.button || !this.isHere()) return;
    event.preventDefault();
    this.board.focus({ preventScroll: true });
    if (!isCell(found)) {
      this.replace(this.mask.withLineToggled(found));
      return;
    }
    this.board.setPointerCapture(event.pointerId);
    this.mask.remember();
    this.brush = this.mask.isVisible(found.row, found.column) ? 0 : 1;
    this.cursor = found;
    this.mask.paint(found, this.brush);
    this.draw();
  }

  goOnPainting(event) {
    const found = this.placeUnder(event);
    if (this.brush !== null && isCell(found)) {
      this.mask.paintLine(this.cursor, found, this.brush);
      this.cursor = found;
    }
    this.hover = event.pointerType === "mouse" ? found : null;
    this.draw();
  }

  endPainting() {
    if (this.brush === null) return;
    this.brush = null;
    this.show();
  }

  press(event) {
    const key = event.key.toLowerCase();
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && key === "z") {
      event.preventDefault();
      if (event.shiftKey) this.redo();
      else this.undo();
      return;
    }
    if (event.target !== this.board || !this.isHere()) return;
    const { row, column } = this.cursor;
    const isOfGrid = pressInGrid(event, this.cursor, this.mask, {
      move: (cell) => this.moveCursor(cell, event.shiftKey),
      act: () => this.replace(this.mask.withCell(this.cursor, this.mask.isVisible(row, column) ? 0 : 1)),
    });
    if (!isOfGrid) {
      if (isCommand || (key !== "r" && key !== "c")) return;
      this.replace(this.mask.withLineToggled(key === "r" ? { row } : { column }));
    }
    this.status.textContent = this.words.textContent;
  }

  // `paints`: the next cell gets the value of the present one.
  moveCursor(cell, paints) {
    const value = Number(this.mask.isVisible(this.cursor.row, this.cursor.column));
    this.isFocused = true;
    this.hover = null;
    this.cursor = cell;
    if (paints) this.replace(this.mask.withCell(this.cursor, value));
    this.draw();
  }
}

export default mountOnce(MaskPainter);
