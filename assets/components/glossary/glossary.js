// All terms by letter. The search narrows them as the reader types; a term of the URL is brought into view and framed.
export default living(mount);

function mount(parent, { terms, titles, find }) {
  let send = () => {}, chosen = null, told = find;
  const field = make("input", { type: "search", value: find, maxLength: 60, placeholder: "Find a term", "aria-label": "Find a term" });
  const count = make("span", { className: "muted", role: "status" }), letters = make("div", { className: "letters" });
  const root = make("div", { className: "gf glossary" }, make("div", { className: "top" }, field, count), letters);
  const articles = new Map(terms.map((term) => {
    const link = make("button", { type: "button", className: "plain", textContent: "Link to this term", "aria-label": `Link to this term: ${term.name}`, onclick: () => choose(term.anchor) });
    return [term, make("article", { tabIndex: -1, "aria-label": term.name },
      ...entry(term, titles, "h3", { open: () => send("go", term.anchor), more: [link] }))];
  }));
  const initial = (term) => term.name[0].toUpperCase();
  const sections = new Map([...new Set(terms.map(initial))].map((letter) =>
    [letter, make("section", { "aria-label": letter }, make("h2", { textContent: letter }), ...terms.filter((term) => initial(term) === letter).map((term) => articles.get(term)))]));
  const none = make("p", { className: "muted", hidden: true });
  letters.append(...sections.values(), none);
  parent.append(root);
  applyTheme(root);

  const plain = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").trim();
  const fits = (term, words) => {
    const text = plain([term.name, ...term.forms, term.definition, term.source].join(" "));
    return words.every((word) => text.includes(word));
  };
  function filter() {
    const words = plain(field.value).split(/\s+/).filter(Boolean);
    let left = 0;
    for (const [term, article] of articles) left += Number(!(article.hidden = !fits(term, words)));
    for (const section of sections.values()) section.hidden = !section.querySelector("article:not([hidden])");
    count.textContent = left === 1 ? "1 term" : `${left} terms`;
    none.hidden = left > 0;
    none.textContent = "No term has these words. Try a shorter one.";
  }
  const tell = () => {
    if (field.value === told) return;
    told = field.value;
    send("find", { find: field.value, term: chosen ?? "" });
  };
  field.oninput = () => (filter(), later());
  field.onkeydown = (event) => {
    if (event.key === "Enter") tell(); // a handler that returns false would keep all other keys out of the field
  };
  const later = settle(tell, 600);

  function choose(anchor) {
    mark(anchor);
    send("find", { find: (told = field.value), term: anchor });
  }
  function mark(anchor) {
    chosen = anchor;
    for (const [term, article] of articles) article.classList.toggle("chosen", term.anchor === anchor);
  }
  filter();

  return {
    update(now, act) {
      send = act;
      applyTheme(root);
      if (now.term === chosen) return;
      mark(now.term);
      const article = root.querySelector("article.chosen");
      if (!article) return;
      if (article.hidden) (field.value = told = ""), filter();
      article.scrollIntoView({ block: "center" });
      article.focus({ preventScroll: true });
    },
  };
}
