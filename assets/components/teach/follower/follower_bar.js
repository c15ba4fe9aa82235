// A student's bar: who presents, and whether this window follows or explores. A question of the presenter covers the
// page until its answer is told. follower.js mounts it in the app, assets/follow/follow.js on the page for students.
import { createElement, keyHint, replaceKeepingFocus } from "../../shared/dom.js";
import { hasModifier } from "../../shared/keyboard.js";
import { applyTheme } from "../../shared/theme.js";
import { Countdown } from "../countdown.js";
import { clearPage, placePanel, showPanel } from "../panel.js";
import { questionNodes } from "../question.js";
import { RestartLine } from "../restart_line.js";
import { connect, disconnect, say } from "../room.js";
import { codeForm } from "./code_form.js";
import { OwnAnswer } from "./own_answer.js";
import { Pointing } from "./pointing.js";
import { MAX_WORD_LENGTH, wordForm } from "./word_form.js";
import { followStatus, questionStatus } from "./words.js";

const FIELDS = "input, textarea, select, [contenteditable=true]";

// `place` is the window that follows: `isAway()` whether it explores, `explore()`, `comeBack()`, `leave()`, `wake()`,
// `hear(message)` for where the presenter is, `isCutOff(isOnline)`, and `goOn(key)`, which follows another room.
// `lecture` is the address of the page for students.
export class FollowerBar {
  constructor(key, presenter, place) {
    Object.assign(this, { key, place }); // the key of the room
    this.presenter = { presenter, here: true };
    this.isOnline = true;
    this.isApart = false; // The server that answers cannot hear the presenter's.
    this.ended = ""; // why, once the lecture has ended
    this.aside = ""; // the question of the scene
    this.pointing = new Pointing(() => this.root);
    this.countdown = new Countdown();
    this.restartLine = new RestartLine(
      "The lecture comes back by itself.",
      () => this.place.isCutOff(this.isOnline || Boolean(this.ended)),
      () => this.place.wake(),
    );
    this.question = null;
    this.own = new OwnAnswer(key);
    this.closed = 0; // the number of the question that was closed last
  }

  // Draws the bar in `root`, and connects with the room at `path`.
  mount(root, path) {
    this.restartLine.watch();
    this.root = root;
    applyTheme(root);
    const button = (props, onclick) => createElement("button", { type: "button", ...props, onclick });
    this.status = createElement("p", { className: "status", role: "status" });
    this.move = button({ className: "main", "data-id": "move" }, () => this.exploreOrReturn());
    const leave = button({ textContent: "Leave the lecture", "data-id": "leave" }, () => this.leave());
    this.card = createElement("div", { className: "card" });
    this.told = createElement("p", { role: "status" });
    this.close = button({ className: "close", textContent: "Close", "data-id": "close" }, () => this.closeQuestion());
    const props = { className: "asked", "aria-label": "Question of the presenter", hidden: true, tabIndex: -1 };
    this.panel = createElement("section", props, this.card, this.countdown.node, this.told, this.close);
    this.asideNode = createElement("aside", { className: "aside", role: "status", hidden: true });
    this.next = createElement("div", { className: "next", hidden: true });
    replaceKeepingFocus(root, this.panel, this.asideNode, this.status, this.next, this.move, leave);
    placePanel(root, root);
    root.after(this.pointing.spot, this.pointing.mark);
    connect(path, { key: this.key }, (message) => this.hear(message));
    this.draw();
  }

  hear(message) {
    if ("presenter" in message) Object.assign(this, { presenter: message, ended: "" });
    else if ("online" in message) this.setOnline(message.online);
    else if ("apart" in message) this.isApart = message.apart;
    else if ("question" in message) this.takeQuestion(message.question);
    else if ("aside" in message) this.aside = message.aside ?? "";
    else if (message.end) this.ended = message.why ?? "The lecture has ended.";
    else if ("spot" in message) {
      this.pointing.show(message.spot);
      return;
    } else if ("scroll" in message) {
      this.pointing.scrollTo(message.scroll);
      return;
    } else this.place.hear(message);
    this.draw();
  }

  setOnline(isOnline) {
    this.isOnline = isOnline;
    if (!isOnline) this.own.loseConnection();
  }

  takeQuestion(question) {
    this.question = question;
    this.countdown.set(question?.id, question && !this.isAnswerKnown() ? question.left : null);
    if (question && this.isOnline && this.own.isMissing(question) && !this.isAnswerKnown()) this.answer();
  }

  exploreOrReturn() {
    if (this.place.isAway()) this.place.comeBack();
    else this.place.explore();
    this.draw();
  }

  leave() {
    disconnect();
    this.restartLine.stop();
    this.pointing.show(null);
    this.panel.hidden = true;
    clearPage();
    this.place.leave();
  }

  draw() {
    const isAway = this.place.isAway();
    this.status.textContent = followStatus({
      isAway,
      name: this.presenter.presenter,
      isPresenterHere: this.presenter.here,
      isOnline: this.isOnline,
      isApart: this.isApart,
      ended: this.ended,
      hasQuestion: Boolean(this.question),
    });
    this.move.textContent = isAway ? "Back to the lecture" : "Explore on my own";
    this.move.hidden = Boolean(this.ended);
    this.offerNext();
    this.root.dataset.state = this.ended ? "ended" : isAway ? "exploring" : "following";
    document.documentElement.dataset.lecture = this.root.dataset.state; // for pages/teach/teaching_styles.py
    this.pointing.follow(!isAway && !this.ended);
    this.asideNode.hidden = !this.aside || isAway || Boolean(this.ended);
    this.asideNode.textContent = this.aside;
    this.drawQuestion();
  }

  // A room that has ended: its students type the code of the next one here.
  offerNext() {
    this.next.hidden = !this.ended;
    if (!this.ended || this.next.firstChild) return;
    const { form, told } = codeForm(this.place.lecture, (key) => this.place.goOn(key));
    this.next.append(form, told);
  }

  // -- the question ------------------------------------------------------------------------------------------------

  isAnswerKnown() {
    return this.question?.answer !== undefined;
  }

  // The place of the own choice, the own word, or null.
  choice() {
    return this.own.choiceOf(this.question);
  }

  answer() {
    say({ answer: [this.question.id, this.choice()] });
  }

  pick(place) {
    if (place in this.question.choices) this.give(place);
  }

  write(word) {
    const text = word.trim().slice(0, MAX_WORD_LENGTH);
    if (text) this.give(text);
  }

  give(choice) {
    if (this.isAnswerKnown() || this.countdown.isOver()) return;
    this.own.take(this.question, choice, this.isOnline);
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
    panel.hidden = !question || this.place.isAway() || Boolean(this.ended) || this.closed === question.id;
    this.close.hidden = !known;
    if (panel.hidden) {
      clearPage();
      return;
    }
    panel.classList.toggle("known", known);
    const chosen = this.choice();
    const nodes = questionNodes(question, { known, chosen, pick: (place) => this.pick(place) });
    if (question.words && !known && !question.closed) nodes.push(this.formFor(question));
    replaceKeepingFocus(this.card, ...nodes);
    const text = questionStatus(question, chosen);
    const keys =
      chosen === null && !known && !question.words ? ` The keys 1 to ${question.choices.length} do, too.` : "";
    if (this.told.textContent !== text + keys) this.told.replaceChildren(text, keyHint(keys));
    showPanel(panel, this.root);
  }

  // The field stays while the question does, also over a restart, with what is being typed in it.
  formFor(question) {
    if (this.form?.dataset.of !== question.name) {
      this.form = wordForm((word) => this.write(word));
      this.form.dataset.of = question.name;
    }
    return this.form;
  }

  press(event) {
    const isTyping = event.composedPath()[0]?.closest?.(FIELDS);
    if (this.panel.hidden || isTyping || hasModifier(event) || !/^[1-8]$/.test(event.key)) return;
    event.preventDefault();
    this.pick(Number(event.key) - 1);
  }
}
