// Layers and heads that the picture shows before the server has answered. The server answers in the order of the
// choices: its answer to an earlier one must not bring that one back.
export class ShownEarly {
  constructor() {
    this.places = []; // as text, until the server's data are those of the place
  }

  add(place) {
    this.places.push(JSON.stringify(place));
  }

  // Whether the server's data, those of `place`, answer a choice that a later one has replaced. Data of a place that
  // nobody has chosen here are news: what was awaited no longer counts.
  isOvertaken(place) {
    const found = this.places.lastIndexOf(JSON.stringify(place));
    this.places = found < 0 ? [] : this.places.slice(found + 1);
    return this.places.length > 0;
  }
}

// The reader's view with another head.
export function viewAt(view, head) {
  return { ...view, heads: head === view.head ? view.heads : [head], head };
}
