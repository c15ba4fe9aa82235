// The presenter's bar: steps by keyboard, clicker or hand, notes in a second window, blank screen, questions, laser.
import { findOrCreateRoot, unpackNewest } from "../../shared/mount.js";
import { applyTheme } from "../../shared/theme.js";
import { clearPage, onceGone, placePanel, showPanel } from "../panel.js";
import { connect, disconnect, say } from "../room.js";
import { createBar, createBlackScreen, createPanel, createSceneQuestion } from "./bar.js";
import { actionOf, isStep, mayTake } from "./keys.js";
import { Laser } from "./laser.js";
import { Notes } from "./notes.js";
import { Steps } from "./steps.js";

class Presenter {
  constructor() {
    this.steps = new Steps(
      (scene) => this.send("step", scene),
      () => this.draw(),
    );
    this.laser = new Laser();
    this.notes = new Notes(this);
    this.isBlank = false;
    this.isSceneQuestionShown = false;
    this.since = null; // when it began, in milliseconds
    this.revealed = 0; // the number of the asking whose answer was shown last
    this.closed = 0; // the number of the asking that was closed last
    this.forgetRoom();
  }

  // `show` is what the server presents: scenes and the present one, the room of the class, the question asked.
  update(show, root, send) {
    Object.assign(this, { show, root, send });
    this.steps.update(show.scenes, show.scene);
    this.since ??= Date.now();
    applyTheme(root);
    if (show.room) connect(show.room.path, { token: show.room.token }, (message) => this.hear(message));
    else {
      disconnect();
      this.forgetRoom();
    }
    this.draw();
  }

  // -- the room of the class ---------------------------------------------------------------------------------------

  forgetRoom() {
    Object.assign(this, { followers: 0, isOnline: true, lost: "", answers: null });
  }

  hear(message) {
    if ("followers" in message) this.followers = message.followers;
    else if ("answers" in message) this.takeAnswers(message.answers);
    else if ("online" in message) this.isOnline = message.online;
    else if (message.end) this.lost = message.why ?? "The class does not follow any more.";
    this.draw();
  }

  takeAnswers(answers) {
    this.answers = answers;
    const { asked } = this.show;
    if (answers?.revealed && answers.of === asked?.name) this.revealed = asked.number;
  }

  classStatus() {
    if (this.lost) return this.lost;
    const count = this.followers === 1 ? "1 follows" : `${this.followers} follow`;
    return `Code ${this.show.room.code} · ${this.isOnline ? count : "connection lost, trying again"}`;
  }

  // -- the question ------------------------------------------------------------------------------------------------

  // The question on the screen, or null. It belongs to the scene that is shown.
  asked() {
    const { asked } = this.show;
    return asked && asked.number !== this.closed && !this.steps.isOnItsWay() ? asked : null;
  }

  isAnswerKnown() {
    return this.asked()?.number === this.revealed;
  }

  isAnswerHidden() {
    return Boolean(this.asked()?.text) && !this.isAnswerKnown();
  }

  // How many chose each answer; null without a class.
  counts() {
    const asked = this.asked();
    if (!this.show.room) return null;
    return this.answers?.of === asked.name ? this.answers.counts : asked.choices.map(() => 0);
  }

  answerStatus() {
    const answered = this.counts()?.reduce((sum, count) => sum + count, 0);
    if (answered !== undefined) return `${answered} of ${this.followers} answered`;
    return this.isAnswerKnown() ? "" : "The next key, or A, shows the answer.";
  }

  revealAnswer() {
    const { number, name } = this.asked();
    this.revealed = number;
    say({ reveal: name });
  }

  closeQuestion() {
    this.closed = this.show.asked.number;
    this.send("ask", "stop");
  }

  // -- actions: keys.js and bar.js name them -----------------------------------------------------------------------

  do(action) {
    this[action]();
    this.draw();
  }

  // Asks, then shows the answer, then closes the question.
  askClass() {
    if (this.isAnswerHidden()) this.revealAnswer();
    else if (this.asked()?.text) this.closeQuestion();
    else if (this.show.asks) this.send("ask", "another");
  }

  goTo(place) {
    if (this.steps.go(place)) this.isSceneQuestionShown = false;
    this.draw();
  }

  // The next scene; but where a question waits, its answer first.
  goForward() {
    if (this.isAnswerHidden()) this.revealAnswer();
    else this.goTo(this.steps.next());
  }

  goBack() {
    this.goTo(this.steps.previous());
  }

  goToFirst() {
    this.goTo(this.steps.first());
  }

  goToLast() {
    this.goTo(this.steps.last());
  }

  openNotes() {
    this.notes.open();
  }

  toggleSceneQuestion() {
    this.isSceneQuestionShown = !this.isSceneQuestionShown;
  }

  toggleBlank() {
    this.isBlank = !this.isBlank;
  }

  toggleLaser() {
    this.laser.isOn = !this.laser.isOn;
  }

  toggleFullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen?.();
  }

  stopOneThing() {
    if (this.isBlank || this.isSceneQuestionShown || this.laser.isOn) {
      this.isBlank = false;
      this.isSceneQuestionShown = false;
      this.laser.isOn = false;
    } else if (this.asked()) this.closeQuestion();
    else {
      this.notes.close();
      this.since = null;
      this.send("leave", true);
    }
  }

  press(event) {
    if (!mayTake(event)) return;
    const isHeldDown = event.repeat && isStep(event.key);
    const action = actionOf(event.key, this.steps.scenes.length > 0);
    if (!isHeldDown && !action) return;
    event.preventDefault();
    if (!isHeldDown) this.do(action);
  }

  draw() {
    const { root } = this;
    const focused = root.getRootNode().activeElement?.getAttribute("aria-label");
    const bar = createBar(this);
    const panel = createPanel(this);
    root.replaceChildren(bar, panel, createSceneQuestion(this), createBlackScreen(this), this.laser.spot);
    placePanel(root, bar);
    if (focused) root.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
    showPanel(panel, bar);
    this.laser.update();
    this.notes.write();
  }
}

let presenter = null; // one for this window: it goes on from page to page

export default async function mountPresenter({ data, parentElement, setTriggerValue }) {
  const show = await unpackNewest(parentElement, data);
  if (!show) return undefined;
  const root = findOrCreateRoot(parentElement, "div", { className: "gf presenter" });
  presenter ??= new Presenter();
  presenter.update(show, root, setTriggerValue);
  const onKey = (event) => presenter.press(event);
  const onMove = (event) => presenter.laser.follow(event);
  window.addEventListener("keydown", onKey);
  window.addEventListener("pointermove", onMove);
  return () => {
    window.removeEventListener("keydown", onKey);
    window.removeEventListener("pointermove", onMove);
    onceGone(root, () => {
      presenter.steps.stopWaiting();
      clearPage();
    });
  };
}
