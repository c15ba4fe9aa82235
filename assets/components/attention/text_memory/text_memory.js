// Keeps the reader's own texts of Many texts in the browser, where the reader wants it. Only this app gets them.
import { unpackNewest } from "../../shared/mount.js";

const ENTRY = "glassformer texts"; // in the browser
const RETRY_TIME = 1500; // milliseconds
const MOST_TRIES = 4;

let askedFor = null; // the session that was given what is kept here
let hasRoom = true;
let timer = 0;

export default async function rememberTexts({ data, parentElement, setTriggerValue }) {
  const session = await unpackNewest(parentElement, data);
  if (!session) return undefined;
  clearTimeout(timer);
  if (session.restored) {
    askedFor = session.session;
    tellRoom(keep(session.kept), setTriggerValue);
  } else if (session.session !== askedFor) restore(session.session, setTriggerValue);
  return () => clearTimeout(timer);
}

// The message may be lost where another one overtakes it, so it is sent again.
function restore(session, send, tries = 1) {
  askedFor = session;
  const kept = stored();
  if (!kept || tries > MOST_TRIES) return;
  send("restore", kept);
  timer = setTimeout(() => restore(session, send, tries + 1), RETRY_TIME * tries);
}

function tellRoom(found, send) {
  if (found !== hasRoom) send("room", found);
  hasRoom = found;
}

// Whether the browser has room for the texts. Null are none: then it keeps none.
export function keep(kept, storage = globalThis.localStorage) {
  try {
    if (kept === null) storage.removeItem(ENTRY);
    else if (storage.getItem(ENTRY) !== JSON.stringify(kept)) storage.setItem(ENTRY, JSON.stringify(kept));
    return true;
  } catch {
    return kept === null; // The storage is full or switched off.
  }
}

// What the browser keeps; null for nothing.
export function stored(storage = globalThis.localStorage) {
  try {
    return JSON.parse(storage.getItem(ENTRY));
  } catch {
    return null;
  }
}
