// The presenter's window through a restart of the app: keys count, and what was shown stays shown.
import { ComingBack } from "../coming_back.js";
import { clearPage } from "../panel.js";
import { isAppConnected, RestartLine } from "../restart_line.js";
import { say } from "../room.js";
import { messagesAfterRestart } from "./kept_words.js";

export class Restart {
  constructor(presenter) {
    this.presenter = presenter;
    this.wasCutOff = false; // since the app last showed something: a quick restart leaves the component in its place
    this.before = null; // the question on the screen when the app was restarted, until the app asks again
    this.answers = null; // those to it
    this.last = null; // the answers when the room did not answer any more
    this.words = null; // those of the class, until the room is told of them again
    this.comingBack = new ComingBack(["playing", "room"]);
    this.line = new RestartLine(
      "The lecture goes on by itself; keys are kept.",
      () => this.isCutOff(),
      () => presenter.send("wake", true),
    );
  }

  // Whether the app or the room does not answer now.
  isCutOff() {
    const { show, isOnline, lost } = this.presenter;
    if (this.comingBack.isGone()) return this.comingBack.isExpected();
    const isCutOff = !isAppConnected() || Boolean(show.room && !isOnline && !lost);
    this.wasCutOff ||= isCutOff;
    return isCutOff;
  }

  // The component was taken off the page: for a moment by an app that was restarted, or for good.
  leave() {
    this.comingBack.leave();
    clearPage();
    if (this.comingBack.isExpected()) this.presenter.steps.hold();
    else this.stop();
  }

  stop() {
    this.presenter.steps.stopWaiting();
    this.presenter.stage.stop();
    this.presenter.beats.leave();
    this.presenter.countdown.stop();
    this.line.stop();
  }

  // Whether keys are for the presenter: also those that are pressed while the app is restarted.
  isListening() {
    if (!this.comingBack.isGone() || this.comingBack.isExpected()) return true;
    this.stop();
    return false;
  }

  // The room does not answer any more. The first answers that it tells then may be those of a new one.
  loseRoom() {
    this.last ??= this.presenter.answers;
  }

  // The room tells its answers. A room that was opened again asks for words that it knew before.
  hearAnswers(answers) {
    if (answers?.number === this.last?.number) this.last = null;
    const { presenter, words } = this;
    if (!words || answers?.of !== words.of || answers.number === words.number) return;
    this.words = null;
    const revealed = presenter.revealed === presenter.show.asked?.number;
    for (const message of messagesAfterRestart(words.of, { ...words, revealed })) say(message);
  }

  // The words to a question that were closed when the room was lost, until it is told of them again; else null.
  closedWords(name) {
    const words = this.words ?? this.last;
    return words?.of === name && words.closed ? words : null;
  }

  // Before the presenter takes over what the app shows. Returns what to do after it.
  beginUpdate() {
    const { show, steps } = this.presenter;
    const answers = this.last ?? this.presenter.answers;
    const wasGone = this.comingBack.arrive();
    if ((wasGone || this.wasCutOff) && show?.asked) {
      this.before = show.asked;
      this.answers = answers?.of === this.before.name ? answers : null;
    }
    this.last = null;
    this.wasCutOff = false;
    this.line.watch();
    return () => {
      this.keepAnswerKnown();
      if (wasGone) steps.goOn();
    };
  }

  // A restarted app asks the question of its scene again. What was known or closed of it stays so. The votes on a known
  // answer stay too, since nobody can vote on it again. Words that were closed are told to the room.
  // A slow app shows the scene first and asks in a later run.
  keepAnswerKnown() {
    const { presenter, before, answers } = this;
    const { asked } = presenter.show;
    if (!asked || !before) return;
    this.before = null;
    if (asked.name !== before.name) return;
    if (answers?.words) this.words = answers;
    if (before.number === presenter.revealed) {
      presenter.revealed = asked.number;
      presenter.keptCounts = answers && { of: asked.number, counts: answers.counts };
    }
    presenter.takeAnswers(presenter.answers); // the class may have been asked again before this was known here
    if (before.number === presenter.votesOf) presenter.votesOf = asked.number;
    if (before.number === presenter.closed) {
      presenter.closed = asked.number;
      presenter.send("ask", "stop");
    }
  }
}
