// A translation step by step: words glow by the cross-attention of the step, lines align them, matrices grow by rows.
// Step 0 is the encoder's; at step t the decoder has read <SOS> and t - 1 tokens and writes token t.
const FRAME = 700; // milliseconds a step when playing: slow enough to read a word
const STAGE = 200; // pixels that words and lines above the matrices take

export default living(translation);

function translation(parent) {
  let header, view, send, sent, colours, scale;
  const controls = make("div", { className: "controls" });
  const story = make("p", { className: "story", role: "status" });
  const source = make("div", { className: "words source", dir: "ltr", role: "list", "aria-label": "English" });
  const target = make("div", { className: "words target", role: "list", "aria-label": "Urdu" });
  const lines = make("canvas", { "aria-hidden": "true" });
  const stage = make("div", { className: "pair" }, lines, source, make("div", { className: "gap" }), target);
  const panels = make("div", { className: "panels" });
  const root = make("div", { className: "gf translation" }, controls, story, stage, panels);
  parent.append(root);
  const resize = new ResizeObserver(() => header && draw());
  resize.observe(root);

  const playback = playhead(root, { frame: FRAME, at: () => view.step, last: () => steps(), go });
  root.prepend(playback.bar);

  const report = settle(() => {
    sent = JSON.stringify(view);
    send("view", view);
  }, 350);

  function update(next, trigger) {
    const fresh = !header || header.id !== next.id;
    const echo = JSON.stringify(next.view) === sent;
    header = next;
    send = trigger;
    colours = applyTheme(root);
    scale = ramp(colours("sequential"));
    if (fresh || !view || !echo) view = { ...next.view };
    view.step = Math.min(view.step, steps());
    drawControls();
    drawWords();
    draw();
  }

  const steps = () => header.cross.shape[2];

  function change(part) {
    Object.assign(view, part);
    drawControls();
    drawWords();
    draw();
    report();
  }

  function go(to) {
    view.step = Math.min(Math.max(to, 0), steps());
    draw();
    report();
  }

  function drawControls() {
    const choice = (id, label, values, now, names) => make("label", { className: "muted" }, `${label} `, make("select", { "data-id": id, "aria-label": label,
      onchange: (event) => change({ [id]: id === "order" ? event.target.value : Number(event.target.value) }) },
      ...values.map((value) => make("option", { value, textContent: names(value), selected: value === now }))));
    const range = (n) => [-1, ...Array.from({ length: n }, (_, i) => i)];
    const [layers, heads] = header.cross.shape;
    redrawn(controls,
      choice("layer", "Layer", range(layers), view.layer, (l) => (l < 0 ? "mean of all" : String(l))),
      choice("head", "Head", range(heads), view.head, (h) => (h < 0 ? "mean of all" : String(h))),
      choice("order", "Order of Urdu", ["reading", "time"], view.order, (name) => (name === "reading" ? "reading order, right to left" : "time order, left to right")));
  }

  // The weight of one cell of an attention, of the chosen layer and head or on average.
  function weight(kind, query, key) {
    const array = header[kind], [layers, heads, queries, keys] = array.shape;
    const of = (chosen, n) => (chosen < 0 || chosen >= n ? Array.from({ length: n }, (_, i) => i) : [chosen]);
    const where = of(view.layer, layers).flatMap((l) => of(view.head, heads).map((h) => l * heads + h));
    return where.reduce((sum, n) => sum + array[(n * queries + query) * keys + key], 0) / where.length / header.levels;
  }

  // How much a written word looks at a source word: over a word's tokens, keys add up and queries are averaged.
  function between(word, from) {
    let sum = 0, rows = 0;
    for (let t = word.first; t <= word.last && t < view.step; t++, rows++)
      for (let s = from.first; s <= from.last; s++) sum += weight("cross", t, s);
    return rows ? sum / rows : 0;
  }

  const current = () => header.written.findIndex((word) => word.first < view.step && view.step - 1 <= word.last);

  function drawWords() {
    target.dir = view.order === "reading" ? "rtl" : "ltr";
    const chip = (word, extra = "") => make("span", { className: `word${word.special ? " special" : ""}${extra}`, role: "listitem" }, make("bdi", { textContent: word.text }));
    source.replaceChildren(...header.source.map((word) => chip(word)));
    target.replaceChildren(chip({ text: "<SOS>", special: true }), ...header.written.map((word, i) => {
      const node = chip(word, " out");
      node.append(make("small", { textContent: String(i + 1) }));
      node.onclick = () => (playback.pause(), go(word.last + 1));
      return node;
    }));
  }

  function draw() {
    const now = current();
    playback.draw();
    header.source.forEach((word, i) => {
      const share = now < 0 ? 0 : between(header.written[now], word);
      source.children[i].style.setProperty("--share", `${Math.round(share * 100)}%`);
      source.children[i].title = now < 0 ? "" : `${word.text}: ${(share * 100).toFixed(0)}% of the attention of this step`;
    });
    header.written.forEach((word, i) => {
      const node = target.children[i + 1];
      node.classList.toggle("later", word.first >= view.step);
      node.classList.toggle("here", i === now);
    });
    drawStory(now);
    drawLines(now);
    drawPanels();
  }

  function drawStory(now) {
    const bold = (text) => make("strong", {}, make("bdi", { textContent: text }));
    if (view.step === 0) {
      story.replaceChildren(bold("Encode once. "), `The encoder reads all ${header.source.length} words together. Its output stays the same for every step that follows.`);
      return;
    }
    const word = header.written[now], p = header.probabilities[view.step - 1];
    const best = header.source.map((from) => [between(word, from), from.text]).sort((a, b) => b[0] - a[0])[0];
    const name = view.step === 1 ? "<SOS>. " : word.special ? "<EOS>. " : "Append, and again. ";
    const read = view.step === 1 ? "The decoder reads only <SOS> and " : `The decoder reads <SOS> and the ${view.step - 1} token${view.step === 2 ? "" : "s"} written so far, and `;
    const verb = header.given ? "the given next token is " : word.special ? "ends the sentence with " : view.step === 1 ? "writes the first word, " : "writes ";
    story.replaceChildren(bold(name), read, verb, bold(word.text), ` (${(p * 100).toFixed(p > 0.1 ? 0 : 1)}%). Most cross-attention: `, bold(best[1]), ` (${best[0].toFixed(2)}).`);
  }

  function drawLines(now) {
    const box = stage.getBoundingClientRect(), pen = fit(lines, box.width, box.height);
    const point = (node, bottom) => {
      const at = node.getBoundingClientRect();
      return [at.left + at.width / 2 - box.left, (bottom ? at.bottom : at.top) - box.top];
    };
    pen.strokeStyle = colours("query");
    header.written.forEach((word, i) => {
      if (word.first >= view.step || (word.special && i !== now)) return;
      const [x1, y1] = point(target.children[i + 1], false);
      header.source.forEach((from, k) => {
        const share = between(word, from);
        if (share < (i === now ? 0.03 : 0.2)) return;
        const [x0, y0] = point(source.children[k], true), bend = (y0 + y1) / 2;
        pen.globalAlpha = i === now ? 0.25 + 0.75 * share : 0.12 + 0.25 * share;
        pen.lineWidth = 0.8 + 4 * share;
        pen.beginPath();
        pen.moveTo(x0, y0);
        pen.bezierCurveTo(x0, bend, x1, bend, x1, y1);
        pen.stroke();
      });
    });
    pen.globalAlpha = 1;
  }

  // The decoder's rows up to the step: row t is what the decoder looked at while it wrote token t + 1.
  function drawPanels() {
    lay(panels, arrangePanels);
  }

  function arrangePanels() {
    const inputs = ["<SOS>", ...header.writtenLabels.slice(0, -1)], rows = Math.max(view.step, 0);
    const list = [["encoder", "Encoder self-attention", header.sourceLabels, header.sourceLabels, header.sourceLabels.length],
      ["decoder", "Decoder self-attention, masked", inputs, inputs, rows], ["cross", "Cross-attention", inputs, header.sourceLabels, rows]];
    while (panels.children.length < list.length) panels.append(make("figure", {}, make("figcaption"), make("div", { className: "scroller" }, make("canvas", { role: "img" }))));
    list.forEach(([kind, title, queries, keys, shown], n) => drawMatrix(panels.children[n], kind, title, queries, keys, shown));
    return STAGE + Math.max(...[...panels.querySelectorAll("canvas")].map((canvas) => parseFloat(canvas.style.height)));
  }

  function drawMatrix(figure, kind, title, queries, keys, shown) {
    const [caption, scroller] = figure.children, canvas = scroller.firstChild, probe = canvas.getContext("2d");
    caption.replaceChildren(title, make("small", { className: "muted", textContent: kind === "encoder" ? "row: the word that asks" : "row: the token read last" }));
    const font = `13px ${getComputedStyle(root).getPropertyValue("--st-font")}, "Noto Naskh Arabic", sans-serif`;
    probe.font = font;
    const long = (labels) => Math.min(Math.max(...labels.map((label) => probe.measureText(bare(label)).width)) + 8, 96);
    const left = long(queries), top = long(keys), room = Math.max(figure.clientWidth / scaleOf(figure) - left - 4, 100);
    const cell = Math.max(Math.min(room / keys.length, 30), 15), width = left + cell * keys.length + 2, height = top + cell * queries.length + 2;
    const pen = fit(canvas, width, height);
    pen.font = font;
    pen.textBaseline = "middle";
    const now = kind === "encoder" ? -1 : view.step - 1;
    for (let q = 0; q < queries.length; q++) {
      pen.textAlign = "right";
      pen.fillStyle = colours(q === now ? "query" : q < shown ? "text" : "masked_text");
      pen.fillText(clip(pen, bare(queries[q]), left - 6), left - 6, top + (q + 0.5) * cell);
      for (let k = 0; k < keys.length; k++) {
        const hidden = kind === "decoder" && k > q, x = left + k * cell, y = top + q * cell;
        if (q >= shown) {
          pen.strokeStyle = colours("grid");
          pen.lineWidth = 1;
          pen.strokeRect(x + 0.5, y + 0.5, cell - 2, cell - 2);
          continue;
        }
        const at = Math.round(weight(kind, q, k) * 255) * 4;
        pen.fillStyle = hidden ? colours("masked") : `rgb(${scale[at]}, ${scale[at + 1]}, ${scale[at + 2]})`;
        pen.globalAlpha = hidden ? 0.35 : 1;
        pen.fillRect(x, y, cell - 1, cell - 1);
        pen.globalAlpha = 1;
      }
    }
    pen.textAlign = "left";
    for (let k = 0; k < keys.length; k++) {
      pen.save();
      pen.translate(left + (k + 0.5) * cell, top - 5);
      pen.rotate(-Math.PI / 2);
      pen.fillStyle = colours("muted");
      pen.fillText(clip(pen, bare(keys[k]), top - 8), 0, 0);
      pen.restore();
    }
    if (now >= 0 && now < queries.length) {
      pen.strokeStyle = colours("query");
      pen.lineWidth = 2;
      pen.strokeRect(left - 1, top + now * cell - 1, cell * keys.length + 1, cell + 1);
    }
    const said = Array.from({ length: shown }, (_, q) => strongest(kind, queries, keys, q)).join(" ");
    canvas.setAttribute("aria-label", `${title}: ${shown} of ${queries.length} rows. ${said}`);
  }

  const clip = (pen, text, width) => {
    while (text.length > 1 && pen.measureText(text).width > width) text = text.length > 2 && text.endsWith("…") ? `${text.slice(0, -2)}…` : `${text.slice(0, -1)}…`;
    return text;
  };

  function strongest(kind, queries, keys, q) {
    const best = keys.map((key, k) => [weight(kind, q, k), bare(key)]).sort((a, b) => b[0] - a[0]).slice(0, 3);
    return `${bare(queries[q])} looks most at ${best.map(([w, key]) => `${key} ${w.toFixed(2)}`).join(", ")}.`;
  }

  return {
    update,
    stop: () => (playback.stop(), resize.disconnect(), root.remove()),
  };
}
