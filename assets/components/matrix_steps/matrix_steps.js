// One step of attention as matrices: hover a cell and see what it was made from. Play walks through the steps.
export default living(stepper);

function stepper(parent) {
  let header, send, colours, matrices, boxes, bars, hover = null, pinned = null, playing = false, timer, shown = 1, drawing;
  const board = make("canvas", { tabIndex: 0, role: "application" });
  const scroller = make("div", { className: "scroller" }, board);
  const rail = make("div", { className: "rail", role: "toolbar", "aria-label": "Steps of attention" });
  const story = make("div", { className: "story" });
  const status = make("p", { className: "sr", role: "status" });
  const root = make("div", { className: "gf steps" }, rail, scroller, story, status);
  parent.append(root);
  const resize = new ResizeObserver(() => header && layout());
  resize.observe(root);
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  function update(next, trigger) {
    const moved = header && (header.step !== next.step || header.of !== next.of);
    const fresh = !header || header.id !== next.id || moved;
    header = next;
    send = trigger;
    colours = applyTheme(root);
    matrices = {};
    for (const [key, about] of Object.entries(header.matrices)) {
      const values = floats(header[key]), rows = header[key].shape[0], columns = header[key].shape[1] / 4;
      matrices[key] = { ...about, values, rows, columns };
    }
    const signed = Object.values(matrices).filter((matrix) => matrix.scale === "signed");
    const together = reachOf(...signed.filter((matrix) => matrix.together).map((matrix) => matrix.values));
    for (const matrix of Object.values(matrices)) {
      matrix.reach = matrix.scale === "sequential" ? 1 : matrix.together ? together : reachOf(matrix.values);
      matrix.image = picture(matrix.values, matrix.rows, matrix.columns, matrix.scale, matrix.reach, colours);
    }
    if (fresh) {
      hover = null;
      pinned = chosen();
    }
    drawRail();
    layout();
    if (moved && !still.matches) sweep();
    if (playing) schedule();
  }

  // The cell that the address bar asks for, in the result of this step.
  function chosen() {
    const { c } = matrices, row = c.row === "key" ? header.key : header.query;
    const most = (i) => Array.from({ length: c.columns }, (_, j) => j).reduce((best, j) => (Math.abs(c.values[i * c.columns + j]) > Math.abs(c.values[i * c.columns + best]) ? j : best), 0);
    const column = c.column === "key" ? header.key : header.kind === "concat" ? header.head * matrices.a.columns : most(Math.min(row, c.rows - 1));
    return { row: Math.min(row, c.rows - 1), column: Math.min(column, c.columns - 1) };
  }

  // -- the rail ----------------------------------------------------------------------------------------------------

  function drawRail() {
    const last = header.steps.length - 1;
    const button = (id, text, label, act, off = false) => make("button", { className: "go", textContent: text, "aria-label": label, title: label,
      "data-id": id, disabled: off, onclick: act });
    const dots = header.steps.map((title, i) => {
      const dot = make("button", { className: "dot", "data-id": `step-${i}`, "aria-description": `Step ${i + 1} of ${last + 1}: ${title}`, onclick: () => (pause(), go(i)) },
        make("b", { textContent: String(i + 1) }), make("span", { textContent: title }));
      if (i === header.step) dot.setAttribute("aria-current", "step");
      if (i < header.step) dot.classList.add("done");
      return dot;
    });
    const which = header.choices.length ? make("span", { className: "which", role: "group", "aria-label": "Which projection" },
      ...header.choices.map((choice) => make("button", { textContent: choice.symbol, "data-id": `of-${choice.key}`, "aria-pressed": String(choice.key === header.of),
        style: { color: colours(choice.role) }, title: choice.title, onclick: () => (pause(), send("of", choice.key)) }))) : "";
    redrawn(rail,
      make("span", { className: "buttons" },
        button("back", "◀", "Back", () => (pause(), go(header.step - 1)), header.step === 0),
        button("play", playing ? "❚❚" : "▶ play", playing ? "Pause" : "Play all steps", () => (playing ? pause() : play())),
        button("next", "▶", "Next step", () => (pause(), go(header.step + 1)), header.step === last)),
      make("span", { className: "dots" }, ...dots), which);
    const line = rail.querySelector(".dots"), here = rail.querySelector('[aria-current="step"]');
    if (here) line.scrollLeft = here.offsetLeft - line.offsetLeft - line.clientWidth / 2 + here.clientWidth / 2;
  }

  rail.onkeydown = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    pause();
    go(header.step + by);
  };

  function go(step) {
    if (step < 0 || step >= header.steps.length || step === header.step) return;
    rail.querySelectorAll(".dot").forEach((dot, i) => (i === step ? dot.setAttribute("aria-current", "step") : dot.removeAttribute("aria-current")));
    send("step", step);
  }

  function play() {
    playing = true;
    if (header.step === header.steps.length - 1) go(0);
    else schedule(400);
    drawRail();
  }

  function pause() {
    playing = false;
    clearTimeout(timer);
    drawRail();
  }

  function schedule(wait = 2200) {
    clearTimeout(timer);
    if (header.step === header.steps.length - 1) return pause();
    timer = setTimeout(() => go(header.step + 1), wait);
    return undefined;
  }

  // The result appears row by row, with the row that it is made from lit.
  function sweep() {
    const start = performance.now();
    const tick = (now) => {
      shown = Math.min((now - start) / 800, 1);
      draw();
      if (shown < 1) drawing = requestAnimationFrame(tick);
    };
    cancelAnimationFrame(drawing);
    drawing = requestAnimationFrame(tick);
  }

  // -- where everything stands -------------------------------------------------------------------------------------

  const labelsOf = (axis) => (axis === "feature" ? null : header.tokens[axis]);
  const widthOf = (axis, count) => (axis === "feature" ? Math.min(Math.max(count * 4, 120), 430) : Math.min(count * 38, 430));
  const heightOf = (axis, count) => (axis === "feature" ? Math.min(Math.max(count * 2.4, 60), 170) : Math.min(Math.max(count * 26, 30), 400));
  const least = (axis, count, height) => (axis === "feature" ? Math.min(height, 60) : Math.min(height, count * 15)); // that can be read


  const layout = () => lay(root, arrange);

  function arrange(space, most) {
    const width = Math.min(space, 1100);
    if (!width) return 0;
    const pen = board.getContext("2d"), { a, b, c, d } = matrices;
    const narrow = width < 560, side = labelsOf(a.row) ? labelRoom(pen, labelsOf(a.row), root, narrow ? 76 : 120) + 6 : 0;
    boxes = {};
    bars = null;
    let height;
    if (header.kind === "product") {
      const gap = narrow ? 16 : 26, top = labelsOf(b.column) ? labelRoom(pen, labelsOf(b.column), root, 96) + 28 : 24;
      const room = width - side - gap - 4, want = widthOf(a.column, a.columns) + widthOf(c.column, c.columns), share = Math.min(1, room / want);
      let tall = heightOf(b.row, b.rows), low = heightOf(a.row, a.rows);
      const lows = d ? 2 : 1, left = most - top - 34 - 30 - (d ? 40 : 0);
      if (left < tall + lows * low) {
        const short = Math.min(tall, 60);
        low = Math.max(Math.min((low * left) / (tall + lows * low), (left - short) / lows), least(a.row, a.rows, low));
        tall = Math.max(left - lows * low, short);
      }
      boxes.a = { x: side, y: top + tall + 34, width: widthOf(a.column, a.columns) * share, height: low };
      boxes.b = { x: side + boxes.a.width + gap, y: top, width: widthOf(c.column, c.columns) * share, height: tall };
      boxes.c = { ...boxes.b, y: boxes.a.y, height: low };
      bars = { x: boxes.a.x, y: top, width: boxes.a.width, height: tall };
      if (d) boxes.d = { ...boxes.c, y: boxes.c.y + low + 40 };
      height = (boxes.d ?? boxes.c).y + low + 30;
    } else {
      const row = ["a", "b", "c"].filter((key) => matrices[key]), top = labelsOf(c.column) ? labelRoom(pen, labelsOf(c.column), root, 96) + 30 : 26;
      const signs = narrow ? 26 : 54, stacked = narrow && row.length * 130 > width - side;
      const across = stacked ? 1 : row.length;
      const high = heightOf(c.row, c.rows), low = Math.max(Math.min(high, most - top - 30), least(c.row, c.rows, high)), room = (width - side - signs * (across - 1) - 4) / across;
      row.forEach((key, i) => {
        const wide = Math.min(widthOf(matrices[key].column, matrices[key].columns), header.kind === "concat" && key === "c" ? 1000 : room);
        const before = boxes[row[i - 1]];
        boxes[key] = { x: stacked || !before ? side : before.x + before.width + signs, y: stacked ? top + i * (low + 64) : top, width: wide, height: low };
      });
      if (header.kind === "concat") boxes.c.width = Math.min(430, width - boxes.c.x - 4);
      height = boxes[row.at(-1)].y + low + 30;
    }
    size(Math.max(...Object.values(boxes).map((box) => box.x + box.width)) + 4, height);
    draw();
    return height;
  }

  function size(width, height) {
    board.style.width = `${width}px`;
    board.style.height = `${height}px`;
    board.dataset.boxes = JSON.stringify(boxes);
  }

  // -- drawing -----------------------------------------------------------------------------------------------------

  const active = () => hover ?? (pinned && { key: "c", ...pinned });

  // What a cell of any matrix lights: a row or a column in each, and the cell of the result that it belongs to.
  function lights(at) {
    const { key, row, column } = at, result = key === "c" || key === "d";
    if (header.kind !== "product") return { cell: { row, column: header.kind === "concat" && key === "a" ? column + header.head * matrices.a.columns : column } };
    if (result) return { row, column, cell: { row, column } };
    return key === "a" ? { row, middle: column } : { column, middle: row };
  }

  function draw() {
    const pen = fit(board, parseFloat(board.style.width), parseFloat(board.style.height)), at = active(), lit = at ? lights(at) : {};
    const { a, b, c } = matrices, product = header.kind === "product";
    for (const [key, box] of Object.entries(boxes)) {
      pen.save();
      if ((key === "c" || key === "d") && shown < 1) {
        pen.beginPath();
        pen.rect(box.x - 2, box.y - 2, box.width + 4, box.height * shown + 2);
        pen.clip();
      }
      drawMatrix(pen, matrices[key], box, colours, root);
      pen.restore();
      name(pen, key, box);
    }
    signs(pen);
    const row = shown < 1 ? Math.min(Math.floor(shown * c.rows), c.rows - 1) : lit.cell?.row ?? lit.row;
    const column = lit.cell?.column ?? lit.column;
    const seen = (axis, i) => (axis === "feature" ? undefined : i);
    if (labelsOf(a.row)) {
      rowLabels(pen, labelsOf(a.row), boxes.a, boxes.a.x - 8, boxes.a.x - 10, root, colours, a.row === "key" ? "key_text" : "query", seen(a.row, row));
      if (boxes.c.x === boxes.a.x && boxes.c.y !== boxes.a.y) for (const key of ["b", "c"])
        if (boxes[key]) rowLabels(pen, labelsOf(a.row), boxes[key], boxes[key].x - 8, boxes[key].x - 10, root, colours, "query", seen(a.row, row));
    }
    for (const key of product ? ["b"] : ["a", "b", "c"])
      if (matrices[key] && labelsOf(matrices[key].column)) columnLabels(pen, labelsOf(matrices[key].column), boxes[key], boxes[key].y - 6, 92, root, colours, "key_text", column);
    if (product) {
      const [rowColour, columnColour] = [colours(a.role), colours(b.role)];
      if (row !== undefined) frame(pen, boxes.a, a.rows, a.columns, row, 0, 1, a.columns, rowColour);
      if (shown < 1) return;
      if (lit.column !== undefined) frame(pen, boxes.b, b.rows, b.columns, 0, lit.column, b.rows, 1, columnColour);
      if (lit.middle !== undefined && lit.row !== undefined) frame(pen, boxes.b, b.rows, b.columns, lit.middle, 0, 1, b.columns, columnColour);
      if (lit.middle !== undefined && lit.column !== undefined) frame(pen, boxes.a, a.rows, a.columns, 0, lit.middle, a.rows, 1, rowColour);
      if (lit.cell) for (const key of ["c", "d"]) if (boxes[key]) frame(pen, boxes[key], c.rows, c.columns, lit.cell.row, lit.cell.column, 1, 1, colours("text"));
      if (lit.cell) drawBars(pen, lit.cell);
    } else {
      if (shown < 1) return frame(pen, boxes.a, a.rows, a.columns, row, 0, 1, a.columns, colours(a.role));
      if (lit.cell && header.kind === "softmax") frame(pen, boxes.a, a.rows, a.columns, lit.cell.row, 0, 1, a.columns, colours("query"));
      if (header.kind === "concat") frame(pen, boxes.c, c.rows, c.columns, 0, header.head * a.columns, c.rows, a.columns, colours("value"));
      if (lit.cell) for (const key of Object.keys(boxes)) {
        const inside = header.kind === "concat" && key === "a" ? lit.cell.column - header.head * a.columns : lit.cell.column;
        if (inside < 0 || inside >= matrices[key].columns) continue;
        const wide = header.kind === "rotate" && key === "a" ? 2 : 1;
        frame(pen, boxes[key], matrices[key].rows, matrices[key].columns, lit.cell.row, wide === 2 ? inside - (inside % 2) : inside, 1, wide, colours("text"));
      }
    }
    tell(at);
    return undefined;
  }

  // The name of a matrix and its shape: above the left one and the upper one, below the results.
  function name(pen, key, box) {
    const { symbol, role, rows, columns } = matrices[key], product = header.kind === "product";
    const below = product && (key === "c" || key === "d");
    const y = below ? box.y + box.height + 17 : product && key === "a" ? box.y - 9 : key === "b" && product ? 14 : box.y - (labelsOf(matrices[key].column) ? labelRoom(pen, labelsOf(matrices[key].column), root, 96) + 12 : 9);
    pen.textAlign = "left";
    pen.font = `600 14px ${fontOf(root)}`;
    pen.fillStyle = colours(role);
    const [stem, sub = "", rest = ""] = symbol.split(/_(.)/);
    pen.fillText(stem, box.x, y);
    let wide = pen.measureText(stem).width;
    if (sub) {
      pen.font = `600 10px ${fontOf(root)}`;
      pen.fillText(sub, box.x + wide + 0.5, y + 3);
      wide += pen.measureText(sub).width + 1;
      pen.font = `600 14px ${fontOf(root)}`;
      pen.fillText(rest, box.x + wide, y);
      wide += pen.measureText(rest).width;
    }
    pen.font = `12px ${fontOf(root)}`;
    pen.fillStyle = colours("muted");
    pen.fillText(`${rows} × ${columns}`, box.x + wide + 8, y);
  }

  function signs(pen) {
    pen.font = `18px ${fontOf(root)}`;
    pen.fillStyle = colours("muted");
    pen.textAlign = "center";
    const keys = ["a", "b", "c"].filter((key) => boxes[key]);
    if (header.kind === "product") return;
    keys.slice(1).forEach((key, i) => {
      const from = boxes[keys[i]], to = boxes[key], text = key === "c" ? (matrices.b ? "=" : header.sign) : header.sign;
      if (from.y === to.y) pen.fillText(text, (from.x + from.width + to.x) / 2, from.y + from.height / 2 + 6, to.x - from.x - from.width - 4);
      else pen.fillText(text, from.x - 24, from.y + from.height + 26);
    });
  }

  const term = (row, column, i) => matrices.a.values[row * matrices.a.columns + i] * matrices.b.values[i * matrices.b.columns + column];

  // The products behind one cell, in the corner between the two factors: each above its column.
  function drawBars(pen, { row, column }) {
    const count = matrices.a.columns, terms = Array.from({ length: count }, (_, i) => term(row, column, i)), reach = reachOf(terms);
    const middle = bars.y + bars.height / 2, step = bars.width / count, tall = bars.height / 2 - 14;
    pen.strokeStyle = colours("border");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(bars.x, middle);
    pen.lineTo(bars.x + bars.width, middle);
    pen.stroke();
    terms.forEach((value, i) => {
      pen.fillStyle = colours(value >= 0 ? "query" : "key");
      const long = (value / reach) * tall;
      pen.fillRect(bars.x + i * step, long >= 0 ? middle - long : middle, Math.max(step - (step > 3 ? 1 : 0), 0.7), Math.max(Math.abs(long), 0.5));
    });
    pen.font = `12px ${fontOf(root)}`;
    pen.fillStyle = colours("muted");
    pen.textAlign = "left";
    const largest = terms.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best), 0);
    const long = `the ${count} products, largest ${digits(largest)}`;
    pen.fillText(pen.measureText(long).width <= bars.width ? long : `${count} products`, bars.x, bars.y - 10);
  }

  // -- the sum in words --------------------------------------------------------------------------------------------

  const part = (text, role) => make("bdi", { className: arabic(text) ? "rtl" : "mono", dir: "ltr", textContent: text, style: role ? { color: colours(role) } : {} });
  const word = (axis, i) => {
    const text = axis === "feature" ? `feature ${i}` : bare(header.tokens[axis][i]);
    return arabic(text) ? `\u2068${text}\u2069` : text; // apart from the direction of its neighbours
  };
  const place = (matrix, row, column) => `${matrix.symbol}[${word(matrix.row, row)}, ${word(matrix.column, column)}]`;
  const value = (key, row, column) => matrices[key].values[row * matrices[key].columns + column];

  function tell(at) {
    if (!at) return story.replaceChildren();
    const cell = lights(at).cell;
    const lines = !cell ? [[part(place(matrices[at.key], at.row, at.column)), " = ", part(digits(value(at.key, at.row, at.column)))]] : sums[header.kind](cell);
    story.replaceChildren(...lines.map((line) => make("div", {}, ...line)));
    story.classList.toggle("pinned", !hover);
    if (hover) return undefined;
    status.textContent = [...story.children].map((line) => line.textContent).join(". ");
    const shown = Object.values(matrices).map((matrix) => gist(matrix.symbol, matrix, (row, column) => `${word(matrix.row, row)}, ${word(matrix.column, column)}`));
    board.setAttribute("aria-label", `${header.steps[header.step]}. ${shown.join(" ")} Now ${status.textContent}. Arrow keys move between cells, Enter keeps one.`);
    return undefined;
  }

  const sums = {
    product({ row, column }) {
      const { a, b, c } = matrices, count = a.columns, bias = header.bias ? floats(header.bias)[column] : 0;
      const order = Array.from({ length: count }, (_, i) => i).sort((i, j) => Math.abs(term(row, column, j)) - Math.abs(term(row, column, i)));
      const named = count <= 6 ? Array.from({ length: count }, (_, i) => i) : order.slice(0, 4);
      const rest = count - named.length, others = order.filter((i) => !named.includes(i)).reduce((sum, i) => sum + term(row, column, i), 0);
      const line = [part(place(c, row, column), c.role), " = "];
      named.forEach((i, n) => line.push(n ? " + " : "", part(digits(a.values[row * count + i]), a.role), " · ", part(digits(b.values[i * b.columns + column]), b.role)));
      if (rest > 0) line.push(` + the ${rest} smaller products, together `, part(digits(others)));
      if (header.bias) line.push(" + bias ", part(digits(bias)));
      line.push(" = ", make("strong", { className: "mono", textContent: digits(value("c", row, column)) }));
      const found = [line];
      if (matrices.d) {
        const total = value("d", row, column), own = value("c", row, column);
        found.push([part(place(matrices.d, row, column), "residual_text"), " = this head ", part(digits(own), c.role), ` + ${header.others} `, part(digits(total - own)), " = ", make("strong", { className: "mono", textContent: digits(total) })]);
      }
      return found;
    },
    scale({ row, column }) {
      return [[part(place(matrices.c, row, column)), " = ", part(digits(value("a", row, column))), ` ${header.sign} = ${digits(value("a", row, column))} ÷ ${digits(header.divisor)} = `, make("strong", { className: "mono", textContent: digits(value("c", row, column)) })]];
    },
    mask({ row, column }) {
      const hidden = value("b", row, column) === -Infinity;
      return [[part(digits(value("a", row, column))), " + ", part(hidden ? "(−∞)" : digits(value("b", row, column)), "masked_text"), " = ", make("strong", { className: "mono", textContent: digits(value("c", row, column)) }),
        hidden ? `: ${word("query", row)} may not look at ${word("key", column)}` : `: ${word("query", row)} may look at ${word("key", column)}`]];
    },
    softmax({ row, column }) {
      const { a } = matrices, scores = Array.from(a.values.subarray(row * a.columns, (row + 1) * a.columns)), largest = Math.max(...scores);
      const own = value("a", row, column), weight = value("c", row, column);
      if (largest === -Infinity) return [[`Every key is hidden from ${word("query", row)}: there is no softmax of nothing, so its weights are set to 0.`]];
      const shift = largest > 50 ? largest : 0, power = (x) => Math.exp(x - shift), total = scores.reduce((sum, x) => sum + power(x), 0);
      const lines = [[part(`weight of ${word("key", column)} for ${word("query", row)}`), " = ", part(`exp(${digits(own)}${shift ? ` − ${digits(shift)}` : ""})`), " ÷ the row's sum = ",
        part(digits(power(own))), " ÷ ", part(digits(total)), " = ", make("strong", { className: "mono", textContent: digits(weight) })]];
      if (shift) lines.push([make("span", { className: "muted", textContent: "The row's largest score is subtracted from all of its scores first: the quotient stays the same, and the powers stay small." })]);
      return lines;
    },
    rotate({ row, column }) {
      const k = Math.floor(column / 2), half = matrices.a.columns / 2, cos = floats(header.cos)[row * half + k], sin = floats(header.sin)[row * half + k];
      const [even, odd] = [value("a", row, 2 * k), value("a", row, 2 * k + 1)], first = column % 2 === 0;
      return [[part(place(matrices.c, row, column), matrices.c.role), " = ", part(digits(even)), " · ", part(digits(first ? cos : sin)), first ? " − " : " + ", part(digits(odd)), " · ", part(digits(first ? sin : cos)), " = ",
        make("strong", { className: "mono", textContent: digits(value("c", row, column)) })],
      [make("span", { className: "muted", textContent: `Pair ${k} of the features turns by ${digits(header.speeds[k] * row)} radians at position ${row}: cos ${digits(cos)}, sin ${digits(sin)}.` })]];
    },
    concat({ row, column }) {
      const wide = matrices.a.columns, head = Math.floor(column / wide);
      return [[part(place(matrices.c, row, column)), " = ", make("strong", { className: "mono", textContent: digits(value("c", row, column)) }), `: feature ${column % wide} of head ${head}${head === header.head ? ", the head on this page" : ""}`]];
    },
  };

  // -- the hand ----------------------------------------------------------------------------------------------------

  function find(x, y) {
    for (const [key, box] of Object.entries(boxes)) {
      const cell = cellAt(box, matrices[key].rows, matrices[key].columns, x, y);
      if (cell) return { key, ...cell };
    }
    return null;
  }

  function pin(cell) {
    pinned = { row: cell.row, column: cell.column };
    draw();
    const { c } = matrices;
    if (c.row === "query") send("cell", [cell.row, c.column === "key" ? cell.column : header.key]);
  }

  board.onpointermove = (event) => {
    const next = event.pointerType === "mouse" ? find(...pointOn(board, event)) : null;
    if (JSON.stringify(next) !== JSON.stringify(hover)) (hover = next), draw();
  };
  board.onpointerleave = () => ((hover = null), draw());
  board.onclick = (event) => {
    const found = find(...pointOn(board, event)), cell = found && lights(found).cell;
    if (cell) pin(cell);
  };
  board.onkeydown = (event) => {
    const move = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (event.key === "Enter" || event.key === " ") return event.preventDefault(), pin(pinned);
    if (!move) return undefined;
    event.preventDefault();
    const { c } = matrices, within = (i, count) => Math.min(Math.max(i, 0), count - 1);
    pinned = { row: within(pinned.row + move[0], c.rows), column: within(pinned.column + move[1], c.columns) };
    hover = null;
    return draw();
  };

  return { update, stop: () => (clearTimeout(timer), cancelAnimationFrame(drawing), resize.disconnect(), root.remove()) };
}
