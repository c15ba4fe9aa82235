// Every pair of features as a clock hand, turned by the shift φ: as clocks, or as circles round the embeddings.
// Play and scrub run here, in the browser; the server hears the shift when the hand stops.
export default living(circles);

const WORDS_PER_SECOND = 1.2;
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

function circles(parent) {
  let header, send, colours, phi = 0, frame = null, last = 0, view = { yaw: -0.7, pitch: 0.5 };
  const play = make("button", { className: "play" });
  const slider = make("input", { type: "range", "aria-label": "Shift φ, in words" });
  const typed = make("input", { type: "number", "aria-label": "Shift φ, typed" });
  const token = make("select", { "aria-label": "Token" });
  const problem = make("p", { className: "problem", role: "alert" });
  const canvas = make("canvas"), words = make("p", { className: "readout" }), legend = make("div", { className: "legend muted" });
  const matrix = make("canvas", { role: "img" }), proof = make("p", { className: "readout", role: "status" });
  const side = make("div", { className: "side" }, matrix, proof);
  const bar = make("div", { className: "bar" }, play, make("label", {}, make("span", { className: "shift", textContent: "shift φ" }), slider, typed),
    make("label", {}, make("span", { className: "from", textContent: "token" }), token));
  const root = make("div", { className: "gf circles" }, bar, problem, make("div", { className: "panels" }, make("div", { className: "main" }, canvas, legend, words), side));
  parent.append(root);
  const resize = new ResizeObserver(() => header && lay(root, arrange));
  resize.observe(root);

  function update(next, trigger) {
    header = next;
    send = trigger;
    colours = applyTheme(root);
    if (frame === null) phi = header.phi;
    const step = header.limit > 20 ? 0.1 : 0.05;
    Object.assign(slider, { min: -header.limit, max: header.limit, step });
    Object.assign(typed, { min: -header.limit, max: header.limit, step: "any" });
    token.replaceChildren(...header.labels.map((label, t) => make("option", { value: t, textContent: `${t}  ${bare(label)}`, selected: t === header.token })));
    side.hidden = header.view !== "clocks";
    canvas.className = header.view === "space" ? "turns" : "";
    lay(root, arrange);
  }

  const angle = (t, k) => header.frequencies[k] * t;
  const name = (t) => bare(header.labels[t] ?? "") || `position ${t}`;
  const theta = () => header.token + phi;

  // |T(φ) p(t) - p(t + φ)|, the largest component over all tokens, both sides computed here in double precision.
  function shiftError() {
    let worst = 0;
    for (const w of header.frequencies) {
      const cos = Math.cos(w * phi), sin = Math.sin(w * phi);
      for (let t = 0; t < header.labels.length; t++) {
        const [s, c] = [Math.sin(w * t), Math.cos(w * t)];
        worst = Math.max(worst, Math.abs(cos * s + sin * c - Math.sin(w * (t + phi))), Math.abs(cos * c - sin * s - Math.cos(w * (t + phi))));
      }
    }
    return worst;
  }

  function arrange() {
    draw();
    return parseFloat(canvas.style.height) + 70; // with the words below; the matrix may lie under the screen's edge
  }

  const room = () => canvas.parentElement.clientWidth / scaleOf(root);

  function draw() {
    if (canvas.parentElement.clientWidth < 60) return; // the page is still laid out
    slider.value = phi;
    if (root.getRootNode().activeElement !== typed) typed.value = Number(phi.toFixed(2));
    play.replaceChildren(frame === null ? "▶ Play" : "❚❚ Pause");
    play.setAttribute("aria-pressed", String(frame !== null));
    canvas.setAttribute("role", header.view === "space" ? "application" : "img");
    canvas.tabIndex = header.view === "space" ? 0 : -1;
    ({ clocks: drawClocks, plane: drawPlane, space: drawSpace })[header.view]();
  }

  function hand(pen, x, y, dx, dy, colour, width) {
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x + dx, y + dy);
    pen.stroke();
    pen.beginPath();
    pen.arc(x + dx, y + dy, width + 1.8, 0, 7);
    pen.fill();
  }

  function ring(pen, x, y, radius, colour, width = 1) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 7);
    pen.stroke();
  }

  // The clock of pair k: sine to the right, cosine upwards, so position 0 points to twelve and time runs clockwise.
  function drawClocks() {
    const wide = room(), shown = header.shown, most = Math.max(Math.floor(wide / 104), 2);
    const across = Math.min(Math.ceil(shown.length / Math.ceil(shown.length / most)), most), step = Math.min(wide / across, 150), tall = step + 30, radius = step / 2 - 12;
    const pen = fit(canvas, across * step, Math.ceil(shown.length / across) * tall), many = header.labels.length;
    pen.textAlign = "center";
    shown.forEach((k, n) => {
      const x = (n % across + 0.5) * step, y = Math.floor(n / across) * tall + step / 2, w = header.frequencies[k];
      const at = (turn, far = radius) => [far * Math.sin(turn), -far * Math.cos(turn)];
      ring(pen, x, y, radius, colours("border"));
      for (let t = 0; t < many; t++) {
        const [dx, dy] = at(angle(t + phi, k));
        pen.strokeStyle = colours("masked");
        pen.lineWidth = many > 40 ? 0.5 : 1;
        pen.beginPath();
        pen.moveTo(x, y);
        pen.lineTo(x + dx, y + dy);
        pen.stroke();
        const [px, py] = at(angle(t, k));
        pen.fillStyle = colours("masked_text");
        pen.beginPath();
        pen.arc(x + px, y + py, many > 40 ? 1.4 : 2.4, 0, 7);
        pen.fill();
      }
      const turned = Math.min(Math.abs(w * phi), 2 * Math.PI) * Math.sign(phi), from = angle(header.token, k) - Math.PI / 2;
      pen.strokeStyle = colours("text");
      pen.lineWidth = 1.25;
      pen.beginPath();
      pen.arc(x, y, radius * 0.36, from, from + turned, turned < 0);
      pen.stroke();
      hand(pen, x, y, ...at(angle(header.token, k)), colours("query"), 2.5);
      hand(pen, x, y, ...at(angle(theta(), k)), colours("key"), 2.5);
      pen.fillStyle = colours("muted");
      pen.font = `11px ${getComputedStyle(root).getPropertyValue("--st-font")}`;
      pen.fillText(`pair ${k} · ω ${brief(w, w < 0.01 ? 5 : 3)}`, x, y + step / 2 + 6);
      pen.fillText(`ωφ = ${degrees(w * phi)}`, x, y + step / 2 + 20);
    });
    canvas.setAttribute("aria-label", `${shown.length} clocks, fast pairs first. ${header.labels.length} tokens as grey hands, shifted by ${brief(phi)} words. Turned: ${shown.map((k) => `pair ${k} by ${degrees(header.frequencies[k] * phi)}`).join(", ")}.`);
    legend.replaceChildren(...keyed([["query", `${name(header.token)} at t = ${header.token}`], ["key", `at t + φ = ${brief(theta())}`], ["masked", "every token, shifted"], ["masked_text", "dots: where each stood"]]));
    words.replaceChildren();
    drawMatrix();
  }

  const degrees = (radians) => `${brief((radians * 180) / Math.PI, Math.abs(radians) < 0.0175 ? 2 : 0)}°`;
  const keyed = (entries) => entries.map(([colour, text]) => make("span", {}, make("i", { style: { background: colours(colour) } }), text));

  // T(φ): 2 x 2 blocks [[cos ωφ, sin ωφ], [-sin ωφ, cos ωφ]] on the diagonal, zeros elsewhere.
  function drawMatrix() {
    const d = 2 * header.frequencies.length, long = Math.min(side.clientWidth / scaleOf(root) || 240, 260), cell = long / d, pen = fit(matrix, long, long), scale = ramp(colours("signed"));
    const paint = (row, column, x) => {
      const colour = signedStep(x) * 4;
      pen.fillStyle = `rgb(${scale.slice(colour, colour + 3).join(",")})`;
      pen.fillRect(column * cell, row * cell, Math.max(cell - (cell > 8 ? 1 : 0), 0.7), Math.max(cell - (cell > 8 ? 1 : 0), 0.7));
    };
    pen.fillStyle = `rgb(${scale.slice(512, 515).join(",")})`;
    pen.fillRect(0, 0, long, long);
    header.frequencies.forEach((w, k) => {
      const [cos, sin] = [Math.cos(w * phi), Math.sin(w * phi)];
      paint(2 * k, 2 * k, cos);
      paint(2 * k, 2 * k + 1, sin);
      paint(2 * k + 1, 2 * k, -sin);
      paint(2 * k + 1, 2 * k + 1, cos);
    });
    pen.strokeStyle = colours("border");
    pen.strokeRect(0.5, 0.5, long - 1, long - 1);
    const error = shiftError();
    matrix.setAttribute("aria-label", `T of ${brief(phi)}: a ${d} by ${d} matrix of rotations on the diagonal.`);
    proof.replaceChildren(make("strong", { textContent: `T(φ), ${d} × ${d}: ` }), "one 2 × 2 turn for each clock on the diagonal, 0 elsewhere, and no t in it. ",
      make("br"), "Now, over all tokens, max |T(φ) p(t) − p(t + φ)| = ", make("strong", { className: "error", textContent: error === 0 ? "0" : brief(error, 2) }));
  }

  // x = e + p(t) in the plane of one pair: a unit circle round each token's embedding.
  function drawPlane() {
    const width = room(), height = Math.min(Math.max(width * 0.62, 320), 500), pen = fit(canvas, width, height), { points } = header, k = header.pair;
    const xs = [0, ...points.map(([x]) => x)], ys = [0, ...points.map(([, y]) => y)], pad = 1.15;
    const [x0, x1, y0, y1] = [Math.min(...xs) - pad, Math.max(...xs) + pad, Math.min(...ys) - pad, Math.max(...ys) + pad];
    const unit = Math.min((width - 24) / (x1 - x0), (height - 24) / (y1 - y0)), X = (x) => width / 2 + (x - (x0 + x1) / 2) * unit, Y = (y) => height / 2 - (y - (y0 + y1) / 2) * unit;
    axes(pen, width, height, X(0), Y(0), [`feature ${2 * k}`, `feature ${2 * k + 1}`]);
    const on = (t, turn) => [X(points[t][0]) + unit * Math.sin(turn), Y(points[t][1]) - unit * Math.cos(turn)];
    pen.font = `12px ${getComputedStyle(root).getPropertyValue("--st-code-font")}`;
    pen.textAlign = "center";
    points.forEach(([x, y], t) => {
      if (t === header.token) return;
      ring(pen, X(x), Y(y), unit, colours("border"));
      dot(pen, ...on(t, angle(t + phi, k)), 3, colours("masked_text"));
      dot(pen, X(x), Y(y), 2, colours("masked_text"));
      pen.fillStyle = colours("masked_text");
      pen.fillText(bare(header.labels[t]), X(x), Y(y) + 16);
    });
    const [x, y] = points[header.token], turned = Math.min(Math.abs(angle(phi, k)), 2 * Math.PI) * Math.sign(phi), from = angle(header.token, k) - Math.PI / 2;
    ring(pen, X(x), Y(y), unit, colours("query"), 1.5);
    header.labels.forEach((_, t) => dot(pen, ...on(header.token, angle(t, k)), 2.5, colours("masked_text")));
    arrow(pen, X(0), Y(0), X(x), Y(y), colours("residual"));
    pen.strokeStyle = colours("text");
    pen.beginPath();
    pen.arc(X(x), Y(y), unit * 0.3, from, from + turned, turned < 0);
    pen.stroke();
    for (const [t, colour] of [[header.token, "query"], [theta(), "key"]]) {
      const [px, py] = on(header.token, angle(t, k));
      hand(pen, X(x), Y(y), px - X(x), py - Y(y), colours(colour), 2.5);
    }
    pen.fillStyle = colours("text");
    pen.font = `600 13px ${getComputedStyle(root).getPropertyValue("--st-code-font")}`;
    pen.fillText(`e of ${name(header.token)}`, X(x), Y(y) + unit + 18);
    legend.replaceChildren(...keyed([["residual", "e, the embedding"], ["query", `x = e + p(${header.token})`], ["key", `e + p(${brief(theta())})`], ["masked_text", "dots: the same word at every other place"]]));
    words.replaceChildren(`ω = ${brief(header.frequencies[k], 4)}, so the hand turns by ωφ = ${degrees(angle(phi, k))}; |p| = 1 and e does not move.`);
    canvas.setAttribute("aria-label", `Circles of radius 1 round the embeddings of ${header.labels.length} tokens, in features ${2 * k} and ${2 * k + 1}. ${name(header.token)}: ${words.textContent}`);
  }

  function dot(pen, x, y, radius, colour) {
    pen.fillStyle = colour;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 7);
    pen.fill();
  }

  function axes(pen, width, height, x, y, names) {
    pen.strokeStyle = colours("border");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(0, y);
    pen.lineTo(width, y);
    pen.moveTo(x, 0);
    pen.lineTo(x, height);
    pen.stroke();
    pen.fillStyle = colours("muted");
    pen.font = `11px ${getComputedStyle(root).getPropertyValue("--st-font")}`;
    pen.textAlign = "right";
    pen.fillText(names[0], width - 4, y - 6);
    pen.textAlign = "left";
    pen.fillText(names[1], x + 6, 12);
  }

  function arrow(pen, x0, y0, x1, y1, colour, dashed = false) {
    const turn = Math.atan2(y1 - y0, x1 - x0);
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = 1.75;
    pen.setLineDash(dashed ? [3, 4] : []);
    pen.beginPath();
    pen.moveTo(x0, y0);
    pen.lineTo(x1, y1);
    pen.stroke();
    pen.setLineDash([]);
    if (dashed) return;
    pen.beginPath();
    pen.moveTo(x1, y1);
    for (const bend of [2.7, -2.7]) pen.lineTo(x1 + 9 * Math.cos(turn + bend), y1 + 9 * Math.sin(turn + bend));
    pen.fill();
  }

  // The circle round e, parallel to the xy-plane, with the hands of three pairs laid into it (Palaskos, fig. 3.3).
  function drawSpace() {
    const width = room(), height = Math.min(Math.max(width * 0.62, 340), 500), pen = fit(canvas, width, height), { points } = header;
    const [a, b] = [Math.cos(view.yaw), Math.sin(view.yaw)], [c, s] = [Math.cos(view.pitch), Math.sin(view.pitch)];
    const flat = ([x, y, z]) => [a * x - b * y, s * (b * x + a * y) + c * z];
    const e = points[header.token], reach = Math.max(1.4, ...e.map(Math.abs)) + 1.15;
    const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => [x * reach, y * reach, 0]);
    const box = [...corners, [0, 0, reach], ...points.slice(0, 64).flatMap(ringOf), ...ringOf(e)].map(flat), span = (i) => [Math.min(...box.map((p) => p[i])), Math.max(...box.map((p) => p[i]))];
    const [[l, r], [low, high]] = [span(0), span(1)], unit = Math.min((width - 30) / (r - l), (height - 30) / (high - low));
    const at = (point) => { const [x, y] = flat(point); return [width / 2 + (x - (l + r) / 2) * unit, height / 2 - (y - (low + high) / 2) * unit]; };
    const path = (list, colour, thick, close = false) => {
      pen.strokeStyle = colour;
      pen.lineWidth = thick;
      pen.beginPath();
      list.forEach((point) => pen.lineTo(...at(point)));
      if (close) pen.closePath();
      pen.stroke();
    };
    const grid = Math.ceil(reach);
    for (let i = -grid; i <= grid; i++) {
      path([[i, -grid, 0], [i, grid, 0]], colours(i ? "grid" : "border"), 1);
      path([[-grid, i, 0], [grid, i, 0]], colours(i ? "grid" : "border"), 1);
    }
    pen.font = `11px ${getComputedStyle(root).getPropertyValue("--st-font")}`;
    pen.textAlign = "center";
    [[grid, 0, 0], [0, grid, 0], [0, 0, reach]].forEach((end, i) => {
      arrow(pen, ...at([0, 0, 0]), ...at(end), colours("masked_text"));
      pen.fillStyle = colours("muted");
      pen.fillText(`feature ${i}`, at(end)[0], at(end)[1] - 7);
    });
    points.forEach((point, t) => {
      if (t === header.token) return;
      path(ringOf(point), colours("border"), 1, true);
      dot(pen, ...at(point), 2, colours("masked_text"));
      pen.fillStyle = colours("masked_text");
      pen.fillText(name(t), at(point)[0], at(point)[1] + 14);
    });
    arrow(pen, ...at([e[0], e[1], 0]), ...at(e), colours("masked_text"), true);
    arrow(pen, ...at([0, 0, 0]), ...at(e), colours("residual"));
    path(ringOf(e), colours("text"), 1.25, true);
    header.hands.forEach((k, i) => {
      const end = tip(e, angle(theta(), k)), [x, y] = at(e), [px, py] = at(end), start = tip(e, angle(header.token, k));
      dot(pen, ...at(start), 3, colours(`series-${i}`));
      hand(pen, x, y, px - x, py - y, colours(`series-${i}`), 2.5);
    });
    pen.fillStyle = colours("text");
    pen.font = `600 13px ${getComputedStyle(root).getPropertyValue("--st-code-font")}`;
    pen.fillText(`e of ${name(header.token)}`, at(e)[0], Math.max(...ringOf(e).map((point) => at(point)[1])) + 18);
    legend.replaceChildren(...keyed([["residual", "e, the embedding"], ...header.hands.map((k, i) => [`series-${i}`, `pair ${k}: ω = ${brief(header.frequencies[k], 4)}, turned ${degrees(angle(phi, k))}`])]));
    words.replaceChildren("Drag the picture to turn it; or focus it and use the arrow keys.");
    canvas.setAttribute("aria-label", `The circle round the embedding of ${name(header.token)} in three features, with the hands of ${header.hands.map((k) => `pair ${k}, turned ${degrees(angle(phi, k))}`).join("; ")}. Arrow keys turn the view.`);
  }
  const tip = ([x, y, z], turn) => [x + Math.sin(turn), y + Math.cos(turn), z];
  const ringOf = (e) => Array.from({ length: 73 }, (_, i) => tip(e, (i / 36) * Math.PI));

  function turn(yaw, pitch) {
    view = { yaw: view.yaw + yaw, pitch: Math.max(0.08, Math.min(1.5, view.pitch + pitch)) };
    draw();
  }
  let held = null;
  canvas.onpointerdown = (event) => {
    if (header.view !== "space") return;
    held = [event.clientX, event.clientY];
    canvas.setPointerCapture(event.pointerId);
  };
  canvas.onpointermove = (event) => {
    if (!held) return;
    turn((event.clientX - held[0]) / 160, (event.clientY - held[1]) / 160);
    held = [event.clientX, event.clientY];
  };
  canvas.onpointerup = canvas.onpointercancel = () => (held = null);
  canvas.onkeydown = (event) => {
    const by = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key];
    if (!by || header.view !== "space") return;
    event.preventDefault();
    turn(...by);
  };

  function pause() {
    if (frame === null) return;
    cancelAnimationFrame(frame);
    frame = null;
    draw();
    tell();
  }
  const tell = () => send("phi", Number(phi.toFixed(2)));

  // With reduced motion the shift goes on in whole words, one a second.
  function tick(now) {
    const passed = (now - last) / 1000;
    if (!calm.matches || passed >= 1) {
      phi += calm.matches ? 1 : passed * WORDS_PER_SECOND;
      last = now;
      if (phi >= header.limit) {
        phi = header.limit;
        return pause();
      }
      draw();
    }
    frame = requestAnimationFrame(tick);
    return undefined;
  }
  play.onclick = () => {
    if (frame !== null) return pause();
    if (phi >= header.limit) phi = 0;
    last = performance.now();
    frame = requestAnimationFrame(tick);
    return draw();
  };
  slider.oninput = () => {
    pause();
    phi = Number(slider.value);
    problem.textContent = "";
    draw();
  };
  slider.onchange = tell;
  typed.onchange = () => {
    pause();
    const asked = Number(typed.value), good = typed.value !== "" && Math.abs(asked) <= header.limit;
    problem.textContent = good ? "" : `The shift can be −${header.limit} to ${header.limit} words, so that it stays within reach of the sentence.`;
    if (!good) return draw();
    phi = asked;
    draw();
    return tell();
  };
  token.onchange = () => {
    header.token = Number(token.value);
    draw();
    send("token", header.token);
  };

  return { update, stop: () => (cancelAnimationFrame(frame), resize.disconnect(), root.remove()) };
}
