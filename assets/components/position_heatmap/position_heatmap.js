// P[t, j] as a heatmap, and below it the waves of the chosen pairs. The cell under the pointer is marked in both.
export default living(heatmap);

const MOST_WAVES = 4, WAVE = 92; // pixels high

function heatmap(parent) {
  let header, send, colours, value, size, picture;
  const cell = { t: 1, j: 0 };
  const board = make("canvas", { tabIndex: 0, role: "application" });
  const scroller = make("div", { className: "scroller" }, board);
  const facts = make("div", { className: "facts", role: "status" });
  const waves = make("div", { className: "waves" });
  const root = make("div", { className: "gf heatmap" }, scroller, facts, waves);
  parent.append(root);
  const resize = new ResizeObserver(() => header && layout());
  resize.observe(root);

  function update(next, trigger) {
    header = next;
    send = trigger;
    colours = applyTheme(root);
    value = header.frequencies ? formula : entry();
    cell.t = Math.min(cell.t, header.rows - 1);
    cell.j = Math.min(cell.j, header.width - 1);
    paint();
    layout();
  }

  // The sine and cosine of the encoding itself; a learned table comes as whole numbers of a small step.
  const formula = (t, j) => (j % 2 ? Math.cos : Math.sin)(header.frequencies[j >> 1] * t);
  function entry() {
    const steps = new Int16Array(header.values.slice().buffer);
    return (t, j) => steps[Math.round(t) * header.width + j] * header.step;
  }

  function paint() {
    const { rows, width } = header;
    picture = pixels(rows, width, ramp(colours("signed")), (at) => shade(value(Math.floor(at / width), at % width)));
  }
  const shade = (x) => signedStep(x / header.largest);

  const layout = () => lay(root, arrange);

  function arrange(room) {
    const width = Math.min(room, 2400);
    if (!width) return 0;
    const tall = Math.max(Math.min(Math.floor((scaleOf(root) > 1 ? 420 : 560) / header.rows), 26), 2), named = tall >= 13;
    const longest = Math.max(...header.labels.map((label) => label.length), 1);
    const left = named ? Math.min(8.2 * longest + 34, 0.34 * width) : 34;
    const wide = Math.min(Math.max((width - left - 2) / header.width, 1), 46);
    size = { left, top: 22, tall, wide, named, width: left + wide * header.width + 2, height: 22 + tall * header.rows + 2 };
    draw();
    return size.height + (header.pairs.length ? WAVE + 70 : 30); // with the words between
  }

  function draw() {
    const pen = fit(board, size.width, size.height), { left, top, tall, wide } = size;
    pen.imageSmoothingEnabled = false;
    pen.drawImage(picture, left, top, wide * header.width, tall * header.rows);
    pen.strokeStyle = colours("background");
    pen.lineWidth = 1;
    pen.beginPath();
    if (tall >= 13) for (let t = 1; t < header.rows; t++) line(pen, left, top + t * tall, size.width, top + t * tall);
    if (wide >= 8) for (let j = 1; j < header.width; j++) line(pen, left + j * wide, top, left + j * wide, size.height);
    pen.stroke();
    drawRowLabels(pen);
    drawPairLabels(pen);
    header.pairs.forEach((k, i) => {
      pen.strokeStyle = colours(`series-${i}`);
      pen.lineWidth = 2;
      pen.strokeRect(left + 2 * k * wide, top, 2 * wide, tall * header.rows);
    });
    pen.strokeStyle = colours("text");
    pen.lineWidth = 2;
    pen.strokeRect(left + cell.j * wide, top + cell.t * tall, wide, tall);
    board.setAttribute("aria-label", `${header.title}. ${said()} Arrow keys move, Enter shows the pair's waves.`);
    drawFacts();
    drawWaves();
  }

  function line(pen, x0, y0, x1, y1) {
    pen.moveTo(x0, y0);
    pen.lineTo(x1, y1);
  }

  function drawRowLabels(pen) {
    const { left, top, tall, named } = size, mono = getComputedStyle(root).getPropertyValue("--st-code-font");
    const every = named ? 1 : [5, 10, 20, 50, 100].find((step) => step * tall >= 14);
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (let t = 0; t < header.rows; t += every) {
      const y = top + (t + 0.5) * tall;
      pen.font = `11px ${mono}`;
      pen.fillStyle = colours(t === cell.t ? "accent" : "masked_text");
      pen.fillText(String(t), left - 6, y);
      if (!named) continue;
      pen.font = `${t === cell.t ? "600 " : ""}12px ${mono}, "Noto Naskh Arabic", monospace`;
      pen.fillStyle = colours(t === cell.t ? "accent" : "text");
      pen.fillText(short(pen, bare(header.labels[t] ?? ""), left - 34), left - 30, y);
    }
  }

  function short(pen, text, room) {
    let shown = text;
    while (shown.length > 1 && pen.measureText(shown).width > room) shown = `${shown.replace(/…$/, "").slice(0, -1)}…`;
    return shown;
  }

  function drawPairLabels(pen) {
    const { left, top, wide } = size, room = 2 * wide, pairs = header.width / 2;
    const every = [1, 2, 4, 8, 16, 32, 64, 128].find((step) => step * room >= (room >= 44 ? 44 : 24)) ?? 256;
    pen.textAlign = "center";
    pen.textBaseline = "alphabetic";
    pen.font = `11px ${getComputedStyle(root).getPropertyValue("--st-font")}`;
    for (let k = 0; k < pairs; k += every) {
      const chosen = header.pairs.indexOf(k);
      pen.fillStyle = colours("muted");
      if (chosen >= 0) pen.fillStyle = colours(`series-${chosen}`);
      pen.fillText(room >= 44 ? `pair ${k}` : String(k), left + (2 * k + 1) * wide, top - 7);
    }
  }

  const pairOf = (j) => j >> 1;
  const place = () => `t = ${cell.t}${header.labels[cell.t] ? ` (${bare(header.labels[cell.t])})` : ""}`;
  const number = (x, digits = 4) => (Math.abs(x) > 0 && Math.abs(x) < 10 ** -digits ? x.toExponential(2) : x.toFixed(digits)).replace("-", "−");
  const said = () => `${place()}, feature ${cell.j}: ${number(value(cell.t, cell.j))}.`;

  function drawFacts() {
    const k = pairOf(cell.j), strong = (text) => make("strong", { textContent: text });
    const shown = strong(number(value(cell.t, cell.j))), parts = [[strong(place())]];
    if (header.frequencies) {
      const speed = header.frequencies[k], wave = cell.j % 2 ? "cos" : "sin";
      parts.push([`feature ${cell.j} = ${wave}(ω${sub(k)} t) = ${wave}(${number(speed * cell.t)}) = `, shown],
        [make("span", { className: "muted" }, `ω${sub(k)} = ${header.base}^(−${2 * k}/${header.width}) = ${number(speed, 5)}`)]);
    } else parts.push([`feature ${cell.j} of ${header.width}, learned: `, shown]);
    facts.replaceChildren(...parts.map((part) => make("span", {}, ...part)));
  }
  const sub = (k) => String(k).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);

  function drawWaves() {
    const shown = header.pairs.slice(0, MOST_WAVES);
    if (waves.children.length !== shown.length) waves.replaceChildren(...shown.map(() => make("div", { className: "wave" }, make("header"), make("canvas"))));
    shown.forEach((k, i) => drawWave(waves.children[i], k, i));
  }

  function drawWave(box, k, i) {
    const [head, canvas] = box.children, turn = header.frequencies ? (2 * Math.PI) / header.frequencies[k] : 0;
    const rate = turn ? `one turn in ${turn < 1000 ? turn.toFixed(1) : Math.round(turn).toLocaleString("en")} words` : "learned";
    redrawn(head, make("span", {}, make("strong", { textContent: `Pair ${k}`, style: { borderBottom: `3px solid ${colours(`series-${i}`)}` } }), make("span", { className: "muted", textContent: ` · ${rate}` })),
      make("span", { className: "muted" }, "solid: even feature, dashed: odd ", make("button", { textContent: "×", title: "Hide", "aria-label": `Hide the waves of pair ${k}`, "data-id": `hide-${k}`, onclick: () => toggle(k) })));
    const width = box.clientWidth / scaleOf(root), height = WAVE, pen = fit(canvas, width, height), pad = 8, middle = height / 2;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `Pair ${k} over the positions, ${rate}. At ${place()}: feature ${2 * k} is ${number(value(cell.t, 2 * k))}, feature ${2 * k + 1} is ${number(value(cell.t, 2 * k + 1))}.`);
    const x = (t) => pad + (t / Math.max(header.rows - 1, 1)) * (width - 2 * pad), y = (v) => middle - (v / header.largest) * (middle - pad);
    pen.strokeStyle = colours("border");
    pen.lineWidth = 1;
    pen.beginPath();
    line(pen, pad, middle, width - pad, middle);
    pen.stroke();
    pen.strokeStyle = colours("text");
    pen.globalAlpha = 0.35;
    pen.beginPath();
    line(pen, x(cell.t), 0, x(cell.t), height);
    pen.stroke();
    pen.globalAlpha = 1;
    const scale = ramp(colours("signed")), steps = header.frequencies ? Math.max(Math.round(width), header.rows) : header.rows - 1;
    for (const odd of [1, 0]) {
      pen.setLineDash(odd ? [4, 4] : []);
      pen.strokeStyle = colours("muted");
      pen.lineWidth = 1.25;
      pen.beginPath();
      for (let n = 0; n <= steps; n++) {
        const t = (n / Math.max(steps, 1)) * (header.rows - 1);
        pen.lineTo(x(t), y(value(t, 2 * k + odd)));
      }
      pen.stroke();
      pen.setLineDash([]);
      for (let t = 0; t < header.rows; t++) {
        const here = t === cell.t;
        if (header.rows > 80 && !here) continue;
        const v = value(t, 2 * k + odd), colour = shade(v) * 4;
        pen.beginPath();
        pen.arc(x(t), y(v), here ? 5 : 3.2, 0, 7);
        pen.fillStyle = `rgb(${scale.slice(colour, colour + 3).join(",")})`;
        pen.fill();
        pen.strokeStyle = colours(here ? "text" : "muted");
        pen.lineWidth = here ? 1.5 : 0.75;
        pen.stroke();
      }
    }
  }

  function toggle(k) {
    const kept = header.pairs.filter((pair) => pair !== k);
    header.pairs = kept.length < header.pairs.length ? kept : [...kept, k].slice(-MOST_WAVES);
    draw();
    send("pairs", header.pairs);
  }

  const under = (event) => {
    const [x, y] = pointOn(board, event);
    return { t: Math.floor((y - size.top) / size.tall), j: Math.floor((x - size.left) / size.wide) };
  };
  const inside = ({ t, j }) => t >= 0 && j >= 0 && t < header.rows && j < header.width;
  function move(to) {
    if (!inside(to) || (to.t === cell.t && to.j === cell.j)) return;
    Object.assign(cell, to);
    draw();
  }
  board.onpointermove = (event) => move(under(event));
  board.onclick = (event) => {
    move(under(event));
    if (inside(under(event))) toggle(pairOf(cell.j));
  };
  board.onkeydown = (event) => {
    const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (by) move({ t: cell.t + by[0], j: cell.j + by[1] });
    else if (event.key === "Enter" || event.key === " ") toggle(pairOf(cell.j));
    else return;
    event.preventDefault();
  };

  return { update, stop: () => (resize.disconnect(), root.remove()) };
}
