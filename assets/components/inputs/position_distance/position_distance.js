// Two positions to drag. The angle between their vectors, the score and the diagonal of the matrix move together.
import { pointOn, resizeCanvas, sizeOf } from "../../shared/canvas.js";
import { createElement, debounce } from "../../shared/dom.js";
import { clampIndex, listStep } from "../../shared/keyboard.js";
import { scaleOf } from "../../shared/layout.js";
import { mountOnce } from "../../shared/mount.js";
import { formatDegrees, formatFixed, formatNumber } from "../../shared/numbers.js";
import { Picture } from "../../shared/picture.js";
import { cellPicture, colourRamp, rampColour, signedStep } from "../../shared/scales.js";
import { plainLabel } from "../../shared/tokens.js";
import { drawAngle, drawCurve, drawMatrix } from "./drawing.js";
import { angleBetween, labelSpace, tickStride } from "./geometry.js";

const WIDEST_MATRIX = 430; // pixels
const LARGEST_ANGLE = 190;
const CURVE_HEIGHT = 300;
const RAIL_HEIGHT = 60;

// `t` and `s` are the two positions.
class PositionDistance extends Picture {
  constructor(parent) {
    super(parent, { className: "gf distance" });
    this.places = { t: 0, s: 0 };
    this.held = null; // the handle that the hand has: "t", "s", or "matrix" for both
    const handle = (which) => createElement("button", { className: `handle ${which}`, role: "slider" });
    const name = (which) => createElement("span", { className: `name token ${which}` });
    this.handles = { t: handle("t"), s: handle("s") };
    this.names = { t: name("t"), s: name("s") };
    this.rail = createElement("div", { className: "rail" });
    this.ticks = createElement("div");
    this.span = createElement("div", { className: "span" });
    const { handles, names } = this;
    const parts = [this.rail, this.ticks, this.span, names.t, names.s, handles.t, handles.s];
    const track = createElement("div", { className: "track" }, ...parts);
    this.readout = createElement("p", { className: "readout", role: "status" });
    this.figures = { matrix: this.figure("matrix"), curve: this.figure("curve"), angle: this.figure("angle") };
    const three = Object.values(this.figures).map(({ node }) => node);
    this.root.append(track, this.readout, createElement("div", { className: "three" }, ...three));
    this.report = debounce(() => this.send("pair", [this.places.t, this.places.s]), 150);
    for (const which of ["t", "s"]) this.listenOnHandle(which);
    this.listenOnMatrix();
  }

  figure(className) {
    const title = createElement("figcaption");
    const canvas = createElement("canvas", { role: "img" });
    return { title, canvas, node: createElement("figure", { className }, title, canvas) };
  }

  update(data, send) {
    this.receive(data, send);
    [this.places.t, this.places.s] = data.pair;
    const { length, largest } = data;
    this.scoreOf = (t, s) => data.scores[t * length + s];
    this.curve = Array.from({ length: 2 * length - 1 }, (_, i) => [...data.curve.subarray(3 * i, 3 * i + 3)]);
    const ramp = colourRamp(this.colours("signed"));
    this.image = cellPicture(length, length, (cell) => {
      const score = this.scoreOf(Math.floor(cell / length), cell % length);
      return rampColour(ramp, signedStep(score / largest));
    });
    const stride = tickStride(length);
    const tick = (_, i) => createElement("i", { className: "tick", style: { left: `${this.share(i * stride)}%` } });
    this.ticks.replaceChildren(...Array.from({ length: Math.ceil(length / stride) }, tick));
    this.layOut();
  }

  // How far along the rail a position is, in percent.
  share(position) {
    return (100 * position) / Math.max(this.data.length - 1, 1);
  }

  nameOf(position) {
    return `${plainLabel(this.data.labels[position] ?? "")} ${position}`.trim();
  }

  // -- drawing -----------------------------------------------------------------------------------------------------

  arrange() {
    this.draw();
    const heights = [this.figures.matrix, this.figures.curve].map(({ canvas }) => sizeOf(canvas)[1]);
    return Math.max(...heights) + RAIL_HEIGHT;
  }

  draw() {
    this.drawHandle("t", "Position t");
    this.drawHandle("s", "Position s");
    const { t, s } = this.places;
    const { product, norms } = this.data;
    const score = this.scoreOf(t, s);
    const degrees = angleBetween(score, norms[t] * norms[s]);
    Object.assign(this.span.style, {
      left: `${this.share(Math.min(t, s))}%`,
      width: `${this.share(Math.abs(t - s))}%`,
    });
    const fact = (name, value) => createElement("span", {}, name, createElement("strong", { textContent: value }));
    this.readout.replaceChildren(
      fact("t − s = ", formatFixed(t - s, 0)),
      fact(`${product} = `, formatNumber(score)),
      fact("angle ", formatDegrees(degrees)),
      fact("mean of this diagonal ", formatNumber(this.meanOf(t - s))),
    );
    this.drawMatrix();
    this.drawCurve(score);
    this.drawAngle(degrees);
  }

  meanOf(distance) {
    return this.curve[distance + this.data.length - 1][0];
  }

  drawHandle(which, label) {
    const position = this.places[which];
    const handle = this.handles[which];
    const left = `${this.share(position)}%`;
    Object.assign(handle.style, { left, zIndex: which === this.held ? 2 : 1 });
    this.names[which].style.left = `clamp(2em, ${left}, calc(100% - 2em))`;
    this.names[which].textContent = this.nameOf(position);
    handle.setAttribute("aria-label", label);
    handle.setAttribute("aria-valuemin", 0);
    handle.setAttribute("aria-valuemax", this.data.length - 1);
    handle.setAttribute("aria-valuenow", position);
    handle.setAttribute("aria-valuetext", this.nameOf(position));
  }

  widthOf({ canvas }) {
    return canvas.parentElement.clientWidth / scaleOf(this.root);
  }

  drawMatrix() {
    const { matrix } = this.figures;
    const { length, labels, product } = this.data;
    const { t, s } = this.places;
    const width = Math.min(this.widthOf(matrix), WIDEST_MATRIX);
    const left = labelSpace(width, labels, length);
    const side = width - left;
    this.grid = { left, side, cell: side / length };
    drawMatrix(resizeCanvas(matrix.canvas, width, side), this);
    matrix.title.textContent = `${product}: rows t, columns s`;
    const marked = `Marked: ${this.nameOf(t)}, ${this.nameOf(s)}, and their diagonal.`;
    matrix.canvas.setAttribute("aria-label", `${length} by ${length} matrix of ${product}. ${marked}`);
  }

  drawCurve(score) {
    const { curve } = this.figures;
    const { product } = this.data;
    const distance = this.places.t - this.places.s;
    const width = this.widthOf(curve);
    drawCurve(resizeCanvas(curve.canvas, width, CURVE_HEIGHT), this, { width, height: CURVE_HEIGHT, distance, score });
    curve.title.textContent = `${product} by distance t − s: mean, and the range over all places`;
    curve.canvas.setAttribute("aria-label", `${product} by distance. At ${distance}: ${formatNumber(score)}.`);
  }

  drawAngle(degrees) {
    const { angle } = this.figures;
    const { t, s } = this.places;
    const side = Math.min(this.widthOf(angle) || 180, LARGEST_ANGLE);
    drawAngle(resizeCanvas(angle.canvas, side, side), this, side, degrees);
    angle.title.textContent = "the angle between the two";
    const label = `The angle between the vectors at ${t} and ${s} is ${formatDegrees(degrees)}.`;
    angle.canvas.setAttribute("aria-label", label);
  }

  // -- the hand ----------------------------------------------------------------------------------------------------

  put(places) {
    for (const [which, position] of Object.entries(places)) {
      this.places[which] = clampIndex(position, this.data.length);
    }
    this.draw();
  }

  // While the hand is down on `node`, `move` hears where it is. At the end the server hears of the places.
  drag(node, held, move) {
    node.onpointermove = (event) => this.held === held && move(event);
    node.onpointerup = () => this.letGo();
    node.onpointercancel = () => this.letGo();
  }

  letGo() {
    if (this.held) this.report();
    this.held = null;
  }

  listenOnHandle(which) {
    const handle = this.handles[which];
    handle.onpointerdown = (event) => {
      this.held = which;
      handle.setPointerCapture(event.pointerId);
    };
    this.drag(handle, which, (event) => {
      const box = this.rail.getBoundingClientRect();
      const share = (event.clientX - box.left) / box.width;
      this.put({ [which]: Math.round(share * (this.data.length - 1)) });
    });
    const directions = { forward: ["ArrowRight", "ArrowUp"], back: ["ArrowLeft", "ArrowDown"] };
    handle.onkeydown = (event) => {
      const next = listStep(event.key, this.places[which], this.data.length, directions);
      if (next === undefined) return;
      event.preventDefault();
      this.put({ [which]: next });
      this.report();
    };
  }

  listenOnMatrix() {
    const { canvas } = this.figures.matrix;
    const pick = (event) => {
      const [x, y] = pointOn(canvas, event);
      const { left, cell } = this.grid;
      this.put({ t: Math.floor(y / cell), s: Math.floor((x - left) / cell) });
    };
    canvas.onpointerdown = (event) => {
      this.held = "matrix";
      canvas.setPointerCapture(event.pointerId);
      pick(event);
    };
    this.drag(canvas, "matrix", pick);
  }
}

export default mountOnce(PositionDistance);
