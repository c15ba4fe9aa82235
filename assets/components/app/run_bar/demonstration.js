// The bar shows how it is used when the tour asks for it: it types a sentence and runs it, and chooses a token.
// The server keeps what the reader had (pages/shared/frame/demonstration.py). A draft of the reader's is never touched.
import { onAsked, tellShown } from "../../shared/demonstration.js";

const LETTER = 70; // milliseconds
const REST = 600; // milliseconds between the last letter and the run

// What stands in the box, letter by letter. A reader who asks for less motion sees the whole text at once.
export function typedTexts(text, isCalm) {
  const letters = [...text];
  return isCalm ? [text] : letters.map((_, i) => letters.slice(0, i + 1).join(""));
}

// The first sentence that is not on screen already.
export const anotherText = (texts, present) => texts.find((text) => text !== present);

// The place of a token to choose: the last one of the text that is not chosen; undefined where there is none.
export function tokenToChoose({ tokens, selected }) {
  return tokens.map((_, i) => i).findLast((i) => i !== selected && !tokens[i].special);
}

export class Demonstration {
  // `tell` is told what the bar shows. `isHere`: whether the reader sees the bar.
  constructor(editor, chips, tell, isHere) {
    Object.assign(this, { editor, chips, tell, isHere });
    this.listening = new AbortController();
    const { signal } = this.listening;
    onAsked((asked) => this.take(asked), { signal });
    const panel = editor.panel.node;
    panel.addEventListener("keydown", (event) => this.onKey(event), { signal, capture: true });
    panel.addEventListener("toggle", ({ newState }) => newState === "closed" && this.giveUp(), { signal });
  }

  update(data) {
    this.data = data;
  }

  take({ act, texts }) {
    if (!this.data) return false;
    if (act === "back") {
      this.giveUp();
      this.tell("show", ["back"]);
      return true;
    }
    if (!this.isHere() || this.timer) return false;
    if (act === "type") return this.type(anotherText(texts, this.data.text));
    return act === "choose" && this.choose();
  }

  type(text) {
    if (this.editor.isDraft || this.editor.panel.isOpen) return false;
    this.text = text;
    this.left = typedTexts(text, matchMedia("(prefers-reduced-motion: reduce)").matches);
    this.editor.open();
    this.typeNext();
    return true;
  }

  typeNext() {
    this.editor.put(this.left.shift());
    const wait = this.left.length ? LETTER : REST;
    this.timer = setTimeout(() => (this.left.length ? this.typeNext() : this.run()), wait);
  }

  run() {
    this.stopTyping();
    this.editor.leave();
    this.tell("show", ["sentence", this.text]);
    tellShown(true);
  }

  // Enter runs the whole sentence at once. Any other letter is the reader's, who goes on with what stands there.
  onKey(event) {
    if (!this.timer || event.key === "Escape") return;
    if (event.key !== "Enter") {
      this.stopTyping();
      tellShown(false);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.run();
  }

  // Before its end: the reader's sentence stands in the box again.
  giveUp() {
    if (!this.timer) return;
    this.stopTyping();
    this.editor.fill();
    this.editor.panel.close();
    tellShown(false);
  }

  stopTyping() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  choose() {
    const group = this.data.groups.find(({ role }) => role === "query");
    const place = group && tokenToChoose(group);
    if (place === undefined) return false;
    this.chips.show(group, place);
    this.tell("show", ["token", place]);
    tellShown(true);
    return true;
  }

  stop() {
    this.listening.abort();
    this.stopTyping();
  }
}
