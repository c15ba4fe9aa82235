// Where one is on the map and goes to: groups, matrices, cells, and the place in the URL.
import { debounce } from "../../shared/dom.js";
import { fit, fitGroup, fitWhole, seenBox, viewTransform, wholeHeight } from "./camera.js";
import { stripHeight } from "./headers.js";
import { middle } from "./layout.js";
import { readPlace, writePlace } from "./names.js";
import { boxAround, groupsAround, stepOut } from "./places.js";

export const NARROW = 640; // pixels of a window that a panel covers from below, and whose field is as low as the model
const ABOVE_PANEL = 0.42; // of a narrow window, which the panel covers from below
const TELL_MILLISECONDS = 900; // of rest, before the URL gets the place
const TITLE_LINES = 1.6; // free above the whole model
const ALIKE = 0.01; // of a view's size

export class Journey {
  constructor(map) {
    this.map = map;
    this.sent = []; // places that the server was told and has not given back
    this.tellLater = debounce(() => this.tell(), TELL_MILLISECONDS);
  }

  // The transform that shows the whole model. It is the same in a low field and in a high one of a narrow window.
  get wholeView() {
    const { layout, size, type } = this.map;
    const [wide, high] = size;
    const low = wide < NARROW ? Math.min(high, this.wholeHeight(wide)) : high;
    return fitWhole(layout.bounds, [wide, low], TITLE_LINES * type);
  }

  // The height of a field of that width that the whole model fills.
  wholeHeight(wide) {
    const { layout, type } = this.map;
    return wholeHeight(layout.bounds, wide, TITLE_LINES * type);
  }

  // Whether the whole model is shown, or on its way to be.
  staysWhole() {
    if (this.map.camera.isFlying) return this.isGoingOut;
    return this.isWhole() && !(this.goal?.parent && this.isGoal());
  }

  isWhole() {
    return this.map.camera.transform[0] <= this.wholeView[0] * (1 + 2 * ALIKE);
  }

  // The place that the page knows of. What this map has told it comes back, maybe late, and moves nothing. Returns
  // whether the map moves. `isNew`: the map shows another run, and nothing of the old place holds.
  receive(at = "", isNew = false) {
    const told = this.sent.indexOf(at);
    if (told >= 0) this.sent.splice(0, told + 1);
    if (!isNew && (at === this.at || told >= 0 || this.sent.length)) return false;
    this.sent = [];
    this.show(at, isNew);
    return true;
  }

  // Shows a place as the URL has it. `atOnce`: without a flight.
  show(at, atOnce) {
    const { layout, choice } = this.map;
    this.at = at;
    const { target, index = [], view = [] } = readPlace(at) ?? {};
    const cell = index.length ? choice.find(target, index) : null;
    const place = cell ? { cell } : { group: layout.groups.get(target) ?? layout.roots[0] };
    this.goTo(place, atOnce, view.length ? view : null);
  }

  // Flies to a group, a matrix or a cell. `view`: the middle and the width of the window, where the URL names them.
  goTo(place, atOnce = false, view = null) {
    const { choice, camera, hand } = this.map;
    if (place.cell) choice.choose(place.cell);
    else choice.clear();
    this.isGoingOut = !view && Boolean(place.group) && !place.group.parent;
    if (!this.isGoingOut) this.map.fitWindow(false); // the place is fitted into the field that it will have
    const target = view ? viewTransform(view, this.map.size) : this.transformFor(place);
    if (atOnce) camera.show(target);
    else camera.fly(target);
    hand.focusOn(place.group ?? place.matrix ?? null);
    this.goal = place.group ?? null;
  }

  // Where the camera goes for a place.
  transformFor({ group, matrix, cell }) {
    const { size, choice } = this.map;
    const { width } = choice.panel;
    const isNarrow = size[0] <= NARROW;
    const free =
      isNarrow && width ? [size[0], size[1] * ABOVE_PANEL] : [Math.max(size[0] - width, size[0] / 3), size[1]];
    if (cell) {
      const above = stripHeight(this.map.type);
      const below = [free[0], free[1] - above];
      const [k, x, y] = fit(boxAround(cell, below, this.map.cellPixels), below, 0);
      return [k, x, y + above]; // the names of layers cover no row of the cells
    }
    if (matrix) return fit(matrix.box, free);
    return group.parent ? fitGroup(group.box, size) : this.wholeView;
  }

  stepOut() {
    this.goTo({ group: stepOut(this.map.layout, this.map.camera.view) });
  }

  // Puts a point of the world into the middle of the window.
  lookAt(x, y) {
    const { camera, size } = this.map;
    const k = camera.transform[0];
    camera.show([k, size[0] / 2 - k * x, size[1] / 2 - k * y]);
  }

  // Tells the server where one is, for the URL.
  tell() {
    if (this.isOver || !this.map.size) return;
    const at = this.describe();
    if (at === this.at) return;
    this.at = at;
    this.sent.push(at);
    this.map.send("at", at);
  }

  // The place for the URL: the chosen cell, or the group that one is in, and the view where it is another one.
  describe() {
    const { choice, camera, size } = this.map;
    const group = this.path().at(-1);
    const place = choice.place ?? { target: group.id };
    const usual = this.transformFor(choice.chosen ? { cell: choice.chosen } : { group });
    const { box } = camera.view;
    if (isAlike(seenBox(usual, size), box)) return group.parent || place.index ? writePlace(place) : "";
    return writePlace({ ...place, view: [...middle(box), box[2]] });
  }

  // The groups in which one is, from the whole model inwards.
  path() {
    const { layout, choice, camera } = this.map;
    if (choice.chosen) return layout.path(choice.chosen.matrix.group);
    if (this.isGoal()) return layout.path(this.goal);
    return this.isWhole() ? layout.roots.slice(0, 1) : groupsAround(layout, camera.view);
  }

  // Whether one still looks at the group that one went to, which may fill little of the window.
  isGoal() {
    const { camera, layout, size } = this.map;
    if (!this.goal || layout.groups.get(this.goal.id) !== this.goal) return false;
    return isAlike(seenBox(this.transformFor({ group: this.goal }), size), camera.view.box);
  }

  stop() {
    this.isOver = true;
  }
}

// Whether two views show the same: their edges differ by less than a hundredth of their size.
const isAlike = (one, other) =>
  one.every((side, i) => Math.abs(side - other[i]) <= ALIKE * (i % 2 ? other[3] : other[2]));
