// All terms by letter. The search narrows them as the reader types; a term of the URL is brought into view and framed.
import { createElement, debounce } from "../../shared/dom.js";
import { mountOnce } from "../../shared/mount.js";
import { applyTheme } from "../../shared/theme.js";
import { termNodes } from "../entry.js";
import { matches, wordsOf } from "./search.js";

class Glossary {
  // `find` is the text that the URL searches for.
  constructor(parent, { terms, titles, find }) {
    this.told = find; // what the server knows of the search
    this.chosen = null; // the anchor of a term
    this.createHead(find);
    this.articles = new Map(terms.map((term) => [term, this.createArticle(term, titles)]));
    const letters = [...new Set(terms.map((term) => term.name[0].toUpperCase()))];
    this.sections = letters.map((letter) => this.createSection(letter));
    this.none = createElement("p", { className: "muted", hidden: true });
    const top = createElement("div", { className: "top" }, this.field, this.count);
    const list = createElement("div", { className: "letters" }, ...this.sections, this.none);
    this.root = createElement("div", { className: "gf glossary" }, top, list);
    parent.append(this.root);
    applyTheme(this.root);
    this.filter();
  }

  createHead(find) {
    const tellLater = debounce(() => this.tell(), 600);
    this.count = createElement("span", { className: "muted", role: "status" });
    this.field = createElement("input", {
      type: "search",
      value: find,
      maxLength: 60,
      placeholder: "Find a term",
      "aria-label": "Find a term",
    });
    this.field.oninput = () => {
      this.filter();
      tellLater();
    };
    this.field.onkeydown = (event) => {
      if (event.key === "Enter") this.tell();
    };
  }

  createArticle(term, titles) {
    const link = createElement("button", {
      type: "button",
      className: "plain",
      textContent: "Link to this term",
      "aria-label": `Link to this term: ${term.name}`,
      onclick: () => this.choose(term.anchor),
    });
    const nodes = termNodes(term, titles, "h3", { open: () => this.send("go", term.anchor), more: [link] });
    return createElement("article", { tabIndex: -1, "aria-label": term.name }, ...nodes);
  }

  createSection(letter) {
    const articles = [...this.articles].filter(([term]) => term.name[0].toUpperCase() === letter);
    const heading = createElement("h2", { textContent: letter });
    return createElement("section", { "aria-label": letter }, heading, ...articles.map(([, article]) => article));
  }

  update({ term }, send) {
    this.send = send;
    applyTheme(this.root);
    if (term === this.chosen) return;
    this.mark(term);
    const article = this.root.querySelector("article.chosen");
    if (!article) return;
    if (article.hidden) {
      this.field.value = "";
      this.told = "";
      this.filter();
    }
    article.scrollIntoView({ block: "center" });
    article.focus({ preventScroll: true });
  }

  filter() {
    const words = wordsOf(this.field.value);
    let left = 0;
    for (const [term, article] of this.articles) {
      article.hidden = !matches(term, words);
      if (!article.hidden) left += 1;
    }
    for (const section of this.sections) section.hidden = !section.querySelector("article:not([hidden])");
    this.count.textContent = left === 1 ? "1 term" : `${left} terms`;
    this.none.hidden = left > 0;
    this.none.textContent = "No term has these words. Try a shorter one.";
  }

  tell() {
    if (this.field.value === this.told) return;
    this.told = this.field.value;
    this.send("find", { find: this.told, term: this.chosen ?? "" });
  }

  choose(anchor) {
    this.mark(anchor);
    this.told = this.field.value;
    this.send("find", { find: this.told, term: anchor });
  }

  mark(anchor) {
    this.chosen = anchor;
    for (const [term, article] of this.articles) article.classList.toggle("chosen", term.anchor === anchor);
  }
}

export default mountOnce(Glossary);
