// Shared by every component; pages/components/mounts.py puts it in front of each component's own file.

// The other end of viz/shared/payload.py.
async function unpack(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const raw = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(raw.buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(raw.subarray(4, 4 + length)));
  let at = 4 + length;
  for (const { name, shape } of header.arrays) {
    const size = shape.reduce((a, b) => a * b, 1);
    header[name] = raw.subarray(at, at + size);
    header[name].shape = shape;
    at += size;
  }
  return header;
}

// Data of a component, unpacked; null where newer data of the same place came in between. Streamlit calls a component
// with each change and does not wait for the call before, whose cleanup it then runs: a call that was overtaken must
// neither draw nor have anything to clean up.
const calls = new WeakMap(); // place -> the number of its newest call

async function newest(place, bytes, prepared = (header) => header) {
  const call = (calls.get(place) ?? 0) + 1;
  calls.set(place, call);
  const header = await prepared(await unpack(bytes));
  return calls.get(place) === call ? header : null;
}

// A component whose picture lives on while its data change: built once in its place, then updated; `stop`, where it
// has one, ends it.
function living(build, prepared) {
  const mounted = new WeakMap();
  return async ({ data, parentElement, setTriggerValue }) => {
    const header = await newest(parentElement, data, prepared);
    if (!header) return undefined;
    if (!mounted.has(parentElement)) mounted.set(parentElement, build(parentElement, header));
    mounted.get(parentElement).update(header, setTriggerValue);
    return () => (mounted.get(parentElement)?.stop?.(), mounted.delete(parentElement));
  };
}

// An element with properties and children. Text goes in as text, never as HTML.
function make(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === "style") Object.assign(node.style, value);
    else if (name.includes("-") || name === "role" || name === "for") node.setAttribute(name, value);
    else node[name] = value;
  }
  node.append(...children);
  return node;
}

// Draws the children of a part anew. The control that had the keyboard's focus gets it back, by its data-id.
function redrawn(part, ...children) {
  const had = part.getRootNode().activeElement?.dataset?.id;
  part.replaceChildren(...children);
  if (had) part.querySelector(`[data-id="${CSS.escape(had)}"]`)?.focus({ preventScroll: true });
}

// A token's label as text: leading dots faint, right-to-left words whole.
function tokenText(label) {
  const spaces = label.match(/^·+/)?.[0] ?? "";
  const word = label.slice(spaces.length);
  return [make("span", { className: "space", textContent: spaces }), make("bdi", { textContent: word })];
}

const bare = (label) => label.replace(/^·+(?=.)/, "");

// Light or dark, from the page's own background; the colours themselves are CSS variables made from viz/shared/style.py.
function applyTheme(root) {
  const probe = make("canvas", { width: 1, height: 1 }).getContext("2d");
  probe.fillStyle = getComputedStyle(root).getPropertyValue("--st-background-color").trim() || "#fff";
  probe.fillRect(0, 0, 1, 1);
  const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
  root.classList.toggle("dark", 0.3 * r + 0.59 * g + 0.11 * b < 128);
  const style = getComputedStyle(root);
  return (name) => style.getPropertyValue(`--${name}`).trim();
}

// Whether a lecture is presented; the style sheet may ask it of the class.
function presented(root) {
  const now = Boolean(getComputedStyle(root).getPropertyValue("--presenting"));
  root.classList.toggle("presented", now);
  return now;
}

// The pixels of a picture are larger while a lecture is presented (pages/teach/bars.py sets --presenting), so that
// type and cells grow together: `layout` is given the width and the height that it may have in such pixels, and returns
// the height that it takes. Where a screen has no room for that, rows are lower, if the picture can do that, and the
// pixels are as large as fit, and never smaller than the page's own.
const TYPE = 13.5; // pixels that most words of a picture are high; presented, they are as high as the page's
const BAR = 3.3; // the presenter's bar, in the page's type

function lay(root, layout) {
  const at = (scale, height = Infinity) => {
    root.style.setProperty("--scale", scale);
    return layout(root.clientWidth / scale, height / scale);
  };
  const presenting = presented(root), type = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const most = presenting ? Math.max(1, type / TYPE) : 1;
  at(most);
  if (!presenting) return;
  const room = roomBelow(root.querySelector("canvas") ?? root, BAR * type), fits = room / at(most, room);
  if (fits < most) at(Math.max(fits, 1), room);
}

// The height that a picture has on the screen before it is scrolled; one that begins far down is scrolled to.
function roomBelow(picture, bar) {
  const scrolled = document.querySelector('[data-testid="stMain"]')?.scrollTop ?? 0, all = window.innerHeight - bar;
  const left = all - picture.getBoundingClientRect().top - scrolled;
  return left > 0.45 * all ? left : 0.7 * all;
}

const scaleOf = (node) => Number(getComputedStyle(node).getPropertyValue("--scale")) || 1;

// Where the hand is on a canvas, in the canvas' own pixels.
function pointOn(canvas, { clientX, clientY }) {
  const box = canvas.getBoundingClientRect(), { width, height } = canvas.style;
  return [((clientX - box.left) / box.width) * parseFloat(width), ((clientY - box.top) / box.height) * parseFloat(height)];
}

// A canvas `width` x `height` of its own pixels large, crisp on any screen; returns its context, cleared.
function fit(canvas, width, height) {
  const ratio = Math.min((window.devicePixelRatio || 1) * scaleOf(canvas), 16000 / Math.max(width, height));
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

// 256 colours of a scale given as "place colour, place colour, ...", as [r, g, b].
function ramp(text) {
  const line = make("canvas", { width: 256, height: 1 }).getContext("2d", { willReadFrequently: true });
  const gradient = line.createLinearGradient(0, 0, 256, 0);
  for (const stop of text.split(",")) {
    const [place, colour] = stop.trim().split(/\s+/);
    gradient.addColorStop(Number(place), colour);
  }
  line.fillStyle = gradient;
  line.fillRect(0, 0, 256, 1);
  return line.getImageData(0, 0, 256, 1).data;
}

// A picture of one pixel a cell: `step` gives the place 0..255 on a scale (a `ramp`) of each cell, counted row by row.
function pixels(rows, columns, scale, step, props = {}) {
  const canvas = make("canvas", { ...props, width: columns, height: rows });
  const pen = canvas.getContext("2d"), image = pen.createImageData(columns, rows);
  for (let at = 0; at < rows * columns; at++) {
    const colour = step(at) * 4;
    image.data.set(scale.subarray(colour, colour + 4), at * 4);
  }
  pen.putImageData(image, 0, 0);
  return canvas;
}

// The place of a number from -1 to 1 on the signed scale.
const signedStep = (x) => Math.round((Math.max(-1, Math.min(1, x)) + 1) * 127.5);

// A number with so many decimals, a tiny one by its power of ten.
const brief = (x, decimals = 2) => (x !== 0 && Math.abs(x) < 10 ** -decimals ? x.toExponential(1) : x.toFixed(decimals)).replaceAll("-", "−");

// Calls `act` once, `wait` milliseconds after the last call.
function settle(act, wait) {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...args), wait);
  };
}
