// Which tokens of two models beside each other stand for the same characters. Whoever links both sides says so on the
// second one; pictures there then take places of the first one's tokens.

// `find`: the places on this side of a token of the first one.
export function linkTokens(side, find) {
  side.glassformerPlaces = find;
}

// The place of a token in the picture that `node` stands in: that of the first model, or what stands for it beside it.
export function placeIn(node, place) {
  if (place === null) return null;
  for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) {
    if (at.glassformerPlaces) return at.glassformerPlaces(place)[0] ?? null;
  }
  return place;
}
