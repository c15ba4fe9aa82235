// The presenter's bar: steps by keyboard, clicker or hand, notes in a second window, blank screen, questions, laser.
import { findOrCreateRoot, unpackNewest } from "../../shared/mount.js";
import { applyTheme } from "../../shared/theme.js";
import { Countdown } from "../countdown.js";
import { onceGone, placePanel, showPanel } from "../panel.js";
import { connect, disconnect, say } from "../room.js";
import { createBar, createBlackScreen, createPanel } from "./bar.js";
import { Beats } from "./beats.js";
import { createEndSlide } from "./end_slide.js";
import { createJoinSlide } from "./join_slide.js";
import { actionOf, isStep, mayTake } from "./keys.js";
import { Laser } from "./laser.js";
import { Notes } from "./notes.js";
import { Opening } from "./opening.js";
import { Presses } from "./presses.js";
import { Restart } from "./restart.js";
import { Stage } from "./stage.js";
import { Steps } from "./steps.js";

const LAYOUT_TIME = 500; // milliseconds

class Presenter {
  constructor() {
    this.steps = new Steps(
      (scene, atEnd) => this.send("step", { scene, atEnd }),
      () => this.draw(),
    );
    this.opening = new Opening((number) => this.send("open", number));
    this.laser = new Laser();
    this.notes = new Notes(this);
    this.stage = new Stage();
    this.beats = new Beats(this);
    this.isBlank = false;
    this.since = null; // when it began, in milliseconds
    this.revealed = 0; // the number of the asking whose answer was shown last
    this.closed = 0; // the number of the asking that was closed last
    this.votesOf = 0; // the number of the asking whose votes are shown before its answer
    this.isJoinShown = false;
    this.countdown = new Countdown();
    this.restart = new Restart(this);
    this.keptCounts = null; // the votes on an answer that was known before a restart
    this.presses = new Presses(() => this.draw());
    this.forgetRoom();
  }

  // `show` is what the server presents: scenes and the present one, the room of the class, the question asked.
  update(show, root, send) {
    const before = this.show?.asked;
    const wasOpen = Boolean(this.show?.room);
    const arrive = this.restart.beginUpdate();
    Object.assign(this, { show, root, send });
    this.steps.update(show.scenes, show.scene);
    arrive();
    this.beats.arrive();
    if (show.asked?.number !== before?.number) this.countdown.set(show.asked?.number, show.asked?.seconds || null);
    this.laser.isFollowed = Boolean(show.followed);
    this.opening.hear(show.opened);
    this.isJoinShown = (this.isJoinShown || this.opening.isOn) && Boolean(show.room);
    if (show.room && !wasOpen) this.opening.end();
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
    Object.assign(this, { followers: 0, isOnline: true, isApart: false, lost: "", answers: null });
  }

  hear(message) {
    if ("followers" in message) this.followers = message.followers;
    else if ("answers" in message) this.takeAnswers(message.answers);
    else if ("online" in message) this.setOnline(message.online);
    else if ("apart" in message) this.isApart = message.apart;
    else if (message.end) this.lost = message.why ?? "The class does not follow any more.";
    this.presses.request();
  }

  // A new connection is told what the class was shown on the old one.
  setOnline(isOnline) {
    this.isOnline = isOnline;
    if (!isOnline) {
      this.restart.loseRoom();
      return;
    }
    this.lost = "";
    this.laser.forget();
    this.beats.tell();
  }

  // An answer that is known here is known to the class, also where the message was lost.
  takeAnswers(answers) {
    this.answers = answers;
    this.restart.hearAnswers(answers);
    const { asked } = this.show;
    if (!answers || answers.of !== asked?.name) return;
    if (answers.left !== undefined) this.countdown.set(asked.number, answers.left);
    if (answers.revealed) this.revealed = asked.number;
    else if (this.revealed === asked.number && !asked.words) say({ reveal: asked.name });
  }

  followerStatus() {
    if (!this.isOnline) return "the app is being restarted";
    if (this.isApart) return "a part of the class cannot be reached now";
    return this.followers === 1 ? "1 follows" : `${this.followers} follow`;
  }

  openRoom() {
    this.opening.begin();
  }

  toggleJoin() {
    this.isJoinShown = Boolean(this.show.room) && !this.isJoinShown;
  }

  // -- the question ------------------------------------------------------------------------------------------------

  // The question on the screen, or null. It belongs to the scene that is shown.
  asked() {
    const { asked } = this.show;
    if (this.beats.review) return this.beats.review.asked;
    return asked && asked.number !== this.closed && !this.steps.isOnItsWay() ? asked : null;
  }

  isAnswerKnown() {
    if (this.beats.review) return this.beats.review.isKnown;
    return this.asked()?.number === this.revealed;
  }

  isAnswerHidden() {
    return Boolean(this.asked()?.text) && !this.isAnswerKnown();
  }

  // How many chose each answer; null without a class.
  counts() {
    const asked = this.asked();
    if (this.beats.review) return this.beats.review.counts;
    if (!this.show.room) return null;
    if (this.keptCounts?.of === asked.number) return this.keptCounts.counts;
    return this.answers?.of === asked.name ? this.answers.counts : asked.choices.map(() => 0);
  }

  // Those that the projector may show: the class does not choose what most have chosen.
  shownCounts() {
    return this.isAnswerKnown() || this.areVotesShown() ? this.counts() : null;
  }

  areVotesShown() {
    return this.asked()?.number === this.votesOf;
  }

  toggleVotes() {
    if (this.asked()?.words) this.revealAnswer();
    else if (this.isAnswerHidden()) this.votesOf = this.areVotesShown() ? 0 : this.asked().number;
  }

  // What the class wrote, or null.
  words() {
    const asked = this.asked();
    if (this.beats.review) return this.beats.review.words;
    if (!asked?.words) return null;
    const answers = this.restart.closedWords(asked.name) ?? this.answers;
    return answers?.of === asked.name ? answers : null;
  }

  // The question as the projector shows it: of the words, those that were not left out.
  questionShown() {
    const asked = this.asked();
    if (!asked.words || !this.isAnswerKnown()) return asked;
    return { ...asked, shown: (this.words()?.words ?? []).filter(([, , isOut]) => !isOut) };
  }

  answerStatus() {
    const words = this.words();
    if (words?.closed && !this.isAnswerKnown()) {
      const where = this.notes.isOpen() ? "" : ", in the notes window (N)";
      return `The words are looked at${where}. The next key shows them.`;
    }
    const answered = words ? words.answered : this.counts()?.reduce((sum, count) => sum + count, 0);
    if (answered !== undefined) return `${answered} of ${this.followers} answered`;
    return this.isAnswerKnown() ? "" : "The next key, or A, shows the answer.";
  }

  // Shows the answer. Words are looked at first, in the notes window: a key closes the answers, the next shows them.
  revealAnswer() {
    if (this.beats.review) {
      this.beats.review.isKnown = true;
      return;
    }
    const { number, name } = this.asked();
    const words = this.words();
    if (words && !words.closed) {
      say({ close: name });
      return;
    }
    this.revealed = number;
    say({ reveal: name });
  }

  // The bare picture follows, and its point.
  closeQuestion() {
    const { asked } = this.show;
    if (!this.beats.review) this.beats.keep();
    this.beats.review = null;
    if (asked && asked.number !== this.closed) {
      this.closed = asked.number;
      this.send("ask", "stop");
    }
    this.beats.setWords("point");
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

  goTo(place, isAtEnd = false) {
    this.beats.isEndShown = false;
    if (this.steps.go(place, isAtEnd)) this.beats.enter(place, isAtEnd);
    this.draw();
  }

  goForward() {
    this.beats.forward();
  }

  goBack() {
    this.beats.back();
  }

  goToFirst() {
    this.goTo(this.steps.first());
  }

  goToLast() {
    this.goTo(this.steps.last());
  }

  openNotes() {
    this.notes.open();
    if (this.notes.isOpen()) this.presses.watch(this.notes.window);
  }

  toggleSceneQuestion() {
    this.beats.toggleQuestion();
  }

  toggleZoom() {
    this.stage.toggleZoom();
  }

  togglePoint() {
    this.beats.togglePoint();
  }

  toggleControls() {
    document.documentElement.toggleAttribute("data-controls");
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
    if (this.isBlank || this.laser.isOn || this.isJoinShown) {
      this.isBlank = false;
      this.isJoinShown = false;
      this.laser.isOn = false;
    } else if (this.stage.isZoomed) this.stage.toggleZoom();
    else if (this.asked()) this.closeQuestion();
    else {
      this.notes.close();
      this.since = null;
      this.opening.end();
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

  // Not while the scene is on its way: the page is still that of another one.
  showStage(bar) {
    const scene = this.steps.scene();
    if (!scene) {
      this.stage.stop();
      this.beats.leave();
    } else if (!this.steps.isOnItsWay()) {
      const isNew = this.stage.show(this.steps.at, scene.focus, bar);
      if (isNew) this.laser.tellFocus(scene.focus, scene.focusAt);
      if (isNew && this.beats.words === "point") this.stage.mark();
      this.beats.show();
    }
  }

  // A page that is laid out scrolls by itself, and the stage puts it right in a moment.
  tellScroll() {
    const tell = () => {
      if (this.stage.isLeftBehind()) this.laser.focus = "";
      this.laser.tellScroll();
    };
    clearTimeout(this.telling);
    if (this.stage.hasScrolled || !this.laser.focus) tell();
    else this.telling = setTimeout(tell, LAYOUT_TIME);
  }

  draw() {
    const { root } = this;
    const focused = root.getRootNode().activeElement?.getAttribute("aria-label");
    const bar = createBar(this);
    const panel = createPanel(this);
    root.replaceChildren(
      bar,
      panel,
      createEndSlide(this),
      createBlackScreen(this),
      createJoinSlide(this),
      this.laser.spot,
    );
    placePanel(root, bar);
    if (focused) root.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
    showPanel(panel, bar);
    this.showStage(bar);
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
  listenOnce();
  return () => onceGone(root, () => presenter.restart.leave());
}

let isListening = false;

// The listeners stay for the window: keys that are pressed while the app is restarted count.
function listenOnce() {
  if (isListening) return;
  isListening = true;
  presenter.presses.watch(window);
  const whileListening = (act) => (event) => presenter.restart.isListening() && act(event);
  window.addEventListener(
    "keydown",
    whileListening((event) => presenter.press(event)),
  );
  window.addEventListener(
    "pointermove",
    whileListening((event) => presenter.laser.follow(event)),
  );
  const options = { capture: true, passive: true };
  window.addEventListener(
    "scroll",
    whileListening(() => presenter.tellScroll()),
    options,
  );
}
