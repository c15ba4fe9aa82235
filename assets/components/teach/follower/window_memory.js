// What this window remembers of the lecture that it follows. The app and the page for students share it.

const WINDOW = "glassformer window"; // the key of lecture_memory, with the key of the room under "follow"
const EXPLORING = "glassformer exploring"; // the key of the room that this window explores on its own
const WHOLE_APP = "glassformer whole app"; // the key of the room that this window follows with the whole app

function read(name) {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null; // the storage is switched off
  }
}

function write(name, value) {
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, value);
  } catch {
    // The storage is switched off: a reload asks for the code again.
  }
}

function windowMemory() {
  try {
    return JSON.parse(read(WINDOW)) ?? {};
  } catch {
    return {};
  }
}

// The key of the room that this window follows, or null.
export function keptKey() {
  const { follow } = windowMemory();
  return typeof follow === "string" && follow ? follow : null;
}

export const keepKey = (key) => write(WINDOW, JSON.stringify({ ...windowMemory(), follow: key }));

export const explores = (key) => read(EXPLORING) === key;
export const setExploring = (key) => write(EXPLORING, key);
export const takesWholeApp = (key) => read(WHOLE_APP) === key;
export const setWholeApp = (key) => write(WHOLE_APP, key);

export function stopFollowing() {
  setExploring(null);
  setWholeApp(null);
  keepKey(null);
}
