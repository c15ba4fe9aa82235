// Two positions to drag. The angle between their vectors, the score and the diagonal of the matrix move together.
export default living(distance);

function distance(parent) {
  let header, send, colours, scores, picture, t = 0, s = 0, cell = 1, left = 0;
  const rail = make("div", { className: "rail" }), span = make("div", { className: "span" }), ticks = make("div");
  const handles = Object.fromEntries(["t", "s"].map((which) => [which, make("button", { className: `handle ${which}`, role: "slider" })]));
  const names = Object.fromEntries(["t", "s"].map((which) => [which, make("span", { className: `name token ${which}` })]));
  const track = make("div", { className: "track" }, rail, ticks, span, names.t, names.s, handles.t, handles.s);
  const readout = make("p", { className: "readout", role: "status" });
  const matrix = make("canvas", { role: "img" }), curve = make("canvas", { role: "img" }), angle = make("canvas", { role: "img" });
  const titles = { matrix: make("figcaption"), curve: make("figcaption"), angle: make("figcaption") };
  const figure = (name, canvas) => make("figure", { className: name }, titles[name], canvas);
  const root = make("div", { className: "gf distance" }, track, readout,
    make("div", { className: "three" }, figure("matrix", matrix), figure("curve", curve), figure("angle", angle)));
  parent.append(root);
  const resize = new ResizeObserver(() => header && lay(root, arrange));
  resize.observe(root);

  function update(next, trigger) {
    header = next;
    send = trigger;
    colours = applyTheme(root);
    [t, s] = header.pair;
    const steps = new Int16Array(header.scores.slice().buffer);
    scores = (i, j) => steps[i * header.length + j] * header.step;
    paint();
    const every = [1, 5, 10, 50].find((step) => header.length / step <= 60);
    ticks.replaceChildren(...Array.from({ length: Math.ceil(header.length / every) }, (_, i) => make("i", { className: "tick", style: { left: `${part(i * every)}%` } })));
    lay(root, arrange);
  }

  function arrange() {
    draw();
    return Math.max(parseFloat(matrix.style.height), parseFloat(curve.style.height)) + 60; // with the rail above
  }

  const part = (i) => (100 * i) / Math.max(header.length - 1, 1);
  const label = (i) => `${bare(header.labels[i] ?? "")} ${i}`.trim();
  const cosine = () => Math.max(-1, Math.min(1, scores(t, s) / (header.norms[t] * header.norms[s])));

  function paint() {
    const { length, largest } = header;
    const step = (at) => signedStep(scores(Math.floor(at / length), at % length) / largest);
    picture = pixels(length, length, ramp(colours("signed")), step);
  }

  function draw() {
    for (const [which, at] of [["t", t], ["s", s]]) {
      Object.assign(handles[which].style, { left: `${part(at)}%`, zIndex: which === held ? 2 : 1 });
      Object.assign(names[which].style, { left: `clamp(2em, ${part(at)}%, calc(100% - 2em))` });
      names[which].textContent = label(at);
      for (const [attribute, value] of Object.entries({ "aria-label": which === "t" ? "Position t" : "Position s", "aria-valuemin": 0, "aria-valuemax": header.length - 1, "aria-valuenow": at, "aria-valuetext": label(at) }))
        handles[which].setAttribute(attribute, value);
    }
    Object.assign(span.style, { left: `${part(Math.min(t, s))}%`, width: `${part(Math.abs(t - s))}%` });
    const degrees = (Math.acos(cosine()) * 180) / Math.PI, strong = (text) => make("strong", { textContent: text });
    readout.replaceChildren(...[["t − s = ", strong(brief(t - s, 0))], [`${header.product} = `, strong(brief(scores(t, s)))], ["angle ", strong(`${brief(degrees, 1)}°`)],
      ["mean of this diagonal ", strong(brief(mean(t - s)))]].map((words) => make("span", {}, ...words)));
    drawMatrix();
    drawCurve();
    drawAngle(degrees);
  }
  const mean = (offset) => header.curve[offset + header.length - 1][0];

  function drawMatrix() {
    const width = Math.min(matrix.parentElement.clientWidth / scaleOf(root), 430), named = width / header.length >= 16;
    left = named ? Math.min(8 * Math.max(...header.labels.map((label) => label.length), 1) + 8, 0.28 * width) : 0;
    const side = width - left, pen = fit(matrix, width, side);
    cell = side / header.length;
    if (named) drawLabels(pen);
    pen.translate(left, 0);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(picture, 0, 0, side, side);
    pen.strokeStyle = colours("background");
    pen.lineWidth = 1;
    pen.beginPath();
    for (let n = 1; cell >= 8 && n < header.length; n++) {
      pen.moveTo(n * cell, 0);
      pen.lineTo(n * cell, side);
      pen.moveTo(0, n * cell);
      pen.lineTo(side, n * cell);
    }
    pen.stroke();
    const first = Math.max(t - s, 0), many = header.length - Math.abs(t - s);
    pen.strokeStyle = colours("text");
    pen.lineWidth = Math.max(Math.min(cell / 8, 2), 1);
    pen.globalAlpha = 0.75;
    pen.beginPath();
    for (const edge of [0, 1]) {
      // The staircase along both edges of the diagonal t - s.
      for (let n = 0; n < many; n++) {
        const [row, column] = [first + n, first + n - (t - s)];
        const [x, y] = [column * cell, row * cell];
        if (edge) pen.moveTo(x, y), pen.lineTo(x, y + cell), pen.lineTo(x + cell, y + cell);
        else pen.moveTo(x, y), pen.lineTo(x + cell, y), pen.lineTo(x + cell, y + cell);
      }
    }
    pen.stroke();
    pen.globalAlpha = 1;
    pen.strokeStyle = colours("key");
    pen.lineWidth = 3;
    pen.strokeRect(s * cell, t * cell, Math.max(cell, 4), Math.max(cell, 4));
    titles.matrix.textContent = `${header.product}: rows t, columns s`;
    matrix.setAttribute("aria-label", `${header.length} by ${header.length} matrix of ${header.product}. Marked: ${label(t)}, ${label(s)}, and their diagonal.`);
  }

  function drawLabels(pen) {
    pen.font = `12px ${getComputedStyle(root).getPropertyValue("--st-code-font")}, "Noto Naskh Arabic", monospace`;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    header.labels.forEach((label, i) => {
      let shown = bare(label);
      while (shown.length > 2 && pen.measureText(shown).width > left - 8) shown = `${shown.replace(/…$/, "").slice(0, -1)}…`;
      pen.fillStyle = colours(i === t ? "query" : i === s ? "key_text" : "muted");
      pen.fillText(shown || String(i), left - 7, (i + 0.5) * cell);
    });
    pen.textBaseline = "alphabetic";
  }

  function drawCurve() {
    const width = curve.parentElement.clientWidth / scaleOf(root), height = 300, pen = fit(curve, width, height), far = header.length - 1, pad = { l: 44, r: 8, t: 10, b: 26 };
    const all = header.curve.flat(), low = Math.min(0, ...all), high = Math.max(...all);
    const x = (offset) => pad.l + ((offset + far) / Math.max(2 * far, 1)) * (width - pad.l - pad.r), y = (v) => height - pad.b - ((v - low) / (high - low || 1)) * (height - pad.t - pad.b);
    pen.font = `11px ${getComputedStyle(root).getPropertyValue("--st-font")}`;
    pen.fillStyle = colours("muted");
    pen.strokeStyle = colours("grid");
    pen.lineWidth = 1;
    pen.textAlign = "right";
    for (const v of y(low) - y(0) > 16 ? [low, 0, high] : [0, high]) {
      pen.beginPath();
      pen.moveTo(pad.l, y(v));
      pen.lineTo(width - pad.r, y(v));
      pen.stroke();
      pen.fillText(brief(v, 1), pad.l - 6, y(v) + 4);
    }
    pen.textAlign = "center";
    for (const offset of [-far, 0, far]) pen.fillText(brief(offset, 0), Math.min(Math.max(x(offset), pad.l + 8), width - 16), height - 8);
    // The band is what one distance scores at different places: no band where only the distance counts.
    pen.fillStyle = colours("query");
    pen.globalAlpha = 0.18;
    pen.beginPath();
    header.curve.forEach(([, bottom], i) => pen.lineTo(x(i - far), y(bottom)));
    [...header.curve.keys()].reverse().forEach((i) => pen.lineTo(x(i - far), y(header.curve[i][2])));
    pen.fill();
    pen.globalAlpha = 1;
    pen.strokeStyle = colours("query");
    pen.lineWidth = 2;
    pen.beginPath();
    header.curve.forEach(([middle], i) => pen.lineTo(x(i - far), y(middle)));
    pen.stroke();
    pen.strokeStyle = colours("text");
    pen.lineWidth = 1;
    pen.globalAlpha = 0.5;
    pen.beginPath();
    pen.moveTo(x(t - s), pad.t);
    pen.lineTo(x(t - s), height - pad.b);
    pen.stroke();
    pen.globalAlpha = 1;
    pen.fillStyle = colours("key");
    pen.beginPath();
    pen.arc(x(t - s), y(scores(t, s)), 5.5, 0, 7);
    pen.fill();
    titles.curve.textContent = `${header.product} by distance t − s: mean, and the range over all places`;
    curve.setAttribute("aria-label", `${header.product} by distance. At ${t - s}: ${brief(scores(t, s))}.`);
  }

  function drawAngle(degrees) {
    const side = Math.min(angle.parentElement.clientWidth / scaleOf(root) || 180, 190), pen = fit(angle, side, side), middle = side / 2, radius = Math.max(side / 2 - 10, 1), turn = (degrees * Math.PI) / 180;
    pen.strokeStyle = colours("border");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.arc(middle, middle, radius, 0, 7);
    pen.stroke();
    const start = -Math.PI / 2 - turn / 2, end = -Math.PI / 2 + turn / 2;
    pen.strokeStyle = colours("text");
    pen.beginPath();
    pen.arc(middle, middle, radius * 0.35, start, end);
    pen.stroke();
    for (const [at, colour] of [[start, "query"], [end, "key"]]) {
      const [x, y] = [middle + radius * Math.cos(at), middle + radius * Math.sin(at)];
      pen.strokeStyle = pen.fillStyle = colours(colour);
      pen.lineWidth = 2.5;
      pen.beginPath();
      pen.moveTo(middle, middle);
      pen.lineTo(x, y);
      pen.stroke();
      pen.beginPath();
      pen.arc(x, y, 4.5, 0, 7);
      pen.fill();
    }
    pen.fillStyle = colours("text");
    pen.font = `600 14px ${getComputedStyle(root).getPropertyValue("--st-font")}`;
    pen.textAlign = "center";
    pen.fillText(`${brief(degrees, 1)}°`, middle, middle + radius * 0.4);
    titles.angle.textContent = "the angle between the two";
    angle.setAttribute("aria-label", `The angle between the vectors at ${t} and ${s} is ${brief(degrees, 1)} degrees.`);
  }

  let held = null;
  const bounded = (i) => Math.max(0, Math.min(header.length - 1, i));
  const tell = settle(() => send("pair", [t, s]), 150);
  function put(which, at) {
    if (which === "t") t = bounded(at);
    else s = bounded(at);
    draw();
  }
  for (const which of ["t", "s"]) {
    const handle = handles[which];
    handle.onpointerdown = (event) => {
      held = which;
      handle.setPointerCapture(event.pointerId);
    };
    handle.onpointermove = (event) => {
      if (held !== which) return;
      const box = rail.getBoundingClientRect();
      put(which, Math.round(((event.clientX - box.left) / box.width) * (header.length - 1)));
    };
    handle.onpointerup = handle.onpointercancel = () => {
      if (held) tell();
      held = null;
    };
    handle.onkeydown = (event) => {
      const now = which === "t" ? t : s;
      const to = { ArrowLeft: now - 1, ArrowDown: now - 1, ArrowRight: now + 1, ArrowUp: now + 1, Home: 0, End: header.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      put(which, to);
      tell();
    };
  }
  let painting = false;
  const pick = (event) => {
    const [x, y] = pointOn(matrix, event);
    t = bounded(Math.floor(y / cell));
    s = bounded(Math.floor((x - left) / cell));
    draw();
  };
  matrix.onpointerdown = (event) => {
    painting = true;
    matrix.setPointerCapture(event.pointerId);
    pick(event);
  };
  matrix.onpointermove = (event) => painting && pick(event);
  matrix.onpointerup = matrix.onpointercancel = () => {
    if (painting) tell();
    painting = false;
  };

  return { update, stop: () => (resize.disconnect(), root.remove()) };
}
