// The chosen cell: its panel, the cells that it comes from and goes to, and the trail that one followed.
import { tensorOf } from "./comparison.js";
import { indexOf, placeOf } from "./layout.js";
import { valueAt } from "./scene.js";
import { sayCell } from "./spoken.js";
import { describeCell, readNumber, WhyPanel } from "./why.js";

const MAX_LIT = 160; // cells
const MAX_TRAIL = 100; // steps

export class Choice {
  constructor(map) {
    this.map = map;
    this.chosen = null;
    this.lit = [];
    this.trail = [];
    this.side = ""; // of a difference: the run whose number is explained, "a" or "b"
    this.panel = new WhyPanel({
      turn: (side) => this.turn(side),
      follow: (name, index) => this.follow(name, index),
      back: () => this.goBack(),
      close: () => this.close(),
      open: () => map.send("go", this.pagePlace()),
    });
  }

  // The chosen cell as the URL has it; null while none is chosen.
  get place() {
    if (!this.chosen) return null;
    const { matrix, row, column } = this.chosen;
    return { target: matrix.tensor, index: indexOf(matrix, row, column) };
  }

  // The cell at an index of a tensor; null where it is not on the map.
  find(tensor, index) {
    const [matrix, row, column] = placeOf(index);
    const found = this.map.layout.find(tensor, matrix, row, column);
    return found && { matrix: found, row, column };
  }

  choose(cell) {
    this.chosen = cell;
    this.lit = [];
    this.side = "";
    this.answer = null;
    this.show();
    this.ask();
    this.map.redraw();
    this.map.journey.tellLater();
  }

  // Explains the number of one run of a difference, or the difference.
  turn(side) {
    this.side = side;
    this.answer = null;
    this.show();
    this.ask();
  }

  // The run that is explained; undefined where there is one run, or no server to ask.
  get explained() {
    const { compared, frozen } = this.map.data;
    return compared && !frozen ? this.side : undefined;
  }

  // What the page that explains the cell is to show: its layer, its head, and the tokens of an attention.
  pagePlace() {
    const { matrix, row, column } = this.chosen;
    const { go } = this.map.pageOf(matrix.group);
    const isPair = matrix.row_axis === "queries" && matrix.column_axis === "keys";
    return isPair ? { ...go, query: row, key: column } : go;
  }

  show() {
    const { map, chosen } = this;
    const known = valueAt(map.tiles, chosen.matrix, chosen.row, chosen.column);
    const value = this.answer ? readNumber(this.answer) : this.explained ? undefined : known;
    this.panel.show(map.layout, chosen, {
      value,
      explained: this.explained,
      canGoBack: this.trail.length > 0,
      page: map.pageOf(chosen.matrix.group)?.title,
    });
  }

  async ask() {
    const { map, chosen } = this;
    const { matrix, row, column } = chosen;
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    const answer = await map.server
      .askWhy(tensorOf(this.explained, matrix.tensor), indexOf(matrix, row, column), asking.signal)
      .catch((error) => (error.name === "AbortError" ? undefined : null));
    if (this.chosen !== chosen || this.asking !== asking || answer === undefined) return;
    if (!answer) {
      this.panel.fail(
        "Where this number comes from is not known here. Choose it again, or open this place in the app.",
      );
      return;
    }
    this.answer = answer;
    this.show();
    this.panel.fill(map.layout, answer, map.colours);
    this.lit = this.findLit(answer);
    map.say(sayCell(map.layout, chosen, readNumber(answer), answer.words));
    map.redraw();
  }

  // The cells to light up: the terms and their factors, and what the number goes into.
  findLit({ terms, uses }) {
    const sources = terms.flatMap((term) => [term, term.factor]).filter((each) => each?.index?.length);
    const ends = uses.map(({ name, index }) => ({ name, index: index.map((place) => place ?? 0) }));
    const cells = (list, isUse) =>
      list
        .map(({ name, index }) => this.find(name, index))
        .filter(Boolean)
        .map((cell) => ({ ...cell, isUse }));
    return [...cells(sources, false), ...cells(ends, true)].slice(0, MAX_LIT);
  }

  // Steps to a cell that is tied to the chosen one.
  follow(name, index) {
    const cell = this.find(name, index);
    if (!cell) {
      this.map.say(`${name} is not on the map.`);
      return;
    }
    if (this.chosen) this.trail = [...this.trail, this.chosen].slice(-MAX_TRAIL);
    const { trail } = this;
    this.map.journey.goTo({ cell });
    this.trail = trail;
    this.map.board.focus({ preventScroll: true });
  }

  goBack() {
    const cell = this.trail.pop();
    if (cell) this.map.journey.goTo({ cell });
  }

  close() {
    this.clear();
    this.map.board.focus({ preventScroll: true });
    this.map.journey.tellLater();
  }

  clear() {
    this.asking?.abort();
    this.chosen = null;
    this.lit = [];
    this.trail = [];
    this.panel.hide();
    this.map.redraw();
  }

  // After a change of the theme or of the run.
  refresh() {
    if (this.chosen) this.ask();
  }

  describe() {
    return describeCell(this.map.layout, this.chosen);
  }
}
