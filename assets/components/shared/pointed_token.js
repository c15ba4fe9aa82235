// The token of the run bar that the reader points at, and the one that a click has just chosen. The bar announces them,
// and pictures beside it show where they look. They go through the window from one component to another: a picture that
// has the numbers already need not wait for the server's answer.
import { placeIn } from "./token_link.js";

const EVENT = "glassformer token";
const CHOICE = "glassformer chosen token";

// `role`: "query" or "key". `place`: the token's place in its sentence, or null where none is pointed at any more.
export function announceToken(role, place) {
  window.dispatchEvent(new CustomEvent(EVENT, { detail: { role, place } }));
}

// Calls `react` with the place of each query that is pointed at, or null. Returns the function that ends this. `node`:
// the picture, which may be of a second model beside the first; none for the page.
export function watchQueries(react, node) {
  const listen = ({ detail }) => {
    if (detail.role === "query") react(placeIn(node, detail.place));
  };
  window.addEventListener(EVENT, listen);
  return () => window.removeEventListener(EVENT, listen);
}

// `place`: the token's place, or null where it was let go.
export function announceChoice(role, place) {
  window.dispatchEvent(new CustomEvent(CHOICE, { detail: { role, place } }));
}

// Calls `react` with the role and the place of each token that is chosen. Returns the function that ends this.
export function watchChoices(react, node) {
  const listen = ({ detail }) => react(detail.role, placeIn(node, detail.place));
  window.addEventListener(CHOICE, listen);
  return () => window.removeEventListener(CHOICE, listen);
}
