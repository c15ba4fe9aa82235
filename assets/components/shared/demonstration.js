// One component shows what another one can do, as the tour does with the run bar. They share only events of the window.
const ASKED = "glassformer show";
const SHOWN = "glassformer shown";

// Asks for an act, such as {act: "choose"}. Returns whether a component took it on.
export function ask(detail) {
  return !window.dispatchEvent(new CustomEvent(ASKED, { detail, cancelable: true }));
}

// Calls `take` with each act that is asked for. It returns whether it takes the act on.
export function onAsked(take, options) {
  const react = (event) => {
    if (take(event.detail)) event.preventDefault();
  };
  window.addEventListener(ASKED, react, options);
}

// Tells that an act has ended. `isDone`: it was not broken off.
export function tellShown(isDone) {
  window.dispatchEvent(new CustomEvent(SHOWN, { detail: isDone }));
}

export function onShown(react, options) {
  window.addEventListener(SHOWN, (event) => react(event.detail), options);
}
