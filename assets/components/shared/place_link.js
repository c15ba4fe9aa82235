// Two components of one page talk through the document: one says where the map of a run is to look, the other is the
// map. Whichever comes first, the map hears of the place.

const TELLS = "glassformer-place";
const ASKS = "glassformer-place-asked";

// Tells every map of the page a place: {handle, at, framed}. `handle` names the run whose map is meant.
export const tellPlace = (place) => document.dispatchEvent(new CustomEvent(TELLS, { detail: place }));

// Asks for the place. Whoever knows it tells it before this returns.
export const askForPlace = () => document.dispatchEvent(new CustomEvent(ASKS));

// Calls `take` with each place that is told. Returns the function that ends this.
export const hearPlaces = (take) => listen(TELLS, (event) => take(event.detail));

// Calls `answer` when a map asks. Returns the function that ends this.
export const hearQuestions = (answer) => listen(ASKS, answer);

function listen(name, act) {
  document.addEventListener(name, act);
  return () => document.removeEventListener(name, act);
}
