// The edits of the model: a button that mutes the head on screen, and a sign for each edited part, whose press
// undoes it.
import { createElement, replaceKeepingFocus } from "../../shared/dom.js";
import { icon } from "../../shared/icons.js";

// The words of a sign's press. `how` is what was done to the part: "muted", or "× 1.5".
export function describeUndo({ title, how }) {
  return how === "muted" ? `Undo: ${title} speaks again` : `Undo: ${title} is as it was`;
}

// The words of the button: of `mute`, the head on screen, or null where the page shows none.
export function describeButton(mute) {
  if (mute === null) return "";
  if (mute.is_full) return "No more parts can be edited: undo one first";
  return mute.is_muted
    ? `${mute.title} is muted: let it speak again (M)`
    : `Mute this head: ${mute.title.toLowerCase()} then adds nothing (M)`;
}

export class EditSigns {
  constructor(tell) {
    this.tell = tell;
    this.button = createElement("button", { className: "box mute", "data-id": "mute", onclick: () => this.toggle() });
    this.signs = createElement("div", { className: "edits", role: "status" });
  }

  // `is_edited`: whether this page runs the model with its edits.
  update({ mute, edits, is_edited }) {
    this.mute = mute;
    const title = describeButton(mute);
    const pressed = Boolean(mute?.is_muted);
    Object.assign(this.button, { hidden: mute === null, disabled: Boolean(mute?.is_full), title });
    this.button.setAttribute("aria-pressed", String(pressed));
    this.button.setAttribute("aria-label", mute?.is_full ? title : "Mute this head");
    const word = createElement("span", { className: "word", textContent: pressed ? "Muted" : "Mute" });
    this.button.replaceChildren(icon(pressed ? "mute" : "sound"), word);
    const signs = edits.map((each) => this.sign(each));
    const words = is_edited ? "Edited run" : "Whole model here; on other pages:";
    replaceKeepingFocus(this.signs, ...(signs.length ? [createElement("b", { textContent: words }), ...signs] : []));
    this.signs.classList.toggle("elsewhere", !is_edited);
  }

  sign(part) {
    const { id, title, how } = part;
    const undo = describeUndo(part);
    const props = { className: "sign", "data-id": id, title: undo, "aria-label": `${title} ${how}. ${undo}` };
    const sign = createElement(
      "button",
      props,
      createElement("span", { textContent: `${title} ${how}` }),
      icon("close"),
    );
    sign.onclick = () => {
      if (!this.button.hidden) this.button.focus(); // the sign goes away with its focus
      this.tell("mute", id);
    };
    return sign;
  }

  toggle() {
    if (this.mute && !this.mute.is_full) this.tell("mute", this.mute.id);
  }
}
