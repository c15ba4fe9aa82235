// The sentence as chips, one a token. A click chooses the token; a click beside them edits the sentence.
import { createChip } from "../../shared/chip.js";
import { createElement, replaceKeepingFocus } from "../../shared/dom.js";
import { icon } from "../../shared/icons.js";
import { moveFocusByKeys } from "../../shared/keyboard.js";
import { announceChoice, announceToken } from "../../shared/pointed_token.js";
import { isMostlyRtl, tokenNodes } from "../../shared/tokens.js";

const [LEFT, RIGHT] = [["ArrowLeft"], ["ArrowRight"]];
const LINE_PADDING = 4; // pixels of the row, above and below its lines
const MOST = 200; // chips of a text that are drawn: a thousand would take a tenth of a second at each run

// Which tokens of a long text are drawn: the place of the first. Texts are cut into parts of `MOST` tokens. `first` is
// the part that was drawn before; it stays while it has the chosen token, or none is chosen.
export function firstDrawn(count, selected, first) {
  const kept = first < count ? first : 0;
  if (selected === null || (selected >= kept && selected < kept + MOST)) return kept;
  return Math.floor(selected / MOST) * MOST;
}

export class SentenceChips {
  constructor(tell, edit) {
    this.tell = tell;
    this.parts = []; // of each list: the first token that is drawn, and the one that was chosen then
    this.row = createElement("div", { className: "row" });
    const sign = [icon("edit"), createElement("span", { className: "word", textContent: "edit (E)" })];
    const props = { className: "edit muted", "aria-label": "Edit the sentence", title: "Edit the sentence (E)" };
    this.pencil = createElement("button", { ...props, "data-id": "edit" }, ...sign);
    this.box = createElement("div", { className: "box sentence" }, this.row, this.pencil);
    this.box.onclick = (event) => {
      if (!event.target.closest(".chip, .turn")) edit();
    };
  }

  // `data.groups`: the tokens of the sentence and, where a model writes another, of that one; none where the sentence
  // cannot be run. `data.unread`: the end of a sentence that is too long for the model.
  update(data) {
    this.data = data;
    const lists = data.groups.map((group, i) => [...this.part(group, i), ...(i === 0 ? this.unread() : [])]);
    const plain = createElement("span", {
      className: "plain",
      dir: "auto",
      textContent: data.text || "Type a sentence",
    });
    this.row.dir = isMostlyRtl(data.groups[0]?.tokens ?? []) ? "rtl" : "ltr"; // its beginning is in sight
    replaceKeepingFocus(this.row, ...(lists.length ? lists.flat() : [plain]));
    requestAnimationFrame(() => this.showChosen()); // once the chips have their places
    document.fonts.ready.then(() => this.showChosen()); // another font may end the lines elsewhere
  }

  unread() {
    const { unread } = this.data;
    if (!unread) return [];
    const title = "The model does not read this part: the sentence is too long for it";
    return [createElement("span", { className: "unread muted", dir: "auto", title, textContent: unread })];
  }

  // Moves the row where the chosen chip is out of sight: sideways, or up and down where it has several lines.
  showChosen() {
    const chosen = this.row.querySelector("[aria-selected=true]")?.getBoundingClientRect();
    const row = this.row.getBoundingClientRect();
    if (!chosen) return;
    if (chosen.left < row.left || chosen.right > row.right)
      this.row.scrollLeft += (chosen.left + chosen.right - row.left - row.right) / 2;
    if (chosen.top < row.top || chosen.bottom > row.bottom)
      this.row.scrollTop += chosen.bottom + LINE_PADDING - row.bottom; // whole lines: the one before it is above it
  }

  // The list of a group, and of a long one the buttons that lead to its other parts.
  part(group, order) {
    const { selected, tokens } = group;
    const before = this.parts[order] ?? { first: 0, selected: null };
    const chosen = selected === before.selected ? null : selected; // a part that the reader has turned to stays
    const first = firstDrawn(tokens.length, chosen, before.first);
    this.parts[order] = { first, selected };
    const list = this.list(group, first);
    const turns = [first - MOST, first + MOST].map((next) => this.turn(group, order, next, next > first));
    return [turns[0], list, turns[1]].filter(Boolean);
  }

  // A button that draws another part; none where the text has no such tokens.
  turn({ tokens }, order, next, isLater) {
    if (next < 0 || next >= tokens.length) return null;
    const last = Math.min(next + MOST, tokens.length) - 1;
    const title = `Tokens ${next} to ${last}`;
    const props = { className: "turn muted", title, "aria-label": title, "data-id": `turn ${order} ${isLater}` };
    const textContent = isLater ? `${next}–${last} ›` : `‹ ${next}–${last}`;
    const onclick = () => {
      this.parts[order].first = next;
      this.update(this.data);
      this.row.scrollTo({ left: 0, top: isLater ? 0 : this.row.scrollHeight });
      if (!isLater) this.row.lastElementChild.scrollIntoView({ block: "nearest", inline: "nearest" });
    };
    return createElement("button", { ...props, textContent, onclick });
  }

  list({ role, label, tokens, selected }, first) {
    const drawn = tokens.slice(first, first + MOST);
    const entry = drawn[selected - first] && selected !== null ? selected : first;
    const chips = drawn.map((token, i) => this.chip(role, token, first + i, selected, entry));
    const list = createElement("div", { className: `chips ${role}`, role: "listbox", "aria-label": label }, ...chips);
    if (isMostlyRtl(tokens)) list.dir = "rtl";
    moveFocusByKeys(list, chips, list.dir === "rtl" ? { forward: LEFT, back: RIGHT } : { forward: RIGHT, back: LEFT });
    return list;
  }

  // `entry`: the token that the Tab key reaches.
  chip(role, token, i, selected, entry) {
    const props = {
      className: token.rtl ? "token rtl" : "token",
      "aria-selected": String(i === selected),
      "data-id": `${role} ${i}`,
      "data-spot": `${role} ${i}`,
      tabIndex: role && i === entry ? 0 : -1,
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
