// A black square to draw a digit on, in white: with a finger, a mouse, or arrow keys and Space. The ink goes to the model.
const SIDE = 56, SHOWN = 224, mounted = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  if (!mounted.has(parentElement)) mounted.set(parentElement, pad(parentElement, data));
  mounted.get(parentElement).update(setTriggerValue);
  return () => mounted.get(parentElement)?.stop();
}

function pad(parent, held) {
  let send, down = false, last = null, pen = { x: SIDE / 2, y: SIDE / 2 }, writing = false, keyed = false;
  const ink = make("canvas", { width: SIDE, height: SIDE }), brush = ink.getContext("2d", { willReadFrequently: true });
  const board = make("canvas", { tabIndex: 0, role: "application",
    "aria-label": "Draw a digit. Arrow keys move the pen, Space puts it down or lifts it, Delete clears." });
  const clear = make("button", { className: "tool", textContent: "Clear", onclick: () => wipe() });
  const words = make("p", { className: "muted", role: "status", textContent: "Draw one digit, large. With the keyboard: arrow keys move, Space writes, Delete clears." });
  const root = make("div", { className: "gf pad" }, board, make("div", { className: "tools" }, clear), words);
  parent.append(root);
  wipeInk();
  if (held) restore(held);

  const update = (trigger) => {
    send = trigger;
    applyTheme(root);
    draw();
  };

  const report = settle(() => {
    const { data } = brush.getImageData(0, 0, SIDE, SIDE), grey = new Uint8Array(SIDE * SIDE);
    for (let i = 0; i < grey.length; i++) grey[i] = data[4 * i];
    send("ink", { side: SIDE, grey: btoa(String.fromCharCode(...grey)) });
  }, 250);

  function wipeInk() {
    brush.fillStyle = "#000";
    brush.fillRect(0, 0, SIDE, SIDE);
  }
  function restore(text) {
    const grey = atob(text), image = brush.createImageData(SIDE, SIDE);
    for (let i = 0; i < grey.length; i++) image.data.fill(grey.charCodeAt(i), 4 * i, 4 * i + 3), (image.data[4 * i + 3] = 255);
    brush.putImageData(image, 0, 0);
  }
  function wipe() {
    wipeInk();
    writing = false;
    words.textContent = "Empty.";
    draw();
    report();
  }
  function stroke(from, to) {
    Object.assign(brush, { strokeStyle: "#fff", lineWidth: 5, lineCap: "round", lineJoin: "round" });
    brush.beginPath();
    brush.moveTo(from.x, from.y);
    brush.lineTo(to.x + 0.01, to.y);
    brush.stroke();
    draw();
  }
  function draw() {
    const context = fit(board, SHOWN, SHOWN);
    context.drawImage(ink, 0, 0, SHOWN, SHOWN);
    if (!keyed) return;
    context.strokeStyle = writing ? "#efa31d" : "#62b4ea";
    context.lineWidth = 2;
    context.beginPath();
    context.arc((pen.x * SHOWN) / SIDE, (pen.y * SHOWN) / SIDE, 10, 0, 7);
    context.stroke();
  }

  const at = (event) => {
    const box = board.getBoundingClientRect();
    return { x: ((event.clientX - box.left) / box.width) * SIDE, y: ((event.clientY - box.top) / box.height) * SIDE };
  };
  board.onpointerdown = (event) => {
    if (event.button) return;
    event.preventDefault();
    board.focus({ preventScroll: true });
    board.setPointerCapture(event.pointerId);
    down = true;
    keyed = false;
    last = at(event);
    stroke(last, last);
  };
  board.onpointermove = (event) => {
    if (!down) return;
    const next = at(event);
    stroke(last, next);
    last = next;
  };
  board.onpointerup = board.onpointercancel = () => {
    if (!down) return;
    down = false;
    report();
  };
  board.onblur = () => ((keyed = false), draw());
  board.onkeydown = (event) => {
    if (event.key === "Delete" || event.key === "Backspace") return event.preventDefault(), wipe();
    if (event.key === " ") {
      event.preventDefault();
      keyed = true;
      writing = !writing;
      words.textContent = writing ? "The pen is down." : "The pen is up.";
      if (writing) stroke(pen, pen);
      return draw(), report();
    }
    const move = { ArrowLeft: [-2, 0], ArrowRight: [2, 0], ArrowUp: [0, -2], ArrowDown: [0, 2] }[event.key];
    if (!move) return undefined;
    event.preventDefault();
    keyed = true;
    const inside = (value) => Math.min(Math.max(value, 3), SIDE - 3), next = { x: inside(pen.x + move[0]), y: inside(pen.y + move[1]) };
    if (writing) stroke(pen, next), report();
    pen = next;
    return draw();
  };

  return { update, stop: () => (mounted.delete(parent), root.remove()) };
}
