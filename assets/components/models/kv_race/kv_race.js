// Two generations side by side: each row is a step, each cell a token that is computed (filled) or found in the cache.
import { resizeCanvas } from "../../shared/canvas.js";
import { createElement } from "../../shared/dom.js";
import { FrameLoop } from "../../shared/frame_loop.js";
import { mountOnce } from "../../shared/mount.js";
import { Picture } from "../../shared/picture.js";
import { describeProgress, stepsDone, totalTime } from "./progress.js";

const RACE_TIME = 6000; // milliseconds that the slower side takes in slow motion
const START_LABEL = "Run it again in slow motion";

class KvRace extends Picture {
  constructor(parent) {
    super(parent, { className: "gf race" });
    this.clock = Infinity; // seconds of the generations that are shown
    this.loop = new FrameLoop((milliseconds) => this.runOn(milliseconds));
    const onclick = () => (this.loop.isRunning() ? this.halt() : this.run());
    this.start = createElement("button", { className: "go", textContent: START_LABEL, onclick });
    const sign = (kind) => createElement("i", { className: `cell ${kind}` });
    const legend = [sign("computed"), " computed now ", sign("reused"), " found in the cache"];
    const key = createElement("span", { className: "muted small" }, ...legend);
    this.sides = createElement("div", { className: "sides" });
    this.root.append(createElement("div", { className: "controls" }, this.start, key), this.sides);
  }

  update(data, send) {
    const isNew = this.data?.id !== data.id;
    this.receive(data, send);
    if (isNew) this.halt();
    this.sides.replaceChildren(
      ...data.sides.map((side) =>
        createElement(
          "section",
          {},
          createElement("h4", { textContent: side.title }),
          createElement("canvas", { role: "img" }),
          createElement("p", { className: "numbers", role: "note" }),
        ),
      ),
    );
    this.layOut();
  }

  // The canvases are as wide as their sides, whether a lecture is presented or not.
  layOut() {
    this.draw();
  }

  totalTime() {
    return Math.max(...this.data.sides.map((side) => totalTime(side.steps)));
  }

  run() {
    this.clock = 0;
    this.start.textContent = "Stop";
    this.loop.start();
  }

  runOn(milliseconds) {
    this.clock += (milliseconds / RACE_TIME) * this.totalTime();
    this.draw();
    if (this.clock >= this.totalTime()) this.halt();
    return true;
  }

  halt() {
    this.loop.stop();
    this.clock = Infinity;
    this.start.textContent = START_LABEL;
    this.draw();
  }

  draw() {
    this.data.sides.forEach((side, i) => {
      if (this.sides.children[i]) this.drawSide(side, this.sides.children[i]);
    });
  }

  drawSide({ title, steps }, section) {
    const [, canvas, numbers] = section.children;
    const tokens = this.data.labels.length;
    const done = stepsDone(steps, this.clock);
    const width = Math.max(section.clientWidth, 120);
    const step = Math.min(width / tokens, 22);
    const height = Math.min(Math.max(step, 6), 18);
    const pen = resizeCanvas(canvas, step * tokens, height * steps.length + 2);
    steps.slice(0, done).forEach((each, row) => {
      const isNow = row === done - 1 && this.loop.isRunning();
      this.drawCells(pen, each, row * height, step, height, isNow ? 1 : 0.75);
    });
    const facts = describeProgress(steps, done);
    numbers.textContent = facts;
    canvas.setAttribute("aria-label", `${title}: ${facts}`);
  }

  // The tokens of one step. Those that are computed now are filled as strongly as `opacity` says. Cells without room
  // for a gap are two bars.
  drawCells(pen, { computed, reused }, y, width, height, opacity) {
    const gap = width > 6 ? 1 : 0;
    const fill = (role, opacity, first, count) => {
      pen.fillStyle = this.colours(role);
      pen.globalAlpha = opacity;
      const filled = gap ? 1 : Math.max(count, 1); // cells at once
      for (let column = first; column < first + count; column += filled) {
        pen.fillRect(column * width, y, filled * width - gap, height - 1);
      }
    };
    fill("masked", 0.45, 0, reused);
    fill("query", opacity, reused, computed);
    pen.globalAlpha = 1;
  }

  stop() {
    this.loop.stop();
    super.stop();
  }
}

export default mountOnce(KvRace);
