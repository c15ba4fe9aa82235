// The sentence as chips, one a token. A click chooses the token; a click beside them edits the sentence.
import { createChip } from "../../shared/chip.js";
import { createElement, replaceKeepingFocus } from "../../shared/dom.js";
import { icon } from "../../shared/icons.js";
import { moveFocusByKeys } from "../../shared/keyboard.js";
import { announceChoice, announceToken } from "../../shared/pointed_token.js";
import { isMostlyRtl, tokenNodes } from "../../shared/tokens.js";

const [LEFT, RIGHT] = [["ArrowLeft"], ["ArrowRight"]];

export class SentenceChips {
  constructor(tell, edit) {
    this.tell = tell;
    this.row = createElement("div", { className: "row" });
    const sign = [icon("edit"), createElement("span", { className: "word", textContent: "edit (E)" })];
    const props = { className: "edit muted", "aria-label": "Edit the sentence", title: "Edit the sentence (E)" };
    this.pencil = createElement("button", { ...props, "data-id": "edit" }, ...sign);
    this.box = createElement("div", { className: "box sentence" }, this.row, this.pencil);
    this.box.onclick = (event) => {
      if (!event.target.closest(".chip")) edit();
    };
  }

  // `data.groups`: the tokens of the sentence and, where a model writes another, of that one; none where the sentence
  // cannot be run. `data.unread`: the end of a sentence that is too long for the model.
  update(data) {
    this.data = data;
    const lists = data.groups.map((group, i) => (i === 0 ? [this.list(group), ...this.unread()] : [this.list(group)]));
    const plain = createElement("span", {
      className: "plain",
      dir: "auto",
      textContent: data.text || "Type a sentence",
    });
    replaceKeepingFocus(this.row, ...(lists.length ? lists.flat() : [plain]));
    requestAnimationFrame(() => this.showChosen()); // once the chips have their places
  }

  unread() {
    const { unread } = this.data;
    if (!unread) return [];
    const title = "The model does not read this part: the sentence is too long for it";
    return [createElement("span", { className: "unread muted", dir: "auto", title, textContent: unread })];
  }

  // Moves the row sideways where the chosen chip is out of sight.
  showChosen() {
    const chosen = this.row.querySelector("[aria-selected=true]")?.getBoundingClientRect();
    const row = this.row.getBoundingClientRect();
    if (!chosen || (chosen.left >= row.left && chosen.right <= row.right)) return;
    this.row.scrollLeft += (chosen.left + chosen.right - row.left - row.right) / 2;
  }

  list({ role, label, tokens, selected }) {
    const chips = tokens.map((token, i) => this.chip(role, token, i, selected));
    const list = createElement("div", { className: `chips ${role}`, role: "listbox", "aria-label": label }, ...chips);
    if (isMostlyRtl(tokens)) list.dir = "rtl";
    moveFocusByKeys(list, chips, list.dir === "rtl" ? { forward: LEFT, back: RIGHT } : { forward: RIGHT, back: LEFT });
    return list;
  }

  chip(role, token, i, selected) {
    const props = {
      className: token.rtl ? "token rtl" : "token",
      "aria-selected": String(i === selected),
      "data-id": `${role} ${i}`,
      "data-spot": `${role} ${i}`,
      tabIndex: role && i === (selected ?? 0) ? 0 : -1,
      disabled: !role,
    };
    const chip = createChip(token, i, { ...props, onclick: () => this.choose(role, i) }, ...tokenNodes(token.label));
    // A finger points at nothing, and a click leaves the focus on its chip.
    chip.onpointerenter = (event) => event.pointerType === "mouse" && announceToken(role, i);
    chip.onpointerleave = () => announceToken(role, null);
    chip.onfocus = () => chip.matches(":focus-visible") && announceToken(role, i);
    chip.onblur = () => announceToken(role, null);
    return chip;
  }

  choose(role, i) {
    const group = this.data.groups.find((each) => each.role === role);
    this.show(group, group.selected === i ? null : i);
    this.tell("token", [role, group.selected]);
    announceChoice(role, group.selected);
  }

  // Marks a token as chosen at once: the page answers later.
  show(group, i) {
    group.selected = i;
    this.update(this.data);
  }
}
