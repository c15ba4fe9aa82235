// The names of layers and rows on the map: once each, and in sight at every zoom.
import assert from "node:assert/strict";
import { test } from "node:test";
import { placeHeaders } from "../../assets/components/home/model_map/headers.js";
import { placeLabels } from "../../assets/components/home/model_map/labels.js";
import { inSight, Layout } from "../../assets/components/home/model_map/layout.js";
import { JSON_LAYOUT, layout, WINDOW } from "./model_map_layout.js";

const measure = (text) => text.length * 7;
const BESIDE = [70, 30]; // pixels left free at the left and above

// What is named in a window whose left upper corner is at a point of the world, with `k` pixels for a world unit.
function look([left, top], k, drawn = layout, size = WINDOW) {
  const toScreen = ([x, y, width, height]) => [(x - left) * k, (y - top) * k, width * k, height * k];
  const seen = inSight(drawn, { box: [left, top, size[0] / k, size[1] / k], k });
  const context = { toScreen, size, measure, layout: drawn, chosen: null };
  return { ...placeLabels(seen, context), context: { ...context, type: 12, line: 15 } };
}
const textsOf = ({ labels }) => labels.map(({ text }) => text);
const count = (texts, text) => texts.filter((each) => each === text).length;

test("on the whole model each layer and each row of heads is named once", () => {
  const texts = textsOf(look([-BESIDE[0], -BESIDE[1]], 1));
  for (const name of ["Layer 0", "Layer 1", "Head 0", "Head 1"]) assert.equal(count(texts, name), 1, name);
});

test("at every zoom the layers stand above and the heads at the left, once each, inside the window", () => {
  for (const k of [1, 2, 3.7, 6]) {
    for (const corner of [
      [110, 20],
      [150, 60],
      [230, 130],
    ]) {
      const seen = look(corner, k);
      const names = seen.labels.filter(({ text }) => /^(Layer|Head) \d$|^Head \d/.test(text));
      assert.deepEqual(names.length, new Set(names.map(({ text }) => text)).size, `${k} at ${corner}`);
      assert.ok(names.some(({ text }) => text.startsWith("Layer")) && names.some(({ text }) => text.includes("Head")));
      for (const { x, y, width, height } of names) {
        assert.ok(x >= 0 && y >= 0 && x + width <= WINDOW[0] && y + height <= WINDOW[1], `${k} at ${corner}`);
      }
    }
  }
});

test("a layer that is cut keeps its name over the part that is seen", () => {
  const { labels } = look([180, 20], 4); // layer 0 ends at 200, layer 1 begins at 210
  const [first, second] = ["Layer 0", "Layer 1"].map((name) => labels.find(({ text }) => text === name));
  assert.ok(!first || first.x + first.width <= 80);
  assert.ok(second.x >= 120 && second.x + second.width <= 520);
});

test("the strips take the place of other labels, and what stands beside the layers stays in sight", () => {
  const { labels, strips } = look([150, 60], 3.7);
  assert.equal(strips.length, 2);
  const isOn = (label) =>
    strips.some(([x, y, width, height]) => label.x >= x && label.y >= y && label.x < x + width && label.y < y + height);
  const names = labels.filter(({ text }) => /^(Layer|Head) \d/.test(text));
  assert.ok(names.every(isOn));
  assert.ok(labels.filter((label) => !names.includes(label)).every((label) => !isOn(label)));
  assert.deepEqual(look([-BESIDE[0], -BESIDE[1]], 1).strips, []); // nothing is cut there
});

test("a head that fills the window has its name beside that of its layer", () => {
  const { labels, strips } = look([212, 112], 8);
  assert.deepEqual(
    labels
      .filter(({ font }) => font.startsWith("600"))
      .slice(-2)
      .map(({ text }) => text),
    ["Head 1", "Layer 1"],
  );
  assert.ok(strips.every(([, y, , height]) => y === 0 && height < 40)); // no strip at the left
});

test("of a row of two heads, the one that fills the window alone has its name", () => {
  const heads = [0, 1].map((number) => ({ title: `Head ${number}`, box: [number * 55, 0, 50, 100] }));
  const groups = ["{id}/head 0", "{id}/head 1"];
  const row = { names: ["Heads 0–1", "0–1"], box: [0, 0, 50, 100], groups, is_heads: true, heads };
  const drawn = structuredClone(JSON_LAYOUT);
  drawn.templates.layer.rows = [row];
  const both = textsOf(look([100, 20], 3.7, new Layout(drawn)));
  assert.ok(both.includes("Heads 0–1"));
  const alone = textsOf(look([157, 20], 16, new Layout(drawn)));
  assert.ok(alone.includes("Head 1") && !alone.includes("Heads 0–1"));
});

test("narrow layers have numbers after one word, and every n-th where these have no room", () => {
  const wide = look([-300, -100], 0.3, layout, [400, 200]);
  assert.ok(textsOf(wide).includes("Layer") && textsOf(wide).includes("1"));
  const many = {
    ...JSON_LAYOUT,
    placed: Array.from({ length: 40 }, (_, layer) => ({
      ...JSON_LAYOUT.placed[0],
      id: `decoder.${layer}`,
      title: `Layer ${layer}`,
      layer,
      box: [100 + layer * 110, 0, 100, 300],
    })),
  };
  const drawn = new Layout(many);
  const numbers = textsOf(look([-900, -300], 0.08, drawn, [500, 200])).filter((text) => /^\d+$/.test(text));
  assert.ok(numbers.includes("0") && numbers.includes("39") && numbers.length < 20 && numbers.length > 5);
});

test("heads beside each other are named as a row, and each of them where a line has room above all", () => {
  const side = (number) => [50 * number, 20, 30, 30];
  const groups = JSON_LAYOUT.templates.layer.groups.map((group, i) => (i ? { ...group, box: side(i - 1) } : group));
  const rows = [{ names: ["Heads 0–1", "0–1"], box: side(0), groups: ["{id}/head 0", "{id}/head 1"], is_heads: true }];
  const template = { ...JSON_LAYOUT.templates.layer, groups, matrices: [], rows };
  const drawn = new Layout({ ...JSON_LAYOUT, templates: { layer: template } });
  const texts = textsOf(look([-100, -60], 1, drawn));
  assert.equal(count(texts, "Heads 0–1"), 1);
  assert.deepEqual([count(texts, "0"), count(texts, "1")], [2, 2]); // above each head of both layers
});

test("no name stands on a picture beside the layers", () => {
  const { context } = look([-BESIDE[0], -BESIDE[1]], 1);
  const free = placeHeaders(layout.stacks, context, () => true).labels.map(({ text }) => text);
  const full = placeHeaders(layout.stacks, context, () => false).labels.map(({ text }) => text);
  assert.ok(free.includes("Head 0") && !full.some((text) => /Head|^\d$/.test(text)));
});
