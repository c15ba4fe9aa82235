// A file with a whole lecture: one scene on screen, and the steps between them. See viz/documents/lecture_html.py.
import { actionOf, placeAfter, placeInAddress } from "./scene_keys.js";
import { bringToLife, fitFigures } from "./view.js";

const scenes = [...document.querySelectorAll(".scene")];
const byId = (id) => document.getElementById(id);
const alive = new Set(); // the scenes that have been drawn
const shown = { notes: false, question: false };
let at = -1;

// Notes and question of the present scene, and the buttons that switch them.
function showWords() {
  for (const name of Object.keys(shown)) {
    const part = scenes[at].querySelector(`.${name}`);
    if (part) part.hidden = !shown[name];
    byId(name).disabled = !part;
    byId(name).setAttribute("aria-pressed", String(shown[name] && Boolean(part)));
  }
}

async function go(place) {
  if (place === at) return;
  at = place;
  shown.question = false;
  for (const [number, scene] of scenes.entries()) scene.hidden = number !== at;
  showWords();
  byId("back").disabled = at === 0;
  byId("next").disabled = at === scenes.length - 1;
  byId("count").textContent = `${at + 1} / ${scenes.length}`;
  byId("jump").value = String(at);
  history.replaceState(null, "", `#${at + 1}`);
  scrollTo(0, 0);
  if (alive.has(at)) fitFigures(scenes[at]);
  else {
    alive.add(at);
    await bringToLife(scenes[at]);
  }
  // The scene begins with its title, unless what it points at were out of sight then.
  if (at === place) scenes[at].querySelector(".focus")?.scrollIntoView({ block: "nearest" });
}

function act(action) {
  if (action in shown) {
    shown[action] = !shown[action];
    showWords();
  } else go(placeAfter(action, at, scenes.length));
}

for (const name of ["back", "next", "notes", "question"]) {
  byId(name).addEventListener("click", () => act(name));
}
byId("jump").addEventListener("change", () => {
  go(Number(byId("jump").value));
  byId("jump").blur();
});
addEventListener("hashchange", () => go(placeInAddress(location.hash, scenes.length)));
addEventListener("keydown", (event) => {
  const isInBar = Boolean(event.target.closest?.("#steps"));
  const isWithin = (selector) => Boolean(event.composedPath()[0]?.closest?.(selector));
  // In the bar, arrows go on stepping, and the space bar presses the button that has the focus.
  const isStep = isInBar && event.target.tagName === "BUTTON" && event.key !== " ";
  const action = actionOf(event, isStep ? () => false : isWithin);
  if (!action) return;
  event.preventDefault();
  if (!event.repeat) act(action);
});

if (scenes.length) await go(placeInAddress(location.hash, scenes.length));
document.documentElement.dataset.ready = "yes";
