// Where one is, as a row of buttons: “The whole model › Layer 9 › Head 2 › weights”.
import { createElement, replaceKeepingFocus } from "../../shared/dom.js";

export class Breadcrumb {
  // `go(group)` flies to a group.
  constructor(go) {
    this.go = go;
    this.root = createElement("nav", { className: "crumbs", "aria-label": "Place on the map" });
  }

  // `last`: what stands after the groups, such as a matrix's title, and `summary` what is said of it; "" for nothing.
  // `note` stands before all, and `page` after all: {title, open}, the page that explains the place.
  show(path, last, summary, note = "", page = null) {
    const key = [note, ...path.map(({ id }) => id), last, summary, page?.title].join("|");
    if (key === this.key) return;
    this.key = key;
    const named = path.filter(({ title }) => title);
    const parts = named.flatMap((group, i) => {
      const props = { textContent: group.title, "data-id": group.id, onclick: () => this.go(group) };
      const step = createElement("button", props);
      if (!last && i === named.length - 1) step.setAttribute("aria-current", "location");
      return i ? [separator(), step] : [step];
    });
    if (last) parts.push(separator(), createElement("span", { textContent: last, "aria-current": "location" }));
    if (summary) parts.push(createElement("span", { className: "muted", textContent: `· ${summary}` }));
    if (page) {
      const words = `Open ${page.title}`;
      parts.push(
        createElement("button", { className: "page", textContent: words, "data-id": "page", onclick: page.open }),
      );
    }
    if (note) parts.unshift(createElement("span", { className: "note", textContent: note }));
    replaceKeepingFocus(this.root, ...parts);
  }
}

const separator = () => createElement("span", { className: "muted", textContent: "›", "aria-hidden": "true" });
