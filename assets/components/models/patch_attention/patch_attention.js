// A picture and the attention of one of its patches, in one head large and in all heads small. No rerun while the hand
// moves. A patch is its number, row by row; -1, -2 and so on are the learnt tokens, such as the class token.
import { drawText, resizeCanvas, strokeBox } from "../../shared/canvas.js";
import { createElement, debounce } from "../../shared/dom.js";
import { clampIndex, pressInGrid } from "../../shared/keyboard.js";
import { scaleOf } from "../../shared/layout.js";
import { mountOnce } from "../../shared/mount.js";
import { formatFixed } from "../../shared/numbers.js";
import { int8Values, unpack } from "../../shared/payload.js";
import { Picture } from "../../shared/picture.js";
import { colourRamp, paintCells, rampColour } from "../../shared/scales.js";
import { arrangeHeads, cellOf, headAt, headIn, placeName, tileBox } from "./geometry.js";
import { attentionOf, tokenOf } from "./weights.js";

const LARGEST = 460; // pixels of the picture

async function readPicture(bytes) {
  const data = await unpack(bytes);
  data.image = await createImageBitmap(new Blob([data.picture], { type: "image/jpeg" }));
  data.queries = int8Values(data.queries);
  data.keys = int8Values(data.keys);
  return data;
}

// The largest share of a patch in a sentence. It travels in 255 steps, which have no tenths of a percent. Other weights
// are coarser than that: the page says them below, from the run itself.
function roughly(share) {
  if (share < 0.01) return "under 1%";
  return share > 0.99 ? "over 99%" : `about ${formatFixed(100 * share, 0)}%`;
}

class PatchAttention extends Picture {
  constructor(parent) {
    super(parent, { className: "gf patches" });
    this.board = createElement("canvas", { tabIndex: 0, role: "application" });
    this.atlas = createElement("canvas", { tabIndex: 0, role: "application" });
    this.words = createElement("p", { className: "words", role: "status" });
    this.title = createElement("span", { className: "muted" });
    this.tools = createElement("div", { className: "tools" });
    const half = (...parts) => createElement("div", { className: "half" }, ...parts);
    this.left = half(this.tools, this.board, this.words);
    this.right = half(createElement("div", { className: "tools" }, this.title), this.atlas);
    this.root.append(this.left, this.right);
    this.report = debounce(() => this.send("view", { ...this.view }), 150);
    this.listen();
  }

  listen() {
    const { board, atlas } = this;
    board.onpointermove = (event) => this.hoverPatch(this.patchUnder(event));
    board.onpointerleave = () => this.hoverPatch(null);
    board.onclick = (event) => this.choose({ patch: this.patchUnder(event) });
    board.onkeydown = (event) => this.pressOnPicture(event);
    atlas.onpointermove = (event) => this.hoverHead(this.headUnder(event));
    atlas.onpointerleave = () => this.hoverHead(null);
    atlas.onclick = (event) => {
      const found = this.headUnder(event);
      if (found) this.choose(found);
    };
    atlas.onkeydown = (event) => this.pressOnAtlas(event);
  }

  update(data, send) {
    this.receive(data, send);
    [this.layers, this.heads, , this.tokens] = data.queries.shape;
    this.view = { layer: data.layer, head: data.head, patch: data.patch };
    this.special = data.learnt.map((name, place) => this.buttonOf(name, place));
    this.tools.replaceChildren(...this.special);
    this.hover = null; // the patch under the hand
    this.near = null; // the head under the hand
    this.attention = {};
    this.layOut();
  }

  // What chooses a learnt token: "Class token".
  buttonOf(name, place) {
    const bare = name.replace("the ", "");
    const textContent = bare[0].toUpperCase() + bare.slice(1);
    return createElement("button", {
      className: "tool",
      textContent,
      onclick: () => this.choose({ patch: -1 - place }),
    });
  }

  asking() {
    return this.hover ?? this.view.patch;
  }

  // The weights that the asking token gives in one head, to the learnt tokens and all patches; the patch that gets
  // most, and its weight.
  lookOf(layer, head) {
    const patch = this.asking();
    if (this.attention.patch !== patch) this.attention = { patch, weights: attentionOf(this.data, patch) };
    const start = (layer * this.heads + head) * this.tokens;
    const weights = this.attention.weights.subarray(start, start + this.tokens);
    const { special } = this.data;
    const best = this.data.best[start + tokenOf(patch, special)];
    return { weights, best, largest: weights[best + special] || 1 };
  }

  // -- drawing -----------------------------------------------------------------------------------------------------

  arrange() {
    if (!this.left.clientWidth) return 0;
    const scale = scaleOf(this.root);
    this.size = Math.min(this.left.clientWidth / scale, LARGEST);
    this.grid = arrangeHeads(this.layers, this.heads, this.right.clientWidth / scale);
    this.draw();
    return Math.max(this.size, this.grid.height);
  }

  draw() {
    this.drawPicture();
    this.drawAtlas();
    this.tell();
  }

  drawPicture() {
    const { size, colours, data, view, hover } = this;
    const pen = resizeCanvas(this.board, size, size);
    const step = size / data.side;
    const { weights, largest } = this.lookOf(view.layer, view.head);
    pen.imageSmoothingEnabled = size < data.image.width;
    pen.filter = "grayscale(0.7)";
    pen.drawImage(data.image, 0, 0, size, size);
    pen.filter = "none";
    pen.fillStyle = colours("background");
    pen.globalAlpha = 0.45;
    pen.fillRect(0, 0, size, size);
    pen.fillStyle = colours("key");
    const corner = (patch) => [(patch % data.side) * step, Math.floor(patch / data.side) * step];
    for (let patch = 0; patch < data.side ** 2; patch++) {
      pen.globalAlpha = (0.85 * weights[patch + data.special]) / largest;
      pen.fillRect(...corner(patch), step, step);
    }
    pen.globalAlpha = 1;
    for (const [patch, thickness] of [
      [view.patch, 3],
      [hover, 2],
    ]) {
      if (patch === null || patch < 0) continue;
      const [x, y] = corner(patch);
      strokeBox(pen, x + 1, y + 1, step - 2, step - 2, colours("query"), thickness);
    }
  }

  drawAtlas() {
    const { grid, colours, data } = this;
    const pen = resizeCanvas(this.atlas, grid.width, grid.height);
    const ramp = colourRamp(colours("sequential"));
    const tile = createElement("canvas", { width: data.side, height: data.side });
    pen.imageSmoothingEnabled = false;
    this.drawAxes(pen);
    for (let layer = 0; layer < this.layers; layer++) {
      for (let head = 0; head < this.heads; head++) {
        const { weights, largest } = this.lookOf(layer, head);
        const colour = (patch) => rampColour(ramp, Math.round((weights[patch + data.special] / largest) * 255));
        const [x, y, side] = tileBox(grid, layer, head);
        paintCells(tile, colour);
        pen.drawImage(tile, x, y, side, side);
      }
    }
    this.frameHead(pen, this.view, "key", 2.5);
    if (this.near) this.frameHead(pen, this.near, "query", 2);
  }

  drawAxes(pen) {
    const { left, top, step, columns, rows } = this.grid;
    const style = { font: "11px sans-serif", colour: this.colours("muted"), align: "center" };
    for (let i = 0; i < columns; i++) drawText(pen, String(i), left + i * step + (step - 3) / 2, 14, style);
    for (let i = 0; i < rows; i++) drawText(pen, String(i), 10, top + i * step + step / 2 + 3, style);
  }

  frameHead(pen, { layer, head }, role, thickness) {
    const [x, y, side] = tileBox(this.grid, layer, head);
    strokeBox(pen, x - 1, y - 1, side + 2, side + 2, this.colours(role), thickness);
  }

  tell() {
    const { layer, head, patch } = this.view;
    const { side, special, learnt } = this.data;
    const asking = this.asking();
    const { weights, best } = this.lookOf(layer, head);
    const asks = asking < 0 ? learnt[-1 - asking] : placeName(asking, side);
    const name = asking < 0 ? asks[0].toUpperCase() + asks.slice(1) : `Patch ${asks}`;
    const most = `${name} in layer ${layer}, head ${head} looks most at ${placeName(best, side)}`;
    const share = roughly(weights[best + special]);
    this.words.textContent = `${most}, ${share}. Full orange is the largest weight of a patch.`;
    const axes = this.grid.isTurned ? "heads across, layers" : "layers across, heads";
    const heads = `All ${this.layers * this.heads} heads for ${asks}`;
    this.title.textContent = `${heads}: ${axes} down, each by its own largest weight. Click one.`;
    this.special.forEach((button, place) => {
      button.setAttribute("aria-pressed", String(patch === -1 - place));
    });
    const help = `Arrow keys move between patches, Home is ${learnt[0]}.`;
    const label = `The picture in ${side} by ${side} patches. ${help} ${this.words.textContent}`;
    this.board.setAttribute("aria-label", label);
    const now = `Now layer ${layer}, head ${head}.`;
    this.atlas.setAttribute("aria-label", `Layers by heads. Arrow keys choose a head. ${now}`);
    this.board.dataset.asked = asking;
  }

  // The hand may move faster than the screen: one drawing for each frame.
  drawSoon() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.draw();
    });
  }

  // -- the hand ----------------------------------------------------------------------------------------------------

  hoverPatch(patch) {
    if (patch === this.hover) return;
    this.hover = patch;
    this.drawSoon();
  }

  hoverHead(place) {
    this.near = place;
    this.drawSoon();
  }

  choose(change) {
    Object.assign(this.view, change);
    this.hover = null;
    this.draw();
    this.report();
  }

  patchUnder({ clientX, clientY }) {
    const { side } = this.data;
    const box = this.board.getBoundingClientRect();
    const column = clampIndex(Math.floor(((clientX - box.left) / box.width) * side), side);
    const row = clampIndex(Math.floor(((clientY - box.top) / box.height) * side), side);
    return row * side + column;
  }

  headUnder({ clientX, clientY }) {
    const box = this.atlas.getBoundingClientRect();
    const stretch = this.grid.width / box.width;
    return headAt(this.grid, (clientX - box.left) * stretch, (clientY - box.top) * stretch);
  }

  pressOnPicture(event) {
    if (event.key === "Home") {
      event.preventDefault();
      this.choose({ patch: -1 });
      return;
    }
    const { side } = this.data;
    const { patch } = this.view;
    // From a learnt token every arrow leads to the first patch.
    const move = ({ row, column }) => this.choose({ patch: patch < 0 ? 0 : row * side + column });
    pressInGrid(
      event,
      { row: Math.floor(patch / side), column: patch % side },
      { rows: side, columns: side },
      { move },
    );
  }

  pressOnAtlas(event) {
    const cell = cellOf(this.grid, this.view.layer, this.view.head);
    pressInGrid(event, cell, this.grid, { move: (next) => this.choose(headIn(this.grid, next)) });
  }
}

export default mountOnce(PatchAttention, readPicture);
