// At the foot of every page: the terms on it, the keys, the glossary, the tour.
export default living(mount);

function mount(parent, data) {
  const summary = make("summary"), list = make("ul");
  const terms = make("details", { className: "terms" }, summary, list);
  const button = (text, label, act) => make("button", { type: "button", textContent: text, title: label, onclick: act });
  let go = () => {};
  const foot = make("section", { className: "foot", "aria-label": "Help" }, terms,
    make("div", { className: "row" },
      button("All terms", "The glossary", () => go(["glossary", ""])),
      button("Keyboard", "The keys of this page (?)", () => keyboard.toggle()),
      button("Take the tour", "What stands where, in a minute", () => go(["tour", ""]))));
  const root = make("div", { className: "gf help" }, foot);
  parent.append(root);
  applyTheme(root);

  let here = [];
  const draw = () => {
    summary.textContent = here.length === 1 ? "1 term on this page" : `${here.length} terms on this page`;
    terms.hidden = here.length === 0;
    list.replaceChildren(...(terms.open ? here : []).map((term) => make("li", {},
      make("button", { type: "button", textContent: term.name, "aria-haspopup": "dialog",
        onclick: (event) => words.show(term, event.currentTarget.getBoundingClientRect(), true, event.currentTarget) }))));
  };
  terms.ontoggle = draw;
  const keyboard = makeKeyboard(root, data);
  const words = watchTerms(root, data, (what) => go(what), (now) => {
    if (now.length === here.length && now.every((term, i) => term === here[i])) return;
    here = now;
    draw();
  });
  draw();
  const tour = makeTour(root);
  const stopFocus = watchFocus();
  const home = () => location.pathname.replace(/\/$/, "") === data.base;

  return {
    update(now, send) {
      go = (what) => send("go", what);
      applyTheme(root);
      if (!home()) return tour.end();
      if (asked === null && stop < 0 && now.arrived && !tourSeen()) tour.start();
      else if (asked !== null && now.tour > asked) tour.start();
      else if (asked === null && now.tour > 0) tour.start();
      else if (stop >= 0) tour.draw(false);
      asked = now.tour;
    },
    stop: () => (keyboard.stop(), words.stop(), tour.stop(), stopFocus(), root.remove()),
  };
}
