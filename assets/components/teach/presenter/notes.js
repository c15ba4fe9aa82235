// The speaker's notes: a second window that this one writes, so that it needs neither server nor network.
import { createElement } from "../../shared/dom.js";

const STYLE = `
  body { font: 1.25rem/1.5 Urdu, system-ui, sans-serif; margin: 1.5rem 2rem; background: #14181d; color: #e8ebef; }
  header { display: flex; justify-content: space-between; gap: 2rem; }
  header { font-variant-numeric: tabular-nums; color: #b4bfcb; }
  h1 { font-size: 1.6rem; margin: 1rem 0 0.5rem; }
  p { margin: 0.5rem 0; white-space: pre-wrap; unicode-bidi: plaintext; max-width: 42em; }
  .point, .question { border-left: 4px solid #f2ae38; padding-left: 0.8rem; }
  .question { border-color: #62b4ea; }
  footer { margin-top: 1.5rem; padding-top: 0.8rem; border-top: 1px solid #3a4550; color: #b4bfcb; }
  button { font: inherit; padding: 0.3rem 1rem; margin-right: 0.6rem; }`;

// The fonts that Urdu has in the window of the app: a window has its own.
function urduFonts() {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const faces = rules.filter((rule) => rule instanceof CSSFontFaceRule && rule.cssText.includes("Urdu"));
  return faces.map((rule) => rule.cssText).join("\n");
}

// Minutes and seconds: 7:05.
export function formatDuration(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export class Notes {
  constructor(presenter) {
    this.presenter = presenter;
    this.window = null;
  }

  open() {
    this.window = window.open("", "glassformer-notes", "width=760,height=640");
    if (!this.window) return;
    this.window.document.title = "Speaker notes";
    this.window.document.documentElement.lang = "en";
    this.window.addEventListener("keydown", (event) => this.presenter.press(event));
    this.write();
    clearInterval(this.window.clock);
    this.window.clock = this.window.setInterval(() => this.showTime(), 1000);
  }

  close() {
    this.window?.close();
  }

  isOpen() {
    return Boolean(this.window && !this.window.closed);
  }

  write() {
    const { steps } = this.presenter;
    const scene = steps.scene();
    if (!this.isOpen() || !scene) return;
    const { head, body } = this.window.document;
    const place = createElement("span", { textContent: `${steps.at + 1} / ${steps.scenes.length}` });
    const title = createElement("title", { textContent: "Speaker notes" });
    head.replaceChildren(createElement("style", { textContent: STYLE + urduFonts() }), title);
    body.replaceChildren(
      createElement("header", {}, createElement("span", { id: "clock" }), place),
      createElement("h1", { textContent: scene.title }),
      ...this.lines(scene),
      this.footer(),
    );
    this.showTime();
  }

  lines({ point, question, notes }) {
    const asked = this.presenter.asked();
    const answer = asked?.text && `${asked.text} Answer: ${asked.choices[asked.answer]}. ${asked.explanation}`;
    return [
      ...line("point", point && `Point at: ${point}`),
      ...line("question", question && `Ask: ${question}`),
      ...line("question", answer),
      ...line("", notes || "No notes for this scene."),
    ];
  }

  footer() {
    const { presenter } = this;
    const { steps } = presenter;
    const next = steps.next();
    const waits = presenter.isAnswerHidden();
    const says = next === undefined ? "This is the last scene." : `Next: ${steps.scenes[next].title}`;
    const button = (textContent, disabled, onclick) =>
      createElement("button", { type: "button", textContent, disabled, onclick });
    return createElement(
      "footer",
      {},
      ...line("", says),
      button("Back", steps.previous() === undefined, () => presenter.do("goBack")),
      button(waits ? "Answer" : "Next", next === undefined && !waits, () => presenter.do("goForward")),
    );
  }

  showTime() {
    const clock = this.isOpen() && this.window.document.getElementById("clock");
    if (!clock) return;
    const now = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    const since = this.presenter.since ?? Date.now();
    clock.textContent = `${now} · ${formatDuration(Date.now() - since)} since the start`;
  }
}

// A paragraph as a list; an empty list where there is no text.
function line(className, text) {
  return text ? [createElement("p", { className, textContent: text })] : [];
}
