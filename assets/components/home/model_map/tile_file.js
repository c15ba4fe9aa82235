// Tiles as they travel, many in one answer: the other end of `many` of views/map/tiles/many.py.
import { float32Values } from "../../shared/payload.js";

export const MANY = 64; // tiles of one request at most

export const TILE_CELLS = 256; // rows, and columns, of a tile at most: as viz/shared/tiles.py cuts them

export const writeAddress = (tensor, matrix, level, row, column) => `${tensor}/${matrix}/${level}/${row}/${column}`;

// The full tile that has a cell.
export const addressOf = ({ tensor, matrix }, row, column) =>
  writeAddress(tensor, matrix, 0, Math.floor(row / TILE_CELLS), Math.floor(column / TILE_CELLS));

// The tiles of an answer, in the order of the question: {rows, columns, scale, cells}, null for what there is not, and
// undefined for what is to be asked for again.
export function readMany(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const bytes = new Uint8Array(buffer);
  const facts = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  return facts.map((fact) => {
    if (!fact) return null;
    if (fact.later) return undefined;
    const { rows, columns, type, scale, at } = fact;
    const start = 4 + length + at;
    const isNumber = type === "float32";
    const cut = bytes.subarray(start, start + rows * columns * (isNumber ? 4 : 1));
    return { rows, columns, scale, cells: isNumber ? float32Values(cut) : cut.slice() };
  });
}
