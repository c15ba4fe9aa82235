// The whole model, small, with the part that is in sight. A press on it moves there.
import { pointOn, resizeCanvas, strokeBox } from "../../shared/canvas.js";
import { createElement } from "../../shared/dom.js";

const WIDTH = 172; // pixels
const MAX_HEIGHT = 110;
const WHOLE = 0.9; // of the world in sight: then there is nothing to show

export class Inset {
  // `look(x, y)` puts a point of the world into the middle of the window.
  constructor(look) {
    this.canvas = createElement("canvas", { className: "inset", "aria-hidden": "true" });
    const move = (event) => {
      const [x, y] = pointOn(this.canvas, event);
      look(this.origin[0] + x / this.k, this.origin[1] + y / this.k);
    };
    this.canvas.onpointerdown = (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      move(event);
    };
    this.canvas.onpointermove = (event) => event.buttons && move(event);
  }

  draw(layout, [x, y, width, height], colours) {
    const [left, top, wide, high] = layout.bounds;
    const isWhole = Math.min(width / wide, 1) * Math.min(height / high, 1) > WHOLE;
    this.canvas.style.visibility = isWhole ? "hidden" : "visible";
    if (isWhole) return;
    this.k = Math.min(WIDTH / wide, MAX_HEIGHT / high);
    this.origin = [left, top];
    const place = (box) => [(box[0] - left) * this.k, (box[1] - top) * this.k, box[2] * this.k, box[3] * this.k];
    const pen = resizeCanvas(this.canvas, wide * this.k, high * this.k);
    pen.fillStyle = colours("background");
    pen.fillRect(0, 0, wide * this.k, high * this.k);
    for (const group of layout.groups.values()) {
      if (!["part", "head"].includes(group.kind)) continue;
      pen.fillStyle = colours(group.id.endsWith("residual stream") ? "residual" : "masked");
      pen.globalAlpha = group.kind === "head" ? 0.35 : 0.3;
      pen.fillRect(...place(group.box));
    }
    pen.globalAlpha = 1;
    const [viewX, viewY, viewWide, viewHigh] = place([x, y, width, height]);
    const [boxWide, boxHigh] = [Math.max(viewWide, 5), Math.max(viewHigh, 5)];
    const box = [viewX + (viewWide - boxWide) / 2, viewY + (viewHigh - boxHigh) / 2, boxWide, boxHigh];
    strokeBox(pen, ...box, colours("key"), 2);
  }
}
