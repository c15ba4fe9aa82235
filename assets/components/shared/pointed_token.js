// The token of the run bar that the reader points at, and the one that a click has just chosen. The bar announces them,
// and pictures beside it show where they look. They go through the window from one component to another: a picture that
// has the numbers already need not wait for the server's answer.
const EVENT = "glassformer token";
const CHOICE = "glassformer chosen token";

// `role`: "query" or "key". `place`: the token's place in its sentence, or null where none is pointed at any more.
export function announceToken(role, place) {
  window.dispatchEvent(new CustomEvent(EVENT, { detail: { role, place } }));
}

// Calls `react` with the place of each query that is pointed at, or null. Returns the function that ends this.
export function watchQueries(react) {
  const listen = ({ detail }) => {
    if (detail.role === "query") react(detail.place);
  };
  window.addEventListener(EVENT, listen);
  return () => window.removeEventListener(EVENT, listen);
}

// `place`: the token's place, or null where it was let go.
export function announceChoice(role, place) {
  window.dispatchEvent(new CustomEvent(CHOICE, { detail: { role, place } }));
}

// Calls `react` with the role and the place of each token that is chosen. Returns the function that ends this.
export function watchChoices(react) {
  const listen = ({ detail }) => react(detail.role, detail.place);
  window.addEventListener(CHOICE, listen);
  return () => window.removeEventListener(CHOICE, listen);
}
