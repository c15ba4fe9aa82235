// The growing sentence with its playhead, and the candidates of the step at it. Moving the playhead never asks the
// server; it hears of the place once the reader rests there, of a branch, and of a wish for more tokens.
const FRAME = 200; // milliseconds a step: five steps a second

export default living(player);

function player(parent) {
  let header, send, at = 0, sent;
  const strip = make("div", { className: "strip", role: "group", "aria-label": "The sentence" });
  const tint = make("p", { className: "muted small" });
  const list = make("div", { className: "candidates", role: "group", "aria-label": "Candidates" });
  const status = make("p", { className: "where", role: "status" });
  const root = make("div", { className: "gf player" }, strip, tint, status, list);
  parent.append(root);
  const playback = playhead(root, {
    frame: FRAME, at: () => at, last: () => last(), go,
    beyond: () => header.ended || send("more", { count: 1, step: at }),
    played: (playing) => root.classList.toggle("playing", playing),
  });
  root.prepend(playback.bar);

  const report = settle(() => {
    if (at !== sent) (sent = at), send("step", at);
  }, 350);

  function update(next, trigger) {
    const fresh = !header || header.id !== next.id;
    const grown = header && fresh && next.written.length > header.written.length && at >= header.written.length - 1;
    header = next;
    send = trigger;
    applyTheme(root);
    if (fresh && !grown) (at = Math.min(next.step, last())), (sent = at);
    if (!fresh && next.step !== sent) (at = Math.min(next.step, last())), (sent = at);
    drawStrip();
    go(grown ? Math.min(at + 1, last()) : at, true);
  }

  const last = () => header.steps.length - 1;

  // The last place shows what would come next; it has no token yet.
  function go(to, quiet = false) {
    at = Math.min(Math.max(to, 0), last());
    draw();
    if (!quiet) report();
  }

  function drawStrip() {
    const chip = (token, i, step) => make("button", { className: `chip${step === null ? " given" : ""}${token.special ? " special" : ""}`,
      "data-id": `chip-${i}`, title: step === null ? `Token ${i}, given` : `Token ${i}, written at step ${step + 1}`,
      onclick: () => (playback.pause(), go(step === null ? 0 : step)) },
      make("span", { className: "token" }, ...tokenText(token.label)),
      make("small", { textContent: step === null ? "" : `step ${step + 1}` }));
    redrawn(strip, ...header.prompt.map((token, i) => chip(token, i, null)),
      ...header.written.map((token, step) => chip(token, header.prompt.length + step, step)),
      make("span", { className: "chip next", textContent: "?" }));
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
    playback.draw(!header.ended);
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
      button.onclick = () => row.chosen || (playback.pause(), send("branch", { step: at, id: row.id }));
      return button;
    }));
  }

  const share = (p) => (p >= 0.9995 ? "100%" : p >= 0.1 ? `${(p * 100).toFixed(1)}%` : p >= 0.001 ? `${(p * 100).toFixed(2)}%` : p > 0 ? p.toExponential(1).replace("-", "−") : "0");

  return {
    update,
    stop: () => (playback.stop(), root.remove()),
  };
}
