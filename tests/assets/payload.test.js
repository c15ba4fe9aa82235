// The data of a component, as viz/shared/payload.py packs them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { float32Values, fromBase64, int8Values, toBase64, unpack } from "../../assets/components/shared/payload.js";

// The header's length, the header, the arrays one after another; all deflated.
function pack(header, arrays) {
  const shapes = arrays.map(({ name, type, shape }) => ({ name, type, shape }));
  const text = Buffer.from(JSON.stringify({ ...header, arrays: shapes }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return deflateSync(Buffer.concat([length, text, ...arrays.map(({ bytes }) => Buffer.from(bytes))]));
}

test("a header and its arrays come out as they went in", async () => {
  const data = await unpack(
    pack({ title: "ہوں · fox" }, [
      { name: "a", shape: [2, 3], bytes: [1, 2, 3, 4, 5, 6] },
      { name: "none", shape: [0, 4], bytes: [] },
      { name: "b", shape: [2], bytes: [255, 0] },
    ]),
  );
  assert.equal(data.title, "ہوں · fox");
  assert.deepEqual([...data.a], [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(data.a.shape, [2, 3]);
  assert.equal(data.none.length, 0);
  assert.deepEqual([...data.b], [255, 0]);
});

test("what is no finite number comes out as it went in", async () => {
  // viz/shared/payload.py writes this for {"words": [["a", nan], ["b", -inf]], "least": inf, "none": None}.
  const text = {
    words: [
      ["a", null],
      ["b", null],
    ],
    least: null,
    none: null,
  };
  const places = [
    [["words", 0, 1], "NaN"],
    [["words", 1, 1], "-Infinity"],
    [["least"], "Infinity"],
  ];
  const data = await unpack(pack({ ...text, notFinite: places }, []));
  const words = [
    ["a", Number.NaN],
    ["b", Number.NEGATIVE_INFINITY],
  ];
  assert.deepEqual(data, { words, least: Number.POSITIVE_INFINITY, none: null, arrays: [] });
});

test("numbers of several bytes are read wherever their bytes begin", async () => {
  const floats = new Uint8Array(Float32Array.of(0.5, -2).buffer);
  const data = await unpack(
    pack({}, [
      { name: "odd", shape: [1], bytes: [9] },
      { name: "floats", shape: [1, 8], bytes: floats },
      { name: "signed", shape: [1, 2], bytes: [255, 128] },
      { name: "typed", type: "float32", shape: [2, 1], bytes: floats },
      { name: "last", shape: [1], bytes: [3] },
    ]),
  );
  assert.deepEqual([...float32Values(data.floats)], [0.5, -2]);
  assert.deepEqual([...int8Values(data.signed)], [-1, -128]);
  assert.deepEqual(int8Values(data.signed).shape, [1, 2]);
  assert.deepEqual([...data.typed, ...data.typed.shape, ...data.last], [0.5, -2, 2, 1, 3]);
});

test("bytes travel back as base64, however many", () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => i % 256);
  assert.equal(toBase64(bytes), Buffer.from(bytes).toString("base64"));
  assert.deepEqual(fromBase64(toBase64(bytes)), bytes);
});
