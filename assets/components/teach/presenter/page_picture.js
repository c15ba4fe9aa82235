// A small picture of what a page shows: its largest canvas, chart or image.
import { collectNodes } from "../../shared/dom.js";

const WIDTH = 480; // pixels
const LEAST_AREA = 10_000; // square pixels: anything smaller is a sign or a button, no picture

// The largest of some boxes, by its index; -1 where none is large enough to be a picture.
export function largestOf(boxes) {
  const areas = boxes.map(({ width, height }) => width * height);
  const most = Math.max(LEAST_AREA, ...areas);
  return areas.indexOf(most);
}

// The picture as the address of an image, or "" where the page has none.
export function takePicture(page) {
  const found = collectNodes(page, (node) => node.matches("canvas, .main-svg, img"));
  const largest = found[largestOf(found.map((each) => each.getBoundingClientRect()))];
  if (!largest) return "";
  if (largest.tagName === "IMG") return largest.currentSrc;
  return largest.tagName === "CANVAS" ? shrinkCanvas(largest) : serialise(largest);
}

function shrinkCanvas(canvas) {
  const small = document.createElement("canvas");
  small.width = Math.min(WIDTH, canvas.width);
  small.height = Math.max(1, Math.round((canvas.height * small.width) / canvas.width));
  small.getContext("2d").drawImage(canvas, 0, 0, small.width, small.height);
  try {
    return small.toDataURL("image/webp", 0.8);
  } catch {
    return ""; // a picture of another site, which this page may not read
  }
}

// A chart as an image of its own. It keeps its colours, which stand in the chart itself.
function serialise(chart) {
  const text = new XMLSerializer().serializeToString(chart);
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}
