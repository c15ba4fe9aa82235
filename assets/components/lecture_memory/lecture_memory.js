// Keeps the reader's lecture in the browser, and what this window presents or follows. It leaves only to this app.
const LECTURE = "glassformer lecture", WINDOW = "glassformer window";

export default async function ({ data, parentElement, setTriggerValue }) {
  const now = await newest(parentElement, data);
  if (!now) return undefined;
  // Asked once for a page that was loaded, whatever its session has become by the first call that is not overtaken, and
  // again for a session that is new again, as after a restart of the server.
  const asks = !loaded || (now.fresh && !asked);
  loaded = true;
  asked = now.fresh;
  if (asks) {
    const kept = { ...parsed(stored(sessionStorage, WINDOW)), lecture: stored(localStorage, LECTURE) };
    if (Object.values(kept).some(Boolean)) {
      setTriggerValue("restore", kept);
      return;
    }
  }
  if (!now.fresh || now.lecture !== null) keep(now);
  const other = (event) => {
    if (event.key === LECTURE && event.newValue) setTriggerValue("restore", { lecture: event.newValue, changed: true });
  };
  window.addEventListener("storage", other);
  return () => window.removeEventListener("storage", other);
}

let loaded = false, asked = false;

function keep({ lecture, playing, room, follow }) {
  try {
    if (lecture !== null && localStorage.getItem(LECTURE) !== lecture) localStorage.setItem(LECTURE, lecture);
    sessionStorage.setItem(WINDOW, JSON.stringify({ playing, room, follow }));
  } catch {
    // storage is full or switched off: the lecture lasts as long as this session, and can be saved as a file
  }
}

function stored(storage, name) {
  try {
    return storage.getItem(name);
  } catch {
    return null;
  }
}

function parsed(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
