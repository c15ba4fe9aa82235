// A student's bar: who presents, and whether this window follows or explores. Follows unless told otherwise. A question of
// the presenter covers the page until its answer is told.
const AWAY = "glassformer exploring";
let presenter = { presenter: "", here: true }, latest = null, arrived = "", online = true, ended = "", key = null, left = null;
let question = null, answered = null, closed = 0; // answered: [number of the question, choice]; closed: a number

export default async function ({ data, parentElement, setTriggerValue }) {
  const now = await newest(parentElement, data);
  if (!now) return undefined;
  if (now.joined === left) return; // a run of the page that began before the student left
  if (key !== now.key) {
    [key, latest, arrived, ended, question, answered, closed] = [now.key, null, "", "", null, null, 0];
    presenter = { presenter: now.presenter, here: true };
  }
  let root = parentElement.querySelector(".gf");
  if (!root) {
    root = make("section", { className: "gf follower", "aria-label": "Lecture that you follow" });
    parentElement.append(root);
  }
  applyTheme(root);
  const status = make("p", { className: "status", role: "status" });
  const move = make("button", { type: "button", className: "main", "data-id": "move" });
  const leave = make("button", { type: "button", textContent: "Leave the lecture", "data-id": "leave" });
  const told = make("p", { role: "status" });
  const card = make("div", { className: "card" });
  const panel = make("section", { className: "asked", "aria-label": "Question of the presenter", hidden: true, tabIndex: -1 }, card, told);
  const close = make("button", { type: "button", className: "close", textContent: "Close", "data-id": "close" });
  panel.append(close);
  redrawn(root, panel, status, move, leave);
  placePanel(root, root);
  const spot = root.parentNode.querySelector(".spot") ?? make("div", { className: "spot", hidden: true, "aria-hidden": "true" });
  root.after(spot);

  const away = () => sessionStorage.getItem(AWAY) === now.key;
  const go = () => {
    if (!latest || latest.text === arrived) return;
    arrived = latest.text;
    setTriggerValue("go", { page: latest.page, view: latest.view });
  };
  const draw = () => {
    const who = presenter.presenter || "the presenter";
    let says = away() ? `You explore on your own. ${who} presents.` : `You follow ${who}.`;
    if (!presenter.here) says += ` ${who} is away; the last view stays.`;
    if (!online) says = `The connection is lost; trying again. ${who} presents.`;
    if (ended) says = ended;
    status.textContent = says;
    move.textContent = away() ? "Back to the lecture" : "Explore on my own";
    move.hidden = Boolean(ended);
    root.dataset.state = ended ? "ended" : away() ? "exploring" : "following";
    if (question && away() && !ended) status.textContent += " A question is being asked.";
    drawQuestion();
  };
  const known = () => question?.answer !== undefined;
  const mine = () => (answered && answered[0] === question?.id ? answered[1] : null);
  const pick = (choice) => {
    if (known() || !(choice in question.choices)) return;
    answered = [question.id, choice];
    line?.say({ answer: answered });
    drawQuestion();
  };
  const drawQuestion = () => {
    panel.hidden = !question || away() || Boolean(ended) || closed === question.id;
    close.hidden = !known();
    if (panel.hidden) return makeRoom(null), cover(null);
    panel.classList.toggle("known", known());
    redrawn(card, ...questionCard(question, { known: known(), chosen: mine(), pick }));
    const text = whatNow();
    if (told.textContent !== text) told.textContent = text;
    makeRoom(panel, root);
    cover(panel);
  };
  const whatNow = () => {
    const chosen = mine() === null ? "" : LETTERS[mine()];
    if (!known()) return chosen ? `You chose ${chosen}. You can change it until the answer is shown.` : `Choose, or press 1 to ${question.choices.length}.`;
    const right = `${LETTERS[question.answer]}, ${question.choices[question.answer]}`;
    if (!chosen) return `The answer is ${right}.`;
    return mine() === question.answer ? `Right: ${right}.` : `You chose ${chosen}. The answer is ${right}.`;
  };
  close.onclick = () => {
    closed = question.id;
    drawQuestion();
  };
  const press = (event) => {
    const inField = event.composedPath()[0]?.closest?.("input, textarea, select, [contenteditable=true]");
    if (panel.hidden || inField || event.ctrlKey || event.metaKey || event.altKey || !/^[1-8]$/.test(event.key)) return;
    event.preventDefault();
    pick(Number(event.key) - 1);
  };
  move.onclick = () => {
    if (away()) {
      sessionStorage.removeItem(AWAY);
      arrived = "";
      go();
    } else sessionStorage.setItem(AWAY, now.key);
    draw();
  };
  leave.onclick = () => {
    sessionStorage.removeItem(AWAY);
    disconnect();
    [key, left, panel.hidden] = [null, now.joined, true];
    makeRoom(null);
    cover(null);
    setTriggerValue("leave", true);
  };
  connect(now.path, { key: now.key }, (message) => {
    if ("presenter" in message) presenter = message;
    else if ("online" in message) {
      online = message.online;
      if (online && mine() !== null && !known()) line?.say({ answer: answered }); // a new connection has not answered
    } else if ("question" in message) question = message.question;
    else if (message.end) ended = message.why ?? "The lecture has ended.";
    else if ("spot" in message) shine(spot, away() ? null : message.spot);
    else if ("page" in message) {
      latest = { ...message, text: JSON.stringify(message) };
      if (!away()) go();
    }
    draw();
  });
  draw();
  window.addEventListener("keydown", press);
  return () => {
    window.removeEventListener("keydown", press);
    onceGone(root, () => (makeRoom(null), cover(null)));
  };
}

// The presenter's pointer, at the same place of the same block.
function shine(spot, place) {
  const block = place && blocks()[place[0]];
  spot.hidden = !block;
  if (!block) return;
  const box = block.getBoundingClientRect();
  spot.style.left = `${box.left + place[1] * box.width}px`;
  spot.style.top = `${box.top + place[2] * box.height}px`;
}
