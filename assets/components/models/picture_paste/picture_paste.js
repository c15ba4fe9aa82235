// A place to paste a picture. The file goes to the server as it is, and is checked there.
import { createElement, keyHint } from "../../shared/dom.js";
import { mountOnce } from "../../shared/mount.js";
import { formatFileSize } from "../../shared/numbers.js";
import { toBase64 } from "../../shared/payload.js";
import { applyTheme } from "../../shared/theme.js";

class PicturePaste {
  constructor(parent) {
    this.words = createElement(
      "span",
      { role: "status" },
      "Choose this field and paste a picture.",
      keyHint(" (Ctrl V)"),
    );
    const props = { className: "gf paste", tabIndex: 0, role: "textbox", "aria-label": "Paste a picture here" };
    this.root = createElement("div", props, this.words);
    parent.append(this.root);
    this.root.onpaste = async (event) => {
      event.preventDefault();
      this.words.textContent = await this.take(event.clipboardData?.files[0]);
    };
  }

  // `mostBytes` of a picture are read.
  update(mostBytes, send) {
    this.mostBytes = mostBytes;
    this.send = send;
    applyTheme(this.root);
  }

  // Sends a file that was pasted. Returns what the reader is told.
  async take(file) {
    if (!file) return "What was pasted holds no picture. Copy a picture, not its address.";
    if (file.size > this.mostBytes) {
      return `The picture has ${formatFileSize(file.size)}; at most ${formatFileSize(this.mostBytes)} are read.`;
    }
    this.send("file", toBase64(new Uint8Array(await file.arrayBuffer())));
    return "Pasted. Paste another one at any time.";
  }

  stop() {
    this.root.remove();
  }
}

export default mountOnce(PicturePaste, async (mostBytes) => mostBytes);
