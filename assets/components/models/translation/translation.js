// A translation step by step: words glow by the cross-attention of the step, lines align them, matrices grow by rows.
// Step 0 is the encoder's; at step t the decoder has read its start token and t - 1 tokens and writes token t.
import { resizeCanvas } from "../../shared/canvas.js";
import { createElement, debounce, replaceKeepingFocus } from "../../shared/dom.js";
import { clampIndex } from "../../shared/keyboard.js";
import { markPresented } from "../../shared/layout.js";
import { mountOnce } from "../../shared/mount.js";
import { Picture } from "../../shared/picture.js";
import { Playback } from "../../shared/playback.js";
import { colourRamp } from "../../shared/scales.js";
import { weightAt, weightBetween, wordOfStep, writeWeight } from "./attention.js";
import { AttentionMaps } from "./maps.js";
import { tellStep } from "./story.js";

const STEP_TIME = 700; // milliseconds when playing: slow enough to read a word
const LEAST_LINE = { now: 0.03, before: 0.2 }; // the weight from which a line is drawn
const ORDERS = { reading: "reading order", time: "time order, left to right" };

class Translation extends Picture {
  constructor(parent) {
    super(parent, { className: "gf translation" });
    this.controls = createElement("div", { className: "controls" });
    this.story = createElement("p", { className: "story", role: "status" });
    const list = { role: "list", "aria-label": "Sentence", dir: "ltr", className: "words source" };
    this.source = createElement("div", list);
    this.target = createElement("div", { className: "words target", role: "list", "aria-label": "Translation" });
    this.lines = createElement("canvas", { "aria-hidden": "true" });
    const gap = createElement("div", { className: "gap" });
    this.stage = createElement("div", { className: "pair" }, this.lines, this.source, gap, this.target);
    this.maps = new AttentionMaps(this);
    this.playback = new Playback(this.root, {
      frame: STEP_TIME,
      step: () => this.view.step,
      last: () => this.last(),
      go: (step) => this.go(step),
    });
    this.root.append(this.playback.bar, this.controls, this.story, this.stage, this.maps.root);
    this.report = debounce(() => {
      this.sent = JSON.stringify(this.view);
      this.send("view", this.view);
    }, 350);
  }

  update(data, send) {
    const isNew = this.data?.id !== data.id;
    const isOwn = JSON.stringify(data.view) === this.sent; // back from the server
    this.receive(data, send);
    this.ramp = colourRamp(this.colours("sequential"));
    if (isNew || !isOwn) this.view = { ...data.view };
    this.view.step = Math.min(this.view.step, this.last());
    markPresented(this.root);
    this.drawControls();
    this.drawWords();
    this.draw();
  }

  layOut() {
    markPresented(this.root); // the style sheet enlarges the words
    this.draw();
  }

  last() {
    return this.data.cross.shape[2];
  }

  weightOf(kind, query, key) {
    return weightAt(this.data[kind], this.view, query, key);
  }

  between(word, source) {
    return weightBetween((query, key) => this.weightOf("cross", query, key), word, source, this.view.step);
  }

  change(part) {
    Object.assign(this.view, part);
    this.drawControls();
    this.drawWords();
    this.draw();
    this.report();
  }

  go(step) {
    this.view.step = clampIndex(step, this.last() + 1);
    this.draw();
    this.report();
  }

  // -- controls and words ------------------------------------------------------------------------------------------

  drawControls() {
    const [layers, heads] = this.data.cross.shape.map((count) => count - 1); // without the means
    const indices = (count) => Array.from({ length: count + 1 }, (_, i) => [i - 1, i ? String(i - 1) : "mean of all"]);
    replaceKeepingFocus(
      this.controls,
      this.choice("layer", "Layer", indices(layers), Number),
      this.choice("head", "Head", indices(heads), Number),
      this.choice("order", "Order of the words", Object.entries(ORDERS), String),
    );
  }

  // A menu for a key of the view. `options`: each value and its name; `read` makes the value of its text.
  choice(key, label, options, read) {
    const nodes = options.map(([value, textContent]) =>
      createElement("option", { value, textContent, selected: value === this.view[key] }),
    );
    const onchange = (event) => this.change({ [key]: read(event.target.value) });
    const menu = createElement("select", { "data-id": key, "aria-label": label, onchange }, ...nodes);
    return createElement("label", { className: "muted" }, `${label} `, menu);
  }

  drawWords() {
    const { source, written } = this.data;
    const isMirrored = this.view.order === "reading" && written.some((word) => word.rtl);
    this.target.dir = isMirrored ? "rtl" : "ltr";
    this.source.replaceChildren(...source.map((word) => this.wordNode(word)));
    const start = this.wordNode({ text: this.data.start, special: true });
    this.target.replaceChildren(start, ...written.map((word, i) => this.writtenNode(word, i)));
  }

  wordNode({ text, special }, kind = "") {
    const className = `word${special ? " special" : ""}${kind}`;
    return createElement("span", { className, role: "listitem" }, createElement("bdi", { textContent: text }));
  }

  writtenNode(word, i) {
    const node = this.wordNode(word, " out");
    node.append(createElement("small", { textContent: String(i + 1) }));
    node.onclick = () => {
      this.playback.pause();
      this.go(word.last + 1);
    };
    return node;
  }

  // -- drawing -----------------------------------------------------------------------------------------------------

  draw() {
    const { source, written } = this.data;
    const current = wordOfStep(written, this.view.step);
    this.playback.draw();
    source.forEach((word, i) => {
      const share = current < 0 ? 0 : this.between(written[current], word);
      const told = current < 0 ? "" : `${word.text}: ${writeWeight(share, written[current], word)}`;
      this.source.children[i].style.setProperty("--share", `${Math.round(share * 100)}%`);
      this.source.children[i].title = told && `${told} of the attention of this step`;
    });
    written.forEach((word, i) => {
      const node = this.target.children[i + 1];
      node.classList.toggle("later", word.first >= this.view.step);
      node.classList.toggle("here", i === current);
    });
    this.story.replaceChildren(...tellStep(this.data, this.view.step, current, (...words) => this.between(...words)));
    this.maps.draw();
  }

  // From each written word to the source words that it looks at.
  drawLines() {
    const { source, written } = this.data;
    const current = wordOfStep(written, this.view.step);
    const box = this.stage.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = this.stage;
    const pen = resizeCanvas(this.lines, offsetWidth, offsetHeight);
    const factor = box.width / offsetWidth || 1; // by which the page draws the picture larger or smaller
    pen.scale(1 / factor, 1 / factor);
    pen.strokeStyle = this.colours("query");
    written.forEach((word, i) => {
      const isNow = i === current;
      if (word.first >= this.view.step || (word.special && !isNow)) return;
      const end = this.target.children[i + 1].getBoundingClientRect();
      source.forEach((from, k) => {
        const share = this.between(word, from);
        if (share < (isNow ? LEAST_LINE.now : LEAST_LINE.before)) return;
        pen.globalAlpha = isNow ? 0.25 + 0.75 * share : 0.12 + 0.25 * share;
        pen.lineWidth = 0.8 + 4 * share;
        drawLine(pen, box, this.source.children[k].getBoundingClientRect(), end);
      });
    });
    pen.globalAlpha = 1;
  }

  stop() {
    this.playback.stop();
    super.stop();
  }
}

// From the lower edge of one word to the upper edge of another, in the box of the stage.
function drawLine(pen, box, from, to) {
  const [x0, y0] = [from.left + from.width / 2 - box.left, from.bottom - box.top];
  const [x1, y1] = [to.left + to.width / 2 - box.left, to.top - box.top];
  const bend = (y0 + y1) / 2;
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.bezierCurveTo(x0, bend, x1, bend, x1, y1);
  pen.stroke();
}

export default mountOnce(Translation);
