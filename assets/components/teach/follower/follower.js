// A student's bar: who presents, and whether this window follows or explores. It follows unless told otherwise. A
// question of the presenter covers the page until its answer is told.
import { createElement, replaceKeepingFocus } from "../../shared/dom.js";
import { hasModifier } from "../../shared/keyboard.js";
import { findOrCreateRoot, unpackNewest } from "../../shared/mount.js";
import { applyTheme } from "../../shared/theme.js";
import { clearPage, onceGone, placePanel, showPanel } from "../panel.js";
import { questionNodes } from "../question.js";
import { connect, disconnect, pageBlocks, say } from "../room.js";
import { createSpot, moveSpot } from "../spot.js";
import { followStatus, questionStatus } from "./words.js";

const EXPLORING = "glassformer exploring"; // the key of the room that this window explores on its own
const FIELDS = "input, textarea, select, [contenteditable=true]";

class Follower {
  constructor({ key, presenter }) {
    this.key = key; // of the room
    this.presenter = { presenter, here: true };
    this.isOnline = true;
    this.ended = ""; // why, once the lecture has ended
    this.latest = null; // where the presenter went last
    this.arrived = ""; // where this window went last, as text
    this.question = null;
    this.answered = null; // [number of the question, place of the choice]
    this.closed = 0; // the number of the question that was closed last
  }

  update(joined, root, send) {
    Object.assign(this, { joined, root, send });
    applyTheme(root);
    const button = (props, onclick) => createElement("button", { type: "button", ...props, onclick });
    this.status = createElement("p", { className: "status", role: "status" });
    this.move = button({ className: "main", "data-id": "move" }, () => this.exploreOrReturn());
    const leave = button({ textContent: "Leave the lecture", "data-id": "leave" }, () => this.leave());
    this.card = createElement("div", { className: "card" });
    this.told = createElement("p", { role: "status" });
    this.close = button({ className: "close", textContent: "Close", "data-id": "close" }, () => this.closeQuestion());
    const props = { className: "asked", "aria-label": "Question of the presenter", hidden: true, tabIndex: -1 };
    this.panel = createElement("section", props, this.card, this.told, this.close);
    replaceKeepingFocus(root, this.panel, this.status, this.move, leave);
    placePanel(root, root);
    this.spot = root.parentNode.querySelector(".spot") ?? createSpot();
    root.after(this.spot);
    connect(joined.path, { key: this.key }, (message) => this.hear(message));
    this.draw();
  }

  hear(message) {
    if ("presenter" in message) this.presenter = message;
    else if ("online" in message) {
      this.isOnline = message.online;
      if (this.isOnline && this.choice() !== null && !this.isAnswerKnown()) this.answer(); // to a new connection
    } else if ("question" in message) this.question = message.question;
    else if (message.end) this.ended = message.why ?? "The lecture has ended.";
    else if ("spot" in message) showSpot(this.spot, this.isAway() ? null : message.spot);
    else if ("page" in message) {
      this.latest = { ...message, text: JSON.stringify(message) };
      if (!this.isAway()) this.go();
    }
    this.draw();
  }

  // -- following ---------------------------------------------------------------------------------------------------

  isAway() {
    return sessionStorage.getItem(EXPLORING) === this.key;
  }

  go() {
    if (!this.latest || this.latest.text === this.arrived) return;
    this.arrived = this.latest.text;
    this.send("go", { page: this.latest.page, view: this.latest.view });
  }

  exploreOrReturn() {
    if (this.isAway()) {
      sessionStorage.removeItem(EXPLORING);
      this.arrived = "";
      this.go();
    } else sessionStorage.setItem(EXPLORING, this.key);
    this.draw();
  }

  leave() {
    sessionStorage.removeItem(EXPLORING);
    disconnect();
    follower = null;
    left = this.joined.joined;
    this.panel.hidden = true;
    clearPage();
    this.send("leave", true);
  }

  draw() {
    const isAway = this.isAway();
    this.status.textContent = followStatus({
      isAway,
      name: this.presenter.presenter,
      isPresenterHere: this.presenter.here,
      isOnline: this.isOnline,
      ended: this.ended,
      hasQuestion: Boolean(this.question),
    });
    this.move.textContent = isAway ? "Back to the lecture" : "Explore on my own";
    this.move.hidden = Boolean(this.ended);
    this.root.dataset.state = this.ended ? "ended" : isAway ? "exploring" : "following";
    this.drawQuestion();
  }

  // -- the question ------------------------------------------------------------------------------------------------

  isAnswerKnown() {
    return this.question?.answer !== undefined;
  }

  // The place of the own choice, or null.
  choice() {
    return this.answered && this.answered[0] === this.question?.id ? this.answered[1] : null;
  }

  answer() {
    say({ answer: this.answered });
  }

  pick(place) {
    if (this.isAnswerKnown() || !(place in this.question.choices)) return;
    this.answered = [this.question.id, place];
    this.answer();
    this.drawQuestion();
  }

  closeQuestion() {
    this.closed = this.question.id;
    this.drawQuestion();
  }

  drawQuestion() {
    const { question, panel } = this;
    const known = this.isAnswerKnown();
    panel.hidden = !question || this.isAway() || Boolean(this.ended) || this.closed === question.id;
    this.close.hidden = !known;
    if (panel.hidden) {
      clearPage();
      return;
    }
    panel.classList.toggle("known", known);
    const chosen = this.choice();
    const nodes = questionNodes(question, { known, chosen, pick: (place) => this.pick(place) });
    replaceKeepingFocus(this.card, ...nodes);
    const text = questionStatus(question, chosen);
    if (this.told.textContent !== text) this.told.textContent = text;
    showPanel(panel, this.root);
  }

  press(event) {
    const isTyping = event.composedPath()[0]?.closest?.(FIELDS);
    if (this.panel.hidden || isTyping || hasModifier(event) || !/^[1-8]$/.test(event.key)) return;
    event.preventDefault();
    this.pick(Number(event.key) - 1);
  }
}

// The presenter's pointer, at the same place of the same block.
function showSpot(spot, place) {
  const block = place && pageBlocks()[place[0]];
  spot.hidden = true;
  if (!block) return;
  const box = block.getBoundingClientRect();
  moveSpot(spot, box.left + place[1] * box.width, box.top + place[2] * box.height);
}

let follower = null; // one for this window: it goes on from page to page
let left = null; // the joining that the student left

export default async function mountFollower({ data, parentElement, setTriggerValue }) {
  const joined = await unpackNewest(parentElement, data);
  if (!joined) return undefined;
  if (joined.joined === left) return undefined; // a run of the page that began before the student left
  if (follower?.key !== joined.key) follower = new Follower(joined);
  const mounted = follower;
  const root = findOrCreateRoot(parentElement, "section", {
    className: "gf follower",
    "aria-label": "Lecture that you follow",
  });
  mounted.update(joined, root, setTriggerValue);
  const onKey = (event) => mounted.press(event);
  window.addEventListener("keydown", onKey);
  return () => {
    window.removeEventListener("keydown", onKey);
    onceGone(root, clearPage);
  };
}
