// The size of a picture. While a lecture is presented its pixels are larger, so that type and cells grow together.

const TYPE_HEIGHT = 13.5; // pixels that most words of a picture are high; presented, they are as high as the page's
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
  document.fonts.addEventListener("loadingdone", () => {
    arrangements.forEach((arrange, root) => {
      if (root.isConnected) layOutPicture(root, arrange);
    });
  });
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
    arrangeAt(1);
    return;
  }
  const largest = Math.max(1, typeSize / TYPE_HEIGHT);
  arrangeAt(largest);
  const room = roomBelow(root.querySelector("canvas") ?? root, BAR_HEIGHT * typeSize);
  const fitting = room / arrangeAt(largest, room);
  if (fitting < largest) arrangeAt(Math.max(fitting, 1), room);
}

// The height that a picture has on the screen before it is scrolled. One that begins far down is scrolled to.
function roomBelow(picture, barHeight) {
  const scrolled = document.querySelector('[data-testid="stMain"]')?.scrollTop ?? 0;
  const screen = window.innerHeight - barHeight;
  const left = screen - picture.getBoundingClientRect().top - scrolled;
  return left > 0.45 * screen ? left : 0.7 * screen;
}

export const scaleOf = (node) => Number(getComputedStyle(node).getPropertyValue("--scale")) || 1;
