// A bar that walks through steps: buttons, a slider, the space bar and the arrows. Shared by predict_player and
// translation, after common.js.
//
// `frame` is the milliseconds of a step while it plays. `at()` and `last()` tell the present step and the last one,
// `go(to)` moves. `beyond()`, where there is one, is what one more step does behind the last.
const BUTTONS = [["restart", "⏮", "Restart"], ["back", "◀", "Back one step"], ["play", "▶", "Play"], ["step", "▶|", "One step on"], ["end", "⏭", "To the last step"]];
const KEYS = { " ": "play", ArrowLeft: "back", ArrowRight: "step", Home: "restart", End: "end" };
const FIELDS = "input, textarea, select, [role=slider], [role=radio], [role=tab], [role=listbox], [contenteditable=true]";
const CONTROLS = `${FIELDS}, button, a, canvas, .js-plotly-plot`;

function playhead(root, { frame, at, last, go, beyond = null, played = () => {} }) {
  let running = null, before = 0;
  const buttons = Object.fromEntries(BUTTONS.map(([id, sign, label]) =>
    [id, make("button", { textContent: sign, "aria-label": label, title: label, "data-id": id, onclick: () => act(id) })]));
  const scrub = make("input", { type: "range", min: 0, step: 1, "aria-label": "Step" });
  scrub.oninput = () => (pause(), go(Number(scrub.value)));
  const bar = make("div", { className: "bar", role: "toolbar", "aria-label": "Playback" }, ...Object.values(buttons), scrub,
    make("span", { className: "muted small keys", textContent: "space plays, arrows step" }));

  function act(id) {
    if (id === "play") return running === null ? play() : pause();
    pause();
    if (id === "step" && at() >= last()) return beyond?.();
    return go({ restart: 0, end: last(), back: at() - 1, step: at() + 1 }[id]);
  }

  function play() {
    if (at() >= last()) go(0);
    before = performance.now();
    running = requestAnimationFrame(tick);
    mark();
  }

  function tick(now) {
    if (now - before >= frame) {
      before = now;
      if (at() >= last()) return pause();
      go(at() + 1);
    }
    running = requestAnimationFrame(tick);
    return undefined;
  }

  function pause() {
    cancelAnimationFrame(running);
    running = null;
    mark();
  }

  function mark() {
    buttons.play.textContent = running === null ? "▶" : "⏸";
    for (const name of ["aria-label", "title"]) buttons.play.setAttribute(name, running === null ? "Play" : "Pause");
    played(running !== null);
  }

  // The bar as the present step has it. `more`: there is something behind the last step.
  function draw(more = false) {
    scrub.max = last();
    scrub.value = at();
    buttons.back.disabled = buttons.restart.disabled = at() === 0;
    buttons.end.disabled = at() === last();
    buttons.step.disabled = at() === last() && !more;
  }

  // Keys work wherever they mean nothing else: not in a text field, on a slider or a tab.
  function press(event) {
    const target = event.composedPath()[0], own = root.contains(target);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest?.(own ? FIELDS : CONTROLS) || (own && event.key === " " && target.closest("button"))) return;
    if (!KEYS[event.key]) return;
    event.preventDefault();
    act(KEYS[event.key]);
  }
  window.addEventListener("keydown", press);

  return { bar, draw, pause, stop: () => (cancelAnimationFrame(running), window.removeEventListener("keydown", press)) };
}
