// The form that takes the code of a lecture and gives the key of its room: on the page for students, and in the bar of
// one whose lecture has ended.
import { createElement } from "../../shared/dom.js";

const NO_ANSWER = "The app does not answer now. Try again in a moment.";

// Who waits after wrong codes: this window, and not the class behind the same address.
const visitor = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16)).join("");

async function keyOfCode(lecture, code) {
  const body = JSON.stringify({ code, visitor });
  try {
    const answer = await fetch(`${lecture}/join`, { method: "POST", body, cache: "no-store" });
    const told = await answer.json();
    return told.key ? told : { why: told.why ?? NO_ANSWER };
  } catch {
    return { why: NO_ANSWER };
  }
}

// `lecture`: the address of the page for students. `follow(key)` goes to the room. Returns the form, its field, and the
// line that says what is wrong with a code.
export function codeForm(lecture, follow) {
  const field = createElement("input", {
    id: "code",
    type: "text",
    maxLength: 12,
    autocomplete: "off",
    autocapitalize: "characters",
    placeholder: "six letters and digits",
  });
  const label = createElement("label", { for: "code", textContent: "Code of the lecture" });
  const send = createElement("button", { type: "submit", textContent: "Follow" });
  const told = createElement("p", { className: "error", role: "alert", hidden: true });
  const form = createElement("form", { className: "join" }, label, field, send);
  form.onsubmit = async (event) => {
    event.preventDefault();
    send.disabled = true;
    const { key, why } = await keyOfCode(lecture, field.value);
    send.disabled = false;
    told.hidden = !why;
    told.textContent = why ?? "";
    if (key) follow(key);
  };
  return { form, field, told };
}
