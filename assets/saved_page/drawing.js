// Draws the components and figures of a view. A saved page has them all in its file (view.js); the page for
// students fetches them (assets/follow/picture.js).
import { recolour } from "./recolour.js";

const dark = matchMedia("(prefers-color-scheme: dark)");

export const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
export const textOf = (node) => new TextDecoder().decode(bytesOf(node.textContent));

// A component in its place: `mount` is its script's function, `style` a style sheet or an element with one. It is drawn
// again for new data, and for the other theme.
export class DrawnComponent {
  constructor(host, mount, style) {
    Object.assign(this, { host, mount });
    this.root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    if (style instanceof CSSStyleSheet) this.root.adoptedStyleSheets = [style];
    else this.root.append(style);
    this.redraw = () => this.draw();
    dark.addEventListener("change", this.redraw);
  }

  // The bytes or the value that the page's element holds.
  take(held) {
    this.data = held.dataset.kind === "bytes" ? bytesOf(held.textContent) : JSON.parse(textOf(held));
    this.draw();
  }

  // The arguments that Streamlit gives a component; there is no server to send anything to.
  draw() {
    const quiet = () => {};
    const name = this.host.dataset.component;
    const how = { parentElement: this.root, setStateValue: quiet, setTriggerValue: quiet };
    this.cleanup = this.mount({ data: this.data, name, key: name, ...how });
  }

  async stop() {
    dark.removeEventListener("change", this.redraw);
    (await this.cleanup)?.();
  }
}

// A Plotly figure in its place. `theme`: the theme in which it was drawn, and the colours of the other one.
export class DrawnFigure {
  constructor(host, plotly, theme) {
    Object.assign(this, { host, plotly, theme });
    this.redraw = () => this.draw();
    dark.addEventListener("change", this.redraw);
  }

  take(held) {
    this.text = textOf(held);
    this.draw();
  }

  draw() {
    const { drawn, swaps } = this.theme;
    const figure = JSON.parse(this.text);
    const shown = dark.matches ? "dark" : "light";
    const { data, layout, frames } = shown === drawn ? figure : recolour(figure, shown, swaps[drawn]);
    const config = { displayModeBar: false, responsive: true, displaylogo: false };
    const place = this.host.querySelector(".plot");
    this.plotly.react(place, { data, layout: { autosize: true, ...layout }, frames, config });
  }

  async stop() {
    dark.removeEventListener("change", this.redraw);
    this.plotly.purge(this.host.querySelector(".plot"));
  }
}
