// The size of a picture. Its pixels are larger where the page's type is, in a large window (assets/style.css) and while
// a lecture is presented: so type and cells grow together.

const TYPE_HEIGHT = 13.5; // pixels that most words of a picture are high; presented, they are as high as the page's
const GROWTHS = [2, 1.7, 1.45, 1.2]; // how much larger than the page's words a small picture may get
const PAGE_TYPE = 16; // pixels of the page's type in a window of the usual size
const BAR_HEIGHT = 3.3; // of the presenter's bar, in the page's type

// Whether a lecture is presented (pages/teach/page_bars.py sets --presenting). The style sheet may ask it of the class.
export function markPresented(root) {
  const presented = Boolean(getComputedStyle(root).getPropertyValue("--presenting"));
  root.classList.toggle("presented", presented);
  return presented;
}

// A canvas does not draw its words again when their font has come. So each picture is laid out again then.
const arrangements = new Map(); // root -> how the picture in it was arranged last
if (globalThis.document) {
  const layOutAgain = () => {
    arrangements.forEach((arrange, root) => {
      if (root.isConnected) layOutPicture(root, arrange);
    });
  };
  document.fonts.addEventListener("loadingdone", layOutAgain);
  window.addEventListener("stageroom", layOutAgain);
}

// Calls `arrange` with the width and the height that the picture may have, in its own pixels; it returns the height
// that it takes. Where a screen has no room for that, rows are lower if the picture can do that, and the pixels are as
// large as fit, and never smaller than the page's own.
export function layOutPicture(root, arrange) {
  for (const old of arrangements.keys()) if (!old.isConnected) arrangements.delete(old);
  arrangements.set(root, arrange);
  const arrangeAt = (scale, height = Infinity) => {
    root.style.setProperty("--scale", scale);
    return arrange(root.clientWidth / scale, height / scale);
  };
  const typeSize = parseFloat(getComputedStyle(document.documentElement).fontSize);
  if (!markPresented(root)) {
    const scale = Math.max(1, typeSize / PAGE_TYPE);
    const natural = arrangeAt(scale);
    const room = roomInFocus(root, root.querySelector("canvas") ?? root);
    if (room && natural * scale > room) arrangeAt(scale, room);
    return;
  }
  const largest = Math.max(1, typeSize / TYPE_HEIGHT);
  const natural = arrangeAt(largest);
  const picture = root.querySelector("canvas") ?? root;
  const room = roomInFocus(root, picture) ?? roomBelow(picture, BAR_HEIGHT * typeSize);
  const fitting = room / arrangeAt(largest, room);
  if (fitting < largest) arrangeAt(Math.max(fitting, 1), room);
  else {
    const growth = growthOf(root.clientWidth / usedWidth(root), room / (natural * largest));
    if (growth > 1 && arrangeAt(growth * largest, room) * growth * largest > room) arrangeAt(largest, room);
  }
}

// How much a picture may grow of which each side has so many times its place.
export const growthOf = (...spaces) => GROWTHS.find((growth) => growth <= Math.min(...spaces)) ?? 1;

// The width from the left edge of a picture's first canvas to the right edge of its last one.
function usedWidth(root) {
  const boxes = [...root.querySelectorAll("canvas")].map((canvas) => canvas.getBoundingClientRect());
  return Math.max(...boxes.map(({ right }) => right)) - root.getBoundingClientRect().left;
}

// The height that a picture has within the focus of a scene (teach/presenter/stage.js, teach/follower/focus_fit.js).
// It is null outside of one.
function roomInFocus(root, picture) {
  const height = parseFloat(getComputedStyle(root).getPropertyValue("--stage-room"));
  const focus = root.getRootNode().host?.closest("[data-stage]");
  if (!height || !focus) return null;
  const factor = focus.getBoundingClientRect().height / focus.offsetHeight || 1;
  return height - (picture.getBoundingClientRect().top - focus.getBoundingClientRect().top) / factor;
}

// The height that a picture has on the screen before it is scrolled. One that begins far down is scrolled to.
function roomBelow(picture, barHeight) {
  const scrolled = document.querySelector('[data-testid="stMain"]')?.scrollTop ?? 0;
  const screen = window.innerHeight - barHeight;
  const left = screen - picture.getBoundingClientRect().top - scrolled;
  return left > 0.45 * screen ? left : 0.7 * screen;
}

export const scaleOf = (node) => Number(getComputedStyle(node).getPropertyValue("--scale")) || 1;
