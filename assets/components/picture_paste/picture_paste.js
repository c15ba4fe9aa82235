// A place to paste a picture. The file goes to the server as it is, and is checked there.
const mounted = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  if (!mounted.has(parentElement)) mounted.set(parentElement, place(parentElement));
  mounted.get(parentElement).update(data, setTriggerValue);
  return () => mounted.get(parentElement)?.stop();
}

function place(parent) {
  let most, send;
  const words = make("span", { role: "status" });
  const root = make("div", { className: "gf paste", tabIndex: 0, role: "textbox", "aria-label": "Paste a picture here" }, words);
  parent.append(root);
  words.textContent = "Click here and paste a picture (Ctrl V).";

  root.onpaste = async (event) => {
    event.preventDefault();
    const file = [...(event.clipboardData?.files ?? [])][0];
    if (!file) return (words.textContent = "What was pasted holds no picture. Copy a picture, not its address.");
    if (file.size > most) return (words.textContent = `The picture has ${Math.round(file.size / 1e6)} MB; at most ${Math.round(most / 1e6)} MB are read.`);
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
    words.textContent = "Pasted. Paste another one at any time.";
    return send("file", btoa(text));
  };
  const update = (limit, trigger) => {
    most = limit;
    send = trigger;
    applyTheme(root);
  };
  return { update, stop: () => (mounted.delete(parent), root.remove()) };
}
