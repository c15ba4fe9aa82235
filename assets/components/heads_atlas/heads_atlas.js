// Every head of a stack as a small picture on one canvas. Hover shows it larger; click or Enter chooses it.
export default living(atlas);

function atlas(parent) {
  let header, send, colours, tiles, order, grid, hover = null, focus = null, focused = false;
  const board = make("canvas", { "aria-hidden": "true" }), marks = make("canvas", { tabIndex: 0, role: "application" });
  const stage = make("div", { className: "stage" }, board, marks);
  const scroller = make("div", { className: "scroller" }, stage);
  const picture = make("canvas"), words = make("div");
  const preview = make("div", { className: "preview", hidden: true, "aria-hidden": "true" }, picture, words);
  const legend = make("div", { className: "legend muted" });
  const status = make("p", { className: "sr", role: "status" }), table = make("div", { className: "sr" });
  const root = make("div", { className: "gf atlas" }, legend, scroller, preview, status, table);
  parent.append(root);
  const resize = new ResizeObserver(() => header && layout());
  resize.observe(root);

  function update(next, trigger) {
    header = next;
    send = trigger;
    colours = applyTheme(root);
    const [layers, heads, queries, keys] = header.tiles.shape, scale = ramp(colours("sequential")), area = queries * keys;
    const step = (at) => Math.round((header.tiles[at] / header.levels) * 255);
    tiles = Array.from({ length: layers * heads }, (_, n) => pixels(queries, keys, scale, (at) => step(n * area + at)));
    const by = header.kinds.findIndex((kind) => kind.key === header.sort);
    order = tiles.map((_, n) => n);
    if (by >= 0) order.sort((a, b) => value(b, by) - value(a, by) || a - b);
    focus = focus ?? header.layer * heads + header.head;
    drawLegend();
    layout();
    drawTable();
  }

  const count = () => header.tiles.shape[1];
  const place = (n) => ({ layer: Math.floor(n / count()), head: n % count() });
  const value = (n, kind) => header.metrics[n * header.kinds.length + kind] / 200;
  const badges = (n) => header.kinds.flatMap((kind, at) => (kind.threshold !== null && value(n, at) >= kind.threshold ? [at] : []));
  const titled = (n) => `Layer ${place(n).layer}, head ${place(n).head}`;
  const facts = (n) => header.kinds.map((kind, at) => `${kind.label} ${value(n, at).toFixed(2)}`);

  function drawLegend() {
    legend.replaceChildren(...header.kinds.flatMap((kind, at) => {
      if (kind.threshold === null) return [];
      const many = tiles.filter((_, n) => value(n, at) >= kind.threshold).length;
      return [make("span", { title: kind.meaning }, make("i", { className: "dot", style: { background: colours(`series-${at}`) } }),
        `${kind.label} ≥ ${kind.threshold.toFixed(1)}: ${many}`)];
    }));
  }

  // Rows are heads and columns layers; on a narrow screen the other way; sorted, a plain run of tiles.
  const layout = () => lay(root, arrange);

  function arrange(room, most) {
    const width = Math.min(room, 2400), [layers, heads] = header.tiles.shape, sorted = header.sort !== "layer";
    if (!width) return 0;
    const turned = !sorted && layers > heads && width < 24 * layers, margin = { left: sorted ? 0 : 22, top: sorted ? 0 : 18 };
    const wide = sorted ? Math.max(Math.floor(width / (width < 600 ? 42 : 58)), 1) : turned ? heads : layers;
    const large = most < Infinity ? Math.max((most - 58) / (turned ? layers : heads), 64) : 64; // as a lecture room needs it
    const step = Math.max(Math.min((width - margin.left) / wide, sorted ? 72 : turned ? 44 : large), 20), gap = step > 30 ? 4 : 2, label = sorted ? 15 : 0;
    const rows = sorted ? Math.ceil(tiles.length / wide) : turned ? layers : heads;
    grid = { turned, sorted, margin, wide, step, gap, label, rows, width: margin.left + wide * step, height: margin.top + rows * (step + label) };
    Object.assign(stage.style, { width: `${grid.width}px`, height: `${grid.height}px` });
    drawBoard();
    drawMarks();
    return grid.height + 40; // with the legend
  }

  function box(n) {
    const { turned, sorted, margin, wide, step, gap, label } = grid, at = sorted ? order.indexOf(n) : n, { layer, head } = place(n);
    const [column, row] = sorted ? [at % wide, Math.floor(at / wide)] : turned ? [head, layer] : [layer, head];
    return [margin.left + column * step, margin.top + row * (step + label), step - gap];
  }

  function at(x, y) {
    const column = Math.floor((x - grid.margin.left) / grid.step), row = Math.floor((y - grid.margin.top) / (grid.step + grid.label));
    if (column < 0 || row < 0 || column >= grid.wide || row >= grid.rows) return null;
    const n = grid.sorted ? order[row * grid.wide + column] : grid.turned ? row * count() + column : column * count() + row;
    return n === undefined ? null : n;
  }

  function drawBoard() {
    const pen = fit(board, grid.width, grid.height), { step, gap, margin } = grid, [layers, heads] = header.tiles.shape;
    pen.imageSmoothingEnabled = header.tiles.shape[3] > (step - gap) * (window.devicePixelRatio || 1);
    pen.font = `11px ${getComputedStyle(root).getPropertyValue("--st-font")}`;
    pen.fillStyle = colours("muted");
    if (!grid.sorted) {
      const across = grid.turned ? heads : layers, down = grid.turned ? layers : heads, every = across > 12 ? 5 : 1;
      pen.textAlign = "left";
      for (let i = 0; i < across; i += every) pen.fillText(`${i === 0 ? (grid.turned ? "head " : "layer ") : ""}${i}`, margin.left + i * step, 11);
      pen.textAlign = "right";
      for (let i = 0; i < down; i++) pen.fillText(String(i), margin.left - 6, margin.top + i * step + (step - gap) / 2 + 4);
    }
    for (const n of order) {
      const [x, y, side] = box(n);
      pen.drawImage(tiles[n], x, y, side, side);
      badges(n).forEach((kind, i) => {
        const radius = side > 30 ? 3.5 : 2.5;
        pen.beginPath();
        pen.arc(x + side - radius - 2 - i * (2 * radius + 2), y + radius + 2, radius, 0, 7);
        pen.fillStyle = colours(`series-${kind}`);
        pen.fill();
        pen.strokeStyle = colours("background");
        pen.lineWidth = 1;
        pen.stroke();
      });
      if (!grid.sorted) continue;
      pen.fillStyle = colours("muted");
      pen.textAlign = "left";
      pen.fillText(`${place(n).layer}.${place(n).head}`, x, y + side + 12);
      pen.textAlign = "right";
      if (side > 44) pen.fillText(value(n, header.kinds.findIndex((kind) => kind.key === header.sort)).toFixed(2), x + side, y + side + 12);
    }
  }

  function drawMarks() {
    const pen = fit(marks, grid.width, grid.height);
    const frame = (n, colour, thick) => {
      const [x, y, side] = box(n);
      pen.strokeStyle = colours(colour);
      pen.lineWidth = thick;
      pen.strokeRect(x - 1, y - 1, side + 2, side + 2);
    };
    frame(header.layer * count() + header.head, "key", 2.5);
    const here = hover ?? (focused ? focus : null);
    if (here !== null) frame(here, "query", 2);
    marks.setAttribute("aria-label", `${header.title}. Arrow keys move between heads, Enter opens one. Now: ${titled(focus)}.`);
    show(here);
  }

  function show(n) {
    preview.hidden = n === null;
    if (n === null) return;
    const scale = scaleOf(root), long = 330 * scale;
    const side = 150, pen = fit(picture, side, side), [x, y, small] = box(n).map((each) => each * scale), left = x - scroller.scrollLeft;
    pen.imageSmoothingEnabled = false;
    pen.drawImage(tiles[n], 0, 0, side, side);
    words.replaceChildren(make("strong", { textContent: titled(n) }), ...facts(n).map((fact) => make("div", { className: "muted", textContent: fact })));
    const beside = left + small + 10 + long < root.clientWidth ? left + small + 10 : Math.max(left - long - 10, 0);
    const top = root.clientWidth < 700 ? y + small + 12 + scroller.offsetTop : Math.max(y + scroller.offsetTop - 50, 0);
    Object.assign(preview.style, { left: `${root.clientWidth < 700 ? 0 : beside}px`, top: `${top}px` });
  }

  const choose = (n) => {
    Object.assign(header, place(n));
    focus = n;
    drawMarks();
    send("pick", [header.layer, header.head]);
  };

  marks.onpointermove = (event) => {
    const next = event.pointerType === "mouse" ? at(...pointOn(marks, event)) : null;
    if (next !== hover) (hover = next), drawMarks();
  };
  marks.onpointerleave = () => ((hover = null), drawMarks());
  marks.onclick = (event) => {
    const n = at(...pointOn(marks, event));
    if (n !== null) choose(n);
  };
  marks.onfocus = () => ((focused = marks.matches(":focus-visible")), drawMarks());
  marks.onblur = () => ((focused = false), drawMarks());
  marks.onkeydown = (event) => {
    if (event.key === "Enter" || event.key === " ") return event.preventDefault(), choose(focus);
    const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!move) return undefined;
    event.preventDefault();
    const [x, y, side] = box(focus), to = at(x + side / 2 + move[0] * grid.step, y + side / 2 + move[1] * (grid.step + grid.label));
    if (to === null) return undefined;
    focus = to;
    focused = true;
    drawMarks();
    status.textContent = `${titled(focus)}: ${facts(focus).join(", ")}.`;
    return undefined;
  };

  const drawTable = settle(() => {
    const row = (tag, ...cells) => make("tr", {}, ...cells.map((cell) => make(tag, { textContent: cell })));
    table.replaceChildren(make("table", {}, make("caption", { textContent: header.title }), row("th", "Head", ...header.kinds.map((kind) => kind.label)),
      ...order.map((n) => row("td", titled(n), ...header.kinds.map((_, at) => value(n, at).toFixed(2))))));
  }, 150);

  return { update, stop: () => (resize.disconnect(), root.remove()) };
}
