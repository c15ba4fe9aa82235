// Teaching: the presenter's keys and steps, the laser, the clock of the notes, students' answers, the class's shares.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { differs } from "../../assets/components/app/screen_watch/screen_watch.js";
import { growthOf } from "../../assets/components/shared/layout.js";
import { followStatus, questionStatus } from "../../assets/components/teach/follower/words.js";
import { parse } from "../../assets/components/teach/lecture_memory/lecture_memory.js";
import { scrollToFit, scrollToFocus, shrinkToFit } from "../../assets/components/teach/places.js";
import { actionOf, isStep, mayTake } from "../../assets/components/teach/presenter/keys.js";
import { blocksOf } from "../../assets/components/teach/presenter/notes_text.js";
import { largestOf } from "../../assets/components/teach/presenter/page_picture.js";
import { shareToFill } from "../../assets/components/teach/presenter/stage.js";
import { playableAfter, playableBefore, Steps } from "../../assets/components/teach/presenter/steps.js";
import {
  compareWithPlan,
  formatDuration,
  plannedMinutes,
  Stopwatch,
} from "../../assets/components/teach/presenter/stopwatch.js";
import { sharesOf } from "../../assets/components/teach/question.js";

const NOTES_CASES = JSON.parse(readFileSync(new URL("./notes_cases.json", import.meta.url), "utf8"));

test("keys of the presenter, and of a clicker", () => {
  const keys = ["PageDown", " ", "PageUp", "Home", "N", "Z", "Escape", ".", "B", "x"];
  const actions = ["goForward", "goForward", "goBack", "goToFirst", "openNotes", "toggleZoom", "stopOneThing"];
  assert.deepEqual(
    keys.map((key) => actionOf(key, true)),
    [...actions, "toggleBlank", "toggleBlank", undefined],
  );
});

test("a page is scrolled as little as brings the focus into view, and its top in any case", () => {
  const room = { top: 80, bottom: 600 };
  const boxes = [
    { top: 100, bottom: 500 },
    { top: 300, bottom: 700 },
    { top: 300, bottom: 1200 },
    { top: 40, bottom: 300 },
  ];
  assert.deepEqual(
    boxes.map((box) => scrollToFit(box, room)),
    [0, 100, 220, -40],
  );
});

test("of a focus that a small screen cannot show whole, the share that is named is shown", () => {
  const room = { top: 0, bottom: 700 };
  const scrolled = [0, 0.5, 1].map((share) => scrollToFocus({ top: 100, bottom: 1800 }, share, room));
  assert.deepEqual(scrolled, [100, 600, 1100]);
  assert.equal(scrollToFocus({ top: 100, bottom: 750 }, 1, room), 50);
});

test("a focus that is too high is drawn smaller, and never larger", () => {
  assert.deepEqual([shrinkToFit(800, 400), shrinkToFit(300, 400)], [0.5, 1]);
});

test("a low picture is laid out narrower to be enlarged, and not too narrow", () => {
  assert.deepEqual([shareToFill(300, 600), shareToFill(10, 600), shareToFill(900, 600)], [0.5, 1 / 3, 1]);
});

test("a picture grows as far as both its sides have room", () => {
  assert.deepEqual([growthOf(3, 2.5), growthOf(1.5, 3), growthOf(3, 1.25), growthOf(0.9, 2)], [2, 1.45, 1.2, 1]);
});

test("without a lecture only the class's keys are left", () => {
  assert.deepEqual(
    ["a", "b", "l", "f"].map((key) => Boolean(actionOf(key, false))),
    [true, true, true, true],
  );
  assert.deepEqual(
    ["PageDown", "n", "Escape"].map((key) => actionOf(key, false)),
    [undefined, undefined, undefined],
  );
});

test("a key that is held down must not run through the lecture", () => {
  assert.deepEqual(["PageDown", "ArrowLeft", "b", "End"].map(isStep), [true, true, false, false]);
});

// A key pressed where the focus is within elements of these kinds.
function pressed(key, kinds, more = {}) {
  const within = { closest: (selector) => kinds.some((kind) => selector.split(", ").includes(kind)) };
  return { key, composedPath: () => [within], defaultPrevented: false, ...more };
}

test("fields keep all keys, other controls their own, and the clicker's keys always work", () => {
  assert.equal(mayTake(pressed("b", ["textarea"])), false);
  assert.deepEqual(
    ["ArrowRight", " ", "Enter", "PageDown", "b"].map((key) => mayTake(pressed(key, ["button"]))),
    [false, false, false, true, true],
  );
  assert.equal(mayTake(pressed("ArrowRight", ["button", ".presenter"])), true);
  assert.equal(mayTake(pressed(" ", ["button", ".presenter", ".presenter button"])), false);
  assert.equal(mayTake(pressed("PageDown", [], { ctrlKey: true })), false);
  assert.equal(mayTake(pressed("PageDown", [], { defaultPrevented: true })), false);
});

const SCENES = [false, true, false, true, true].map((playable) => ({ playable }));

test("scenes that cannot be played are stepped over", () => {
  assert.deepEqual(
    [-1, 1, 4].map((at) => playableAfter(SCENES, at)),
    [1, 3, undefined],
  );
  assert.deepEqual(
    [5, 3, 1].map((at) => playableBefore(SCENES, at)),
    [4, 1, undefined],
  );
});

// Steps on a page whose app is idle. `wait` lets as many checks pass.
function idleSteps(t) {
  let check = () => {};
  t.mock.method(globalThis, "setInterval", (act) => {
    check = act;
    return 1;
  });
  t.mock.method(globalThis, "clearInterval", () => {
    check = () => {};
  });
  const wait = (checks) => {
    for (let i = 0; i < checks; i++) check();
  };
  const app = { dataset: { testConnectionState: "CONNECTED", testScriptState: "notRunning" } };
  globalThis.document = { querySelector: () => app };
  t.after(() => delete globalThis.document);
  const taken = [];
  const redrawn = [];
  const steps = new Steps(
    (scene) => taken.push(scene),
    () => redrawn.push(steps.at),
  );
  steps.update(SCENES, 1);
  return { steps, taken, redrawn, app, wait };
}

test("a second press goes on from where the first one leads", (t) => {
  const { steps, taken } = idleSteps(t);
  assert.ok(steps.go(steps.next()));
  assert.ok(steps.go(steps.next()));
  assert.deepEqual([steps.at, steps.isOnItsWay()], [4, true]);
  assert.deepEqual(taken, [3, 4]);
  steps.update(SCENES, 3); // the first one comes
  assert.equal(steps.at, 4);
  steps.update(SCENES, 4);
  assert.equal(steps.isOnItsWay(), false);
  assert.equal(steps.go(4), false);
});

test("a step that was lost is taken again, and one that is refused is given up", (t) => {
  const { steps, taken, redrawn, app, wait } = idleSteps(t);
  steps.go(3);
  app.dataset.testScriptState = "running";
  wait(10);
  assert.deepEqual(taken, [3]); // the app is at work
  app.dataset.testScriptState = "notRunning";
  wait(2);
  assert.deepEqual(taken, [3, 3]);
  wait(20);
  assert.deepEqual(taken, [3, 3, 3, 3]);
  assert.deepEqual([steps.at, redrawn], [1, [1]]);
});

test("keys that are pressed while the app is restarted are kept and taken once", (t) => {
  const { steps, taken, wait } = idleSteps(t);
  steps.hold();
  steps.go(steps.next());
  steps.go(steps.next());
  steps.go(steps.previous());
  wait(10);
  assert.deepEqual(taken, []);
  steps.update(SCENES, 1); // the app is back, and shows what it showed
  assert.equal(steps.at, 3);
  steps.goOn();
  assert.deepEqual(taken, [3]);
  steps.update(SCENES, 3);
  wait(10);
  assert.deepEqual(taken, [3]);
});

test("an app that is restarted without a key pressed shows the scene that it shows", (t) => {
  const { steps, taken } = idleSteps(t);
  steps.hold();
  steps.update(SCENES, 1);
  steps.goOn();
  assert.deepEqual([steps.at, taken], [1, []]);
  steps.update(SCENES, 3); // the browser's back button
  assert.equal(steps.at, 3);
});

test("the clock of the notes counts minutes and seconds", () => {
  assert.deepEqual([0, 9_999, 425_000, 3_600_000].map(formatDuration), ["0:00", "0:09", "7:05", "60:00"]);
});

test("the class's answers are shares of all", () => {
  assert.deepEqual(sharesOf([3, 1, 0]), [75, 25, 0]);
  assert.deepEqual(sharesOf([0, 0]), [0, 0]);
});

test("a student is told who presents, and what is wrong", () => {
  const here = { isAway: false, isPresenterHere: true, isOnline: true, isApart: false };
  const state = { ...here, name: "Ada", ended: "", hasQuestion: false };
  const told = (change) => followStatus({ ...state, ...change });
  assert.equal(told({}), "You follow Ada.");
  assert.equal(
    told({ name: "", isPresenterHere: false }),
    "You follow the presenter. The presenter is away; the last view stays.",
  );
  assert.equal(
    told({ isAway: true, hasQuestion: true }),
    "You explore on your own. Ada presents. A question is being asked.",
  );
  assert.equal(told({ isApart: true }), "You follow Ada. Ada cannot be reached now; the last view stays.");
  assert.equal(told({ isApart: true, isPresenterHere: false }), told({ isApart: true }));
  assert.match(told({ isOnline: false }), /The lecture comes back by itself\.$/);
  assert.equal(told({ ended: "The lecture has ended.", isOnline: false }), "The lecture has ended.");
});

test("a student is told what to do, and then what was right", () => {
  const open = { choices: ["red", "blue"] };
  assert.equal(questionStatus(open, null), "Choose an answer.");
  assert.equal(questionStatus(open, 1), "You chose B. You can change it until the answer is shown.");
  const known = { ...open, answer: 0 };
  assert.equal(questionStatus(known, null), "The answer is A, red.");
  assert.equal(questionStatus(known, 0), "Right: A, red.");
  assert.equal(questionStatus(known, 1), "You chose B. The answer is A, red.");
});

test("what a browser kept is read, whatever it is", () => {
  assert.deepEqual([null, "null", "{", '{"room":1}'].map(parse), [{}, {}, {}, { room: 1 }]);
});

test("only a very different screen is told", () => {
  assert.equal(differs([16, 900], [16, 1100]), false);
  assert.equal(differs([16, 1500], [16, 1100]), true);
  assert.equal(differs([40, 1100], [16, 1100]), true);
});

test("notes: bold words, lists, and everything else as it was written", () => {
  for (const [text, expected] of NOTES_CASES) {
    const found = blocksOf(text).map(({ kind, lines }) => [
      kind,
      lines.map((parts) => parts.map(({ text, bold }) => [text, bold])),
    ]);
    assert.deepEqual(found, expected, text);
  }
});

test("a scene's time goes on when it is shown again, and is told apart from its plan", () => {
  const watch = new Stopwatch();
  watch.enter(0, 1000);
  watch.enter(1, 61_000);
  watch.enter(1, 70_000);
  assert.equal(watch.timeOf(91_000), 30_000);
  watch.enter(0, 91_000);
  assert.equal(watch.timeOf(101_000), 70_000);
  assert.deepEqual(compareWithPlan(70_000, 1), { text: "1:10 of 1:00", isOver: true });
  assert.deepEqual(compareWithPlan(70_000, 1.5), { text: "1:10 of 1:30", isOver: false });
  assert.deepEqual(compareWithPlan(70_000, 0), { text: "1:10", isOver: false });
  assert.equal(plannedMinutes([{ minutes: 2 }, {}, { minutes: 0.5 }]), 2.5);
});

test("the picture of a page is the largest of what could be one", () => {
  const box = (width, height) => ({ width, height });
  assert.equal(largestOf([box(20, 20), box(300, 200), box(200, 100)]), 1);
  assert.equal(largestOf([box(20, 20)]), -1);
  assert.equal(largestOf([]), -1);
});
