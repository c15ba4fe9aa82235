// Matrices of the same queries and keys side by side: a cell that is hovered in one is framed in all.
export default living(panels);

function panels(parent) {
  let header, send, colours, matrices, boxes, hover = null, pinned = null;
  const board = make("canvas", { tabIndex: 0, role: "application" });
  const scroller = make("div", { className: "scroller" }, board);
  const story = make("div", { className: "story" }), status = make("p", { className: "sr", role: "status" });
  const root = make("div", { className: "gf panels" }, scroller, story, status);
  parent.append(root);
  const resize = new ResizeObserver(() => header && layout());
  resize.observe(root);

  function update(next, trigger) {
    const fresh = !header || header.id !== next.id;
    header = next;
    send = trigger;
    colours = applyTheme(root);
    const rows = next.queries.length, columns = next.keys.length;
    matrices = next.panels.map((panel, i) => ({ ...panel, rows, columns, values: floats(next[`p${i}`]) }));
    const reach = reachOf(...matrices.filter((matrix) => matrix.scale === "signed").map((matrix) => matrix.values));
    for (const matrix of matrices) {
      matrix.reach = matrix.scale === "signed" ? reach : 1;
      matrix.image = picture(matrix.values, rows, columns, matrix.scale, matrix.reach, colours);
    }
    if (fresh) {
      hover = null;
      pinned = { row: Math.min(header.selected[0], rows - 1), column: Math.min(header.selected[1], columns - 1) };
    }
    layout();
  }

  const layout = () => lay(root, arrange);

  function arrange(room) {
    const width = Math.min(room, 1280), { queries, keys } = header;
    if (!width) return 0;
    const pen = board.getContext("2d"), narrow = width < 560, count = matrices.length;
    const side = labelRoom(pen, queries, root, narrow ? 70 : 110) + 8, top = labelRoom(pen, keys, root, 84) + 46;
    const sums = header.sums ? 46 : 0, gap = narrow ? 14 : 22;
    const fits = (across) => (width - side - across * sums - (across - 1) * gap - 2) / across;
    const options = count === 4 ? [4, 2, 1] : [count, ...(count === 3 ? [] : [2]), 1];
    const least = Math.min(Math.max(keys.length * 13, 118), 190);
    const across = options.find((option) => option <= count && fits(option) >= least) ?? 1;
    const wide = Math.min(fits(across), keys.length * 46, 470), tall = Math.min(Math.max((wide / keys.length) * queries.length, queries.length * 11), queries.length * 30);
    boxes = matrices.map((_, i) => ({
      x: side + (i % across) * (wide + sums + gap), y: top + Math.floor(i / across) * (tall + top + 6), width: wide, height: tall,
    }));
    Object.assign(board.style, { width: `${side + across * (wide + sums) + (across - 1) * gap + 2}px`, height: `${boxes.at(-1).y + tall + 6}px` });
    board.dataset.boxes = JSON.stringify(boxes);
    draw();
    return parseFloat(board.style.height);
  }

  function draw() {
    const pen = fit(board, parseFloat(board.style.width), parseFloat(board.style.height)), at = hover ?? pinned;
    const { queries, keys } = header;
    boxes.forEach((box, i) => {
      const matrix = matrices[i], labels = labelRoom(pen, keys, root, 84);
      drawMatrix(pen, matrix, box, colours, root);
      pen.textAlign = "left";
      pen.font = `600 14px ${fontOf(root)}`;
      pen.fillStyle = colours("text");
      pen.fillText(short(pen, matrix.title, box.width + (header.sums ? 46 : 0)), box.x, box.y - labels - 28);
      pen.font = `12px ${fontOf(root)}`;
      pen.fillStyle = colours("muted");
      pen.fillText(short(pen, matrix.note, box.width + (header.sums ? 46 : 16)), box.x, box.y - labels - 12);
      columnLabels(pen, keys, box, box.y - 5, 82, root, colours, "key_text", at.column);
      if (i === 0 || box.x === boxes[0].x) rowLabels(pen, queries, box, box.x - 7, box.x - 9, root, colours, "query", at.row);
      if (header.sums) drawSums(pen, matrix, box);
      frame(pen, box, matrix.rows, matrix.columns, at.row, at.column, 1, 1, colours("text"));
    });
    tell(at);
  }

  const pair = (row, column) => `${bare(header.queries[row])} to ${bare(header.keys[column])}`;

  const sumOf = (matrix, row) => matrix.values.subarray(row * matrix.columns, (row + 1) * matrix.columns).reduce((sum, value) => sum + value, 0);

  function drawSums(pen, matrix, box) {
    const height = box.height / matrix.rows, skip = every(height, 11), size = Math.min(12, Math.max(height * 0.6, 9));
    pen.textAlign = "left";
    for (let row = 0; row < matrix.rows; row += skip) {
      const sum = sumOf(matrix, row), off = !(Math.abs(sum - 1) < 5e-3);
      pen.font = `${off ? 600 : 400} ${size}px ${fontOf(root)}`;
      pen.fillStyle = colours(off ? "warn" : "muted");
      pen.fillText(Number.isNaN(sum) ? "NaN" : sum.toFixed(2), box.x + box.width + 7, box.y + (row + 0.5) * height + size * 0.35);
    }
    pen.font = `11px ${fontOf(root)}`;
    pen.fillStyle = colours("muted");
    pen.fillText("sum", box.x + box.width + 7, box.y - 5);
  }

  function tell({ row, column }) {
    const name = (label, role) => make("strong", { className: arabic(label) ? "rtl" : "mono", textContent: bare(label), style: { color: colours(role) } });
    const facts = matrices.flatMap((matrix) => [make("span", { className: "fact" }, make("span", { className: "muted", textContent: `${matrix.short} ` }),
      make("span", { className: "mono", textContent: digits(matrix.values[row * matrix.columns + column]) }))]);
    story.replaceChildren(make("span", { className: "fact" }, name(header.queries[row], "query"), " → ", name(header.keys[column], "key_text")), ...facts);
    if (hover) return;
    status.textContent = `${pair(row, column)}: ${matrices.map((matrix) => `${matrix.short} ${digits(matrix.values[row * matrix.columns + column])}`).join(", ")}.`;
    const shown = matrices.map((matrix) => gist(matrix.title, matrix, pair)).join(" ");
    board.setAttribute("aria-label", `${header.title}. ${shown} Now ${status.textContent} Arrow keys move between cells, Enter keeps one.`);
  }

  function find(x, y) {
    for (const box of boxes) {
      const cell = cellAt(box, header.queries.length, header.keys.length, x, y);
      if (cell) return cell;
    }
    return null;
  }

  function pin(cell) {
    pinned = cell;
    draw();
    send("cell", [cell.row, cell.column]);
  }

  board.onpointermove = (event) => {
    const next = event.pointerType === "mouse" ? find(...pointOn(board, event)) : null;
    if (JSON.stringify(next) !== JSON.stringify(hover)) (hover = next), draw();
  };
  board.onpointerleave = () => ((hover = null), draw());
  board.onclick = (event) => {
    const cell = find(...pointOn(board, event));
    if (cell) pin(cell);
  };
  board.onkeydown = (event) => {
    const move = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (event.key === "Enter" || event.key === " ") return event.preventDefault(), pin(pinned);
    if (!move) return undefined;
    event.preventDefault();
    const within = (i, count) => Math.min(Math.max(i, 0), count - 1);
    hover = null;
    pinned = { row: within(pinned.row + move[0], header.queries.length), column: within(pinned.column + move[1], header.keys.length) };
    return draw();
  };

  return { update, stop: () => (resize.disconnect(), root.remove()) };
}
