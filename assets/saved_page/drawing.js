// Draws the components and figures of a view. A saved page has them all in its file (view.js); the page for
// students fetches them (assets/follow/picture.js).
import { recolour } from "./recolour.js";

const system = matchMedia("(prefers-color-scheme: dark)");
const quiet = () => {};

export const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
export const textOf = (node) => new TextDecoder().decode(bytesOf(node.textContent));

// A component in its place: `mount` is its script's function, `style` a style sheet or an element with one. It is drawn
// again for new data, and for the other theme. `send` hears of what a hand does in it: the name of the event, and its
// value. `dark` says whether the theme is dark, as a query of media does.
export class DrawnComponent {
  constructor(host, mount, style, { send = quiet, dark = system } = {}) {
    Object.assign(this, { host, mount, send, dark });
    this.root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    if (style instanceof CSSStyleSheet) this.root.adoptedStyleSheets = [style];
    else this.root.append(style);
    this.redraw = () => this.draw();
    this.dark.addEventListener("change", this.redraw);
  }

  // The bytes or the value that the page's element holds.
  take(held) {
    this.data = held.dataset.kind === "bytes" ? bytesOf(held.textContent) : JSON.parse(textOf(held));
    this.draw();
  }

  // The arguments that Streamlit gives a component.
  draw() {
    const name = this.host.dataset.component;
    const how = { parentElement: this.root, setStateValue: this.send, setTriggerValue: this.send };
    this.cleanup = this.mount({ data: this.data, name, key: name, ...how });
  }

  async stop() {
    this.dark.removeEventListener("change", this.redraw);
    (await this.cleanup)?.();
  }
}

// What a program needs to know of a point that Plotly names.
const pointOf = ({ x, y, customdata }) => ({ x, y, customdata });

// A Plotly figure in its place. `theme`: the theme in which it was drawn, and the colours of the other one.
// `send` hears of the points that are clicked, as a list of them.
export class DrawnFigure {
  constructor(host, plotly, theme, { send = null, dark = system } = {}) {
    Object.assign(this, { host, plotly, theme, send, dark });
    this.redraw = () => this.draw();
    this.dark.addEventListener("change", this.redraw);
  }

  take(held) {
    this.text = textOf(held);
    this.draw();
  }

  draw() {
    const { drawn, swaps } = this.theme;
    const figure = JSON.parse(this.text);
    const shown = this.dark.matches ? "dark" : "light";
    const { data, layout, frames } = shown === drawn ? figure : recolour(figure, shown, swaps[drawn]);
    const config = { displayModeBar: false, responsive: true, displaylogo: false };
    const place = this.host.querySelector(".plot");
    const isFirst = !place.on;
    this.plotly.react(place, { data, layout: { autosize: true, ...layout }, frames, config });
    if (isFirst && this.send) place.on("plotly_click", ({ points }) => this.send(points.map(pointOf)));
  }

  async stop() {
    this.dark.removeEventListener("change", this.redraw);
    this.plotly.purge(this.host.querySelector(".plot"));
  }
}
