// The scripts and style sheets themselves. Biome breaks code at 120 letters, but no comment and no text.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const ASSETS = new URL("../../assets/", import.meta.url);
const SHORTENED = ["vendor/d3-zoom/d3-zoom.js", "vendor/plotly-cartesian/plotly-cartesian.min.js"]; // by others
const files = readdirSync(ASSETS, { recursive: true })
  .filter((file) => /\.(js|css)$/.test(file))
  .filter((file) => !SHORTENED.includes(file.replaceAll("\\", "/")));

test("no line is longer than 120 letters", () => {
  assert.ok(files.length > 100);
  const tooLong = files.flatMap((file) => {
    const lines = readFileSync(new URL(file.replaceAll("\\", "/"), ASSETS), "utf8").split("\n");
    return lines.flatMap((line, i) => (line.length > 120 ? [`${file}:${i + 1}`] : []));
  });
  assert.deepEqual(tooLong, []);
});
