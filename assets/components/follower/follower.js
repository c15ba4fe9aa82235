// A student's bar: who presents, and whether this window follows or explores. Follows unless told otherwise.
const AWAY = "glassformer exploring";
let presenter = { presenter: "", here: true }, latest = null, arrived = "", online = true, ended = "", key = null, left = null;

export default async function ({ data, parentElement, setTriggerValue }) {
  const now = await unpack(data);
  if (now.joined === left) return; // a run of the page that began before the student left
  if (key !== now.key) {
    [key, latest, arrived, ended] = [now.key, null, "", ""];
    presenter = { presenter: now.presenter, here: true };
  }
  let root = parentElement.querySelector(".gf");
  if (!root) {
    root = make("section", { className: "gf follower", "aria-label": "Lecture that you follow" });
    parentElement.append(root);
  }
  applyTheme(root);
  const status = make("p", { className: "status", role: "status" });
  const move = make("button", { type: "button", className: "main" });
  const leave = make("button", { type: "button", textContent: "Leave the lecture" });
  root.replaceChildren(status, move, leave);
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
    [key, left] = [null, now.joined];
    setTriggerValue("leave", true);
  };
  connect(now.path, { key: now.key }, (message) => {
    if ("presenter" in message) presenter = message;
    else if ("online" in message) online = message.online;
    else if (message.end) ended = message.why ?? "The lecture has ended.";
    else if ("spot" in message) shine(spot, away() ? null : message.spot);
    else if ("page" in message) {
      latest = { ...message, text: JSON.stringify(message) };
      if (!away()) go();
    }
    draw();
  });
  draw();
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
