// Labels and values on the map.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fitValue, printedValues } from "../../assets/components/home/model_map/cells.js";
import { placeLabels } from "../../assets/components/home/model_map/labels.js";
import { inSight } from "../../assets/components/home/model_map/layout.js";
import { Occupancy } from "../../assets/components/home/model_map/occupancy.js";
import { JSON_LAYOUT, layout, view, WINDOW } from "./model_map_layout.js";

const measure = (text) => text.length * 7;

test("a value has as many decimals as its cell has room for", () => {
  const shown = (value, room) => fitValue(value, room, measure);
  assert.deepEqual(
    [45, 32, 21, 20].map((room) => shown(1.2345, room)),
    ["1.234", "1.23", "1.2", ""],
  );
  assert.equal(shown(-123.456, 30), "−123"); // no decimal has room
  assert.equal(shown(Number.NEGATIVE_INFINITY, 30), "−∞");
  assert.equal(shown(0, 10), "0");
});

test("values are printed at the middle of their cells, once they have come", () => {
  const matrix = layout.find("decoder.0.self_attn.weights", 0, 0, 0);
  const toScreen = ([x, y, width, height]) => [x * 3, y * 3, width * 3, height * 3];
  const valueAt = (row, column) => (row === 1 ? column / 4 : undefined);
  const values = printedValues(matrix, [0, 3], [0, 3], { toScreen, measure, valueAt });
  assert.deepEqual(
    values.map(({ row, column, text }) => [row, column, text]),
    [
      [1, 0, "0"],
      [1, 1, "0.25"],
      [1, 2, "0.50"],
    ],
  );
  assert.ok(Math.abs(values[1].x - (160 + 20) * 3) < 1e-9);
});

test("labels never cover each other, nor a matrix", () => {
  for (const k of [0.5, 1, 2, 3.7]) {
    const seen = inSight(layout, view(0, 0, k));
    const toScreen = ([x, y, width, height]) => [x * k + 90, y * k + 30, width * k, height * k];
    const { labels } = placeLabels(seen, { toScreen, size: WINDOW, measure, layout, chosen: null });
    assert.ok(labels.length > 0);
    const boxes = labels.map(({ x, y, width, height, isUpright }) =>
      isUpright ? [x + 2, y, height - 4, width] : [x, y + 2, width, height - 4],
    );
    const overlap = (one, other) =>
      one[0] < other[0] + other[2] &&
      other[0] < one[0] + one[2] &&
      one[1] < other[1] + other[3] &&
      other[1] < one[1] + one[3];
    boxes.forEach((box, i) => {
      for (const other of boxes.slice(i + 1)) assert.ok(!overlap(box, other), `${k}: ${labels[i].text}`);
      if (!labels[i].pill) for (const matrix of seen.matrices) assert.ok(!overlap(box, toScreen(matrix.box)));
    });
  }
});

test("all tokens of a matrix are named, or none", () => {
  const seen = inSight(layout, view(0, 0, 3));
  const { labels } = placeLabels(seen, {
    toScreen: (box) => box.map((side) => side * 3),
    size: WINDOW,
    measure,
    layout,
  });
  const rows = labels.filter(({ text }) => JSON_LAYOUT.tokens.source.includes(text));
  assert.ok(rows.length > 0);
  assert.equal(rows.length % 3, 0);
});

test("an occupied square is not free, and what lies outside of the window is", () => {
  const page = new Occupancy(100, 50);
  page.take([10, 10, 20, 5]);
  assert.ok(!page.isFree([28, 12, 5, 5]) && page.isFree([34, 12, 5, 5]) && page.isFree([-50, 0, 20, 20]));
});
