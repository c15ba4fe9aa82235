// Brings a saved view to life: viz/documents/page_html.py writes the page around it.
const saved = globalThis.saved ?? {};
const dark = matchMedia("(prefers-color-scheme: dark)");
const drawn = document.documentElement.dataset.drawn;

const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const textOf = (node) => new TextDecoder().decode(bytesOf(node.textContent));

// Figures hold the colours of one theme; a reader who prefers the other one gets each colour's counterpart.
const swaps = JSON.parse(textOf(document.getElementById("swap")))[drawn];

function rgb(colour) {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)).join(",");
}

function recoloured(figure) {
  const shown = dark.matches ? "dark" : "light";
  if (shown === drawn) return figure;
  const alike = Object.fromEntries(Object.entries(swaps).map(([from, to]) => [rgb(from), rgb(to)]));
  return figure
    .replace(/#[0-9a-fA-F]{6}\b/g, (colour) => swaps[colour.toLowerCase()] ?? colour)
    .replace(/rgba\((\d+, ?\d+, ?\d+)/g, (_, colour) => `rgba(${alike[colour.replaceAll(" ", "")] ?? colour}`);
}

// The arguments that Streamlit gives a component; there is no server to send anything to.
function mount(host) {
  const held = host.querySelector("script");
  const root = host.attachShadow({ mode: "open" });
  const style = document.createElement("style");
  style.textContent = textOf(document.querySelector(`script[data-style="${host.dataset.component}"]`));
  root.append(style);
  const data = held.dataset.kind === "bytes" ? bytesOf(held.textContent) : JSON.parse(textOf(held));
  const quiet = () => {};
  const draw = () =>
    saved[host.dataset.component]({
      data,
      name: host.dataset.component,
      key: host.dataset.component,
      parentElement: root,
      setStateValue: quiet,
      setTriggerValue: quiet,
    });
  draw();
  dark.addEventListener("change", draw);
}

async function plotly() {
  const packed = new Blob([bytesOf(document.getElementById("plotly").textContent)]);
  const source = await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).text();
  const script = document.createElement("script");
  script.textContent = source;
  document.head.append(script);
  return window.Plotly;
}

for (const host of document.querySelectorAll(".component")) mount(host);

const figures = [...document.querySelectorAll("figure")];
if (figures.length) {
  const drawer = await plotly();
  const draw = () => {
    for (const figure of figures) {
      const { data, layout, frames } = JSON.parse(recoloured(textOf(figure.querySelector("script"))));
      const settings = { displayModeBar: false, responsive: true, displaylogo: false };
      drawer.react(figure.querySelector(".plot"), {
        data,
        layout: { autosize: true, ...layout },
        frames,
        config: settings,
      });
    }
  };
  draw();
  dark.addEventListener("change", draw);
}
document.documentElement.dataset.ready = "yes";
