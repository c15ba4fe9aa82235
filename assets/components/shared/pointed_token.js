// The token of the run bar that the reader points at. The bar announces it, and pictures beside it show where it looks.
// It goes through the window from one component to another: no server is asked.
const EVENT = "glassformer token";

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
