// Keeps the reader's lectures in the browser, and which one this window presents or follows. Only this app gets them.
import { unpackNewest } from "../../shared/mount.js";
import { settle, takeTyped, watchTyping } from "./typed_text.js";

const LECTURE = "glassformer lecture"; // in the browser: the first lecture; the others have their name after it
const WINDOW = "glassformer window"; // in this window
const ADDRESS = "glassformer class address"; // in the browser: where students reach the app
const ROOM = "glassformer room"; // in the browser: the room that was opened last, which another window may take back
const FIRST = "mine"; // the name of the first lecture
// Beside the lectures.
const KEPT_ALONE = ["playing", "room", "follow", "training", "practised", "address", "left", "typed"];

const RETRY_TIME = 1500; // milliseconds
const MOST_TRIES = 4;

let askedFor = null; // the session that was given what is kept here
let isRestored = true; // whether it has that
let send = () => {}; // of the newest call
let timer = 0;
let unkept = []; // names of lectures that the browser has no room for

export default async function rememberLecture({ data, parentElement, setTriggerValue }) {
  const session = await unpackNewest(parentElement, data);
  if (!session) return undefined;
  send = setTriggerValue;
  // A session is given once what is kept: that of a page that was loaded, and that of a server that was restarted.
  if (session.name !== askedFor) {
    askedFor = session.name;
    restore();
  } else if (session.restored) isRestored = true;
  // What is kept must not be replaced by a session that does not have it yet.
  if (!isRestored) return undefined;
  // A session whose first run is not over may have something all the same, such as a room that was opened early.
  if (!session.fresh || hasSomething(session)) keep(session);
  settle(session.editing, session.typed);
  const stopWatching = watchTyping();
  const onChangeElsewhere = (event) => {
    const message = changeElsewhere(event);
    if (message) setTriggerValue("restore", message);
  };
  window.addEventListener("storage", onChangeElsewhere);
  window.addEventListener("beforeunload", warn);
  return () => {
    window.removeEventListener("storage", onChangeElsewhere);
    stopWatching();
  };
}

// The message may be lost where another one overtakes it, so it is sent again.
function restore(tries = 1) {
  const kept = {
    ...parse(read(sessionStorage, WINDOW)),
    ...keptLectures(),
    address: read(localStorage, ADDRESS),
    left: read(localStorage, ROOM),
    typed: takeTyped(),
  };
  clearTimeout(timer);
  isRestored = !hasSomething(kept) || tries > MOST_TRIES;
  if (isRestored) return;
  send("restore", kept);
  timer = setTimeout(() => isRestored || restore(tries + 1), RETRY_TIME * tries);
}

// Each thing by itself: one that has no room takes none from the others. The reader is told which lectures have none.
function keep({ lecture, others, gone, open, room, endedRoom, address, unkept: told, ...rest }) {
  const { playing, follow, training, practised } = rest;
  for (const name of gone) attempt(() => localStorage.removeItem(entryOf(name)));
  unkept = Object.entries({ ...others, [FIRST]: lecture })
    .filter(([name, text]) => text !== null && !attempt(() => keepText(entryOf(name), text)))
    .map(([name]) => name);
  if (address) attempt(() => localStorage.setItem(ADDRESS, address));
  if (room) attempt(() => localStorage.setItem(ROOM, room));
  if (endedRoom && read(localStorage, ROOM) === endedRoom) attempt(() => localStorage.removeItem(ROOM));
  attempt(() => sessionStorage.setItem(WINDOW, JSON.stringify({ open, playing, room, follow, training, practised })));
  if (String(unkept) !== String(told)) send("unkept", unkept);
}

function keepText(entry, text) {
  if (localStorage.getItem(entry) !== text) localStorage.setItem(entry, text);
}

// Whether it could be done: the storage may be full or switched off.
function attempt(act) {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

// The browser asks before it closes a window whose lectures it does not keep.
function warn(event) {
  if (unkept.length) event.preventDefault();
}

// The entry of a lecture in the browser's storage, and the lecture's name in an entry; undefined for other entries.
export const entryOf = (name) => (name === FIRST ? LECTURE : `${LECTURE} ${name}`);
export function nameOf(entry) {
  if (entry === LECTURE) return FIRST;
  return entry?.startsWith(`${LECTURE} `) ? entry.slice(LECTURE.length + 1) : undefined;
}

// What another window did to the storage, as a message to the server; undefined if it did nothing to a lecture.
export function changeElsewhere({ key, newValue }) {
  const name = nameOf(key);
  if (name === undefined) return undefined;
  if (!newValue) return { gone: name, changed: true };
  return name === FIRST ? { lecture: newValue, changed: true } : { others: { [name]: newValue }, changed: true };
}

function keptLectures() {
  const others = {};
  try {
    for (const entry of Object.keys(localStorage)) {
      const name = nameOf(entry);
      if (name !== undefined && name !== FIRST) others[name] = read(localStorage, entry);
    }
  } catch {
    // The storage is switched off.
  }
  return { lecture: read(localStorage, LECTURE), others };
}

const hasSomething = ({ lecture, others, ...rest }) =>
  Boolean(lecture || Object.keys(others).length || KEPT_ALONE.some((name) => rest[name]));

function read(storage, name) {
  try {
    return storage.getItem(name);
  } catch {
    return null;
  }
}

// The value of a text in JSON; an empty object where it is none.
export function parse(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
