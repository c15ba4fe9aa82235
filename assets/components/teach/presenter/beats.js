// The beats of a scene: its question, the answer of the class, its point (pages/teach/lectures/scene_beats.py). Page
// Down goes through them and on to the next scene, Page Up the same way back. After the last scene comes the end slide.
import { say } from "../room.js";

// The beat before one of a scene; undefined for its first.
export const beatBefore = (beats, beat) => beats[beats.indexOf(beat) - 1];

// Which of its words a scene begins with. A question to the class covers the page, and stands beside no title.
export function firstWords(beats, isAtEnd) {
  if (isAtEnd || beats[0] === "point") return "point";
  return beats.includes("answer") ? "" : "question";
}

export class Beats {
  constructor(presenter) {
    this.presenter = presenter;
    this.place = -1; // the scene that these are of
    this.words = ""; // what stands beside its title: "question", "point" or nothing
    this.isNew = false; // the scene has not come yet
    this.isEndShown = false;
    this.past = new Map(); // scene -> the question that the class answered there
    this.review = null; // the one that is looked at again; the class sees nothing of this
  }

  // The scene that is wanted. It may still be on its way.
  enter(place, isAtEnd = false) {
    const { beats } = this.presenter.steps.scenes[place];
    Object.assign(this, { place, review: null, isEndShown: false, isNew: true });
    this.words = firstWords(beats, isAtEnd);
  }

  // The server shows a scene. A question that could not be asked is said.
  arrive() {
    const { steps, show } = this.presenter;
    const scene = steps.scene();
    if (!scene || steps.isOnItsWay()) return;
    if (this.place !== steps.at) this.enter(steps.at);
    if (!this.isNew) return;
    this.isNew = false;
    if (!this.words && !show.asked) this.words = scene.question ? "question" : "point";
    this.tell();
  }

  leave() {
    Object.assign(this, { place: -1, words: "", review: null, isEndShown: false });
    this.past.clear();
    delete document.documentElement.dataset.sceneWords;
  }

  // The class reads the question of the scene on its own devices too.
  tell() {
    if (this.presenter.show?.room) say({ aside: this.words === "question" });
  }

  setWords(words) {
    this.words = words;
    this.tell();
    if (words === "point") this.presenter.stage.mark();
    else this.presenter.stage.unmark();
  }

  toggleQuestion() {
    if (this.presenter.steps.scene()?.question) this.setWords(this.words === "question" ? "point" : "question");
  }

  togglePoint() {
    if (this.presenter.steps.scene()) this.setWords(this.words === "point" ? "" : "point");
  }

  // The beat on the screen.
  now() {
    const { presenter } = this;
    if (presenter.asked()) return presenter.isAnswerKnown() ? "answer" : "question";
    return this.words === "question" ? "question" : "point";
  }

  // A scene whose question to the class has not come yet: a key that is pressed twice must not pass it over.
  isQuestionAwaited() {
    const { steps } = this.presenter;
    return steps.isOnItsWay() && !steps.isHeld && this.words === "";
  }

  forward() {
    const { presenter } = this;
    const { steps } = presenter;
    if (this.isEndShown || this.isQuestionAwaited()) return;
    if (presenter.isAnswerHidden()) presenter.revealAnswer();
    else if (presenter.asked()) presenter.closeQuestion();
    else if (this.words !== "point" && !steps.isOnItsWay()) this.setWords("point");
    else if (this.words === "question") this.words = "point";
    else if (steps.next() !== undefined) presenter.goTo(steps.next());
    else this.isEndShown = true;
  }

  back() {
    if (this.isEndShown) {
      this.isEndShown = false;
      return;
    }
    const { presenter } = this;
    const before = beatBefore(presenter.steps.scene().beats, this.now());
    const past = this.past.get(this.place);
    if (before === "answer" && past) this.lookAgain({ ...past, isKnown: true });
    else if (before === "question" && this.now() === "answer") this.lookAgain({ ...this.record(), isKnown: false });
    else if (before === "question") this.setWords("question");
    else presenter.goTo(presenter.steps.previous(), true);
  }

  lookAgain(review) {
    this.setWords("");
    this.review = review;
  }

  // What the class was asked and answered, as it is on the screen.
  record() {
    const { presenter } = this;
    return { asked: presenter.asked(), counts: presenter.counts(), words: presenter.words() };
  }

  // Keeps the question that is about to be closed, to come back to it. One that a key asked is not of the scene.
  keep() {
    const { presenter } = this;
    if (presenter.asked().ofScene && presenter.isAnswerKnown()) this.past.set(this.place, this.record());
  }

  // What the key does next, for the buttons.
  label() {
    if (this.presenter.isAnswerHidden()) return "Answer";
    return this.words === "question" ? "Point" : "Next";
  }

  show() {
    document.documentElement.dataset.sceneWords = this.words;
  }
}
