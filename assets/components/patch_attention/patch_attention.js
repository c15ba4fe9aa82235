// A picture and the attention of one of its patches, in one head large and in all heads small. No rerun while the hand moves.
const TALL = 484; // pixels that the heads may be tall: as the picture

export default living(viewer, async (header) => {
  header.image = await createImageBitmap(new Blob([header.picture], { type: "image/jpeg" }));
  for (const name of ["queries", "keys"]) header[name] = signed(header[name]);
  return header;
});

const signed = (bytes) => Object.assign(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), { shape: bytes.shape });

// Where one token looks in every head: weights, one head after another, each to the class token and all patches.
// A head travels as queries and keys; their product and its softmax are made here. Which patch gets most, and how much,
// is told apart: it is exact.
function look({ queries, keys, steps, best, top }, patch) {
  const [layers, heads, width, tokens] = queries.shape, every = new Float32Array(layers * heads * tokens);
  for (let head = 0; head < layers * heads; head++) {
    const row = every.subarray(head * tokens, (head + 1) * tokens), scale = steps[head] ** 2;
    for (let feature = 0; feature < width; feature++) {
      const start = (head * width + feature) * tokens, query = queries[start + patch + 1];
      if (query) for (let token = 0; token < tokens; token++) row[token] += query * keys[start + token];
    }
    let largest = -Infinity, sum = 0;
    for (const score of row) if (score > largest) largest = score;
    for (let token = 0; token < tokens; token++) sum += row[token] = Math.exp((row[token] - largest) * scale);
    const most = (top[head * tokens + patch + 1] / 255) ** 4;
    for (let token = 0; token < tokens; token++) row[token] = token ? Math.min(row[token] / sum, most) : row[token] / sum;
    row[best[head * tokens + patch + 1] + 1] = most;
  }
  return every;
}

function viewer(parent) {
  let header, send, colours, view, hover = null, near = null, size = 0, grid, looked = {};
  const picture = make("canvas", { tabIndex: 0, role: "application" });
  const atlas = make("canvas", { tabIndex: 0, role: "application" });
  const whole = make("button", { className: "tool", textContent: "Class token", onclick: () => choose({ patch: -1 }) });
  const words = make("p", { className: "words", role: "status" }), title = make("span", { className: "muted" });
  const left = make("div", { className: "half" }, make("div", { className: "tools" }, whole), picture, words);
  const right = make("div", { className: "half" }, make("div", { className: "tools" }, title), atlas);
  const root = make("div", { className: "gf patches" }, left, right);
  parent.append(root);
  const resize = new ResizeObserver(() => header && layout());
  resize.observe(root);

  function update(next, trigger) {
    header = next;
    send = trigger;
    colours = applyTheme(root);
    view = { layer: next.layer, head: next.head, patch: next.patch };
    hover = near = null;
    looked = {};
    layout();
  }

  const layers = () => header.queries.shape[0], heads = () => header.queries.shape[1], tokens = () => header.queries.shape[3];
  const asked = () => hover ?? view.patch;
  const place = (patch) => (patch < 0 ? "The class token" : `Patch ${rowColumn(patch)}`);
  const rowColumn = (patch) => `r${Math.floor(patch / header.side) + 1} c${(patch % header.side) + 1}`;

  // The weights of the token that asks, in one head: (1 + N), and the largest of a patch.
  function row(layer, head) {
    if (looked.patch !== asked()) looked = { patch: asked(), every: look(header, asked()) };
    const at = layer * heads() + head, best = header.best[at * tokens() + asked() + 1];
    const weights = looked.every.subarray(at * tokens(), (at + 1) * tokens());
    return { weights, best, top: weights[best + 1] || 1 };
  }

  const layout = () => lay(root, arrange);

  function arrange() {
    if (!left.clientWidth) return 0;
    const scale = scaleOf(root);
    size = Math.min(left.clientWidth / scale, 460);
    const edge = 24, fits = (columns, rows) => Math.floor(Math.min((right.clientWidth / scale - edge) / columns, (TALL - edge) / rows, 72));
    const turned = fits(heads(), layers()) > fits(layers(), heads());
    const [columns, rows] = turned ? [heads(), layers()] : [layers(), heads()];
    grid = { turned, step: Math.max(fits(columns, rows), 12), left: edge, top: edge, columns, rows };
    draw();
    return Math.max(size, edge + rows * grid.step);
  }

  function draw() {
    drawPicture();
    drawAtlas();
    const { layer, head } = view, { weights, best } = row(layer, head);
    words.textContent = `${place(asked())} in layer ${layer}, head ${head} looks most at ${rowColumn(best)}, about ${percent(weights[best + 1])}; ` +
      `about ${percent(weights[0])} goes to the class token. Full orange is the largest weight of a patch.`;
    title.textContent = `All ${layers() * heads()} heads for ${asked() < 0 ? "the class token" : rowColumn(asked())}: ` +
      `${grid.turned ? "heads across, layers" : "layers across, heads"} down, each by its own largest weight. Click one.`;
    whole.setAttribute("aria-pressed", String(view.patch < 0));
    picture.setAttribute("aria-label", `The picture in ${header.side} by ${header.side} patches. Arrow keys move between patches, Home is the class token. ${words.textContent}`);
    atlas.setAttribute("aria-label", `Layers by heads. Arrow keys choose a head. Now layer ${layer}, head ${head}.`);
    picture.dataset.asked = asked();
  }

  const percent = (x) => (x < 0.01 ? `${(100 * x).toFixed(1)}%` : `${Math.round(100 * x)}%`);

  function drawPicture() {
    const pen = fit(picture, size, size), step = size / header.side, { weights, top } = row(view.layer, view.head);
    pen.imageSmoothingEnabled = size < header.image.width;
    pen.filter = "grayscale(0.7)";
    pen.drawImage(header.image, 0, 0, size, size);
    pen.filter = "none";
    pen.fillStyle = colours("background");
    pen.globalAlpha = 0.45;
    pen.fillRect(0, 0, size, size);
    pen.fillStyle = colours("key");
    for (let n = 0; n < header.side ** 2; n++) {
      pen.globalAlpha = (0.85 * weights[n + 1]) / top;
      pen.fillRect((n % header.side) * step, Math.floor(n / header.side) * step, step, step);
    }
    pen.globalAlpha = 1;
    for (const [patch, thick] of [[view.patch, 3], [hover, 2]]) {
      if (patch === null || patch < 0) continue;
      const x = (patch % header.side) * step, y = Math.floor(patch / header.side) * step;
      pen.strokeStyle = colours("query");
      pen.lineWidth = thick;
      pen.strokeRect(x + 1, y + 1, step - 2, step - 2);
    }
  }

  function tile(layer, head) {
    const { turned, step, left: x, top: y } = grid, [column, line] = turned ? [head, layer] : [layer, head];
    return [x + column * step, y + line * step, step - 3];
  }

  function drawAtlas() {
    const { turned, step, columns, rows } = grid, pen = fit(atlas, grid.left + columns * step, grid.top + rows * step);
    const scale = ramp(colours("sequential")), side = header.side, small = make("canvas", { width: side, height: side });
    const brush = small.getContext("2d"), image = brush.createImageData(side, side);
    pen.imageSmoothingEnabled = false;
    pen.font = "11px sans-serif";
    pen.fillStyle = colours("muted");
    pen.textAlign = "center";
    for (let i = 0; i < columns; i++) pen.fillText(String(i), grid.left + i * step + (step - 3) / 2, 14);
    for (let i = 0; i < rows; i++) pen.fillText(String(i), 10, grid.top + i * step + step / 2 + 3);
    for (let layer = 0; layer < layers(); layer++) for (let head = 0; head < heads(); head++) {
      const { weights, top } = row(layer, head), [x, y, wide] = tile(layer, head);
      for (let n = 0; n < side * side; n++) image.data.set(scale.subarray(Math.round((weights[n + 1] / top) * 255) * 4).subarray(0, 4), n * 4);
      brush.putImageData(image, 0, 0);
      pen.drawImage(small, x, y, wide, wide);
    }
    const frame = (at, colour, thick) => {
      const [x, y, wide] = tile(at.layer, at.head);
      pen.strokeStyle = colours(colour);
      pen.lineWidth = thick;
      pen.strokeRect(x - 1, y - 1, wide + 2, wide + 2);
    };
    frame(view, "key", 2.5);
    if (near) frame(near, "query", 2);
  }

  const report = settle(() => send("view", { ...view }), 150);

  function choose(change) {
    Object.assign(view, change);
    hover = null;
    draw();
    report();
  }

  // The hand may move faster than the screen: one drawing for each frame.
  let waiting = false;
  function soon() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => ((waiting = false), draw()));
  }

  const within = (i, count) => Math.min(Math.max(i, 0), count - 1);
  const patchAt = (event) => {
    const box = picture.getBoundingClientRect(), at = (from, start, long) => within(Math.floor(((from - start) / long) * header.side), header.side);
    return at(event.clientY, box.top, box.height) * header.side + at(event.clientX, box.left, box.width);
  };
  const headAt = (event) => {
    const box = atlas.getBoundingClientRect(), stretch = (grid.left + grid.columns * grid.step) / box.width;
    const column = Math.floor(((event.clientX - box.left) * stretch - grid.left) / grid.step), line = Math.floor(((event.clientY - box.top) * stretch - grid.top) / grid.step);
    if (column < 0 || line < 0 || column >= grid.columns || line >= grid.rows) return null;
    return grid.turned ? { layer: line, head: column } : { layer: column, head: line };
  };

  picture.onpointermove = (event) => {
    const next = patchAt(event);
    if (next !== hover) (hover = next), soon();
  };
  picture.onpointerleave = () => ((hover = null), soon());
  picture.onclick = (event) => choose({ patch: patchAt(event) });
  atlas.onpointermove = (event) => ((near = headAt(event)), soon());
  atlas.onpointerleave = () => ((near = null), soon());
  atlas.onclick = (event) => headAt(event) && choose(headAt(event));

  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  picture.onkeydown = (event) => {
    if (event.key === "Home") return event.preventDefault(), choose({ patch: -1 });
    const move = arrows[event.key];
    if (!move) return undefined;
    event.preventDefault();
    if (view.patch < 0) return choose({ patch: 0 });
    const column = within((view.patch % header.side) + move[0], header.side), line = within(Math.floor(view.patch / header.side) + move[1], header.side);
    return choose({ patch: line * header.side + column });
  };
  atlas.onkeydown = (event) => {
    const move = arrows[event.key];
    if (!move) return undefined;
    event.preventDefault();
    const [dx, dy] = grid.turned ? [move[1], move[0]] : move;
    return choose({ layer: within(view.layer + dx, layers()), head: within(view.head + dy, heads()) });
  };

  return { update, stop: () => (resize.disconnect(), root.remove()) };
}
