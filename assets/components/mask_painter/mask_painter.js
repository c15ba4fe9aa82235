// A mask to paint: press and drag over cells, or move with the arrow keys and press Space. The mask goes to the model.
export default living(painter);

function painter(parent) {
  let header, send, colours, mask, box, cursor = { row: 0, column: 0 }, hover = null, focused = false, brush = null, last = null;
  const sent = [], past = [], future = [];
  const board = make("canvas", { tabIndex: 0, role: "application" });
  const scroller = make("div", { className: "scroller" }, board);
  const tools = make("div", { className: "tools", role: "toolbar", "aria-label": "Mask" });
  const words = make("div", { className: "words muted" }), status = make("p", { className: "sr", role: "status" });
  const root = make("div", { className: "gf painter" }, tools, scroller, words, status);
  parent.append(root);
  const resize = new ResizeObserver(() => header && layout());
  resize.observe(root);

  const rows = () => header.queries.length, columns = () => header.keys.length;
  const text = () => mask.join("");

  function update(next, trigger) {
    const fresh = !header || header.id !== next.id, incoming = Array.from(next.mask).join("");
    header = next;
    send = trigger;
    colours = applyTheme(root);
    // What we sent comes back with the page; only a mask from elsewhere (a link, a preset of the page) replaces ours.
    if (fresh || !sent.includes(incoming)) {
      if (!fresh && mask && incoming !== text()) past.push(mask.slice());
      if (fresh) past.length = future.length = sent.length = 0;
      mask = Uint8Array.from(next.mask);
    }
    cursor = { row: Math.min(cursor.row, rows() - 1), column: Math.min(cursor.column, columns() - 1) };
    drawTools();
    layout();
  }

  const report = settle(() => {
    const bytes = new Uint8Array(Math.ceil(mask.length / 8));
    mask.forEach((seen, i) => seen && (bytes[i >> 3] |= 128 >> (i & 7)));
    sent.push(text());
    if (sent.length > 20) sent.shift();
    send("mask", { rows: rows(), columns: columns(), bits: btoa(String.fromCharCode(...bytes)) });
  }, 250);

  // -- changes -----------------------------------------------------------------------------------------------------

  function remember() {
    past.push(mask.slice());
    if (past.length > 200) past.shift();
    future.length = 0;
  }

  function replace(next) {
    if (next.join("") === text()) return;
    remember();
    mask = Uint8Array.from(next);
    changed();
  }

  function travel(from, to) {
    if (!from.length) return;
    to.push(mask.slice());
    mask = from.pop();
    changed();
  }

  function changed() {
    drawTools();
    draw();
    report();
  }

  const undo = () => travel(past, future), redo = () => travel(future, past);

  function drawTools() {
    const area = rows() * columns();
    const button = (id, label, act, off = false, title = label) => make("button", { className: "tool", textContent: label, "data-id": id, disabled: off, title, onclick: act });
    const start = header.presets.map((name, i) => button(`preset-${i}`, name, () => replace(header.starts.subarray(i * area, (i + 1) * area))));
    redrawn(tools,
      make("span", { className: "group" }, make("span", { className: "muted", textContent: "Start from" }), ...start),
      make("span", { className: "group" },
        button("undo", "Undo", undo, !past.length, "Undo (Ctrl Z)"), button("redo", "Redo", redo, !future.length, "Redo (Ctrl Shift Z)"),
        button("clear", "Clear", () => replace(new Uint8Array(area).fill(1)), mask.every(Boolean), "Hide nothing")));
  }

  // -- drawing -----------------------------------------------------------------------------------------------------

  const layout = () => lay(root, arrange);

  function arrange(room) {
    const width = Math.min(room, 900);
    if (!width) return 0;
    const pen = board.getContext("2d"), side = labelRoom(pen, header.queries, root, width < 480 ? 76 : 130) + 8, top = labelRoom(pen, header.keys, root, 92) + 10;
    const step = Math.max(Math.min((width - side - 4) / columns(), 34), 9), tall = Math.min(step, 30);
    box = { x: side, y: top, width: step * columns(), height: tall * rows() };
    Object.assign(board.style, { width: `${box.x + box.width + 4}px`, height: `${box.y + box.height + 4}px` });
    board.dataset.box = JSON.stringify(box);
    draw();
    return parseFloat(board.style.height);
  }

  function draw() {
    const pen = fit(board, parseFloat(board.style.width), parseFloat(board.style.height)), at = hover ?? (focused ? cursor : null);
    const wide = box.width / columns(), tall = box.height / rows(), gap = wide > 12 ? 1.5 : 0.5;
    for (let r = 0; r < rows(); r++) for (let c = 0; c < columns(); c++) {
      const seen = mask[r * columns() + c], x = box.x + c * wide + gap, y = box.y + r * tall + gap, w = wide - 2 * gap, h = tall - 2 * gap;
      pen.fillStyle = colours(seen ? "query" : "masked");
      pen.globalAlpha = seen ? 0.22 : 0.55;
      pen.fillRect(x, y, w, h);
      pen.globalAlpha = 1;
      if (w < 14) continue;
      pen.fillStyle = colours(seen ? "query" : "masked_text");
      pen.textAlign = "center";
      pen.font = `${Math.min(12, h * 0.6)}px ${fontOf(root)}`;
      pen.fillText(seen ? "0" : "−∞", x + w / 2, y + h / 2 + 4);
    }
    rowLabels(pen, header.queries, box, box.x - 7, box.x - 9, root, colours, "query", at?.row);
    columnLabels(pen, header.keys, box, box.y - 5, 90, root, colours, "key_text", at?.column);
    if (at && at.row !== undefined && at.column !== undefined) frame(pen, box, rows(), columns(), at.row, at.column, 1, 1, colours("text"));
    const lost = Array.from({ length: rows() }, (_, r) => r).filter((r) => mask.subarray(r * columns(), (r + 1) * columns()).every((seen) => !seen));
    const hidden = mask.reduce((sum, seen) => sum + !seen, 0);
    words.textContent = at && at.row !== undefined && at.column !== undefined
      ? `${bare(header.queries[at.row])} ${mask[at.row * columns() + at.column] ? "may look at" : "may not look at"} ${bare(header.keys[at.column])}.`
      : `${hidden} of ${mask.length} cells hidden. Press and drag over cells, or click a word for its whole row or column.`;
    if (lost.length) words.textContent += ` ${lost.map((r) => bare(header.queries[r])).slice(0, 3).join(", ")}${lost.length > 3 ? " and others" : ""} may look at nothing: the weights of that row are 0.`;
    board.setAttribute("aria-label", `Mask of ${rows()} queries and ${columns()} keys, ${hidden} of ${mask.length} cells hidden. Arrow keys move, Space hides or shows a cell, R its row, C its column, Shift with an arrow key paints, Control Z undoes.`);
  }

  // -- the hand ----------------------------------------------------------------------------------------------------

  function find(event) {
    const [x, y] = pointOn(board, event), cell = cellAt(box, rows(), columns(), x, y);
    if (cell) return cell;
    const row = Math.floor(((y - box.y) / box.height) * rows()), column = Math.floor(((x - box.x) / box.width) * columns());
    if (x < box.x && row >= 0 && row < rows()) return { row };
    if (y < box.y && column >= 0 && column < columns()) return { column };
    return null;
  }

  const paint = ({ row, column }) => (mask[row * columns() + column] = brush);

  // The cells between two pointer events, so that a fast hand leaves no gaps.
  function stroke(from, to) {
    const steps = Math.max(Math.abs(to.row - from.row), Math.abs(to.column - from.column), 1);
    for (let i = 0; i <= steps; i++) paint({ row: Math.round(from.row + ((to.row - from.row) * i) / steps), column: Math.round(from.column + ((to.column - from.column) * i) / steps) });
  }

  function line(found) {
    const cells = found.row === undefined ? Array.from({ length: rows() }, (_, r) => r * columns() + found.column) : Array.from({ length: columns() }, (_, c) => found.row * columns() + c);
    const next = mask.slice(), value = cells.some((at) => mask[at]) ? 0 : 1;
    cells.forEach((at) => (next[at] = value));
    replace(next);
  }

  board.onpointerdown = (event) => {
    const found = find(event);
    if (!found || event.button) return;
    event.preventDefault();
    board.focus({ preventScroll: true });
    if (found.row === undefined || found.column === undefined) return line(found);
    board.setPointerCapture(event.pointerId);
    remember();
    brush = mask[found.row * columns() + found.column] ? 0 : 1;
    last = cursor = found;
    paint(found);
    return draw();
  };
  board.onpointermove = (event) => {
    const found = find(event);
    if (brush !== null && found && found.row !== undefined && found.column !== undefined) {
      stroke(last, found);
      last = cursor = found;
    }
    hover = event.pointerType === "mouse" ? found : null;
    draw();
  };
  const release = () => {
    if (brush === null) return;
    brush = null;
    changed();
  };
  board.onpointerup = release;
  board.onpointercancel = release;
  board.onpointerleave = () => ((hover = null), draw());
  board.onfocus = () => ((focused = board.matches(":focus-visible")), draw());
  board.onblur = () => ((focused = false), draw());
  root.onkeydown = (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      event.preventDefault();
      return event.shiftKey ? redo() : undo();
    }
    if (event.target !== board) return undefined;
    const at = cursor.row * columns() + cursor.column;
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      const next = mask.slice();
      next[at] = mask[at] ? 0 : 1;
      replace(next);
      return (status.textContent = words.textContent);
    }
    const whole = { r: { row: cursor.row }, c: { column: cursor.column } }[event.key.toLowerCase()];
    if (whole && !event.ctrlKey && !event.metaKey) return line(whole), (status.textContent = words.textContent);
    const move = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!move) return undefined;
    event.preventDefault();
    focused = true;
    hover = null;
    const within = (i, count) => Math.min(Math.max(i, 0), count - 1), value = mask[at];
    cursor = { row: within(cursor.row + move[0], rows()), column: within(cursor.column + move[1], columns()) };
    if (event.shiftKey) {
      const next = mask.slice();
      next[cursor.row * columns() + cursor.column] = value;
      replace(next);
    }
    draw();
    return (status.textContent = words.textContent);
  };

  return { update, stop: () => (resize.disconnect(), root.remove()) };
}
