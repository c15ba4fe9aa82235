// What all components share: keys, places on a scale, steps of a playback, labels, frames of the screen.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clipText } from "../../assets/components/shared/canvas.js";
import { announcePlace, watchPlaces } from "../../assets/components/shared/chosen_place.js";
import { moreOf, moveFor } from "../../assets/components/shared/edges.js";
import { replaceHalves } from "../../assets/components/shared/fields.js";
import { hasArabicScript } from "../../assets/components/shared/fonts.js";
import { FrameLoop } from "../../assets/components/shared/frame_loop.js";
import { arrowStep, clampIndex, listStep, pressInGrid } from "../../assets/components/shared/keyboard.js";
import { beginCall } from "../../assets/components/shared/mount.js";
import { stepAfter } from "../../assets/components/shared/playback.js";
import {
  announceChoice,
  announceToken,
  watchChoices,
  watchQueries,
} from "../../assets/components/shared/pointed_token.js";
import { rampColour, rampCss, signedStep, unitStep } from "../../assets/components/shared/scales.js";
import { inkOn, isDarkColour } from "../../assets/components/shared/theme.js";
import { plainLabel } from "../../assets/components/shared/tokens.js";

test("arrows step to the right and down", () => {
  assert.deepEqual(arrowStep("ArrowRight"), [1, 0]);
  assert.deepEqual(arrowStep("ArrowUp"), [0, -1]);
  assert.equal(arrowStep("a"), undefined);
});

test("in a grid arrows lead to the cell beside, at the edge to the same one, and Enter and Space act", () => {
  const told = [];
  const deeds = { move: ({ row, column }) => told.push([row, column]), act: () => told.push("act") };
  const press = (key, cell, acts = deeds) => {
    let isPrevented = false;
    const event = { key, preventDefault: () => (isPrevented = true) };
    const isOfGrid = pressInGrid(event, cell, { rows: 2, columns: 3 }, acts);
    assert.equal(isOfGrid, isPrevented);
    return isOfGrid;
  };
  for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Enter", " "])
    assert.ok(press(key, { row: 0, column: 2 }));
  assert.deepEqual(told, [[0, 2], [1, 2], [0, 1], [0, 2], "act", "act"]);
  assert.equal(press("a", { row: 0, column: 0 }), false);
  assert.equal(press("Enter", { row: 0, column: 0 }, { move: deeds.move }), false);
});

test("an index is kept within its row", () => {
  assert.deepEqual(
    [-1, 0, 4, 5].map((index) => clampIndex(index, 5)),
    [0, 0, 4, 4],
  );
});

test("keys lead along a list, to its ends, and nowhere else", () => {
  const directions = { forward: ["ArrowDown"], back: ["ArrowUp"] };
  const next = (key) => listStep(key, 3, 8, directions);
  assert.deepEqual(["ArrowDown", "ArrowUp", "Home", "End", "ArrowLeft"].map(next), [4, 2, 0, 7, undefined]);
});

test("the buttons of a playback lead to their step", () => {
  const after = (action) => stepAfter(action, 3, 9);
  assert.deepEqual(["restart", "back", "step", "end", "play"].map(after), [0, 2, 4, 9, undefined]);
});

test("numbers have places on a scale of 256, and those outside are at its ends", () => {
  assert.deepEqual([-1, 0, 0.5, 1, 2].map(unitStep), [0, 0, 128, 255, 255]);
  assert.deepEqual([-3, -1, 0, 1, 3].map(signedStep), [0, 0, 128, 255, 255]);
});

test("a ramp holds four bytes a colour", () => {
  const ramp = Uint8ClampedArray.from({ length: 1024 }, (_, i) => i % 251);
  assert.deepEqual([...rampColour(ramp, 2)], [8, 9, 10, 11]);
  assert.equal(rampCss(ramp, 2), "rgb(8,9,10)");
});

test("a part has more on the sides where it was not moved to its end", () => {
  const more = (left) => moreOf({ left, inner: 300, whole: 700 });
  assert.deepEqual([0, 150, 400].map(more), ["right", "both", "left"]);
  assert.equal(moreOf({ left: 0, inner: 300, whole: 301 }), "");
});

test("a part is moved to what is chosen, but not where that is in sight, nor beyond its end", () => {
  const move = (place, left = 0) => moveFor(place, { left, inner: 300, whole: 700 });
  assert.equal(move([20, 40]), 0);
  assert.equal(move([500, 520]), 360);
  assert.equal(move([680, 700]), 400);
  assert.equal(move([20, 40], 400), 0);
});

test("words on a colour are black or white", () => {
  assert.equal(inkOn(255, 255, 255), "#000000");
  assert.equal(inkOn(0, 75, 131), "#ffffff");
  assert.equal(inkOn(66, 141, 192), "#000000"); // 0.60 on the scale of weights: white has 3.6 to 1 there
  assert.ok(isDarkColour(0, 0, 255) && !isDarkColour(0, 230, 0));
});

test("a label loses the dots of its spaces, unless it has nothing else", () => {
  assert.deepEqual(["·fox", "··", "a·b", ""].map(plainLabel), ["fox", "·", "a·b", ""]);
});

test("Arabic script is seen, also amid other letters", () => {
  assert.deepEqual(["ہوں", "<b>ہ", "fox", "…"].map(hasArabicScript), [true, true, false, false]);
});

test("a text is clipped to its room, and keeps a letter", () => {
  const pen = { measureText: (text) => ({ width: 10 * text.length }) };
  assert.equal(clipText(pen, "attention", 90), "attention");
  assert.equal(clipText(pen, "attention", 50), "atte…");
  assert.equal(clipText(pen, "attention", 5), "a…");
});

test("a call that was overtaken is not the last one of its place", () => {
  const [place, other] = [{}, {}];
  const first = beginCall(place);
  assert.equal(first(), true);
  const second = beginCall(place);
  beginCall(other);
  assert.deepEqual([first(), second()], [false, true]);
});

test("a loop tells the time that was not taken again, and ends when it is stopped", (t) => {
  const frames = [];
  let now = 100;
  t.mock.method(performance, "now", () => now);
  globalThis.requestAnimationFrame = (draw) => frames.push(draw);
  globalThis.cancelAnimationFrame = () => {};
  const told = [];
  const loop = new FrameLoop((milliseconds) => {
    told.push(milliseconds);
    if (told.length === 4) loop.stop();
    return milliseconds >= 30;
  });
  loop.start();
  while (frames.length) {
    now += 20;
    frames.shift()(now);
  }
  assert.deepEqual(told, [20, 40, 20, 40]);
  assert.equal(loop.isRunning(), false);
});

test("half of a character is replaced, a whole one stays", () => {
  assert.equal(replaceHalves("a\ud800b\udc00\udc00"), "a\ufffdb\ufffd\ufffd");
  assert.equal(replaceHalves("fox 🦊 ہوں"), "fox 🦊 ہوں");
});

test("a picture hears of the queries that are pointed at, until it ends", () => {
  globalThis.window = new EventTarget();
  try {
    const [first, second] = [[], []];
    const end = watchQueries((place) => first.push(place));
    watchQueries((place) => second.push(place));
    announceToken("query", 3);
    announceToken("key", 1);
    announceToken("query", null);
    end();
    announceToken("query", 2);
    assert.deepEqual(first, [3, null]);
    assert.deepEqual(second, [3, null, 2]);
  } finally {
    delete globalThis.window;
  }
});

test("a picture hears which token a click has chosen, until its watch ends", () => {
  globalThis.window = new EventTarget();
  try {
    const heard = [];
    const end = watchChoices((role, place) => heard.push([role, place]));
    announceChoice("query", 3);
    announceToken("query", 4);
    announceChoice("key", null);
    end();
    announceChoice("query", 2);
    assert.deepEqual(heard, [
      ["query", 3],
      ["key", null],
    ]);
  } finally {
    delete globalThis.window;
  }
});

test("a picture hears which layer or head the bar has chosen, until its watch ends", () => {
  globalThis.window = new EventTarget();
  try {
    const heard = [];
    const end = watchPlaces((name, value) => heard.push([name, value]));
    announcePlace("layer", 3);
    end();
    announcePlace("head", 1);
    assert.deepEqual(heard, [["layer", 3]]);
  } finally {
    delete globalThis.window;
  }
});
