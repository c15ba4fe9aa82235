// Attention as lines from each query (left or top) to each key. Hover, focus and toggles never ask the server.
export default living(picture);

function picture(parent) {
  let header, view, send, waiting = [], colours, weights, heads, tokens, visible, size, hover = null, focus = null;
  const lines = make("canvas", { className: "moves" }), lit = make("canvas");
  const columns = { query: make("div", { role: "listbox" }), key: make("div", { role: "listbox" }) };
  const stage = make("div", { className: "stage" }, lines, lit, columns.query, columns.key);
  const scroller = make("div", { className: "scroller" }, stage);
  const controls = make("div", { className: "controls" });
  const status = make("p", { className: "sr", role: "status" });
  const table = make("div", { className: "sr" });
  const root = make("div", { className: "gf lines" }, controls, scroller, status, table);
  parent.append(root);
  for (const canvas of [lines, lit]) canvas.setAttribute("aria-hidden", "true");
  const resize = new ResizeObserver(() => header && layout());
  resize.observe(root);

  const report = settle(() => {
    waiting.push(JSON.stringify(view));
    send("view", view);
  }, 250);

  function update(next, trigger) {
    const fresh = !header || header.id !== next.id;
    const echo = waiting.indexOf(JSON.stringify(next.view)); // our own change, come back from the server
    waiting = waiting.slice(echo + 1);
    header = next;
    send = trigger;
    colours = applyTheme(root);
    if (fresh || echo < 0) view = { ...next.view };
    if (fresh) hover = focus = null;
    weights = next.weights;
    heads = weights.shape[0];
    tokens = { query: next.queries, key: next.keys };
    drawControls();
    layout();
  }

  const weight = (h, q, k) => weights[(h * tokens.query.length + q) * tokens.key.length + k] / header.levels;
  const masked = (q, k) => header.causal && k > q;
  const colour = (h) => (view.heads.length === 1 ? colours("query") : colours(`series-${h % 8}`));
  const mean = (q, k) => view.heads.reduce((sum, h) => sum + weight(h, q, k), 0) / Math.max(1, view.heads.length);
  const name = (side, i) => bare(tokens[side][i].label);

  // What is isolated now: the token under the hand, else the one with the keyboard's focus, else the pinned query.
  const active = () => hover ?? focus ?? (view.query === null ? null : { side: "query", i: view.query });

  function change(part) {
    Object.assign(view, part);
    drawControls();
    layout();
    report();
  }

  function drawControls() {
    const chips = Array.from({ length: heads }, (_, h) => {
      const on = view.heads.includes(h);
      const chip = make("button", { className: "head", textContent: String(h), "aria-pressed": String(on), "data-id": `head-${h}`,
        "aria-label": `Head ${h}`, title: `Head ${h}: click to show or hide, double click to show it alone`,
        style: on ? { background: colour(h), borderColor: colour(h) } : {} });
      chip.onclick = (event) => {
        if (event.detail > 1) return;
        const others = view.heads.filter((other) => other !== h);
        if (others.length || !on) change({ heads: on ? others : [...others, h].sort((a, b) => a - b) });
      };
      chip.ondblclick = () => change({ heads: [h], head: h });
      chip.onkeydown = (event) => {
        if (event.key !== "Enter" || !event.shiftKey) return;
        event.preventDefault();
        change({ heads: [h], head: h });
      };
      return chip;
    });
    const all = view.heads.length === heads;
    const every = make("button", { className: "plain", textContent: all ? "one" : "all", "data-id": "all",
      "aria-label": all ? "Show one head" : "Show all heads",
      onclick: () => change({ heads: all ? [view.head] : Array.from({ length: heads }, (_, h) => h) }) });
    const value = make("output", { textContent: view.least.toFixed(2) });
    const least = make("input", { type: "range", min: 0, max: 0.5, step: 0.01, value: view.least, "aria-label": "Hide weights below", "data-id": "least" });
    least.oninput = () => {
      view.least = Number(least.value);
      value.textContent = view.least.toFixed(2);
      draw();
      report();
    };
    const box = (id, text, title) => make("label", { title }, make("input", { type: "checkbox", checked: view.hide.includes(id), "data-id": id,
      onchange: (event) => change({ hide: ["special", "sink"].filter((other) => (other === id ? event.target.checked : view.hide.includes(other))) }) }), ` ${text}`);
    const special = [...tokens.query, ...tokens.key].some((token) => token.special);
    const way = make("button", { className: "plain", "data-id": "way", textContent: view.layout === "down" ? "lay across" : "lay down",
      title: "Turn the picture", onclick: () => change({ layout: view.layout === "down" ? "across" : "down" }) });
    redrawn(controls,
      make("span", { className: "heads", role: "group", "aria-label": "Heads" }, make("span", { className: "muted", textContent: heads === 1 ? "Head" : "Heads" }), ...chips, heads > 1 ? every : ""),
      make("label", { className: "muted" }, "hide below ", value, least),
      make("span", { className: "muted boxes" }, "hide ", special ? box("special", "special tokens", "Tokens that the tokenizer adds, such as [CLS]") : "",
        box("sink", "first token", "Many heads park the attention they do not use on the first token")),
      way);
  }

  const layout = () => lay(root, arrange);

  function arrange(room, most) {
    const width = Math.min(room, 1500);
    if (!width) return 0;
    const shown = (token) => !(view.hide.includes("special") && token.special);
    visible = {};
    for (const side of ["query", "key"]) visible[side] = tokens[side].flatMap((token, i) => (shown(token) ? [i] : []));
    const longest = Math.max(visible.query.length, visible.key.length, 1);
    const usual = longest <= 16 ? 31 : longest <= 32 ? 26 : longest <= 64 ? 20 : 16;
    const font = usual > 28 ? 15 : usual > 24 ? 14 : usual > 18 ? 12.5 : 11;
    const row = Math.max(Math.min(usual, (most - 26) / longest), Math.min(usual, font + 3));
    const pen = lines.getContext("2d");
    pen.font = `${font}px ${getComputedStyle(root).getPropertyValue("--st-code-font")}`;
    const widest = (side) => Math.max(24, ...visible[side].map((i) => pen.measureText(bare(tokens[side][i].label)).width + 14));
    const down = view.layout === "down";
    const number = down ? 40 : 30, space = down ? width * 0.33 - number : 150;
    const label = { query: Math.min(widest("query"), space), key: Math.min(widest("key"), space) };
    const head = 22;
    if (down) {
      const gap = Math.min(Math.max(width - label.query - Math.max(label.key, 90) - 2 * number, 60), 520);
      const start = { query: number + label.query, key: number + label.query + gap };
      size = { down, row, font, head, number, label, start, width: Math.min(width, start.key + Math.max(label.key, 120) + number), height: head + longest * row + 4 };
    } else {
      const start = { query: head + number + label.query, key: head + number + label.query + 230 };
      const step = Math.min(Math.max((width - 8) / longest, row, 22), 56);
      size = { down, row: step, font, head, number, label, start, height: start.key + label.key + number + head, width: longest * step + 8 };
    }
    const right = visible.query.filter((i) => tokens.query[i].rtl).length > visible.query.length / 2;
    size.flip = !down && right;
    Object.assign(stage.style, { width: `${size.width}px`, height: `${size.height}px` });
    for (const side of ["query", "key"]) place(side);
    draw();
    drawTable();
    return size.height;
  }

  // The middle of a token's row (or column, when laid across).
  const middle = (side, i) => {
    const at = visible[side].indexOf(i);
    return size.down ? size.head + (at + 0.5) * size.row : size.flip ? size.width - (at + 0.5) * size.row - 4 : (at + 0.5) * size.row + 4;
  };

  function place(side) {
    const had = columns[side].contains(root.getRootNode().activeElement);
    columns[side].setAttribute("aria-label", side === "query" ? "Queries: tokens that look" : "Keys: tokens looked at");
    columns[side].replaceChildren(...visible[side].map((i) => {
      const token = tokens[side][i], at = middle(side, i) - size.row / 2;
      const chip = make("button", { className: `token ${side}${token.special ? " special" : ""}${token.rtl ? " rtl" : ""}`, role: "option", "data-i": i, tabIndex: -1,
        title: `${side === "query" ? "Query" : "Key"} ${i}: ${token.label}` },
        make("bdi", { textContent: bare(token.label) }));
      const before = side === "query";
      Object.assign(chip.style, { fontSize: `${size.font}px` }, size.down
        ? { top: `${at}px`, height: `${size.row}px`, lineHeight: `${size.row}px`, left: `${before ? size.number : size.start.key}px`,
            width: `${before ? size.label.query : size.width - size.start.key - size.number}px`, textAlign: before ? "right" : "left" }
        : { left: `${at}px`, width: `${size.row}px`, lineHeight: `${size.row}px`, top: `${before ? size.head + size.number : size.start.key}px`, height: `${size.label[side]}px`,
            writingMode: "vertical-rl", textAlign: before ? "right" : "left" });
      chip.onpointerenter = (event) => event.pointerType === "mouse" && ((hover = { side, i }), draw(false));
      chip.onpointerleave = () => ((hover = null), draw(false));
      chip.onfocus = () => chip.matches(":focus-visible") && ((focus = { side, i }), draw(false), say());
      chip.onblur = () => ((focus = null), draw(false));
      chip.onclick = () => pin(side, i);
      chip.onkeydown = (event) => keys(event, side, i);
      return chip;
    }));
    const open = side === "query" && view.query !== null && visible.query.includes(view.query) ? view.query : visible[side][0];
    const entry = columns[side].querySelector(`[data-i="${focus?.side === side ? focus.i : open}"]`);
    if (entry) entry.tabIndex = 0;
    if (had) entry?.focus();
  }

  function pin(side, i) {
    if (side === "query") view.query === i ? Object.assign(view, { query: null, key: null }) : Object.assign(view, { query: i, key: null });
    else view.key = view.query === null || view.key === i ? null : i;
    draw(false);
    say();
    report();
  }

  function keys(event, side, i) {
    const [forth, back, over] = size.down ? ["ArrowDown", "ArrowUp", ["ArrowLeft", "ArrowRight"]]
      : size.flip ? ["ArrowLeft", "ArrowRight", ["ArrowUp", "ArrowDown"]] : ["ArrowRight", "ArrowLeft", ["ArrowUp", "ArrowDown"]];
    const at = visible[side].indexOf(i);
    const go = { [forth]: [side, at + 1], [back]: [side, at - 1], Home: [side, 0], End: [side, visible[side].length - 1],
      [over[0]]: ["query", at], [over[1]]: ["key", at] }[event.key];
    if (event.key === "Escape") Object.assign(view, { query: null, key: null }), draw(false), report();
    if (!go) return;
    event.preventDefault();
    const to = Math.min(Math.max(go[1], 0), visible[go[0]].length - 1);
    columns[go[0]].children[to]?.focus();
  }

  const hidden = (q, k, w) => w < view.least || w === 0 || (view.hide.includes("sink") && k === 0);

  // `all`: the quiet lines too; they stay as they are while the hand moves.
  function draw(all = true) {
    const lit_ = active();
    if (all) drawLines(fit(lines, size.width, size.height), null);
    lines.style.opacity = lit_ ? 0.16 : 1;
    const pen = fit(lit, size.width, size.height);
    drawHeadings(pen, lit_);
    drawBars(pen, lit_);
    if (lit_) drawLines(pen, lit_);
    for (const side of ["query", "key"]) for (const chip of columns[side].children) {
      const i = Number(chip.dataset.i), here = lit_?.side === side && lit_.i === i;
      const other = lit_ && lit_.side !== side && (side === "key" ? masked(lit_.i, i) : masked(i, lit_.i));
      chip.classList.toggle("here", here);
      chip.classList.toggle("pair", side === "key" && view.key === i && lit_?.side === "query" && lit_.i === view.query);
      chip.classList.toggle("masked", Boolean(other) || (side === "key" && view.hide.includes("sink") && i === 0));
      chip.setAttribute("aria-selected", String(view[side] === i));
    }
  }

  // All lines, or those of one token; lines of one strength share a path, so that thousands stay smooth.
  function drawLines(pen, only) {
    const between = (q, k) => {
      const a = middle("query", q), b = middle("key", k), from = size.start.query + 4, to = size.start.key - 4, bend = (from + to) / 2;
      return size.down ? [from, a, bend, a, bend, b, to, b] : [a, from, a, bend, b, bend, b, to];
    };
    const rows = only?.side === "query" ? [only.i] : visible.query, cols = only?.side === "key" ? [only.i] : visible.key;
    for (const h of view.heads) {
      const paths = Array.from({ length: 17 }, () => null);
      for (const q of rows) for (const k of cols) {
        const w = weight(h, q, k);
        if (hidden(q, k, w)) continue;
        const [x, y, ...curve] = between(q, k), strength = Math.ceil(w * 16);
        (paths[strength] ??= new Path2D()).moveTo(x, y);
        paths[strength].bezierCurveTo(...curve);
      }
      pen.strokeStyle = colour(h);
      pen.setLineDash(h >= 8 && view.heads.length > 1 ? [5, 3] : []);
      paths.forEach((path, strength) => {
        if (!path) return;
        const w = strength / 16;
        pen.globalAlpha = only ? 0.25 + 0.75 * w : 0.12 + 0.7 * w;
        pen.lineWidth = 0.8 + 4.2 * w;
        pen.stroke(path);
      });
    }
    pen.globalAlpha = 1;
    pen.setLineDash([]);
  }

  function drawHeadings(pen, lit_) {
    pen.font = `12px ${getComputedStyle(root).getPropertyValue("--st-font")}`;
    const text = (string, x, y, align, fill) => ((pen.fillStyle = colours(fill)), (pen.textAlign = align), pen.fillText(string, x, y));
    const what = lit_ ? "weight" : "mean";
    if (size.down) {
      text("query", size.start.query - 7, 13, "right", "query");
      text("key", size.start.key + 7, 13, "left", "key_text");
      if (lit_?.side === "key") text(what, 0, 13, "left", "muted");
      else text(what, size.width - 2, 13, "right", "muted");
    } else {
      text("query", 2, 13, "left", "query");
      text(`key (numbers: ${what})`, 2, size.height - 6, "left", "key_text");
    }
  }

  // Bars and numbers on the far side: the isolated token's weights, or the mean over the queries that may look there.
  function drawBars(pen, lit_) {
    const side = lit_?.side === "key" ? "query" : "key";
    const reach = size.down ? (side === "key" ? size.width - size.start.key - size.number : size.label.query) : size.label[side];
    for (const i of visible[side]) {
      const of = (h) => {
        if (lit_) return side === "key" ? weight(h, lit_.i, i) : weight(h, i, lit_.i);
        const able = visible.query.filter((q) => !masked(q, i));
        return able.reduce((sum, q) => sum + weight(h, q, i), 0) / Math.max(1, able.length);
      };
      const off = lit_ && (side === "key" ? masked(lit_.i, i) : masked(i, lit_.i));
      if (off || !view.heads.length || (view.hide.includes("sink") && (side === "key" ? i === 0 : lit_.i === 0))) continue;
      const thick = Math.min(size.row - (size.row > 18 ? 8 : 4), 24) / view.heads.length;
      view.heads.forEach((h, order) => {
        const long = Math.max(of(h) * reach, of(h) > 0.004 ? 2 : 0), at = middle(side, i) - (thick * view.heads.length) / 2 + order * thick;
        pen.fillStyle = view.heads.length === 1 ? colours(side === "key" ? "key" : "query") : colour(h);
        pen.globalAlpha = view.heads.length === 1 ? 0.3 : 0.45;
        const start = size.start[side];
        if (size.down) pen.fillRect(side === "key" ? start : start - long, at, long, thick);
        else pen.fillRect(at, side === "key" ? start : start - long, thick, long);
      });
      pen.globalAlpha = 1;
      const value = view.heads.reduce((sum, h) => sum + of(h), 0) / view.heads.length;
      if (value < 0.005) continue;
      pen.fillStyle = colours("muted");
      pen.font = `${Math.min(size.font, 13)}px ${getComputedStyle(root).getPropertyValue("--st-font")}`;
      const string = value.toFixed(2);
      if (size.down) {
        pen.textAlign = side === "key" ? "right" : "left";
        pen.fillText(string, side === "key" ? size.width - 2 : 0, middle(side, i) + size.font * 0.35);
      } else {
        pen.save();
        pen.translate(middle(side, i) + 4, side === "key" ? size.start.key + size.label.key + 4 : size.head + size.number - 4);
        pen.rotate(-Math.PI / 2);
        pen.textAlign = side === "key" ? "right" : "left";
        pen.fillText(string, 0, 0);
        pen.restore();
      }
    }
  }

  const strongest = (q, count) => visible.key.filter((k) => !masked(q, k)).map((k) => [mean(q, k), k]).sort((a, b) => b[0] - a[0]).slice(0, count);
  const which = () => (view.heads.length === 1 ? `Head ${view.heads[0]}` : `Mean of ${view.heads.length} heads`);

  function say() {
    const lit_ = active();
    if (!lit_ || !view.heads.length) return (status.textContent = "");
    const list = lit_.side === "query" ? strongest(lit_.i, 4).map(([w, k]) => `${name("key", k)} ${w.toFixed(2)}`)
      : visible.query.map((q) => [mean(q, lit_.i), q]).sort((a, b) => b[0] - a[0]).slice(0, 4).map(([w, q]) => `${name("query", q)} ${w.toFixed(2)}`);
    return (status.textContent = `${which()}: ${name(lit_.side, lit_.i)} ${lit_.side === "query" ? "looks most at" : "is looked at most by"} ${list.join(", ")}.`);
  }

  const drawTable = settle(() => {
    const row = (tag, ...cells) => make("tr", {}, ...cells.map((cell) => make(tag, { textContent: cell })));
    table.replaceChildren(make("table", {}, make("caption", { textContent: `${header.title}. ${view.heads.length ? which() : "No head shown"}: the three strongest keys of each query.` }),
      row("th", "Query", "Strongest keys"),
      ...(view.heads.length ? visible.query.map((q) => row("td", name("query", q), strongest(q, 3).map(([w, k]) => `${name("key", k)} ${w.toFixed(2)}`).join(", "))) : [])));
  }, 150);

  return { update, stop: () => (resize.disconnect(), root.remove()) };
}
