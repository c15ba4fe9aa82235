// The run bar without a page: its words, its keys, its places, and the sentences that a browser keeps.
import assert from "node:assert/strict";
import { test } from "node:test";
import { anotherText, tokenToChoose, typedTexts } from "../../assets/components/app/run_bar/demonstration.js";
import { describeButton, describeUndo } from "../../assets/components/app/run_bar/edit_signs.js";
import { MOST, parseSentences, withNewest } from "../../assets/components/app/run_bar/last_sentences.js";
import { placePanel } from "../../assets/components/app/run_bar/panel.js";
import { veilBoxes, veilHeights } from "../../assets/components/app/run_bar/plot_rows.js";
import { describeRun, describeSize } from "../../assets/components/app/run_bar/run_bar.js";
import { firstDrawn } from "../../assets/components/app/run_bar/sentence_chips.js";
import { commandOf, describeBegin, describeLength } from "../../assets/components/app/run_bar/sentence_editor.js";
import { changed, newTurn, nextRole, readTurns, sameTurns } from "../../assets/components/app/run_bar/turn_editor.js";

test("the size of a sentence and the time of its run", () => {
  assert.equal(describeRun({ count: 11, limit: 256, milliseconds: 41.4 }), "11 of 256 tokens · 41 ms");
  assert.equal(describeRun({ count: 300, limit: 256, milliseconds: null }), "300 of 256 tokens");
  assert.equal(describeRun({ count: 3, limit: 256, milliseconds: 0.02 }), "3 of 256 tokens · below 0.1 ms");
  assert.equal(describeRun({ count: null, limit: 64, milliseconds: null }), "at most 64 tokens");
  assert.equal(describeSize({ count: 11, limit: 256 }), "11/256");
  assert.equal(describeSize({ count: null, limit: 64 }), "≤ 64");
});

test("the button says which head it mutes, and what that does", () => {
  const head = { id: "decoder.3.self_attn.2", title: "Layer 3, head 2", is_muted: false, is_full: false };
  assert.equal(describeButton(head), "Mute this head: layer 3, head 2 then adds nothing (M)");
  assert.equal(describeButton({ ...head, is_muted: true }), "Layer 3, head 2 is muted: let it speak again (M)");
  assert.match(describeButton({ ...head, is_full: true }), /^No more parts/);
  assert.equal(describeButton(null), "");
});

test("a sign says how its part comes back", () => {
  const title = "Layer 3, head 2";
  assert.equal(describeUndo({ title, how: "muted" }), "Undo: Layer 3, head 2 speaks again");
  assert.equal(describeUndo({ title, how: "× 1.5" }), "Undo: Layer 3, head 2 is as it was");
});

test("the begin token is named, with what the model's own tokenizer does", () => {
  const token = "<|endoftext|>";
  const [words, usual] = describeBegin({ token, is_on: true, is_usual: false });
  assert.equal(words, "Begin with <|endoftext|>");
  assert.equal(usual, "the model's tokenizer does not put it there");
  assert.equal(describeBegin({ token, is_on: true, is_usual: true })[1], "the model's tokenizer puts it there");
});

test("the editor says how long a text is, and what to do with one that is too long", () => {
  assert.equal(describeLength(38, 10_000), "38 of 10,000 characters");
  assert.equal(describeLength(10_000, 10_000), "10,000 of 10,000 characters");
  assert.equal(describeLength(600_000, 10_000), "600,000 of 10,000 characters: too long to run. Take out 590,000.");
});

test("Enter runs, Shift and Enter makes a line, Escape goes back; not while a letter is composed", () => {
  assert.equal(commandOf({ key: "Enter" }), "run");
  assert.equal(commandOf({ key: "Enter", ctrlKey: true }), "run");
  assert.equal(commandOf({ key: "Enter", shiftKey: true }), undefined);
  assert.equal(commandOf({ key: "Escape" }), "back");
  assert.equal(commandOf({ key: "Enter", isComposing: true }), undefined);
  assert.equal(commandOf({ key: "e" }), undefined);
});

test("the newest sentence is first, each is kept once, and at most ten are", () => {
  assert.deepEqual(withNewest(["a", "b"], "c"), ["c", "a", "b"]);
  assert.deepEqual(withNewest(["a", "b"], "b"), ["b", "a"]);
  assert.deepEqual(withNewest(["a"], "  "), ["a"]);
  const many = Array.from({ length: MOST }, (_, i) => String(i));
  assert.deepEqual(withNewest(many, "new"), ["new", ...many.slice(0, MOST - 1)]);
});

test("what a browser keeps may be damaged", () => {
  assert.deepEqual(parseSentences('["a", 3, "b"]'), ["a", "b"]);
  assert.deepEqual(parseSentences(null), []);
  assert.deepEqual(parseSentences("{"), []);
  assert.deepEqual(parseSentences('{"a": 1}'), []);
});

test("a panel opens below a bar at the top, above a bar at the foot, and stays in the window", () => {
  const view = { width: 1000, height: 800 };
  const below = placePanel({ left: 100, top: 10, bottom: 50 }, 400, view);
  assert.deepEqual(below, { left: "100px", width: "400px", top: "54px", bottom: "auto", maxHeight: "738px" });
  const above = placePanel({ left: 100, top: 700, bottom: 740 }, 400, view);
  assert.deepEqual(above, { left: "100px", width: "400px", top: "auto", bottom: "104px", maxHeight: "688px" });
  assert.equal(placePanel({ left: 900, top: 0, bottom: 9 }, 400, view).left, "592px");
  assert.equal(placePanel({ left: 0, top: 0, bottom: 9 }, 4000, view).width, "984px");
});

test("the tour's sentence is typed letter by letter, or at once where less motion is asked for", () => {
  assert.deepEqual(typedTexts("a😀b", false), ["a", "a😀", "a😀b"]);
  assert.deepEqual(typedTexts("a😀b", true), ["a😀b"]);
});

test("the tour types a sentence that is not on screen, and chooses a token that is not chosen", () => {
  assert.equal(anotherText(["one", "two"], "one"), "two");
  assert.equal(anotherText(["one", "two"], "three"), "one");
  const tokens = [{ special: true }, { special: false }, { special: false }, { special: true }];
  assert.equal(tokenToChoose({ tokens, selected: null }), 2);
  assert.equal(tokenToChoose({ tokens, selected: 2 }), 1);
  assert.equal(tokenToChoose({ tokens: tokens.slice(0, 1), selected: null }), undefined);
});

test("the veils cover every row of a heatmap but one", () => {
  assert.deepEqual(veilHeights(1, 4), [0.25, 0.5]);
  assert.deepEqual(veilHeights(4, 4), []);
  assert.deepEqual(veilHeights(-1, 4), []);
  const [box, outer] = [
    { left: 30, top: 20, width: 200, height: 80 },
    { left: 10, top: 5 },
  ];
  assert.deepEqual(veilBoxes(box, outer, 1, 4), [
    { left: 20, top: 15, width: 200, height: 20 },
    { left: 20, top: 55, width: 200, height: 40 },
  ]);
  assert.deepEqual(veilBoxes(box, outer, 0, 4), [{ left: 20, top: 35, width: 200, height: 60 }]);
  assert.deepEqual(veilBoxes(box, outer, 9, 4), []);
});

test("of a long text the part that holds a newly chosen token is drawn", () => {
  assert.equal(firstDrawn(1024, 950, 0), 800);
  assert.equal(firstDrawn(1024, 3, 800), 0);
  assert.equal(firstDrawn(1024, null, 400), 400, "a part that the reader has turned to stays");
  assert.equal(firstDrawn(1024, 410, 400), 400);
  assert.equal(firstDrawn(90, null, 400), 0, "another text is shorter");
});

test("turns as the server takes them", () => {
  const [user, answer] = [
    newTurn("user", "say <|im_end|>"),
    { ...newTurn("assistant", "hi"), goes_on: true, ids: [7] },
  ];
  assert.deepEqual(readTurns([answer, user])[0], { ...answer, goes_on: false });
  assert.deepEqual(readTurns([user, answer])[1], answer);
  assert.equal(readTurns([{ ...user, goes_on: true }])[0].goes_on, false);
  assert.equal(readTurns([{ ...user, has_control: true }])[0].has_control, true);
  assert.equal(readTurns([{ ...newTurn("user", "plain"), has_control: true }])[0].has_control, false);
  assert.equal(readTurns([newTurn("user", "\ud800")])[0].text, "\ufffd");
});

test("a changed text is not what the model wrote", () => {
  const answer = { ...newTurn("assistant", "hi"), ids: [7] };
  assert.deepEqual(changed(answer, { text: "ho" }), newTurn("assistant", "ho"));
  assert.deepEqual(changed(answer, { goes_on: true }), { ...answer, goes_on: true });
  assert.equal(sameTurns([answer], [{ ...answer }]), true);
  assert.equal(sameTurns([answer], [changed(answer, { text: "ho" })]), false);
});

test("the user speaks first, and then each in turn", () => {
  assert.equal(nextRole([]), "user");
  assert.equal(nextRole([newTurn("system")]), "user");
  assert.equal(nextRole([newTurn("user")]), "assistant");
});
