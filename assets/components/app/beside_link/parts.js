// The parts of a picture that stand for a part of the same picture of another model.

// `part`: an address of shared/pointed_part.js. `share`: the point in it, from 0 to 1 each way. `table`: for each token
// its places on the other side. `rows`: of a chart of weights, what its rows and columns are, and those of the other
// one: {first_query, queries, first_key, keys}. Null where nothing stands for the part.
export function otherParts(part, share, table, rows = []) {
  const [kind, ...rest] = part.split(" ");
  if (kind === "spot" && rest.length === 2) return spots(rest, table);
  if (kind === "cell" && rest.length === 3) return cells(rest, table);
  if (kind === "cell") return [{ part }];
  return rows[0]?.queries && rows[1]?.queries ? chartCells(part, share, table, rows) : null;
}

const orNull = (found) => (found.length ? found : null);

// Of a chip: "query 3".
const spots = ([role, place], table) =>
  orNull((table[Number(place)] ?? []).map((each) => ({ part: `spot ${role} ${each}` })));

// All pairs of tokens that stand for a query and a key.
const pairs = (query, key, table) =>
  (table[query] ?? []).flatMap((row) => (table[key] ?? []).map((column) => [row, column]));

// Of a cell of a matrix of weights on a canvas: its name, the query and the key.
const cells = ([name, query, key], table) =>
  orNull(pairs(Number(query), Number(key), table).map((pair) => ({ part: `cell ${name} ${pair.join(" ")}` })));

// Of a cell of a chart: a cell of the other chart is a share of its picture.
function chartCells(part, [x, y], table, [mine, other]) {
  const query = mine.first_query + Math.floor(y * mine.queries);
  const key = mine.first_key + Math.floor(x * mine.keys);
  const shown = pairs(query, key, table)
    .map(([row, column]) => [row - other.first_query, column - other.first_key])
    .filter(([row, column]) => row >= 0 && row < other.queries && column >= 0 && column < other.keys);
  const [width, height] = [1 / other.keys, 1 / other.queries];
  return orNull(shown.map(([row, column]) => ({ part, share: { x: column * width, y: row * height, width, height } })));
}
