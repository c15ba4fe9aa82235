// The beats of a presented lecture: one key plays all of them, another one goes the same way back.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Beats, beatBefore, firstWords } from "../../assets/components/teach/presenter/beats.js";

const ANSWERED = ["question", "answer", "point"];
const SAID = ["question", "point"];
const SCENES = [
  { beats: ANSWERED, question: "", point: "a" },
  { beats: SAID, question: "Why?", point: "b" },
  { beats: ["point"], question: "", point: "c" },
  { beats: ANSWERED, question: "And?", point: "d" },
];

// A presenter without a page. The app answers at once, unless it is slow.
class FakePresenter {
  constructor(scenes) {
    this.show = { asked: null, room: null };
    this.revealed = 0;
    this.closed = 0;
    this.asks = 0;
    this.isSlow = false;
    this.stage = { mark() {}, unmark() {} };
    this.steps = {
      scenes,
      at: 0,
      isHeld: false,
      scene: () => scenes[this.steps.at],
      next: () => (this.steps.at + 1 < scenes.length ? this.steps.at + 1 : undefined),
      previous: () => (this.steps.at > 0 ? this.steps.at - 1 : undefined),
      isOnItsWay: () => this.isSlow,
    };
    this.beats = new Beats(this);
    this.come(true);
  }

  // The server shows the wanted scene.
  come(asks) {
    this.isSlow = false;
    const isAsked = asks && this.steps.scene().beats.includes("answer");
    this.asks += isAsked;
    this.show.asked = isAsked ? { number: this.asks, ofScene: true, text: "Which?", words: false } : null;
    this.beats.arrive();
  }

  goTo(place, isAtEnd = false) {
    if (place === undefined) return;
    this.steps.at = place;
    this.beats.enter(place, isAtEnd);
    if (!this.waits) this.come(!isAtEnd);
    else this.isSlow = true;
  }

  asked() {
    if (this.beats.review) return this.beats.review.asked;
    const { asked } = this.show;
    return asked && asked.number !== this.closed && !this.isSlow ? asked : null;
  }

  isAnswerKnown() {
    return this.beats.review?.isKnown ?? this.asked()?.number === this.revealed;
  }

  isAnswerHidden() {
    return Boolean(this.asked()) && !this.isAnswerKnown();
  }

  revealAnswer() {
    if (this.beats.review) this.beats.review.isKnown = true;
    else this.revealed = this.asked().number;
  }

  closeQuestion() {
    if (!this.beats.review) this.beats.keep();
    this.beats.review = null;
    if (this.show.asked) this.closed = this.show.asked.number;
    this.beats.setWords("point");
  }

  counts() {
    return [3, 1];
  }

  words() {
    return null;
  }

  position() {
    return this.beats.isEndShown ? "end" : `${this.steps.at} ${this.beats.now()}`;
  }
}

let presenter;

beforeEach(() => {
  presenter = new FakePresenter(SCENES);
});

const ALL = SCENES.flatMap(({ beats }, place) => beats.map((beat) => `${place} ${beat}`));

test("one key plays every beat of every scene, and then the end slide", () => {
  const played = [presenter.position()];
  for (const _ of ALL) {
    presenter.beats.forward();
    played.push(presenter.position());
  }
  assert.deepEqual(played, [...ALL, "end"]);
  presenter.beats.forward();
  assert.equal(presenter.position(), "end");
});

test("the other key goes the same way back, and asks the class nothing again", () => {
  for (const _ of ALL) presenter.beats.forward();
  const { asks } = presenter;
  const played = [];
  for (const _ of ALL) {
    presenter.beats.back();
    played.push(presenter.position());
  }
  assert.deepEqual(played, ALL.toReversed());
  assert.equal(presenter.asks, asks);
  presenter.beats.back();
  assert.equal(presenter.position(), "0 question");
});

test("from a question that is looked at again the key goes on to its answer and its point", () => {
  for (let i = 0; i < 3; i++) presenter.beats.forward();
  for (let i = 0; i < 3; i++) presenter.beats.back();
  assert.equal(presenter.position(), "0 question");
  assert.deepEqual(presenter.beats.review.counts, [3, 1]);
  const played = [1, 2, 3].map(() => {
    presenter.beats.forward();
    return presenter.position();
  });
  assert.deepEqual(played, ["0 answer", "0 point", "1 question"]);
});

test("keys that are faster than the app pass over no question to the class", () => {
  presenter.goTo(2);
  presenter.waits = true;
  for (let i = 0; i < 5; i++) presenter.beats.forward();
  assert.equal(presenter.steps.at, 3);
  presenter.come(true);
  assert.equal(presenter.position(), "3 question");
});

test("keys that are faster than the app go on within a scene whose question is said", () => {
  presenter.waits = true;
  presenter.beats.forward();
  presenter.beats.forward();
  presenter.beats.forward();
  assert.equal(presenter.beats.words, "question");
  presenter.beats.forward();
  assert.deepEqual([presenter.steps.at, presenter.beats.words], [1, "point"]);
  presenter.come(true);
  assert.equal(presenter.position(), "1 point");
});

test("a question that cannot be asked is said", () => {
  presenter.waits = true;
  presenter.goTo(3);
  presenter.come(false);
  assert.equal(presenter.beats.words, "question");
  presenter.beats.forward();
  assert.equal(presenter.beats.words, "point");
});

test("a scene begins with its question, and with its point where the presenter comes back to its end", () => {
  assert.deepEqual(
    [ANSWERED, SAID, ["point"]].map((beats) => firstWords(beats, false)),
    ["", "question", "point"],
  );
  assert.equal(firstWords(ANSWERED, true), "point");
  assert.deepEqual(
    ANSWERED.map((beat) => beatBefore(ANSWERED, beat)),
    [undefined, "question", "answer"],
  );
});
