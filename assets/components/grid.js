// Matrices on a canvas: shared by matrix_steps, matrix_panels and mask_painter, after common.js.

// Float32 numbers that travel as bytes (viz/attention/scores.py, `as_bytes`).
const floats = (bytes) => new Float32Array(bytes.slice().buffer);

// A number with as many digits as mean something, as viz/shared/style.py `number` writes it.
function digits(x, decimals = 3) {
  if (Number.isNaN(x)) return "not a number";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  const size = Math.abs(x);
  if (size === 0) return "0";
  let text;
  if (size >= 1e6 || size < 0.5 * 10 ** -decimals) text = x.toExponential(1).replace(/e([+-])(\d)$/, "e$10$2");
  else text = x.toFixed(size >= 100 ? Math.max(decimals - 2, 0) : size >= 10 ? Math.max(decimals - 1, 0) : decimals);
  return text.replaceAll("-", "−");
}

// How large one number may be on a signed scale: the largest finite one of the matrices.
function reachOf(...matrices) {
  let reach = 0;
  for (const values of matrices) for (const value of values) if (Number.isFinite(value)) reach = Math.max(reach, Math.abs(value));
  return reach || 1;
}

// What a matrix shows, in a sentence for those who do not see it. `cell` names the cell of a row and a column.
function gist(name, { rows, columns, values }, cell) {
  let least = Infinity, most = -Infinity, at = 0, hidden = 0;
  values.forEach((value, i) => {
    if (value === -Infinity) hidden++;
    else if (value < least) least = value;
    if (value > most) [most, at] = [value, i];
  });
  const size = `${name}, ${rows} by ${columns}`;
  if (!(most >= least)) return `${size}: no cell has a number.`;
  const covered = hidden ? `, ${hidden} cells hidden` : "";
  return `${size}: from ${digits(least)} to ${digits(most)}, the largest at ${cell(Math.floor(at / columns), at % columns)}${covered}.`;
}

// A matrix as a small picture, one pixel a cell. `scale`: "sequential" for 0..1, "signed" for -reach..reach.
// Minus infinity is masked grey, what is not a number the colour of a warning.
function picture(values, rows, columns, scale, reach, colours) {
  const canvas = make("canvas", { width: columns, height: rows }), pen = canvas.getContext("2d", { willReadFrequently: true });
  const image = pen.createImageData(columns, rows), colour = ramp(colours(scale));
  const plain = (name) => {
    const one = ramp(`0 ${colours(name)}, 1 ${colours(name)}`);
    return [one[0], one[1], one[2], 255];
  };
  const masked = plain("masked"), broken = plain("warn");
  for (let at = 0; at < rows * columns; at++) {
    const value = values[at];
    const place = scale === "signed" ? (value / reach + 1) / 2 : value / reach;
    if (Number.isNaN(value)) image.data.set(broken, at * 4);
    else if (value === -Infinity) image.data.set(masked, at * 4);
    else {
      const step = Math.round(Math.min(Math.max(place, 0), 1) * 255) * 4;
      image.data.set(colour.subarray(step, step + 4), at * 4);
    }
  }
  pen.putImageData(image, 0, 0);
  return canvas;
}

// Draws a picture into a box, with gaps and numbers where the cells have room for them.
function drawMatrix(pen, matrix, box, colours, root) {
  const { rows, columns } = matrix, width = box.width / columns, height = box.height / rows;
  pen.imageSmoothingEnabled = width < 1 || height < 1;
  pen.drawImage(matrix.image, box.x, box.y, box.width, box.height);
  if (width >= 7 && height >= 7) {
    pen.strokeStyle = colours("background");
    pen.lineWidth = 1;
    pen.beginPath();
    for (let c = 0; c <= columns; c++) pen.moveTo(box.x + c * width, box.y), pen.lineTo(box.x + c * width, box.y + box.height);
    for (let r = 0; r <= rows; r++) pen.moveTo(box.x, box.y + r * height), pen.lineTo(box.x + box.width, box.y + r * height);
    pen.stroke();
  } else {
    pen.strokeStyle = colours("border");
    pen.lineWidth = 1;
    pen.strokeRect(box.x - 0.5, box.y - 0.5, box.width + 1, box.height + 1);
  }
  if (width >= 33 && height >= 15) drawNumbers(pen, matrix, box, colours, root);
}

function drawNumbers(pen, matrix, box, colours, root) {
  const { rows, columns, values, image } = matrix, width = box.width / columns, height = box.height / rows;
  const shades = image.getContext("2d").getImageData(0, 0, columns, rows).data;
  pen.font = `${Math.min(12, height * 0.62)}px ${fontOf(root)}`;
  pen.textAlign = "center";
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) {
    const at = r * columns + c, light = 0.3 * shades[at * 4] + 0.59 * shades[at * 4 + 1] + 0.11 * shades[at * 4 + 2];
    const value = values[at];
    if (matrix.scale === "sequential" && value === 0) continue;
    pen.fillStyle = light > 140 ? "#1a2230" : "#f4f7fa";
    const text = Number.isNaN(value) ? "NaN" : value && Math.abs(value) < 0.005 ? "0.00" : digits(value, 2);
    pen.fillText(text, box.x + (c + 0.5) * width, box.y + (r + 0.5) * height + 4, width - 2);
  }
}

const fontOf = (root) => getComputedStyle(root).getPropertyValue("--st-font") || "sans-serif";

const arabic = (text) => /[\u0590-\u08ff\ufb50-\ufeff]/.test(text);

// A token's face: fixed-width, but Arabic script in a face that joins its letters.
function faceOf(root, label = "") {
  if (arabic(label)) return '"Noto Naskh Arabic", "Noto Nastaliq Urdu", serif';
  return `${getComputedStyle(root).getPropertyValue("--st-code-font")}, monospace`;
}

// A frame around the cells from (row, column) on.
function frame(pen, box, rows, columns, row, column, tall, wide, colour, thick = 2) {
  const width = box.width / columns, height = box.height / rows;
  pen.strokeStyle = colour;
  pen.lineWidth = thick;
  const least = (length) => Math.max(length, 3);
  pen.strokeRect(box.x + column * width, box.y + row * height, least(wide * width), least(tall * height));
}

// The cell of a box under a point, or null.
function cellAt(box, rows, columns, x, y) {
  const column = Math.floor(((x - box.x) / box.width) * columns), row = Math.floor(((y - box.y) / box.height) * rows);
  return column < 0 || row < 0 || column >= columns || row >= rows ? null : { row, column };
}

// Which labels fit at `step` pixels each: all, or every n-th.
const every = (step, least) => Math.max(1, Math.ceil(least / step));

function short(pen, text, room) {
  if (pen.measureText(text).width <= room) return text;
  let cut = text;
  while (cut.length > 1 && pen.measureText(`${cut}…`).width > room) cut = cut.slice(0, -1);
  return `${cut}…`;
}

// Token labels beside the rows of a box, right-aligned at `x`.
function rowLabels(pen, labels, box, x, room, root, colours, role, lit) {
  const height = box.height / labels.length, skip = every(height, 11), size = Math.min(13, Math.max(height * 0.62, 9));
  pen.textAlign = "right";
  labels.forEach((label, i) => {
    if (i % skip && i !== lit) return;
    pen.font = `${i === lit ? 600 : 400} ${size}px ${faceOf(root, label)}`;
    pen.fillStyle = colours(i === lit ? role : "muted");
    pen.fillText(short(pen, bare(label), room), x, box.y + (i + 0.5) * height + size * 0.35);
  });
}

// Token labels above the columns of a box, written upwards from `y`.
function columnLabels(pen, labels, box, y, room, root, colours, role, lit) {
  const width = box.width / labels.length, skip = every(width, 12), size = Math.min(13, Math.max(width * 0.62, 9));
  pen.textAlign = "left";
  labels.forEach((label, i) => {
    if (i % skip && i !== lit) return;
    pen.save();
    pen.translate(box.x + (i + 0.5) * width + size * 0.35, y);
    pen.rotate(-Math.PI / 2);
    pen.font = `${i === lit ? 600 : 400} ${size}px ${faceOf(root, label)}`;
    pen.fillStyle = colours(i === lit ? role : "muted");
    pen.fillText(short(pen, bare(label), room), 0, 0);
    pen.restore();
  });
}

// The room that labels need, at most `most` pixels.
function labelRoom(pen, labels, root, most) {
  const wide = (label) => ((pen.font = `13px ${faceOf(root, label)}`), pen.measureText(bare(label)).width);
  return Math.min(most, Math.max(16, ...labels.map(wide)) + 4);
}
