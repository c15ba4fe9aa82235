// The layer or the head that the reader has just chosen in the run bar. It goes through the window from the bar to the
// pictures: one that has the numbers already need not wait for the server's answer.
const EVENT = "glassformer chosen place";

// `name`: "layer" or "head". `value` counts from 0.
export function announcePlace(name, value) {
  window.dispatchEvent(new CustomEvent(EVENT, { detail: { name, value } }));
}

// Calls `react` with name and value of each place that is chosen. Returns the function that ends this.
export function watchPlaces(react) {
  const listen = ({ detail }) => react(detail.name, detail.value);
  window.addEventListener(EVENT, listen);
  return () => window.removeEventListener(EVENT, listen);
}
