// Two models beside each other: the part on one side that stands for a part on the other.
import assert from "node:assert/strict";
import { test } from "node:test";
import { otherParts } from "../../assets/components/app/beside_link/parts.js";
import { linkTokens, placeIn } from "../../assets/components/shared/token_link.js";

const TABLE = [[0], [1], [1], [2, 3]]; // token 3 falls into two on the other side
const WHOLE = { first_query: 0, queries: 4, first_key: 0, keys: 4 };

test("a chip marks every token that it overlaps, and nothing where there is none", () => {
  assert.deepEqual(otherParts("spot query 3", null, TABLE), [{ part: "spot query 2" }, { part: "spot query 3" }]);
  assert.equal(otherParts("spot key 9", null, TABLE), null);
});

test("a cell of a matrix is each pair of tokens that stands for it; a head is the same head", () => {
  assert.deepEqual(otherParts("cell weights 3 1", null, TABLE), [
    { part: "cell weights 2 1" },
    { part: "cell weights 3 1" },
  ]);
  assert.deepEqual(otherParts("cell head 7", null, TABLE), [{ part: "cell head 7" }]);
});

test("a cell of a chart has its share of the other chart", () => {
  const [found] = otherParts("#0", [0.6, 0.3], TABLE, [WHOLE, { ...WHOLE, queries: 2, keys: 8 }]);
  assert.deepEqual(found, { part: "#0", share: { x: 1 / 8, y: 1 / 2, width: 1 / 8, height: 1 / 2 } }); // key 2, query 1
});

test("tokens that the other chart does not show are marked nowhere", () => {
  assert.equal(otherParts("#0", [0.1, 0.1], TABLE, [WHOLE, { ...WHOLE, first_query: 2, queries: 2 }]), null);
  assert.equal(otherParts("#0", [0.1, 0.1], TABLE, [undefined, undefined]), null);
});

test("a picture of the second model takes the places of its own tokens", () => {
  const side = { parentElement: null, getRootNode: () => ({}) };
  const picture = { parentElement: side };
  assert.equal(placeIn(picture, 3), 3); // of one model alone
  linkTokens(side, (place) => TABLE[place] ?? []);
  assert.equal(placeIn(picture, 3), 2);
  assert.equal(placeIn(picture, 9), null);
  assert.equal(placeIn(picture, null), null);
});
