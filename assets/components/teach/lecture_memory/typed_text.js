// What is being typed into a field of the lecture editor. The server gets it when the field is left; until then it is
// kept in this window, so that a session that begins anew can offer it back (pages/teach/lecture_parts/typed_text.py).

const TYPED = "glassformer typed"; // in this window
const MAX_LENGTH = 20_000; // characters
const FIELD = /(?:^| )st-key-scene-([a-z_]+)-\d+(?: |$)/; // the class around a field, by its key

let editing = null; // {lecture, scene} that the fields on screen belong to
let typed = null; // {lecture, scene, name, text}
let isLeft = false; // the server gets it with the next run

// The name of the field that an element is, by the classes of what stands around it; undefined for other elements.
export const fieldOf = (classes) => FIELD.exec(classes)?.[1];

function nameOf(node) {
  const around = node.closest?.('[class*="st-key-scene-"]');
  return around ? fieldOf(around.className) : undefined;
}

function note({ target }) {
  const name = nameOf(target);
  if (name === undefined || !editing) return;
  isLeft = false;
  typed = { ...editing, name, text: String(target.value).slice(0, MAX_LENGTH) };
  keepTyped(typed);
}

// A field is saved when it is left, and by Ctrl+Enter.
function leave(event) {
  const isSaved = event.type === "focusout" || (event.key === "Enter" && (event.ctrlKey || event.metaKey));
  if (isSaved && typed && nameOf(event.target) === typed.name) isLeft = true;
}

const LISTENERS = { input: note, focusout: leave, keydown: leave };

// Listens until the returned function is called.
export function watchTyping() {
  for (const [name, act] of Object.entries(LISTENERS)) document.addEventListener(name, act, true);
  return () => {
    for (const [name, act] of Object.entries(LISTENERS)) document.removeEventListener(name, act, true);
  };
}

// After a run of the server: what it has by now is kept no longer. `offered` is what it still offers, or null.
export function settle(place, offered) {
  editing = place;
  if (isLeft) typed = null;
  isLeft = false;
  keepTyped(typed ?? offered);
}

// What a session that begins anew is given.
export function takeTyped() {
  typed = null;
  try {
    return JSON.parse(sessionStorage.getItem(TYPED));
  } catch {
    return null;
  }
}

function keepTyped(value) {
  try {
    if (value) sessionStorage.setItem(TYPED, JSON.stringify(value));
    else sessionStorage.removeItem(TYPED);
  } catch {
    // The storage is full or switched off.
  }
}
