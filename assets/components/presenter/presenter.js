// The presenter's bar: steps by keyboard, clicker or hand, notes in a second window, blank screen, questions, laser spot.
let show = null, at = -1, step, leave, ask, followers = 0, online = true, lost = "", room = null;
let answers = null, revealed = 0, closed = 0; // of the class; the numbers of the askings that were last
let redrawNow = () => {}, blank = false, asking = false, laser = false, notes = null, since = null;

export default async function ({ data, parentElement, setTriggerValue }) {
  const given = await newest(parentElement, data);
  if (!given) return undefined;
  show = given;
  if (at === show.scene) arrived();
  if (arriving === null) at = show.scene; // else it is on its way to another one
  step = (scene) => setTriggerValue("step", scene);
  leave = () => setTriggerValue("leave", true);
  ask = (what) => setTriggerValue("ask", what);
  since ??= Date.now();
  let root = parentElement.querySelector(".gf");
  if (!root) {
    root = make("div", { className: "gf presenter" });
    parentElement.append(root);
  }
  applyTheme(root);
  const redraw = (redrawNow = () => draw(root));
  if (show.room) {
    room = connect(show.room.path, { token: show.room.token }, (message) => {
      if ("followers" in message) followers = message.followers;
      else if ("answers" in message) take(message.answers);
      else if ("online" in message) online = message.online;
      else if (message.end) lost = message.why ?? "The class does not follow any more.";
      redraw();
    });
  } else disconnectRoom();
  redraw();
  const keys = (event) => press(event, redraw);
  const points = (event) => point(root, event);
  window.addEventListener("keydown", keys);
  window.addEventListener("pointermove", points);
  return () => {
    onceGone(root, arrived);
    window.removeEventListener("keydown", keys);
    window.removeEventListener("pointermove", points);
    onceGone(root, () => (makeRoom(null), cover(null)));
  };
}

function disconnectRoom() {
  disconnect();
  [room, followers, online, lost, answers] = [null, 0, true, "", null];
}

// Steps

const able = () => show.scenes.flatMap((scene, place) => (scene.playable ? [place] : []));
const next = () => able().find((place) => place > at);
const previous = () => able().findLast((place) => place < at);

function go(place, redraw) {
  if (place === undefined || place === at) return;
  at = place; // before the page has come: a second press goes on from here
  asking = false;
  step(place);
  insist();
  redraw();
}

// A step that was lost is taken again once the app is connected and has nothing to do: the network was away, or another
// message of the presenter's overtook it. What the server refuses more than once is given up.
const TRIES = 3;
let arriving = null; // the timer, until the scene has come

function arrived() {
  clearInterval(arriving);
  arriving = null;
}

function insist() {
  const app = document.querySelector('[data-testid="stApp"]').dataset;
  let idle = 0, tries = 0;
  clearInterval(arriving);
  arriving = setInterval(() => {
    const rests = app.testConnectionState === "CONNECTED" && app.testScriptState === "notRunning";
    idle = rests ? idle + 1 : 0;
    if (at !== show.scene && tries < TRIES) {
      if (idle > 1) (idle = 0), tries++, step(at);
      return;
    }
    arrived();
    if (at !== show.scene) (at = show.scene), redrawNow();
  }, 500);
}

// The next scene; but where a question waits, its answer first.
function forward(redraw) {
  if (waits()) reveal(redraw);
  else go(next(), redraw);
}

// Questions

const asked = () => (show.asked && show.asked.number !== closed && show.scene === at ? show.asked : null);
const known = () => asked()?.number === revealed;
const waits = () => Boolean(asked()?.text) && !known();

function take(news) {
  answers = news;
  if (news?.revealed && news.of === show.asked?.name) revealed = show.asked.number;
}

function reveal(redraw) {
  revealed = asked().number;
  room?.say({ reveal: asked().name });
  redraw();
}

// Ask, then reveal, then close.
function nextOfQuestion(redraw) {
  if (waits()) reveal(redraw);
  else if (asked()?.text) closeQuestion();
  else if (show.asks) ask("another");
}

function closeQuestion() {
  closed = show.asked.number;
  ask("stop");
}

function questionPanel() {
  const now = asked(), panel = make("section", { className: "asked", "aria-label": "Question to the class", hidden: !now, tabIndex: -1 });
  if (!now) return panel;
  const counts = room ? (answers?.of === now.name ? answers.counts : now.choices?.map(() => 0)) : null;
  const done = counts?.reduce((sum, count) => sum + count, 0) ?? 0;
  const told = room ? `${done} of ${followers} answered` : known() ? "" : "The next key, or A, shows the answer.";
  if (!now.text) panel.append(make("p", { role: "status", textContent: `No question here: ${now.whyNot}` }));
  else panel.append(...questionCard(now, { known: known(), counts }), make("p", { role: "status", textContent: told }));
  panel.classList.toggle("known", known() || !now.text);
  return panel;
}

const FIELD = "input:not([type=radio],[type=checkbox],[type=range],[type=button]), textarea, select, [contenteditable=true]";
const CONTROL = "button, a, input, summary, [role=slider], [role=radio], [role=grid], [role=application], [tabindex='0']";
const NEXT = ["PageDown", "ArrowRight", "ArrowDown", " "], BACK_KEYS = ["PageUp", "ArrowLeft", "ArrowUp"];

// A field keeps all its keys, another control the arrows and the space bar; Page Up and Page Down are the clicker's.
function press(event, redraw) {
  const focus = event.composedPath()[0];
  const inside = (what) => focus?.closest?.(what); // also in the window of the notes
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || inside(FIELD)) return;
  if (inside(CONTROL) && !inside(".presenter") && [" ", "Enter"].includes(event.key)) return;
  if (inside(CONTROL) && !inside(".presenter") && event.key.startsWith("Arrow")) return;
  if (inside(".presenter button") && event.key === " ") return;
  if (event.repeat && [...NEXT, ...BACK_KEYS].includes(event.key)) return event.preventDefault(); // held down by mistake
  const presenting = show.scenes.length > 0;
  const act = {
    ...(presenting && Object.fromEntries(NEXT.map((key) => [key, () => forward(redraw)]))),
    ...(presenting && Object.fromEntries(BACK_KEYS.map((key) => [key, () => go(previous(), redraw)]))),
    ...(presenting && { Home: () => go(able()[0], redraw), End: () => go(able().at(-1), redraw) }),
    ...(presenting && { n: openNotes, q: () => (asking = !asking), Escape: () => stop(redraw) }),
    a: () => nextOfQuestion(redraw),
    b: () => (blank = !blank),
    ".": () => (blank = !blank), // the key of a clicker's black screen
    l: () => (laser = !laser),
    f: fullScreen,
  }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  event.preventDefault();
  act();
  redraw();
}

// Escape undoes one thing at a time.
function stop(redraw) {
  if (blank || asking || laser) blank = asking = laser = false;
  else if (asked()) closeQuestion();
  else {
    notes?.close();
    since = null;
    leave();
  }
  redraw();
}

function fullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.();
}

// The bar

function draw(root) {
  const redraw = () => draw(root), scene = show.scenes[at];
  const button = (text, label, act, pressed) =>
    make("button", {
      type: "button", textContent: text, title: label, "aria-label": label, "data-id": text,
      ...(pressed !== undefined && { "aria-pressed": String(pressed) }),
      onclick: () => { act(); redraw(); },
    });
  const parts = [];
  if (scene) {
    const list = make("select", { className: "jump", "aria-label": "Scene", onchange: () => { go(Number(list.value), redraw); list.blur(); } });
    list.append(...show.scenes.map((each, place) =>
      make("option", { value: place, textContent: `${place + 1}. ${each.title}`, disabled: !each.playable, selected: place === at })));
    const back = button("←", "Previous scene (Page Up)", () => go(previous(), redraw));
    const forth = button("→", "Next scene (Page Down)", () => forward(redraw));
    [back.disabled, forth.disabled] = [previous() === undefined, next() === undefined && !waits()];
    parts.push(back, make("span", { className: "count", textContent: `${at + 1} / ${show.scenes.length}`, "aria-busy": String(at !== show.scene) }), forth, list);
    if (scene.question) parts.push(button("Question", "Show the question (Q)", () => (asking = !asking), asking));
    parts.push(button("Notes", "Speaker notes in a second window (N)", openNotes));
  }
  if (waits()) parts.push(button("Answer", "Show the answer (A)", () => nextOfQuestion(redraw), false));
  else if (asked()?.text) parts.push(button("Close", "Close the question (A)", () => nextOfQuestion(redraw), true));
  else if (show.asks) parts.push(button("Ask", "Ask the class about this view (A)", () => nextOfQuestion(redraw), false));
  parts.push(button("Blank", "Blank the screen (B)", () => (blank = !blank), blank));
  parts.push(button("Laser", "Laser: a red spot follows the pointer, here and for the class (L)", () => (laser = !laser), laser));
  if (show.room) parts.push(make("span", { className: "class", role: "status", textContent: classStatus() }));
  if (scene) parts.push(button("Leave", "Leave the presentation (Esc)", () => stop(redraw)));

  const held = root.getRootNode().activeElement?.getAttribute("aria-label");
  const bar = make("section", { className: "bar", "aria-label": "Presenting" }, ...parts);
  const card = make("aside", { className: "question", role: "status", hidden: !asking || !scene?.question, textContent: scene?.question ?? "" });
  const black = make("div", { className: "black", hidden: !blank, role: "img", "aria-label": "The screen is blank", onclick: () => { blank = false; redraw(); } });
  const spot = root.querySelector(".spot") ?? make("div", { className: "spot", hidden: true, "aria-hidden": "true" });
  if (!laser) spot.hidden = true;
  root.replaceChildren(bar, questionPanel(), card, black, spot);
  placePanel(root, bar);
  makeRoom(root.querySelector(".asked"), bar);
  if (held) root.querySelector(`[aria-label="${CSS.escape(held)}"]`)?.focus();
  cover(root.querySelector(".asked"));
  if (!laser) send(null);
  writeNotes();
}

function classStatus() {
  if (lost) return lost;
  const count = followers === 1 ? "1 follows" : `${followers} follow`;
  return `Code ${show.room.code} · ${online ? count : "connection lost, trying again"}`;
}

// The laser spot

let sent = "null", waiting = null;
const send = (place) => {
  waiting = place;
  hurry();
};
let resting = false;
function hurry() {
  const text = JSON.stringify(waiting);
  if (resting || text === sent || !room) return;
  sent = text;
  room.say({ spot: waiting });
  resting = true;
  setTimeout(() => { resting = false; hurry(); }, 100);
}

function point(root, event) {
  if (!laser) return;
  const spot = root.querySelector(".spot");
  spot.hidden = false;
  spot.style.left = `${event.clientX}px`;
  spot.style.top = `${event.clientY}px`;
  const within = (box) => event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
  const boxes = blocks().map((block) => block.getBoundingClientRect());
  const number = boxes.findLastIndex(within);
  if (number < 0) return send(null);
  const box = boxes[number], share = (part, whole) => Number((part / whole).toFixed(3));
  send([number, share(event.clientX - box.left, box.width), share(event.clientY - box.top, box.height)]);
}

// The notes: a second window that this one writes, so that it needs neither server nor network

const PAPER = `
  body { font: 1.25rem/1.5 system-ui, sans-serif; margin: 1.5rem 2rem; background: #14181d; color: #e8ebef; }
  header { display: flex; justify-content: space-between; gap: 2rem; font-variant-numeric: tabular-nums; color: #b4bfcb; }
  h1 { font-size: 1.6rem; margin: 1rem 0 0.5rem; }
  p { margin: 0.5rem 0; white-space: pre-wrap; unicode-bidi: plaintext; max-width: 42em; }
  .point, .question { border-left: 4px solid #f2ae38; padding-left: 0.8rem; }
  .question { border-color: #62b4ea; }
  footer { margin-top: 1.5rem; padding-top: 0.8rem; border-top: 1px solid #3a4550; color: #b4bfcb; }
  button { font: inherit; padding: 0.3rem 1rem; margin-right: 0.6rem; }`;

function openNotes() {
  notes = window.open("", "glassformer-notes", "width=760,height=640");
  if (!notes) return;
  notes.document.title = "Speaker notes";
  notes.document.documentElement.lang = "en";
  notes.addEventListener("keydown", (event) => press(event, redrawFromNotes));
  writeNotes();
  clearInterval(notes.clock);
  notes.clock = notes.setInterval(tick, 1000);
}

const redrawFromNotes = () => redrawNow();

function writeNotes() {
  const scene = show.scenes[at];
  if (!notes || notes.closed || !scene) return;
  const page = notes.document;
  const line = (className, text) => (text ? [make("p", { className, textContent: text })] : []);
  const later = next();
  page.head.replaceChildren(make("style", { textContent: PAPER }), make("title", { textContent: "Speaker notes" }));
  page.body.replaceChildren(
    make("header", {}, make("span", { id: "clock" }), make("span", { textContent: `${at + 1} / ${show.scenes.length}` })),
    make("h1", { textContent: scene.title }),
    ...line("point", scene.point && `Point at: ${scene.point}`),
    ...line("question", scene.question && `Ask: ${scene.question}`),
    ...line("question", asked()?.text && `${asked().text} Answer: ${asked().choices[asked().answer]}. ${asked().explanation}`),
    ...line("", scene.notes || "No notes for this scene."),
    make("footer", {},
      ...line("", later === undefined ? "This is the last scene." : `Next: ${show.scenes[later].title}`),
      make("button", { type: "button", textContent: "Back", disabled: previous() === undefined, onclick: () => go(previous(), redrawFromNotes) }),
      make("button", { type: "button", textContent: waits() ? "Answer" : "Next", disabled: later === undefined && !waits(), onclick: () => forward(redrawFromNotes) })),
  );
  tick();
}

function tick() {
  const clock = notes && !notes.closed && notes.document.getElementById("clock");
  if (!clock) return;
  const seconds = Math.floor((Date.now() - (since ?? Date.now())) / 1000);
  const spent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  clock.textContent = `${new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })} · ${spent} since the start`;
}
