// Two generations side by side: each row is a step, each cell a token that is computed (filled) or found in the cache.
export default living(race);

function race(parent) {
  let header, colours, clock = Infinity, frame = null, before = 0;
  const start = make("button", { className: "go", textContent: "Run it again in slow motion" });
  const sides = make("div", { className: "sides" });
  const root = make("div", { className: "gf race" }, make("div", { className: "controls" }, start,
    make("span", { className: "muted small" }, make("i", { className: "cell computed" }), " computed now ", make("i", { className: "cell reused" }), " found in the cache")), sides);
  parent.append(root);
  const resize = new ResizeObserver(() => header && draw());
  resize.observe(root);
  start.onclick = () => (frame === null ? run() : halt());

  function update(next) {
    const fresh = !header || header.id !== next.id;
    header = next;
    colours = applyTheme(root);
    if (fresh) {
      halt();
      clock = Infinity;
    }
    sides.replaceChildren(...header.sides.map((side) => make("section", {}, make("h4", { textContent: side.title }),
      make("canvas", { role: "img" }), make("p", { className: "numbers", role: "note" }))));
    draw();
  }

  // Each step lasts as long as it did on this machine, stretched; unmeasured ones as long as their multiplications.
  const lasting = (side) => side.steps.map((step) => step.seconds ?? step.multiplications * 1e-11);
  const total = () => Math.max(...header.sides.map((side) => lasting(side).reduce((a, b) => a + b, 0)));

  function run() {
    clock = 0;
    before = performance.now();
    start.textContent = "Stop";
    frame = requestAnimationFrame(tick);
  }

  function tick(now) {
    clock += ((now - before) / 6000) * total(); // the slower one takes six seconds
    before = now;
    draw();
    if (clock >= total()) return halt();
    frame = requestAnimationFrame(tick);
    return undefined;
  }

  function halt() {
    cancelAnimationFrame(frame);
    frame = null;
    clock = Infinity;
    start.textContent = "Run it again in slow motion";
    if (header && colours) draw();
  }

  function draw() {
    header.sides.forEach((side, i) => drawSide(side, sides.children[i]));
  }

  function drawSide(side, section) {
    if (!section) return;
    const [, canvas, numbers] = section.children, lasts = lasting(side), tokens = header.labels.length;
    let done = 0;
    for (let spent = lasts[0] ?? 0; done < side.steps.length && spent <= clock; spent += lasts[++done] ?? 0);
    const steps = side.steps.length, width = Math.max(section.clientWidth, 120), step = Math.min(Math.max(width / tokens, 2), 22), height = Math.min(Math.max(step, 6), 18);
    const pen = fit(canvas, step * tokens, height * steps + 2), gap = step > 6 ? 1 : 0;
    for (let row = 0; row < Math.min(done, steps); row++) {
      const keys = side.steps[row].computed + side.steps[row].reused;
      for (let column = 0; column < keys; column++) {
        pen.fillStyle = colours(column < side.steps[row].reused ? "masked" : "query");
        pen.globalAlpha = column < side.steps[row].reused ? 0.45 : row === done - 1 && frame !== null ? 1 : 0.75;
        pen.fillRect(column * step, row * height, step - gap, height - 1);
      }
    }
    pen.globalAlpha = 1;
    const sum = (of) => side.steps.slice(0, done).reduce((all, each) => all + of(each), 0);
    const seconds = side.steps.every((each) => each.seconds !== undefined) ? `, ${(sum((each) => each.seconds) * 1000).toFixed(0)} ms` : "";
    const bytes = side.steps[Math.max(done, 1) - 1]?.bytes ?? 0;
    const facts = `${done} of ${steps} tokens: ${sum((each) => each.computed).toLocaleString()} token passes computed, ${sum((each) => each.reused).toLocaleString()} reused, `
      + `${words(sum((each) => each.multiplications))} multiplications, ${bytes ? `${(bytes / 1024).toFixed(0)} KiB kept` : "nothing kept"}${seconds}`;
    numbers.textContent = facts;
    canvas.setAttribute("aria-label", `${side.title}: ${facts}`);
  }

  const words = (n) => (n >= 1e9 ? `${(n / 1e9).toFixed(2)} billion` : n >= 1e6 ? `${(n / 1e6).toFixed(1)} million` : n.toLocaleString());

  return { update, stop: () => (cancelAnimationFrame(frame), resize.disconnect(), root.remove()) };
}
