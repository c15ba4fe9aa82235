// Which labels of tokens are written, so that none covers another, as viz/shared/labels.py says it:
// tests/assets/label_cases.json holds both to the same places.

// The places 0..count-1 that keep their labels: `space` pixels for each place, `least` pixels for each label. Every
// n-th place keeps its label, and so do the first, the last and the `chosen` ones. Another label goes where it would
// cover one of those. The first or the last goes only where it would cover a chosen one.
export function shownPlaces(count, space, least, chosen = []) {
  const every = Math.max(1, Math.ceil(least / space - 1e-9));
  const kept = [...new Set(chosen)].filter((place) => place >= 0 && place < count);
  const isFree = (place, others) => others.every((other) => Math.abs(place - other) >= every);
  for (const end of [0, count - 1]) if (count && isFree(end, kept)) kept.push(end);
  const others = [];
  for (let place = 0; place < count; place += every) if (isFree(place, kept)) others.push(place);
  return [...kept, ...others].sort((one, other) => one - other);
}
