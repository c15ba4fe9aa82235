// Puts a new picture in the place of an old one. What is alive stays: a component or a figure gets its new data where
// it stands, as in the app, so the reader's pointer, focus and scrolling stay too.

const LIVE = ":scope > .component, :scope > figure";

const elementsOf = (body) => [...body.querySelectorAll("[data-place]")];
const nameOf = (element) => {
  const live = element.querySelector(LIVE);
  return live && `${element.dataset.place} ${live.dataset.component ?? "figure"}`;
};

// The groups of a body, without what stands in its elements.
function frameOf(body) {
  const frame = body.cloneNode(true);
  for (const element of elementsOf(frame)) element.replaceChildren();
  return frame.innerHTML;
}

const sources = new WeakMap(); // element -> its HTML as it came
const frames = new WeakMap(); // body -> its frame as it came

// Gives an element that stands the data of its new version. A live one keeps its picture.
function renew(old, fresh) {
  sources.set(old, sources.get(fresh));
  if (!nameOf(old) || nameOf(old) !== nameOf(fresh)) {
    old.replaceChildren(...fresh.childNodes);
    return false;
  }
  const [live, next] = [old.querySelector(LIVE), fresh.querySelector(LIVE)];
  live.querySelector("script").replaceWith(next.querySelector("script"));
  if (next.hasAttribute("aria-label")) live.setAttribute("aria-label", next.getAttribute("aria-label"));
  return true;
}

// Returns the elements that must be `drawn`, and those that are `gone` and must be stopped first.
export function graft(body, html, isNew) {
  const fresh = document.createElement("div");
  fresh.innerHTML = html;
  const frame = frameOf(fresh);
  const elements = elementsOf(fresh);
  for (const element of elements) sources.set(element, element.innerHTML);
  const standing = elementsOf(body);
  const result = { drawn: [], gone: [] };
  if (!isNew && frames.get(body) === frame) {
    for (const [place, element] of standing.entries()) {
      if (sources.get(element) === sources.get(elements[place])) continue;
      if (!renew(element, elements[place])) result.gone.push(element);
      result.drawn.push(element);
    }
    return result;
  }
  const alive = new Map(isNew ? [] : standing.filter(nameOf).map((element) => [nameOf(element), element]));
  for (const element of elements) {
    const kept = alive.get(nameOf(element));
    if (!kept) {
      result.drawn.push(element);
      continue;
    }
    alive.delete(nameOf(element));
    const isSame = sources.get(kept) === sources.get(element);
    element.replaceWith(kept);
    if (!isSame) {
      renew(kept, element);
      result.drawn.push(kept);
    }
  }
  result.gone = standing.filter((element) => !fresh.contains(element));
  body.replaceChildren(...fresh.childNodes);
  frames.set(body, frame);
  return result;
}
