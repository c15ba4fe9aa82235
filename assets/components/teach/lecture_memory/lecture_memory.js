// Keeps the reader's lecture in the browser, and which one this window presents or follows. Only this app gets them.
import { unpackNewest } from "../../shared/mount.js";

const LECTURE = "glassformer lecture"; // in the browser
const WINDOW = "glassformer window"; // in this window

let hasLoaded = false;
let hasAsked = false;

export default async function rememberLecture({ data, parentElement, setTriggerValue }) {
  const session = await unpackNewest(parentElement, data);
  if (!session) return undefined;
  // A page that was loaded asks once, whatever its session has become by its first call that is not overtaken. It asks
  // again for a session that is new again, as after a restart of the server.
  const asks = !hasLoaded || (session.fresh && !hasAsked);
  hasLoaded = true;
  hasAsked = session.fresh;
  if (asks) {
    const kept = { ...parse(read(sessionStorage, WINDOW)), lecture: read(localStorage, LECTURE) };
    if (Object.values(kept).some(Boolean)) {
      setTriggerValue("restore", kept);
      return undefined;
    }
  }
  if (!session.fresh || session.lecture !== null) keep(session);
  const onChangeElsewhere = (event) => {
    if (event.key !== LECTURE || !event.newValue) return;
    setTriggerValue("restore", { lecture: event.newValue, changed: true });
  };
  window.addEventListener("storage", onChangeElsewhere);
  return () => window.removeEventListener("storage", onChangeElsewhere);
}

function keep({ lecture, playing, room, follow }) {
  try {
    if (lecture !== null && localStorage.getItem(LECTURE) !== lecture) localStorage.setItem(LECTURE, lecture);
    sessionStorage.setItem(WINDOW, JSON.stringify({ playing, room, follow }));
  } catch {
    // The storage is full or switched off: the lecture lasts as long as this session, and can be saved as a file.
  }
}

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
