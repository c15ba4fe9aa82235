// Every pair of features as a clock hand, turned by the shift φ: as clocks, or as circles round the embeddings.
// Play and scrub run here, in the browser; the server hears the shift when the hand stops.
import { sizeOf } from "../../shared/canvas.js";
import { createElement } from "../../shared/dom.js";
import { FrameLoop } from "../../shared/frame_loop.js";
import { icon } from "../../shared/icons.js";
import { arrowStep } from "../../shared/keyboard.js";
import { scaleOf } from "../../shared/layout.js";
import { mountOnce } from "../../shared/mount.js";
import { Picture } from "../../shared/picture.js";
import { plainLabel } from "../../shared/tokens.js";
import { drawClocks } from "./clocks.js";
import { drawPlane } from "./plane.js";
import { drawSpace } from "./space.js";

const WORDS_PER_SECOND = 1.2;
const TURN_BY_KEY = 0.1; // radians
const PIXELS_PER_RADIAN = 160;
const LEAST_WIDTH = 60; // pixels; a page that is still laid out has fewer
const WORDS_HEIGHT = 70;
const DRAWINGS = { clocks: drawClocks, plane: drawPlane, space: drawSpace };

class PositionCircles extends Picture {
  constructor(parent) {
    super(parent, { className: "gf circles" });
    this.phi = 0; // the shift, in words
    this.loop = new FrameLoop((milliseconds) => this.playOn(milliseconds));
    this.eye = { yaw: -0.7, pitch: 0.5 };
    this.reducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.play = createElement("button", { className: "play" });
    this.slider = createElement("input", { type: "range", "aria-label": "Shift φ, in words" });
    this.typed = createElement("input", { type: "number", "aria-label": "Shift φ, typed" });
    this.token = createElement("select", { "aria-label": "Token" });
    this.problem = createElement("p", { className: "problem", role: "alert" });
    this.canvas = createElement("canvas");
    this.legend = createElement("div", { className: "legend muted" });
    this.words = createElement("p", { className: "readout" });
    this.matrix = createElement("canvas", { role: "img" });
    this.proof = createElement("p", { className: "readout", role: "status" });
    this.side = createElement("div", { className: "side" }, this.matrix, this.proof);
    const main = createElement("div", { className: "main" }, this.canvas, this.legend, this.words);
    const panels = createElement("div", { className: "panels" }, main, this.side);
    this.root.append(this.bar(), this.problem, panels);
    this.listenOnBar();
    this.listenOnCanvas();
  }

  bar() {
    const shift = createElement("span", { className: "shift", textContent: "shift φ" });
    const from = createElement("span", { className: "from", textContent: "token" });
    const labels = [
      createElement("label", {}, shift, this.slider, this.typed),
      createElement("label", {}, from, this.token),
    ];
    return createElement("div", { className: "bar" }, this.play, ...labels);
  }

  update(data, send) {
    this.receive(data, send);
    if (!this.loop.isRunning()) this.phi = data.phi;
    const step = data.limit > 20 ? 0.1 : 0.05;
    Object.assign(this.slider, { min: -data.limit, max: data.limit, step });
    Object.assign(this.typed, { min: -data.limit, max: data.limit, step: "any" });
    const option = (label, t) => {
      const textContent = `${t}  ${plainLabel(label)}`;
      return createElement("option", { value: t, textContent, selected: t === data.token });
    };
    this.token.replaceChildren(...data.labels.map(option));
    this.side.hidden = data.view !== "clocks";
    this.canvas.className = data.view === "space" ? "turns" : "";
    this.layOut();
  }

  nameOf(t) {
    return plainLabel(this.data.labels[t] ?? "") || `position ${t}`;
  }

  roomWidth() {
    return this.canvas.parentElement.clientWidth / scaleOf(this.root);
  }

  // The words below the canvas count; the matrix may lie under the screen's edge.
  arrange() {
    this.draw();
    return sizeOf(this.canvas)[1] + WORDS_HEIGHT;
  }

  draw() {
    if (this.canvas.parentElement.clientWidth < LEAST_WIDTH) return;
    const isPlaying = this.loop.isRunning();
    const canTurn = this.data.view === "space";
    this.slider.value = this.phi;
    if (this.root.getRootNode().activeElement !== this.typed) this.typed.value = Number(this.phi.toFixed(2));
    const [sign, word] = isPlaying ? ["pause", "Pause"] : ["play", "Play"];
    this.play.replaceChildren(icon(sign), word);
    this.play.setAttribute("aria-pressed", String(isPlaying));
    this.canvas.setAttribute("role", canTurn ? "application" : "img");
    this.canvas.tabIndex = canTurn ? 0 : -1;
    DRAWINGS[this.data.view](this);
  }

  // -- play --------------------------------------------------------------------------------------------------------

  listenOnBar() {
    this.play.onclick = () => this.playOrPause();
    this.slider.oninput = () => {
      this.pause();
      this.phi = Number(this.slider.value);
      this.problem.textContent = "";
      this.draw();
    };
    this.slider.onchange = () => this.tell();
    this.typed.onchange = () => this.take(this.typed.value);
    this.token.onchange = () => {
      this.data.token = Number(this.token.value);
      this.draw();
      this.send("token", this.data.token);
    };
  }

  tell() {
    this.send("phi", Number(this.phi.toFixed(2)));
  }

  playOrPause() {
    if (this.loop.isRunning()) {
      this.pause();
      return;
    }
    if (this.phi >= this.data.limit) this.phi = 0;
    this.loop.start();
    this.draw();
  }

  // With reduced motion the shift goes on in whole words, one a second.
  playOn(milliseconds) {
    const seconds = milliseconds / 1000;
    const isCalm = this.reducedMotion.matches;
    if (isCalm && seconds < 1) return false;
    const { limit } = this.data;
    this.phi = Math.min(this.phi + (isCalm ? 1 : seconds * WORDS_PER_SECOND), limit);
    if (this.phi === limit) this.pause();
    else this.draw();
    return true;
  }

  pause() {
    if (!this.loop.isRunning()) return;
    this.loop.stop();
    this.draw();
    this.tell();
  }

  // Takes a shift that was typed, if it is one.
  take(text) {
    this.pause();
    const { limit } = this.data;
    const shift = Number(text);
    const isGood = text !== "" && Math.abs(shift) <= limit;
    const range = `−${limit} to ${limit} words`;
    const problem = `The shift can be ${range}, so that it stays within reach of the sentence.`;
    this.problem.textContent = isGood ? "" : problem;
    if (isGood) this.phi = shift;
    this.draw();
    if (isGood) this.tell();
  }

  // -- turning the view in space -----------------------------------------------------------------------------------

  listenOnCanvas() {
    const { canvas } = this;
    let last = null; // where the hand was, while it is down
    canvas.onpointerdown = (event) => {
      if (this.data.view !== "space") return;
      last = [event.clientX, event.clientY];
      canvas.setPointerCapture(event.pointerId);
    };
    canvas.onpointermove = ({ clientX, clientY }) => {
      if (!last) return;
      this.turn((clientX - last[0]) / PIXELS_PER_RADIAN, (clientY - last[1]) / PIXELS_PER_RADIAN);
      last = [clientX, clientY];
    };
    const letGo = () => {
      last = null;
    };
    canvas.onpointerup = letGo;
    canvas.onpointercancel = letGo;
    canvas.onkeydown = (event) => {
      const move = arrowStep(event.key);
      if (!move || this.data.view !== "space") return;
      event.preventDefault();
      this.turn(TURN_BY_KEY * move[0], -TURN_BY_KEY * move[1]);
    };
  }

  turn(yaw, pitch) {
    this.eye = { yaw: this.eye.yaw + yaw, pitch: Math.max(0.08, Math.min(1.5, this.eye.pitch + pitch)) };
    this.draw();
  }

  stop() {
    this.loop.stop();
    super.stop();
  }
}

export default mountOnce(PositionCircles);
