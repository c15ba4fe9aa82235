// One entry of the browser's history for one deed of the reader. It runs before Streamlit's scripts, on every page.
//
// Streamlit pushes an entry for each address. A link to a page has two: that of the page alone, and that of its view,
// which the server writes. A button that leads to a page has three. Back would lead to the middle of a deed, from where
// the server leads on again. So an address that follows another without a new deed takes the place of that one.
(() => {
  const { history } = window;
  const push = history.pushState.bind(history);
  let hasActed = false; // since the last entry
  const act = () => {
    hasActed = true;
  };
  // A menu may change without a key or a pointer: by speech, or by a reader of the screen. A slider tells of each step.
  const actByField = (event) => {
    if (event.composedPath()[0].type !== "range") act();
  };
  window.addEventListener("input", actByField, { capture: true });
  for (const deed of ["pointerdown", "click", "keydown"]) window.addEventListener(deed, act, { capture: true });
  window.addEventListener("popstate", () => {
    hasActed = false; // the keys of Back are a deed too
  });

  // The server has not yet written the view of the page that is open.
  const isArriving = (url) =>
    !window.location.search && new URL(url, window.location).pathname === window.location.pathname;

  history.pushState = (state, unused, url) => {
    const write = hasActed && !isArriving(url) ? push : history.replaceState.bind(history);
    hasActed = false;
    write(state, unused, url);
  };
})();
