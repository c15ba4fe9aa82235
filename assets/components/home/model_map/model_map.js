// The map of a run: every number of the model, from the whole of it down to one cell with its sum.
import { createElement, keyHint } from "../../shared/dom.js";
import { codeFont, textFont } from "../../shared/fonts.js";
import { markPresented } from "../../shared/layout.js";
import { mountOnce } from "../../shared/mount.js";
import { askForPlace, hearPlaces } from "../../shared/place_link.js";
import { offerCells } from "../../shared/pointed_cell.js";
import { applyTheme } from "../../shared/theme.js";
import { Breadcrumb } from "./breadcrumb.js";
import { Camera } from "./camera.js";
import { Choice } from "./choice.js";
import { CELL_PIXELS, describeComparison } from "./comparison.js";
import { Hand } from "./hand.js";
import { Inset } from "./inset.js";
import { Journey, NARROW } from "./journey.js";
import { Layout } from "./layout.js";
import { Painter } from "./painter.js";
import { createPalettes } from "./palette.js";
import { Player } from "./player.js";
import { Scene } from "./scene.js";
import { SearchBox } from "./search_box.js";
import { Server } from "./server.js";
import { WAYS } from "./spoken.js";
import { readMany } from "./tile_file.js";
import { Tiles } from "./tiles.js";

const LEAST_HEIGHT = 340; // pixels of the field
const BELOW = 64; // pixels left free below it
const MAX_LOSSES = 3; // of a run, one after another, before the reader hears of it
const RETRY_MILLISECONDS = 1500;
const TYPE = 12; // pixels of most words, on a page of ordinary type
const ORDINARY_TYPE = 16;
const KEYS = " Wheel zooms, a click steps in, Esc steps out, / searches.";

class ModelMap {
  constructor(parent) {
    this.board = createElement("canvas", { className: "board", tabIndex: 0, role: "application" });
    this.board.setAttribute("aria-label", `Map of this run. ${WAYS}`);
    this.painter = new Painter(this.board);
    this.camera = new Camera(this.board, { onMove: () => this.follow(), onRest: () => this.rest() });
    this.scene = new Scene(this.painter, this.camera);
    this.crumbs = new Breadcrumb((group) => this.journey.goTo({ group }));
    this.inset = new Inset((x, y) => this.journey.lookAt(x, y));
    this.search = new SearchBox({ go: (entry) => this.journey.goTo(entry), close: () => this.board.focus() });
    this.choice = new Choice(this);
    this.hand = new Hand(this);
    this.player = new Player(this);
    this.status = createElement("p", { className: "sr", role: "status" });
    this.foot = createElement("p", { className: "muted foot" });
    this.journey = new Journey(this);
    this.build(parent);
    this.stopHearing = hearPlaces((place) => this.takePlace(place));
    this.onFonts = () => {
      this.painter.forgetWidths();
      this.redraw();
    };
    document.fonts.addEventListener("loadingdone", this.onFonts);
    this.observer = new ResizeObserver(() => this.layout && this.fitWindow());
    this.observer.observe(this.root);
    // What stands above the map may come or go later, and the map is as high as the window leaves room.
    const page = document.querySelector('[data-testid="stMainBlockContainer"]');
    if (page) this.observer.observe(page);
  }

  build(parent) {
    const button = (label, text, onclick) =>
      createElement("button", { textContent: text, title: label, "aria-label": label, onclick });
    const tools = createElement(
      "div",
      { className: "tools", role: "toolbar", "aria-label": "Map" },
      button("Play the run (space)", "▶ play", () => this.player.toggle()),
      button("Search the map (/)", "/ search", () => this.search.open(this.layout, this.data.outcome)),
      button("Closer (+)", "+", () => this.camera.scaleBy(1.6)),
      button("Further away (−)", "−", () => this.camera.scaleBy(1 / 1.6)),
      button("The whole model (0)", "whole", () => this.journey.goTo({ group: this.layout.roots[0] })),
    );
    const top = createElement("div", { className: "top" }, this.crumbs.root, tools);
    this.field = createElement(
      "div",
      { className: "field", ariaBusy: "true" },
      this.board,
      this.inset.canvas,
      this.hand.hover.root,
      this.choice.panel.root,
      this.search.root,
    );
    const props = { className: "gf model-map", role: "group", "aria-label": "Map of this run" };
    this.root = createElement("div", props, top, this.field, this.player.root, this.foot, this.status);
    parent.append(this.root);
    offerCells(this.root, this.hand.offer);
  }

  // `data`: what `viz.home.model_map.pack_model_map` packs.
  update(data, send) {
    askForPlace();
    this.send = send;
    const written = JSON.stringify(data.layout);
    const isNew = written !== this.written;
    const isOther = isNew || data.handle !== this.handle;
    this.data = data;
    const isRecoloured = this.readTheme();
    if (isNew) {
      this.written = written;
      this.layout = new Layout(data.layout);
      this.smallest = Math.min(...this.layout.matrices.map(({ cell }) => Math.max(...cell)));
    }
    if (data.handle !== this.handle) this.readRun(data, !isNew);
    if (isNew) {
      this.choice.clear();
      this.player.receive();
    }
    this.fitWindow();
    const hasMoved = this.journey.receive(this.place.at, isNew);
    if (!hasMoved && (isOther || isRecoloured)) this.choice.refresh();
    this.redraw();
  }

  // Where the page looks, `at`, and the head that it speaks of, `framed`: as the data had it first, or as told since.
  get place() {
    return this.told?.handle === this.data.handle ? this.told : this.data;
  }

  // The page looks at another place of this run.
  takePlace(told) {
    this.told = told;
    if (told.handle !== this.data?.handle || !this.size) return;
    this.journey.receive(told.at);
    this.redraw();
  }

  // The colours of the page. Returns whether they are others than before.
  readTheme() {
    this.colours = applyTheme(this.root);
    const theme = ["background", "sequential", "signed"].map(this.colours).join("|");
    if (theme === this.theme) return false;
    this.theme = theme;
    const fonts = { text: textFont(this.root), token: `${codeFont(this.root)}, monospace` };
    this.painter.setTheme(this.colours, createPalettes(this.colours), fonts);
    return true;
  }

  // A new run. The pictures of the one before stay until those of this one have come. A page that may be shown without
  // a server, such as a saved one, brings the tiles that are seen, and the sum of the chosen number: `frozen`.
  readRun({ root, handle, frozen, frozen_tiles: tiles }, isSameLayout) {
    this.handle = handle;
    this.server = new Server(root, handle, frozen?.why);
    this.tiles?.stop();
    this.tiles = new Tiles({
      ask: (addresses, signal) => this.server.askMany(addresses, signal),
      onChange: () => {
        this.losses = 0;
        this.redraw();
      },
      onGone: () => this.loseRun(),
      before: isSameLayout ? this.tiles : null,
    });
    if (frozen) this.tiles.freeze(frozen.addresses, readMany(tiles.slice().buffer));
  }

  // The server has no tiles of this run any more. The page makes it again, under a new handle.
  loseRun() {
    this.losses = (this.losses ?? 0) + 1;
    if (this.losses > MAX_LOSSES) {
      this.foot.textContent = "The server gives no numbers of this run. Reload the page to try again.";
      return;
    }
    this.send("gone", this.handle);
    this.retry = setTimeout(() => this.tryAgain(), RETRY_MILLISECONDS);
  }

  // A page that has the same handle still hears of no change: the run was only missed, so it is asked for again.
  tryAgain() {
    if (!this.tiles.isGone) return;
    this.readRun(this.data, true);
    this.redraw();
  }

  // The camera moves. A low field grows as soon as one steps into the model.
  follow() {
    if (this.isLow && !this.journey.staysWhole()) this.fitWindow(false);
    this.redraw();
  }

  rest() {
    if (this.size && !this.isLow && this.journey.staysWhole()) this.fitWindow();
    this.journey.tellLater();
  }

  // As wide as the page, and as high as the window allows. In a narrow window the whole model would be a strip in the
  // middle of a high field, so the field is as low as the model. It is high for what is inside: `isWhole` is false.
  fitWindow(isWhole = !this.size || this.fitted !== this.layout || this.journey.staysWhole()) {
    const width = this.root.clientWidth;
    if (!width) return;
    markPresented(this.root);
    const page = parseFloat(getComputedStyle(document.documentElement).fontSize) / ORDINARY_TYPE || 1;
    this.type = TYPE * page;
    const scrolled = document.querySelector('[data-testid="stMain"]')?.scrollTop ?? 0;
    const top = this.field.getBoundingClientRect().top + scrolled;
    const room = window.innerHeight - top - BELOW * page;
    const least = width < NARROW ? window.innerHeight * 0.55 : LEAST_HEIGHT;
    const highest = Math.round(Math.max(least, Math.min(room, width)));
    this.isLow = isWhole && width < NARROW;
    const height = this.isLow ? Math.min(highest, this.journey.wholeHeight(width)) : highest;
    if (this.size?.[0] === width && this.size[1] === height && this.fitted === this.layout) return;
    this.size = [width, height];
    this.fitted = this.layout;
    this.painter.resize(width, height);
    this.camera.setWorld(this.layout.bounds, this.smallest, this.size);
    if (isWhole) this.camera.show(this.journey.wholeView);
    this.redraw();
  }

  // How high the cells around a chosen one are: cells with three numbers are higher. Undefined for the usual height.
  get cellPixels() {
    return this.data.compared ? CELL_PIXELS : undefined;
  }

  // Draws with the next frame of the screen.
  redraw() {
    if (this.request || !this.layout || !this.size) return;
    this.request = requestAnimationFrame(() => {
      this.request = null;
      if (this.size) this.paint();
    });
  }

  paint() {
    const { view } = this.camera;
    this.scene.look(this.layout);
    const isCompared = Boolean(this.data.compared);
    this.tiles.want([...this.scene.addresses(isCompared), ...this.hand.addresses()]);
    const { chosen, lit } = this.choice;
    const framed = this.layout.groups.get(this.place.framed);
    this.scene.paint({
      layout: this.layout,
      tiles: this.tiles,
      isCompared,
      chosen,
      lit,
      framed,
      focus: this.hand.shownFocus,
      pointed: this.hand.pointed?.matrix ?? null,
      outcome: this.data.outcome,
      predictions: this.data.predictions,
      type: this.type,
      step: this.player.step,
      steps: this.player.steps,
    });
    const path = this.journey.path();
    const summary = path.length === 1 ? this.data.summary : "";
    const page = chosen ? null : this.pageOf(path.at(-1)); // the panel of a number has its own way there
    this.crumbs.show(path, chosen?.matrix.title ?? "", summary, isCompared ? "Difference a − b" : "", page);
    this.inset.draw(this.layout, view.box, this.colours);
    this.field.ariaBusy = String(!this.tiles.isGone && !this.tiles.isComplete);
    this.sayWhatIsShown();
  }

  // The line below: whether the pictures are reduced ones.
  sayWhatIsShown() {
    if (this.losses > MAX_LOSSES) return;
    const reduced = this.scene.drawn.some(({ best }) => best > 0);
    const words = reduced
      ? "Some pictures are reduced: a cell shows the strongest value of its block. Closer, every number is there."
      : "Every cell is one number.";
    const { compared } = this.data;
    const line = (compared ? describeComparison(compared) : "") + words;
    if (this.foot.firstChild?.data !== line) this.foot.replaceChildren(line, keyHint(KEYS));
  }

  say(words) {
    this.status.textContent = words;
  }

  // The page that explains a group: {go, title, open}; null where there is none.
  pageOf(group) {
    const { links = {} } = this.data;
    const go = this.layout.path(group).findLast((each) => each.go && links[each.go.part])?.go;
    return go ? { go, title: links[go.part], open: () => this.send("go", go) } : null;
  }

  stop() {
    this.journey.stop();
    this.stopHearing();
    cancelAnimationFrame(this.request);
    clearTimeout(this.retry);
    this.observer.disconnect();
    document.fonts.removeEventListener("loadingdone", this.onFonts);
    this.tiles?.stop();
    this.camera.stop();
    this.hand.stop();
    this.player.close();
    this.root.remove();
  }
}

export default mountOnce(ModelMap);
