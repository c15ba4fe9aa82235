// A black square to draw a digit on with a finger, a mouse, or arrow keys and Space. The ink goes to the model.
import { resizeCanvas, strokeArc } from "../../shared/canvas.js";
import { createElement, debounce, keyHint } from "../../shared/dom.js";
import { arrowStep } from "../../shared/keyboard.js";
import { mountOnce } from "../../shared/mount.js";
import { fromBase64, toBase64 } from "../../shared/payload.js";
import { applyTheme } from "../../shared/theme.js";
import { INK_SIDE, movePen } from "./pen.js";

const SHOWN_SIDE = 224; // pixels
const PEN_COLOURS = { down: "#efa31d", up: "#62b4ea" }; // on black, in both themes
const HELP = "Draw one digit, large.";
const KEYS = " With the keyboard: arrow keys move, Space writes, Delete clears.";
const LABEL = "Draw a digit. Arrow keys move the pen, Space puts it down or lifts it, Delete clears.";

class DigitPad {
  // `ink`: the grey of each pixel as base64, row by row, that the pad begins with; or null.
  constructor(parent, ink) {
    this.pen = { x: INK_SIDE / 2, y: INK_SIDE / 2 }; // of the keyboard
    this.isPenDown = false;
    this.isPenShown = false;
    this.lastPoint = null; // of the hand, while it is down
    this.ink = createElement("canvas", { width: INK_SIDE, height: INK_SIDE });
    this.brush = this.ink.getContext("2d", { willReadFrequently: true });
    this.board = createElement("canvas", { tabIndex: 0, role: "application", "aria-label": LABEL });
    const clear = createElement("button", { className: "tool", textContent: "Clear", onclick: () => this.clear() });
    this.words = createElement("p", { className: "muted", role: "status" }, HELP, keyHint(KEYS));
    const tools = createElement("div", { className: "tools" }, clear);
    this.root = createElement("div", { className: "gf pad" }, this.board, tools, this.words);
    parent.append(this.root);
    this.fillBlack();
    if (ink) this.restore(fromBase64(ink));
    this.report = debounce(() => this.send("ink", { side: INK_SIDE, grey: toBase64(this.greys()) }), 250);
    this.listen();
  }

  listen() {
    const { board } = this;
    board.onpointerdown = (event) => this.startStroke(event);
    board.onpointermove = (event) => this.lastPoint && this.strokeTo(this.pointOf(event));
    board.onpointerup = () => this.endStroke();
    board.onpointercancel = () => this.endStroke();
    board.onkeydown = (event) => this.press(event);
    board.onblur = () => {
      this.isPenShown = false;
      this.draw();
    };
  }

  update(_, send) {
    this.send = send;
    applyTheme(this.root);
    this.draw();
  }

  // -- the ink -----------------------------------------------------------------------------------------------------

  greys() {
    const { data } = this.brush.getImageData(0, 0, INK_SIDE, INK_SIDE);
    return Uint8Array.from({ length: INK_SIDE * INK_SIDE }, (_, i) => data[4 * i]);
  }

  restore(greys) {
    const image = this.brush.createImageData(INK_SIDE, INK_SIDE);
    greys.forEach((grey, i) => {
      image.data.set([grey, grey, grey, 255], 4 * i);
    });
    this.brush.putImageData(image, 0, 0);
  }

  fillBlack() {
    this.brush.fillStyle = "#000";
    this.brush.fillRect(0, 0, INK_SIDE, INK_SIDE);
  }

  clear() {
    this.fillBlack();
    this.isPenDown = false;
    this.words.textContent = "Empty.";
    this.draw();
    this.report();
  }

  stroke(from, to) {
    Object.assign(this.brush, { strokeStyle: "#fff", lineWidth: 5, lineCap: "round", lineJoin: "round" });
    this.brush.beginPath();
    this.brush.moveTo(from.x, from.y);
    this.brush.lineTo(to.x + 0.01, to.y); // a line without length would leave nothing
    this.brush.stroke();
    this.draw();
  }

  draw() {
    const context = resizeCanvas(this.board, SHOWN_SIDE, SHOWN_SIDE);
    context.drawImage(this.ink, 0, 0, SHOWN_SIDE, SHOWN_SIDE);
    if (!this.isPenShown) return;
    const zoom = SHOWN_SIDE / INK_SIDE;
    const colour = this.isPenDown ? PEN_COLOURS.down : PEN_COLOURS.up;
    strokeArc(context, this.pen.x * zoom, this.pen.y * zoom, 10, colour, { width: 2 });
  }

  // -- the hand ----------------------------------------------------------------------------------------------------

  pointOf(event) {
    const box = this.board.getBoundingClientRect();
    return {
      x: ((event.clientX - box.left) / box.width) * INK_SIDE,
      y: ((event.clientY - box.top) / box.height) * INK_SIDE,
    };
  }

  startStroke(event) {
    if (event.button) return;
    event.preventDefault();
    this.board.focus({ preventScroll: true });
    this.board.setPointerCapture(event.pointerId);
    this.isPenShown = false;
    this.lastPoint = this.pointOf(event);
    this.strokeTo(this.lastPoint);
  }

  strokeTo(point) {
    this.stroke(this.lastPoint, point);
    this.lastPoint = point;
  }

  endStroke() {
    if (!this.lastPoint) return;
    this.lastPoint = null;
    this.report();
  }

  press(event) {
    const move = arrowStep(event.key);
    if (event.key === "Delete" || event.key === "Backspace") this.clear();
    else if (event.key === " ") this.liftOrLower();
    else if (move) this.movePen(move);
    else return;
    event.preventDefault();
  }

  liftOrLower() {
    this.isPenShown = true;
    this.isPenDown = !this.isPenDown;
    this.words.textContent = this.isPenDown ? "The pen is down." : "The pen is up.";
    if (this.isPenDown) this.stroke(this.pen, this.pen);
    this.draw();
    this.report();
  }

  movePen(move) {
    this.isPenShown = true;
    const next = movePen(this.pen, move);
    if (this.isPenDown) {
      this.stroke(this.pen, next);
      this.report();
    }
    this.pen = next;
    this.draw();
  }

  stop() {
    this.root.remove();
  }
}

export default mountOnce(DigitPad, async (ink) => ink);
