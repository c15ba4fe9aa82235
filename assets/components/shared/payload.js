// Data of a component as they travel: a JSON header and arrays, deflated together. viz/shared/payload.py packs them.

// The header as an object, with each array under its name: a Uint8Array of codes, or a Float32Array. Each has its
// `shape`.
export async function unpack(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const raw = new Uint8Array(await new Response(stream).arrayBuffer());
  const headerLength = new DataView(raw.buffer).getUint32(0, true);
  const data = JSON.parse(new TextDecoder().decode(raw.subarray(4, 4 + headerLength)));
  putNotFinite(data);
  let start = 4 + headerLength;
  for (const { name, type, shape } of data.arrays) {
    const size = shape.reduce((product, length) => product * length, 1);
    const end = start + size * (type === "float32" ? 4 : 1);
    data[name] = type === "float32" ? float32Values(raw.subarray(start, end)) : raw.subarray(start, end);
    data[name].shape = shape;
    start = end;
  }
  return data;
}

// JSON has null where a number is not finite. `notFinite` has [the keys that lead there, the number's name].
function putNotFinite(data) {
  for (const [path, number] of data.notFinite ?? []) {
    const inside = path.slice(0, -1).reduce((value, key) => value[key], data);
    inside[path.at(-1)] = Number(number);
  }
  delete data.notFinite;
}

// The weight that a code of `printed_codes` in viz/shared/payload.py stands for: the middle of its step of 1/200.
export const weightOfCode = (code) => (code ? (code - 0.5) / 200 : 0);

// Numbers of four bytes each, which travel as bytes. The copy begins at a multiple of their size.
export const float32Values = (bytes) => new Float32Array(bytes.slice().buffer);

// The same bytes read as signed numbers, with their shape.
export function int8Values(bytes) {
  return Object.assign(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), { shape: bytes.shape });
}

// Bytes as base64 text, for an answer to the server. Pieces keep the number of arguments within the browser's limit.
export function toBase64(bytes) {
  let text = "";
  for (let start = 0; start < bytes.length; start += 32768) {
    text += String.fromCharCode(...bytes.subarray(start, start + 32768));
  }
  return btoa(text);
}

export const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
