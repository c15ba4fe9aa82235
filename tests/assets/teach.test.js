// Teaching: the presenter's keys and steps, the laser, the clock of the notes, students' answers, the class's shares.
import assert from "node:assert/strict";
import { test } from "node:test";
import { differs } from "../../assets/components/app/screen_watch/screen_watch.js";
import { followStatus, questionStatus } from "../../assets/components/teach/follower/words.js";
import { parse } from "../../assets/components/teach/lecture_memory/lecture_memory.js";
import { actionOf, isStep, mayTake } from "../../assets/components/teach/presenter/keys.js";
import { placeOnPage } from "../../assets/components/teach/presenter/laser.js";
import { formatDuration } from "../../assets/components/teach/presenter/notes.js";
import { playableAfter, playableBefore, Steps } from "../../assets/components/teach/presenter/steps.js";
import { sharesOf } from "../../assets/components/teach/question.js";

test("keys of the presenter, and of a clicker", () => {
  const keys = ["PageDown", " ", "PageUp", "Home", "N", "Escape", ".", "B", "x"];
  const actions = ["goForward", "goForward", "goBack", "goToFirst", "openNotes", "stopOneThing"];
  assert.deepEqual(
    keys.map((key) => actionOf(key, true)),
    [...actions, "toggleBlank", "toggleBlank", undefined],
  );
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

test("the pointer's place does not depend on the size of the window", () => {
  const boxes = [
    { left: 0, top: 0, right: 100, bottom: 200, width: 100, height: 200 },
    { left: 20, top: 50, right: 60, bottom: 130, width: 40, height: 80 },
  ];
  assert.deepEqual(placeOnPage(boxes, { clientX: 30, clientY: 70 }), [1, 0.25, 0.25]); // the inner block
  assert.deepEqual(placeOnPage(boxes, { clientX: 90, clientY: 150 }), [0, 0.9, 0.75]);
  assert.equal(placeOnPage(boxes, { clientX: 300, clientY: 70 }), null);
});

test("the clock of the notes counts minutes and seconds", () => {
  assert.deepEqual([0, 9_999, 425_000, 3_600_000].map(formatDuration), ["0:00", "0:09", "7:05", "60:00"]);
});

test("the class's answers are shares of all", () => {
  assert.deepEqual(sharesOf([3, 1, 0]), [75, 25, 0]);
  assert.deepEqual(sharesOf([0, 0]), [0, 0]);
});

test("a student is told who presents, and what is wrong", () => {
  const state = { isAway: false, name: "Ada", isPresenterHere: true, isOnline: true, ended: "", hasQuestion: false };
  const told = (change) => followStatus({ ...state, ...change });
  assert.equal(told({}), "You follow Ada.");
  assert.equal(
    told({ name: "", isPresenterHere: false }),
    "You follow the presenter. the presenter is away; the last view stays.",
  );
  assert.equal(
    told({ isAway: true, hasQuestion: true }),
    "You explore on your own. Ada presents. A question is being asked.",
  );
  assert.equal(told({ isOnline: false }), "The connection is lost; trying again. Ada presents.");
  assert.equal(told({ ended: "The lecture has ended.", isOnline: false }), "The lecture has ended.");
});

test("a student is told what to do, and then what was right", () => {
  const open = { choices: ["red", "blue"] };
  assert.equal(questionStatus(open, null), "Choose, or press 1 to 2.");
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
