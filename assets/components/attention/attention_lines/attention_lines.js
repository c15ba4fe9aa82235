// Attention as lines from each query to each key. Hover, focus and toggles never ask the server.
import { resizeCanvas, setSize } from "../../shared/canvas.js";
import { watchPlaces } from "../../shared/chosen_place.js";
import { createElement, createTable, debounce } from "../../shared/dom.js";
import { createScroller } from "../../shared/edges.js";
import { codeFont } from "../../shared/fonts.js";
import { clampIndex } from "../../shared/keyboard.js";
import { mountOnce } from "../../shared/mount.js";
import { formatFixed } from "../../shared/numbers.js";
import { Picture } from "../../shared/picture.js";
import { watchChoices, watchQueries } from "../../shared/pointed_token.js";
import { plainLabel } from "../../shared/tokens.js";
import { findStack, layerOf } from "../stack_link.js";
import { drawControls } from "./controls.js";
import { drawBars, drawHeadings, drawLines } from "./drawing.js";
import { arrangeWords, middleOf, rowSize, wordAfter, wordStyle } from "./geometry.js";
import { drawHeadCells } from "./head_cells.js";
import { ShownEarly, viewAt } from "./shown_early.js";
import { HeadWeights } from "./weights.js";

const SIDES = ["query", "key"];
const WIDEST = 1500; // pixels
const SIDE_LABELS = { query: "Queries: tokens that look", key: "Keys: tokens looked at" };

// `view` is the reader's: heads, head, least, hide, layout, query, key, as pages/attention/heads.py knows it. A word is
// {side, i}: the hovered one, else the focused one, else the pinned query is isolated, and its lines alone are shown.
// A query that is pointed at in the run bar has its weights in all heads there, in the place of the lines.
class AttentionLines extends Picture {
  constructor(parent) {
    super(parent, { className: "gf lines" });
    this.unanswered = []; // views that were sent, as text, until the server's next data bring them back
    this.early = new ShownEarly();
    this.hover = null;
    this.focus = null;
    this.pointed = null; // the place of the query that is pointed at in the run bar
    this.lines = createElement("canvas", { className: "moves", "aria-hidden": "true" });
    this.front = createElement("canvas", { "aria-hidden": "true" });
    this.words = { query: createElement("div", { role: "listbox" }), key: createElement("div", { role: "listbox" }) };
    this.stage = createElement("div", { className: "stage" }, this.lines, this.front, this.words.query, this.words.key);
    this.controls = createElement("div", { className: "controls" });
    this.status = createElement("p", { className: "sr", role: "status" });
    this.table = createElement("div", { className: "sr" });
    this.scroller = createScroller(this.stage);
    this.root.append(this.controls, this.scroller, this.status, this.table);
    this.drawTable = debounce(() => this.table.replaceChildren(this.strongestTable()), 150);
    this.sendView = debounce(() => {
      this.unanswered.push(JSON.stringify(this.view));
      this.send("view", this.view);
    }, 250);
    this.endWatches = [
      watchQueries((place) => this.point(place), this.root),
      watchChoices((role, place) => this.choose(role, place), this.root),
      watchPlaces((name, value) => this.move(name, value)),
    ];
  }

  update(data, send) {
    const isOvertaken = this.early.isOvertaken([data.layer, data.view.head]);
    if (isOvertaken && this.data?.id === data.id) return;
    const isNew = this.data?.id !== data.id || this.data.layer !== data.layer;
    const answered = this.unanswered.indexOf(JSON.stringify(data.view)); // our own change, back from the server
    this.unanswered = this.unanswered.slice(answered + 1);
    this.receive(data, send);
    if (isNew || answered < 0) this.view = { ...data.view };
    if (isNew) {
      this.hover = null;
      this.focus = null;
      this.pointed = null;
    }
    this.tokens = { query: data.queries, key: data.keys };
    this.redraw();
  }

  redraw() {
    const { weights, causal, first } = this.data;
    this.weights = new HeadWeights(weights, causal, first.key - first.query);
    drawControls(this);
    this.layOut();
  }

  change(part) {
    Object.assign(this.view, part);
    drawControls(this);
    this.layOut();
    this.sendView();
  }

  nameOf({ side, i }) {
    return plainLabel(this.tokens[side][i].label);
  }

  isolated() {
    if (this.pointed !== null) return { side: "query", i: this.pointed };
    return this.hover ?? this.focus ?? (this.view.query === null ? null : { side: "query", i: this.view.query });
  }

  isHidden(key, weight) {
    return weight < this.view.least || weight === 0 || this.isHiddenSink(key);
  }

  // Whether the reader hides the lines to a key because it is the first token of the sentence.
  isHiddenSink(key) {
    return this.view.hide.includes("sink") && key + this.data.first.key === 0;
  }

  // Whether the isolated word and one of the other side may not see each other.
  isPairMasked({ side, i }, other) {
    return side === "query" ? this.weights.isMasked(i, other) : this.weights.isMasked(other, i);
  }

  middle(side, i) {
    return middleOf(this.layout, this.visible[side].indexOf(i));
  }

  // -- layout ------------------------------------------------------------------------------------------------------

  arrange(room, height) {
    const width = Math.min(room, WIDEST);
    if (!width) return 0;
    const isShown = (token) => !(this.view.hide.includes("special") && token.special);
    const shown = (tokens) => tokens.flatMap((token, i) => (isShown(token) ? [i] : []));
    this.visible = { query: shown(this.tokens.query), key: shown(this.tokens.key) };
    const { query, key } = this.visible;
    const longest = Math.max(query.length, key.length, 1);
    const isRtl = query.filter((i) => this.tokens.query[i].rtl).length > query.length / 2;
    const labels = this.widestLabels(rowSize(longest).type);
    const isDown = this.view.layout === "down";
    this.layout = arrangeWords({ isDown, isRtl, width, height, longest, labels });
    setSize(this.stage, this.layout.width, this.layout.height);
    for (const side of SIDES) this.placeWords(side);
    this.draw();
    this.drawTable();
    return this.layout.height;
  }

  chosenPlace() {
    const { query } = this.view;
    if (query === null || !this.visible?.query.includes(query)) return null;
    const { offsetLeft, offsetWidth } = this.words.query.querySelector(`[data-i="${query}"]`);
    return [offsetLeft, offsetLeft + offsetWidth];
  }

  widestLabels(type) {
    const pen = this.lines.getContext("2d");
    pen.font = `${type}px ${codeFont(this.root)}`;
    const widest = (side) =>
      Math.max(0, ...this.visible[side].map((i) => pen.measureText(this.nameOf({ side, i })).width + 14));
    return { query: widest("query"), key: widest("key") };
  }

  placeWords(side) {
    const { query } = this.view;
    const column = this.words[side];
    const hadFocus = column.contains(this.root.getRootNode().activeElement);
    column.setAttribute("aria-label", SIDE_LABELS[side]);
    column.replaceChildren(...this.visible[side].map((i, place) => this.createWord({ side, i }, place)));
    const isPinned = side === "query" && query !== null && this.visible.query.includes(query);
    const first = this.focus?.side === side ? this.focus.i : isPinned ? query : this.visible[side][0];
    const entry = column.querySelector(`[data-i="${first}"]`);
    if (entry) entry.tabIndex = 0;
    if (hadFocus) entry?.focus();
  }

  createWord(word, place) {
    const { side, i } = word;
    const token = this.tokens[side][i];
    const button = createElement("button", {
      className: `token ${side}${token.special ? " special" : ""}${token.rtl ? " rtl" : ""}`,
      role: "option",
      "data-i": i,
      "data-spot": `${side} ${i + this.data.first[side]}`,
      tabIndex: -1,
      title: `${side === "query" ? "Query" : "Key"} ${i + this.data.first[side]}: ${token.label}`,
      style: wordStyle(this.layout, side, place),
    });
    button.append(createElement("bdi", { textContent: this.nameOf(word) }));
    button.onpointerenter = (event) => event.pointerType === "mouse" && this.isolate({ hover: word });
    button.onpointerleave = () => this.isolate({ hover: null });
    button.onfocus = () => {
      if (!button.matches(":focus-visible")) return;
      this.isolate({ focus: word });
      this.tell();
    };
    button.onblur = () => this.isolate({ focus: null });
    button.onclick = () => this.pin(word);
    button.onkeydown = (event) => this.press(event, word);
    return button;
  }

  // -- the hand ----------------------------------------------------------------------------------------------------

  isolate(change) {
    Object.assign(this, change);
    this.drawFront();
  }

  point(place) {
    const shown = place === null ? null : place - this.data.first.query;
    const next = this.visible?.query.includes(shown) ? shown : null;
    if (next === this.pointed) return;
    this.pointed = next;
    this.drawFront();
    this.tell();
  }

  // A query is kept or let go; a key is kept beside its query.
  pin({ side, i }) {
    const { view } = this;
    if (side === "key") view.key = view.query === null || view.key === i ? null : i;
    else Object.assign(view, { query: view.query === i ? null : i, key: null });
    this.drawFront();
    this.tell();
    this.sendView();
  }

  // The run bar has told the server, which answers with the same choice.
  choose(side, place) {
    if (!(side in this.words)) return;
    const shown = place === null ? null : place - this.data.first[side];
    if (shown !== null && !(shown in this.tokens[side])) return; // the server brings its part of the text
    Object.assign(this.view, side === "query" ? { query: shown, key: null } : { key: shown });
    this.drawFront();
    this.tell();
  }

  // Another layer or head: at once where the numbers are here. The run bar has told the server.
  move(name, value) {
    const stack = findStack(this.data.stack);
    const place = { layer: this.data.layer, head: this.view.head, [name]: value };
    if (!(place.layer in (stack?.titles ?? []))) return; // a model beside the first may have fewer layers
    const found = layerOf(stack, place.layer);
    this.early.add([place.layer, place.head]);
    this.data = { ...this.data, layer: place.layer, title: found.title, weights: found.weights };
    this.view = viewAt(this.view, place.head);
    this.redraw();
    this.tell();
  }

  press(event, { side, i }) {
    if (event.key === "Escape") {
      Object.assign(this.view, { query: null, key: null });
      this.drawFront();
      this.sendView();
    }
    const place = this.visible[side].indexOf(i);
    const next = wordAfter(this.layout, event.key, side, place, this.visible[side].length);
    if (!next) return;
    event.preventDefault();
    const [nextSide, nextPlace] = next;
    this.words[nextSide].children[clampIndex(nextPlace, this.visible[nextSide].length)]?.focus();
  }

  // -- drawing -----------------------------------------------------------------------------------------------------

  draw() {
    drawLines(resizeCanvas(this.lines, this.layout.width, this.layout.height), this, null);
    this.drawFront();
  }

  // Draws all that follows the hand. The lines behind it stay as they are.
  drawFront() {
    const isolated = this.isolated();
    const showsCells = this.pointed !== null;
    this.lines.style.opacity = showsCells ? 0 : isolated ? 0.16 : 1;
    const pen = resizeCanvas(this.front, this.layout.width, this.layout.height);
    drawHeadings(pen, this, isolated);
    drawBars(pen, this, isolated);
    if (showsCells) drawHeadCells(pen, this, this.pointed);
    else if (isolated) drawLines(pen, this, isolated);
    for (const side of SIDES) for (const button of this.words[side].children) this.markWord(button, side, isolated);
  }

  markWord(button, side, isolated) {
    const { view } = this;
    const i = Number(button.dataset.i);
    const isOnSide = isolated?.side === side;
    const isMasked = isolated && !isOnSide && this.isPairMasked(isolated, i);
    const isSink = side === "key" && this.isHiddenSink(i);
    const isPair = side === "key" && view.key === i && isolated?.side === "query" && isolated.i === view.query;
    button.classList.toggle("here", isOnSide && isolated.i === i);
    button.classList.toggle("pair", isPair);
    button.classList.toggle("masked", Boolean(isMasked) || isSink);
    button.setAttribute("aria-selected", String(view[side] === i));
  }

  // -- words for those who hear the picture ------------------------------------------------------------------------

  shownHeads() {
    const { heads } = this.view;
    return heads.length === 1 ? `Head ${heads[0]}` : `Mean of ${heads.length} heads, about`;
  }

  listed(side, strongest) {
    return strongest.map(([weight, i]) => `${this.nameOf({ side, i })} ${formatFixed(weight, 2)}`).join(", ");
  }

  tell() {
    const { weights, visible } = this;
    const { heads } = this.view;
    const isolated = this.isolated();
    if (!isolated || !heads.length) {
      this.status.textContent = "";
      return;
    }
    const { side, i } = isolated;
    const others =
      side === "query"
        ? `looks most at ${this.listed("key", weights.strongestKeys(heads, i, visible.key, 4))}`
        : `is looked at most by ${this.listed("query", weights.strongestQueries(heads, i, visible.query, 4))}`;
    this.status.textContent = `${this.shownHeads()}: ${this.nameOf(isolated)} ${others}.`;
  }

  stop() {
    for (const end of this.endWatches) end();
    super.stop();
  }

  strongestTable() {
    const { heads } = this.view;
    const shown = heads.length ? this.shownHeads() : "No head shown";
    const strongest = (i) => this.listed("key", this.weights.strongestKeys(heads, i, this.visible.key, 3));
    const queries = heads.length ? this.visible.query : [];
    const rows = queries.map((i) => [this.nameOf({ side: "query", i }), strongest(i)]);
    const caption = `${this.data.title}. ${shown}: the three strongest keys of each query.`;
    return createTable(caption, ["Query", "Strongest keys"], rows);
  }
}

export default mountOnce(AttentionLines);
