// Where one looks: d3-zoom turns wheel, pinch and drag into a scale and a place. Flights between places are our own.
import { D3 } from "../../../vendor/d3-zoom/d3-zoom.js";
import { FrameLoop } from "../../shared/frame_loop.js";

const MARGIN = 0.06; // of the window, left free around a box that is flown to
const WHOLE_MARGIN = 0.008; // of the window, around the whole world
const SLENDER = 16; // how much longer a group is than the window's form
const FLIGHT = { least: 180, most: 900 }; // milliseconds
const CELL_PIXELS = 220; // how large the smallest cell may become
const WHEEL_STEP = 0.0025; // of the scale's logarithm, for one pixel of the wheel

// The transform [k, x, y] that shows a box in the middle of a window.
export function fit([x, y, width, height], [wide, high], margin = MARGIN, largest = Infinity) {
  const k = Math.min((wide * (1 - 2 * margin)) / width, (high * (1 - 2 * margin)) / height, largest);
  return [k, wide / 2 - k * (x + width / 2), high / 2 - k * (y + height / 2)];
}

// The same for a group. One that is much higher or wider than the window is not shown whole: it would be a thread.
export function fitGroup(box, size) {
  const [k] = fit(box, size);
  const filling = Math.max(size[0] / box[2], size[1] / box[3]);
  if (filling < k * SLENDER) return fit(box, size);
  const closer = Math.sqrt(k * filling);
  return [closer, size[0] / 2 - closer * (box[0] + box[2] / 2), size[1] / 2 - closer * (box[1] + box[3] / 2)];
}

// The same for a window of which a panel at the right covers some pixels.
export const fitBeside = (box, [wide, high], covered, margin, largest) =>
  fit(box, [Math.max(wide - covered, wide / 3), high], margin, largest);

// The same for the whole world, with a line free for titles above it.
export function fitWhole(bounds, [wide, high], line) {
  const [k, x, y] = fit(bounds, [wide, high - line], WHOLE_MARGIN);
  return [k, x, y + line];
}

// The height of a window of which the whole world fills the width.
export const wholeHeight = ([, , width, height], wide, line) => Math.ceil((wide * height) / width + line);

// The transform for the middle of a window, x and y, and its width.
export const viewTransform = ([x, y, width], [wide, high]) => {
  const k = wide / width;
  return [k, wide / 2 - k * x, high / 2 - k * y];
};

// The part of the world that a window shows.
export const seenBox = ([k, x, y], [wide, high]) => [-x / k, -y / k, wide / k, high / k];

export class Camera {
  // `onMove()` hears of each change, `onRest()` of its end.
  constructor(canvas, { onMove, onRest }) {
    this.canvas = canvas;
    this.selection = D3.select(canvas);
    this.size = [1, 1];
    this.isFlying = false;
    this.zoom = D3.zoom()
      .wheelDelta(({ deltaY, deltaMode, ctrlKey }) => -deltaY * [WHEEL_STEP, 0.08, 1][deltaMode] * (ctrlKey ? 4 : 1))
      .filter((event) => !event.button && (!event.ctrlKey || event.type === "wheel"))
      .clickDistance(4)
      .on("start", ({ sourceEvent }) => sourceEvent && this.land())
      .on("zoom", onMove)
      .on("end", () => !this.isFlying && onRest());
    this.onRest = onRest;
    this.selection.call(this.zoom).on("dblclick.zoom", null);
  }

  get transform() {
    const { k, x, y } = this.canvas.__zoom;
    return [k, x, y];
  }

  // The box of the world that is seen, and the pixels of a world unit.
  get view() {
    return { box: seenBox(this.transform, this.size), k: this.transform[0], size: this.size };
  }

  toScreen([x, y, width, height]) {
    const [k, left, top] = this.transform;
    return [x * k + left, y * k + top, width * k, height * k];
  }

  toWorld(x, y) {
    const [k, left, top] = this.transform;
    return [(x - left) / k, (y - top) / k];
  }

  // The world and its smallest cell. `size`: pixels of the window.
  setWorld(bounds, smallestCell, size) {
    this.bounds = bounds;
    this.size = size;
    const [least] = fit(bounds, size, 0.01);
    const [x, y, width, height] = bounds;
    this.zoom
      .extent([[0, 0], size])
      .scaleExtent([least * 0.9, Math.max(least, CELL_PIXELS / smallestCell)])
      .translateExtent([
        [x - width / 4, y - height / 4],
        [x + width * 1.25, y + height * 1.25],
      ]);
  }

  show([k, x, y]) {
    this.selection.call(this.zoom.transform, D3.zoomIdentity.translate(x, y).scale(k));
  }

  // Flies to a transform, along the path that is shortest to the eye; at once for those who want no motion.
  fly(to) {
    this.land();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.show(to);
      return;
    }
    const [wide, high] = this.size;
    const lookOf = ([k, x, y]) => [(wide / 2 - x) / k, (high / 2 - y) / k, wide / k];
    const path = D3.interpolateZoom(lookOf(this.transform), lookOf(to));
    const duration = Math.min(FLIGHT.most, Math.max(FLIGHT.least, path.duration * 0.4));
    this.isFlying = true;
    this.loop = new FrameLoop((milliseconds) => {
      const share = Math.min(1, milliseconds / duration);
      const [x, y, width] = path(share * (2 - share));
      const k = wide / width;
      if (share === 1) this.land();
      this.show(share === 1 ? to : [k, wide / 2 - k * x, high / 2 - k * y]);
      return false;
    });
    this.loop.start();
  }

  land() {
    this.loop?.stop();
    this.isFlying = false;
  }

  scaleBy(factor) {
    this.land();
    this.selection.call(this.zoom.scaleBy, factor);
  }

  panBy(x, y) {
    this.land();
    this.selection.call(this.zoom.translateBy, x / this.transform[0], y / this.transform[0]);
  }

  stop() {
    this.land();
    this.selection.on(".zoom", null);
  }
}
