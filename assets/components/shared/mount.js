// How a component begins. Streamlit calls its default export with each change of its data.
import { createElement } from "./dom.js";
import { unpack } from "./payload.js";

const lastCalls = new WeakMap(); // place -> the number of its last call

// Streamlit does not wait for the call before, and runs its cleanup after the next one has begun. A call that was
// overtaken while it waited for its data must neither draw nor clean up. Returns whether this call is still the last.
export function beginCall(place) {
  const call = (lastCalls.get(place) ?? 0) + 1;
  lastCalls.set(place, call);
  return () => lastCalls.get(place) === call;
}

// A component's data, unpacked. Null where newer data of the same place came in between.
export async function unpackNewest(place, bytes) {
  const isLast = beginCall(place);
  const data = await unpack(bytes);
  return isLast() ? data : null;
}

// A component whose picture stays while its data change. `View` is a class: it is made once in its place, then updated
// with each change, and `stop`, where it has one, ends it. `read` makes its data of the bytes that travel.
export function mountOnce(View, read = unpack) {
  const views = new WeakMap();
  return async ({ data, parentElement, setTriggerValue }) => {
    const isLast = beginCall(parentElement);
    const received = await read(data);
    if (!isLast()) return undefined;
    if (!views.has(parentElement)) views.set(parentElement, new View(parentElement, received));
    views.get(parentElement).update(received, setTriggerValue);
    return () => {
      views.get(parentElement)?.stop?.();
      views.delete(parentElement);
    };
  };
}

// The root of a component that draws its content anew with each change. It stays, and so does the keyboard's focus.
export function findOrCreateRoot(parent, tag, props) {
  return parent.querySelector(".gf") ?? parent.appendChild(createElement(tag, props));
}
