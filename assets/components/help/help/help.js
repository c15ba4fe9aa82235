// At the foot of every page: the terms on it, the keys, the glossary, the tour.
import { createElement } from "../../shared/dom.js";
import { mountOnce } from "../../shared/mount.js";
import { applyTheme } from "../../shared/theme.js";
import { watchFocus } from "./focus.js";
import { KeysDialog } from "./keys_dialog.js";
import { Terms } from "./terms.js";
import { Tour, wasTourSeen } from "./tour.js";

let toursAskedFor = null; // by the reader in this session, as of the last update; null before the first

class Help {
  constructor(parent, data) {
    this.terms = []; // of the page
    this.createFoot();
    this.root = createElement("div", { className: "gf help" }, this.foot);
    parent.append(this.root);
    applyTheme(this.root);
    this.keys = new KeysDialog(this.root, data);
    this.words = new Terms(
      this.root,
      data,
      (place) => this.go(place),
      (terms) => this.showTerms(terms),
    );
    this.drawTerms();
    this.tour = new Tour(this.root);
    this.stopFocus = watchFocus();
  }

  createFoot() {
    const button = (textContent, title, onclick) =>
      createElement("button", { type: "button", textContent, title, onclick });
    this.summary = createElement("summary");
    this.list = createElement("ul");
    this.details = createElement("details", { className: "terms" }, this.summary, this.list);
    this.details.ontoggle = () => this.drawTerms();
    const buttons = [
      button("All terms", "The glossary", () => this.go(["glossary", ""])),
      button("Keyboard", "The keys of this page (?)", () => this.keys.toggle()),
      button("Take the tour", "What stands where, in a minute", () => this.go(["tour", ""])),
    ];
    buttons[1].classList.add("keys");
    const row = createElement("div", { className: "row" }, ...buttons);
    this.foot = createElement("section", { className: "foot", "aria-label": "Help" }, this.details, row);
  }

  // Leads to [what, which]: a term's view, its place in the glossary, or the tour.
  go(place) {
    this.send("go", place);
  }

  showTerms(terms) {
    const isSame = terms.length === this.terms.length && terms.every((term, i) => term === this.terms[i]);
    if (isSame) return;
    this.terms = terms;
    this.drawTerms();
  }

  drawTerms() {
    const count = this.terms.length;
    this.summary.textContent = count === 1 ? "1 term on this page" : `${count} terms on this page`;
    this.details.hidden = count === 0;
    const items = (this.details.open ? this.terms : []).map((term) => {
      const onclick = ({ currentTarget }) =>
        this.words.card.show(term, currentTarget.getBoundingClientRect(), { before: currentTarget });
      const props = { type: "button", textContent: term.name, "aria-haspopup": "dialog", onclick };
      return createElement("li", {}, createElement("button", props));
    });
    this.list.replaceChildren(...items);
  }

  // `data.arrived`: the reader came to Home by no link. `data.tour` counts the tours that were asked for.
  update(data, send) {
    this.send = send;
    applyTheme(this.root);
    if (location.pathname.replace(/\/$/, "") !== data.base) {
      this.tour.end();
      return;
    }
    const isFirst = toursAskedFor === null;
    const isAskedFor = data.tour > (toursAskedFor ?? 0);
    const isNewReader = isFirst && !this.tour.isOn() && data.arrived && !wasTourSeen();
    if (isAskedFor || isNewReader) this.tour.start();
    else if (this.tour.isOn()) this.tour.draw(false);
    toursAskedFor = data.tour;
  }

  stop() {
    this.keys.stop();
    this.words.stop();
    this.tour.stop();
    this.stopFocus();
    this.root.remove();
  }
}

export default mountOnce(Help);
