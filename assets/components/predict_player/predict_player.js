// The growing sentence with its playhead, and the candidates of the step at it. Moving the playhead never asks the
// server; it hears of the place once the reader rests there, of a branch, and of a wish for more tokens.
const FRAME = 200; // milliseconds a step: five steps a second
const mounted = new WeakMap();

export default async function ({ data, parentElement, setTriggerValue }) {
  const header = await unpack(data);
  if (!mounted.has(parentElement)) mounted.set(parentElement, player(parentElement));
  mounted.get(parentElement).update(header, setTriggerValue);
  return () => mounted.get(parentElement)?.stop();
}

function player(parent) {
  let header, send, at = 0, sent, frame = null, last = 0;
  const bar = make("div", { className: "bar", role: "toolbar", "aria-label": "Playback" });
  const strip = make("div", { className: "strip", role: "group", "aria-label": "The sentence" });
  const tint = make("p", { className: "muted small" });
  const list = make("div", { className: "candidates", role: "group", "aria-label": "Candidates" });
  const status = make("p", { className: "where", role: "status" });
  const root = make("div", { className: "gf player" }, bar, strip, tint, status, list);
  parent.append(root);
  const buttons = Object.fromEntries([["restart", "⏮", "Restart"], ["back", "◀", "Back one step"], ["play", "▶", "Play"],
    ["step", "▶|", "One step on"], ["end", "⏭", "To the last step"]].map(([id, sign, label]) =>
    [id, make("button", { textContent: sign, "aria-label": label, title: label, "data-id": id, onclick: () => act(id) })]));
  const scrub = make("input", { type: "range", min: 0, step: 1, "aria-label": "Step" });
  scrub.oninput = () => (pause(), go(Number(scrub.value)));
  bar.append(...Object.values(buttons), scrub, make("span", { className: "muted small keys", textContent: "space plays, arrows step" }));

  const report = settle(() => {
    if (at !== sent) (sent = at), send("step", at);
  }, 350);

  function update(next, trigger) {
    const fresh = !header || header.id !== next.id;
    const grown = header && fresh && next.written.length > header.written.length && at >= header.written.length - 1;
    header = next;
    send = trigger;
    applyTheme(root);
    if (fresh && !grown) (at = Math.min(next.step, last_())), (sent = at);
    if (!fresh && next.step !== sent) (at = Math.min(next.step, last_())), (sent = at);
    drawStrip();
    go(grown ? Math.min(at + 1, last_()) : at, true);
  }

  const last_ = () => header.steps.length - 1;

  // The last place shows what would come next; it has no token yet.
  function go(to, quiet = false) {
    at = Math.min(Math.max(to, 0), last_());
    draw();
    if (!quiet) report();
  }

  function act(id) {
    if (id === "play") return frame === null ? play() : pause();
    pause();
    if (id === "restart") return go(0);
    if (id === "end") return go(last_());
    if (id === "back") return go(at - 1);
    if (at < last_()) return go(at + 1);
    return header.ended ? undefined : send("more", { count: 1, step: at });
  }

  function play() {
    if (at >= last_()) at = 0;
    draw();
    last = performance.now();
    frame = requestAnimationFrame(tick);
    mark();
  }

  function tick(now) {
    if (now - last >= FRAME) {
      last += FRAME * Math.floor((now - last) / FRAME);
      if (at >= last_()) return pause();
      go(at + 1);
    }
    frame = requestAnimationFrame(tick);
    return undefined;
  }

  function pause() {
    cancelAnimationFrame(frame);
    frame = null;
    mark();
  }

  function mark() {
    const playing = frame !== null;
    buttons.play.textContent = playing ? "⏸" : "▶";
    for (const name of ["aria-label", "title"]) buttons.play.setAttribute(name, playing ? "Pause" : "Play");
    root.classList.toggle("playing", playing);
  }

  function drawStrip() {
    const chip = (token, i, step) => make("button", { className: `chip${step === null ? " given" : ""}${token.special ? " special" : ""}`,
      "data-id": `chip-${i}`, title: step === null ? `Token ${i}, given` : `Token ${i}, written at step ${step + 1}`,
      onclick: () => (pause(), go(step === null ? 0 : step)) },
      make("span", { className: "token" }, ...tokenText(token.label)),
      make("small", { textContent: step === null ? "" : `step ${step + 1}` }));
    redrawn(strip, ...header.prompt.map((token, i) => chip(token, i, null)),
      ...header.written.map((token, step) => chip(token, header.prompt.length + step, step)),
      make("span", { className: "chip next", textContent: "?" }));
    scrub.max = last_();
  }

  function draw() {
    const step = header.steps[at], read = header.prompt.length + at, width = header.attention.shape[1];
    [...strip.children].forEach((chip, i) => {
      const weight = i < read ? header.attention[at * width + i] / header.levels : 0;
      chip.classList.toggle("later", i > read);
      chip.classList.toggle("here", i === read);
      chip.style.setProperty("--share", `${Math.round(weight * 100)}%`);
      if (i === read) chip.setAttribute("aria-current", "step");
      else chip.removeAttribute("aria-current");
      if (chip.title) chip.setAttribute("aria-description", `${chip.title}${i < read ? `, attention ${weight.toFixed(2)}` : ""}`);
    });
    const chip = strip.children[read];
    if (chip && strip.scrollHeight > strip.clientHeight) strip.scrollTop = chip.offsetTop - strip.offsetTop - 40;
    scrub.value = at;
    buttons.back.disabled = buttons.restart.disabled = at === 0;
    buttons.end.disabled = at === last_();
    buttons.step.disabled = at === last_() && Boolean(header.ended);
    const token = header.written[at];
    status.replaceChildren(...(token
      ? [`Step ${at + 1} of ${header.written.length}: `, make("strong", { className: "token" }, ...tokenText(token.label)), ` has ${share(step.p)} and rank ${step.rank.toLocaleString()}. Choose another to branch here.`]
      : [header.ended || "What comes next: choose a token, or step on."]));
    tint.textContent = header.place ? `Tint: where the last token read looks, ${header.place}.` : "";
    drawCandidates(step.candidates);
  }

  function drawCandidates(rows) {
    const widest = Math.max(...rows.map((row) => Math.max(row.p, row.drawn)), 1e-6);
    const head = make("div", { className: "row head muted small", "aria-hidden": "true" }, make("span", { textContent: "next token" }),
      make("span"), make("span", { textContent: "drawn with" }), make("span", { textContent: "model" }), make("span", { className: "logit", textContent: "logit" }));
    redrawn(list, head, ...rows.map((row) => {
      const label = `${bare(row.label)}, ${share(row.drawn)} after the filters, ${share(row.p)} before, logit ${row.logit.toFixed(2)}`;
      const button = make("button", { className: `row${row.chosen ? " chosen" : ""}${row.drawn > 0 ? "" : " out"}`, "data-id": String(row.id),
        "aria-description": row.chosen ? `${label}, chosen` : `Branch with ${label}`, "aria-pressed": String(row.chosen) },
        make("span", { className: "token name" }, ...tokenText(row.label)),
        make("span", { className: "track" }, make("i", { className: "before", style: { width: `${(row.p / widest) * 100}%` } }),
          make("i", { className: "after moves", style: { width: `${(row.drawn / widest) * 100}%` } })),
        make("span", { className: "value", textContent: row.drawn > 0 ? share(row.drawn) : "–" }),
        make("span", { className: "value muted", textContent: share(row.p) }),
        make("span", { className: "value muted logit", textContent: row.logit.toFixed(2).replace("-", "−") }));
      button.onclick = () => row.chosen || (pause(), send("branch", { step: at, id: row.id }));
      return button;
    }));
  }

  const share = (p) => (p >= 0.9995 ? "100%" : p >= 0.1 ? `${(p * 100).toFixed(1)}%` : p >= 0.001 ? `${(p * 100).toFixed(2)}%` : p > 0 ? p.toExponential(1).replace("-", "−") : "0");

  // Keys work wherever they mean nothing else: not in a text field, on a slider or a tab.
  function keys(event) {
    const target = event.composedPath()[0];
    const own = root.contains(target);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!own && target.closest?.("input, textarea, select, button, [role=slider], [role=radio], [role=tab], [role=listbox], [contenteditable=true], a, canvas, .js-plotly-plot")) return;
    if (own && event.key === " " && target.closest("button")) return;
    if (own && target === scrub) return;
    const does = { " ": "play", ArrowLeft: "back", ArrowRight: "step", Home: "restart", End: "end" }[event.key];
    if (!does) return;
    event.preventDefault();
    act(does);
  }
  window.addEventListener("keydown", keys);

  return {
    update,
    stop: () => (cancelAnimationFrame(frame), window.removeEventListener("keydown", keys), mounted.delete(parent), root.remove()),
  };
}
