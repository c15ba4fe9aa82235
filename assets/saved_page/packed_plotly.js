// plotly.js, which a page holds compressed: viz/documents/page_html.py.
import { bytesOf } from "./drawing.js";

let loading = null; // once a view has needed it

async function unpack() {
  const packed = new Blob([bytesOf(document.getElementById("plotly").textContent)]);
  const source = await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).text();
  const script = document.createElement("script");
  script.textContent = source;
  document.head.append(script);
  return window.Plotly;
}

export function loadPlotly() {
  loading ??= unpack();
  return loading;
}
