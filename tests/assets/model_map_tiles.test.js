// Tiles on their way: one request at a time for what is in sight, and nothing for ever.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readMany } from "../../assets/components/home/model_map/tile_file.js";
import { Tiles } from "../../assets/components/home/model_map/tiles.js";
import { orderTerms, partOf, rankTerms, readTerms, termWords } from "../../assets/components/home/model_map/why.js";

// The bytes of an answer, as views/map/tiles/many.py packs them.
function pack(entries, cells) {
  const text = JSON.stringify(entries);
  const list = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 4) * 4));
  const bytes = new Uint8Array(4 + list.length + cells.length);
  new DataView(bytes.buffer).setUint32(0, list.length, true);
  bytes.set(list, 4);
  bytes.set(cells, 4 + list.length);
  return bytes.buffer;
}

const SCALE = { kind: "diverging", low: -1, high: 1 };
const tileOf = (addresses) =>
  pack(
    addresses.map((_, i) => ({ rows: 1, columns: 4, type: "uint8", scale: SCALE, at: 4 * i })),
    new Uint8Array(4 * addresses.length),
  );
const answer = (status, body = null, headers = {}) => new Response(body, { status, headers });

// A queue of a server whose answers the test gives. `turn()` waits until everything has been heard.
function start(respond, settings = {}) {
  const asked = [];
  const heard = { changes: 0, gone: 0, slept: [] };
  const tiles = new Tiles({
    ask: async (addresses, signal) => {
      asked.push(addresses);
      return respond(addresses, asked.length, signal);
    },
    onChange: () => heard.changes++,
    onGone: () => heard.gone++,
    sleep: async (milliseconds) => heard.slept.push(milliseconds),
    ...settings,
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { tiles, asked, heard, turn };
}
const rest = async (queue) => {
  do await queue.turn();
  while (queue.tiles.pending);
};
const names = (count) => Array.from({ length: count }, (_, i) => `logits/0/0/0/${i}`);

test("an answer has numbers, codes, what there is not, and what is to be asked for again", () => {
  const numbers = new Uint8Array(new Float32Array([1.5, Number.NEGATIVE_INFINITY]).buffer);
  const body = pack(
    [
      { rows: 1, columns: 2, type: "float32", scale: SCALE, at: 0 },
      null,
      { later: true },
      { rows: 2, columns: 1, type: "uint8", scale: SCALE, at: 8 },
    ],
    [...numbers, 252, 254],
  );
  const [first, missing, later, last] = readMany(body);
  assert.deepEqual([...first.cells], [1.5, Number.NEGATIVE_INFINITY]);
  assert.equal(missing, null);
  assert.equal(later, undefined);
  assert.deepEqual([last.rows, last.columns, ...last.cells], [2, 1, 252, 254]);
});

test("one request at a time, of at most 64 tiles, until all has come", async () => {
  const queue = start((addresses) => answer(200, tileOf(addresses)));
  queue.tiles.want(names(150));
  queue.tiles.want(names(150));
  await rest(queue);
  assert.deepEqual(
    queue.asked.map((addresses) => addresses.length),
    [64, 64, 22],
  );
  assert.ok(queue.tiles.isComplete);
  queue.tiles.want(names(150));
  assert.equal(queue.asked.length, 3);
});

test("what is to come later is asked for again, and what there is not is never", async () => {
  const queue = start((addresses, turn) =>
    answer(200, turn === 1 ? pack([{ later: true }, null], []) : tileOf(addresses)),
  );
  queue.tiles.want(names(2));
  await rest(queue);
  assert.deepEqual(queue.asked, [names(2), names(1)]);
  assert.equal(queue.tiles.get(names(2)[1]), null);
});

test("a busy server is asked again after the time that it names", async () => {
  const queue = start((addresses, turn) =>
    turn === 1 ? answer(503, "", { "Retry-After": "2" }) : answer(200, tileOf(addresses)),
  );
  queue.tiles.want(names(1));
  await rest(queue);
  assert.deepEqual(queue.heard.slept, [2000]);
  assert.ok(queue.tiles.get(names(1)[0]));
});

test("a server that stays busy is not asked for ever", async () => {
  const queue = start(() => answer(503));
  queue.tiles.want(names(1));
  await rest(queue);
  assert.equal(queue.asked.length, 5);
  assert.equal(queue.tiles.pending, null);
});

test("a run that is gone is told once, and nothing more is asked", async () => {
  const queue = start(() => answer(404));
  queue.tiles.want(names(70));
  await rest(queue);
  queue.tiles.want(names(3));
  await rest(queue);
  assert.deepEqual([queue.heard.gone, queue.asked.length], [1, 1]);
});

test("a request for what is out of sight is taken back, and what is in sight is asked for", async () => {
  const queue = start((addresses, turn, signal) =>
    turn > 1
      ? answer(200, tileOf(addresses))
      : new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
  queue.tiles.want(names(1));
  await queue.turn();
  queue.tiles.want(["logits/0/1/0/0"]);
  await rest(queue);
  assert.deepEqual(queue.asked, [names(1), ["logits/0/1/0/0"]]);
  assert.ok(queue.tiles.get("logits/0/1/0/0"));
});

test("a lost connection leaves the map as it is; the next look asks again", async () => {
  const queue = start((addresses, turn) => {
    if (turn === 1) throw new TypeError("Failed to fetch");
    return answer(200, tileOf(addresses));
  });
  queue.tiles.want(names(1));
  await rest(queue);
  assert.equal(queue.tiles.get(names(1)[0]), undefined);
  queue.tiles.want(names(1));
  await rest(queue);
  assert.ok(queue.tiles.get(names(1)[0]));
});

test("tiles that nobody looked at for longest go first, and those in sight stay", async () => {
  const queue = start((addresses) => answer(200, tileOf(addresses)), { maxBytes: 60 }); // three tiles of 20 bytes
  const [a, b, c, d] = names(4);
  queue.tiles.want([a, b, c]);
  await rest(queue);
  queue.tiles.get(a);
  queue.tiles.want([d]);
  await rest(queue);
  assert.deepEqual(
    [a, b, c, d].map((address) => Boolean(queue.tiles.get(address))),
    [true, false, true, true],
  );
  assert.equal(queue.tiles.nbytes, 60);
});

test("tiles that came with the page are shown where no server answers, and it is asked once", async () => {
  const queue = start(() => {
    throw new TypeError("Failed to fetch");
  });
  const [here, away, other] = names(3);
  queue.tiles.freeze(
    [here, away],
    readMany(pack([{ rows: 1, columns: 1, type: "uint8", scale: SCALE, at: 0 }, null], [9])),
  );
  for (const address of [away, other]) {
    queue.tiles.want([here, address]);
    await rest(queue);
  }
  assert.deepEqual([...queue.tiles.get(here).cells], [9]);
  assert.deepEqual([queue.asked, queue.heard.gone], [[[away]], 0]);
});

test("tiles of the run before are shown until those of the new one have come", async () => {
  const [a, b] = names(2);
  const old = start((addresses) => answer(200, tileOf(addresses)));
  old.tiles.want([a, b]);
  await rest(old);
  const before = old.tiles.get(a);
  const queue = start((addresses) => answer(200, tileOf(addresses)), { before: old.tiles });
  assert.equal(queue.tiles.get(a), before);
  queue.tiles.want([a]);
  await rest(queue);
  assert.ok(queue.tiles.get(a) !== before && queue.tiles.get(a));
  assert.equal(queue.tiles.get(b), undefined);
});

const term = (index, value, factor) => ({ name: "q", index, value, ...(factor === undefined ? {} : { factor }) });

test("terms stand in the order of their cells, and are ranked by what they add", () => {
  const terms = [term([0, 2], 3, term([1], -2)), term([0, 0], 1, term([1], 1)), term([0, 1], 2, term([1], 2))];
  assert.deepEqual(terms.map(partOf), [-6, 1, 4]);
  assert.deepEqual(orderTerms(terms, 3).map(partOf), [1, 4, -6]);
  assert.deepEqual(orderTerms(terms, 99), terms);
  assert.deepEqual(rankTerms(terms, true).map(partOf), [-6, 4, 1]);
  assert.equal(termWords(terms[0]), "3.000 × −2.000 = −6.000");
});

test("a softmax lists the largest scores, without what is hidden and without numbers of the formula", () => {
  const answered = {
    terms: [
      { name: "masked", index: [0, 0, 0], value: 1 },
      { name: "masked", index: [0, 0, 1], value: null, not_finite: "-inf" },
      { name: "", index: [], value: 1686 },
      { name: "masked", index: [0, 0, 2], value: -4 },
    ],
  };
  assert.deepEqual(
    rankTerms(readTerms(answered), false).map(({ value }) => value),
    [1, -4],
  );
});
