// The field for a word of one's own.
import { createElement } from "../../shared/dom.js";

export const MAX_WORD_LENGTH = 40; // characters, as pages/teach/rooms/room_question.py takes them

export function wordForm(write) {
  const field = createElement("input", { type: "text", maxLength: MAX_WORD_LENGTH, autocomplete: "off", dir: "auto" });
  field.setAttribute("aria-label", "Your answer");
  field.dataset.id = "word";
  const send = createElement("button", { type: "submit", textContent: "Send" });
  const form = createElement("form", { className: "own-word" }, field, send);
  form.onsubmit = (event) => {
    event.preventDefault();
    write(field.value);
  };
  return form;
}
