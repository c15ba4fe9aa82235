// The form that takes the code of a lecture and gives the key of its room.
import { createElement } from "../components/shared/dom.js";

const ABOUT =
  "The code is on the presenter's screen. Nothing about you is stored: the presenter sees only how many follow.";
const NO_ANSWER = "The app does not answer now. Try again in a moment.";

// Who waits after wrong codes: this window, and not the class behind the same address.
const visitor = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16)).join("");

async function keyOfCode(base, code) {
  const body = JSON.stringify({ code, visitor });
  try {
    const answer = await fetch(`${base}/follow/join`, { method: "POST", body, cache: "no-store" });
    const told = await answer.json();
    return told.key ? told : { why: told.why ?? NO_ANSWER };
  } catch {
    return { why: NO_ANSWER };
  }
}

export function showJoinForm(page, base, follow) {
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
    const { key, why } = await keyOfCode(base, field.value);
    send.disabled = false;
    told.hidden = !why;
    told.textContent = why ?? "";
    if (key) follow(key);
  };
  const title = createElement("h1", { textContent: "Follow a lecture" });
  const idea = "Your browser goes where the presenter goes, until you say otherwise.";
  page.replaceChildren(
    title,
    createElement("p", { className: "caption", textContent: idea }),
    form,
    told,
    createElement("p", { className: "caption", textContent: ABOUT }),
  );
  field.focus();
}
