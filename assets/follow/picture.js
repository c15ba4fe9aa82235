// The presenter's view, as viz/documents/live_view.py writes it: fetched by its digest, and shown alive.
import { createElement } from "../components/shared/dom.js";
import { DrawnComponent, DrawnFigure } from "../saved_page/drawing.js";
import { graft } from "./graft.js";

const KEPT = "glassformer picture"; // the digest of the view that was shown last
const RETRY_TIME = 1000; // milliseconds; a server that has just come back may not have the view yet
const MOST_TRIES = 5;
const FETCH_TIME = 8000; // milliseconds; a line that broke in the middle of a view says nothing
const PREPARING = "The presenter has not shown a view yet. It comes by itself.";

const pause = (time) => new Promise((done) => setTimeout(done, time));

// Scripts and style sheets, each fetched once.
class Files {
  constructor(base) {
    this.at = `${base}/follow/files/`;
    this.loaded = new Map();
  }

  once(name, load) {
    if (!this.loaded.has(name)) {
      const loading = load(new URL(this.at + name, location.href).href);
      loading.catch(() => this.loaded.delete(name));
      this.loaded.set(name, loading);
    }
    return this.loaded.get(name);
  }

  module(name) {
    return this.once(name, async (address) => (await import(address)).default);
  }

  sheet(name) {
    return this.once(name, async (address) => {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
      return new CSSStyleSheet().replace(await answer.text());
    });
  }

  plotly(name) {
    return this.once(
      name,
      (address) =>
        new Promise((done, fail) => {
          const script = createElement("script", { src: address, onerror: fail, onload: () => done(window.Plotly) });
          document.head.append(script);
        }),
    );
  }
}

export class Picture {
  constructor(page, { base, key, shown }) {
    Object.assign(this, { page, base, key, shown });
    this.files = new Files(base);
    this.wanted = "";
    this.shownDigest = "";
    this.shownPage = "";
    this.first = new Promise((done) => {
      this.hasCome = done; // the first view
    });
    this.drawn = new Map(); // element of the page -> what draws in it
    this.facts = createElement("p", { className: "facts" });
    this.body = createElement("div", { className: "stack" });
    this.notes = createElement("div", { className: "notes" });
    this.told = createElement("p", { className: "info", role: "status", textContent: PREPARING });
    this.page.append(this.told);
  }

  // `open` opens the app, for what a picture cannot carry.
  offerApp(open) {
    const props = { type: "button", className: "whole", textContent: "Follow with the whole app", onclick: open };
    this.wholeApp = createElement("button", props);
  }

  want(digest, why) {
    this.wanted = digest;
    if (digest) this.load();
    else this.tell(why || PREPARING);
  }

  again() {
    if (this.wanted) this.load();
  }

  // After a reload without a network, the browser may still have the last view.
  showKept() {
    try {
      const digest = sessionStorage.getItem(KEPT);
      if (digest) this.want(digest);
    } catch {
      // The storage is switched off.
    }
  }

  forget() {
    try {
      sessionStorage.removeItem(KEPT);
    } catch {
      // The storage is switched off.
    }
  }

  tell(text) {
    this.told.textContent = text;
    this.told.hidden = !text;
    if (!this.told.isConnected) this.page.prepend(this.told);
  }

  // Views that were overtaken while one was fetched are skipped.
  async load() {
    if (this.isLoading) return;
    this.isLoading = true;
    for (let tries = 0; this.wanted && this.wanted !== this.shownDigest && tries < MOST_TRIES; ) {
      const digest = this.wanted;
      try {
        const view = await this.fetch(digest);
        if (digest === this.wanted) await this.show(view, digest);
        tries = 0;
      } catch {
        tries += 1;
        await pause(RETRY_TIME * tries);
      }
    }
    this.isLoading = false;
  }

  async fetch(digest) {
    const headers = { Authorization: `Bearer ${this.key}` };
    const signal = AbortSignal.timeout(FETCH_TIME);
    const address = `${this.base}/follow/views/${digest}`;
    const answer = await fetch(address, { headers, referrerPolicy: "no-referrer", signal });
    if (!answer.ok) throw new Error(`The view: ${answer.status}`);
    return answer.json();
  }

  async show(view, digest) {
    const draws = new Map(); // name of a component -> its function and its style sheet
    const loading = Object.entries(view.components).map(async ([name, [script, sheet]]) =>
      draws.set(name, await Promise.all([this.files.module(script), this.files.sheet(sheet)])),
    );
    const [plotly] = await Promise.all([view.plotly ? this.files.plotly(view.plotly) : null, ...loading]);
    if (digest !== this.wanted) return;
    const isNew = view.page !== this.shownPage;
    document.documentElement.dataset.hand = view.hand;
    document.title = `${view.title} · Glassformer`;
    this.tell("");
    this.showWords(view);
    const changed = graft(this.body, view.body, isNew);
    for (const gone of changed.gone) this.stop(gone);
    for (const element of changed.drawn) this.draw(element, { draws, plotly, theme: view.theme });
    Object.assign(this, { shownDigest: digest, shownPage: view.page });
    try {
      sessionStorage.setItem(KEPT, digest);
    } catch {
      // The storage is switched off.
    }
    this.hasCome();
    this.shown(isNew);
  }

  // Asks again for the view that is shown, for the memory without a network.
  copy() {
    return this.fetch(this.shownDigest);
  }

  showWords({ facts, notes }) {
    this.facts.replaceChildren(
      ...facts.map(([name, value]) =>
        createElement("span", {}, `${name}: `, createElement("bdi", { textContent: value })),
      ),
    );
    const lines = notes.map((textContent) => createElement("p", { className: "caption", textContent }));
    this.notes.replaceChildren(...lines, this.wholeApp);
    if (!this.body.isConnected) this.page.replaceChildren(this.told, this.facts, this.body, this.notes);
  }

  // Draws what an element of the page holds now.
  draw(element, { draws, plotly, theme }) {
    const host = element.querySelector(".component, figure");
    if (!host) return;
    const held = host.querySelector("script");
    if (!this.drawn.has(element)) this.drawn.set(element, this.made(host, draws, plotly, theme));
    const drawn = this.drawn.get(element);
    if (drawn instanceof DrawnFigure) drawn.theme = theme;
    drawn.take(held);
  }

  made(host, draws, plotly, theme) {
    if (host.matches("figure")) return new DrawnFigure(host, plotly, theme);
    return new DrawnComponent(host, ...draws.get(host.dataset.component));
  }

  stop(element) {
    this.drawn.get(element)?.stop();
    this.drawn.delete(element);
  }
}
