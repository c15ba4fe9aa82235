// The growing sentence with its playhead, and the candidates of the step at it. Moving the playhead never asks the
// server; it hears of the place once the reader rests there, of a branch, and of a wish for more tokens.
import { classesOf } from "../../shared/chip.js";
import { createElement, debounce, replaceKeepingFocus } from "../../shared/dom.js";
import { clampIndex } from "../../shared/keyboard.js";
import { mountOnce } from "../../shared/mount.js";
import { formatCount, formatFixed, formatNumber, formatPercent } from "../../shared/numbers.js";
import { weightOfCode } from "../../shared/payload.js";
import { Playback } from "../../shared/playback.js";
import { applyTheme } from "../../shared/theme.js";
import { meaningOf, plainLabel, tokenNodes } from "../../shared/tokens.js";

const STEP_TIME = 200; // milliseconds: five steps a second

// Whether a text is another one with more after it.
export function isContinued(before, after) {
  const begin = after.written.slice(0, before.written.length);
  const isLonger = after.written.length > before.written.length;
  return isLonger && JSON.stringify([before.prompt, before.written]) === JSON.stringify([after.prompt, begin]);
}

class PredictPlayer {
  constructor(parent) {
    this.step = 0;
    this.strip = createElement("div", { className: "strip", role: "group", "aria-label": "The sentence" });
    this.tint = createElement("p", { className: "muted small" });
    this.status = createElement("p", { className: "where", role: "status" });
    this.list = createElement("div", { className: "candidates", role: "group", "aria-label": "Candidates" });
    this.root = createElement("div", { className: "gf player" }, this.strip, this.tint, this.status, this.list);
    parent.append(this.root);
    this.playback = new Playback(this.root, {
      frame: STEP_TIME,
      step: () => this.step,
      last: () => this.last(),
      go: (step) => this.go(step),
      goBeyond: () => this.data.ended || this.send("more", { count: 1, step: this.step }),
      onPlaying: (isPlaying) => this.root.classList.toggle("playing", isPlaying),
    });
    this.root.prepend(this.playback.bar);
    this.report = debounce(() => {
      if (this.step === this.sent) return;
      this.sent = this.step;
      this.send("step", this.step);
    }, 350);
  }

  update(data, send) {
    const before = this.data;
    const isNew = before?.id !== data.id;
    const wasAtEnd = before && this.step >= before.written.length - 1;
    const hasGrown = before && isNew && wasAtEnd && isContinued(before, data);
    this.data = data;
    this.send = send;
    applyTheme(this.root);
    if (isNew ? !hasGrown : data.step !== this.sent) {
      this.step = Math.min(data.step, this.last());
      this.sent = this.step;
    }
    this.drawStrip();
    this.showStep(hasGrown ? this.step + 1 : this.step);
  }

  // The last place shows what would come next; it has no token yet.
  last() {
    return this.data.steps.length - 1;
  }

  showStep(step) {
    this.step = clampIndex(step, this.data.steps.length);
    this.draw();
  }

  go(step) {
    this.showStep(step);
    this.report();
  }

  // -- the sentence ------------------------------------------------------------------------------------------------

  drawStrip() {
    const { prompt, written } = this.data;
    const given = prompt.map((token, i) => this.chip(token, i, null));
    const own = written.map((token, step) => this.chip(token, prompt.length + step, step));
    const next = createElement("span", { className: "chip next", textContent: "?" });
    replaceKeepingFocus(this.strip, ...given, ...own, next);
  }

  // `step` wrote the token; null for one that was given.
  chip(token, i, step) {
    const isGiven = step === null;
    const props = {
      className: ["chip", ...(isGiven ? ["given"] : []), ...classesOf(token)].join(" "),
      "data-id": `chip-${i}`,
      title: `Token ${i}, ${isGiven ? "given" : `written at step ${step + 1}`}${meaningOf(token)}`,
      onclick: () => {
        this.playback.pause();
        this.go(step ?? 0);
      },
    };
    const label = createElement("span", { className: "token" }, ...tokenNodes(token.label));
    const place = createElement("small", { textContent: isGiven ? "" : `step ${step + 1}` });
    return createElement("button", props, label, place);
  }

  draw() {
    const { steps, prompt, attention, ended, place } = this.data;
    const read = prompt.length + this.step;
    const weights = attention.subarray(this.step * attention.shape[1]);
    [...this.strip.children].forEach((chip, i) => {
      this.markChip(chip, i, read, i < read ? weightOfCode(weights[i]) : 0);
    });
    const current = this.strip.children[read];
    if (current && this.strip.scrollHeight > this.strip.clientHeight) {
      this.strip.scrollTop = current.offsetTop - this.strip.offsetTop - 40;
    }
    this.playback.draw(!ended);
    this.status.replaceChildren(...this.statusNodes());
    this.tint.textContent = place ? `Tint: where the last token read looks, ${place}.` : "";
    this.drawCandidates(steps[this.step].candidates);
  }

  markChip(chip, i, read, weight) {
    chip.classList.toggle("later", i > read);
    chip.classList.toggle("here", i === read);
    chip.style.setProperty("--share", `${Math.round(weight * 100)}%`);
    if (i === read) chip.setAttribute("aria-current", "step");
    else chip.removeAttribute("aria-current");
    if (!chip.title) return;
    const attention = i < read ? `, attention ${formatFixed(weight, 2)}` : "";
    chip.setAttribute("aria-description", chip.title + attention);
  }

  statusNodes() {
    const { steps, written, ended } = this.data;
    const token = written[this.step];
    if (!token) return [ended || "What comes next: choose a token, or step on."];
    const { p, rank } = steps[this.step];
    const name = createElement("strong", { className: "token" }, ...tokenNodes(token.label));
    const place = ` has ${formatPercent(p)} and rank ${formatCount(rank)}. Choose another to branch here.`;
    return [`Step ${this.step + 1} of ${written.length}: `, name, place];
  }

  // -- the candidates ----------------------------------------------------------------------------------------------

  drawCandidates(candidates) {
    const most = Math.max(...candidates.map(({ p, drawn }) => Math.max(p, drawn)), 1e-6);
    const largest = this.data.whole ? 1 : most; // of two models beside each other, whose bars are compared
    const cell = (textContent, className = "") => createElement("span", { className, textContent });
    const titles = [cell("next token"), cell(""), cell("drawn with"), cell("model"), cell("logit", "logit")];
    const head = createElement("div", { className: "row head muted small", "aria-hidden": "true" }, ...titles);
    replaceKeepingFocus(this.list, head, ...candidates.map((candidate) => this.candidate(candidate, largest)));
  }

  candidate({ id, label, p, drawn, logit, chosen }, largest) {
    const [share, filtered, logitText] = [formatPercent(p), formatPercent(drawn), formatNumber(logit)];
    const facts = `${plainLabel(label)}, ${filtered} after the filters, ${share} before, logit ${logitText}`;
    const props = {
      className: `row${chosen ? " chosen" : ""}${drawn > 0 ? "" : " out"}`,
      "data-id": String(id),
      "aria-description": chosen ? `${facts}, chosen` : `Branch with ${facts}`,
      "aria-pressed": String(chosen),
      onclick: () => chosen || this.branch(id),
    };
    const bar = (className, part) => createElement("i", { className, style: { width: `${(part / largest) * 100}%` } });
    const cell = (className, textContent) => createElement("span", { className, textContent });
    return createElement(
      "button",
      props,
      createElement("span", { className: "token name" }, ...tokenNodes(label)),
      createElement("span", { className: "track" }, bar("before", p), bar("after moves", drawn)),
      cell("value", drawn > 0 ? filtered : "–"),
      cell("value muted", share),
      cell("value muted logit", logitText),
    );
  }

  branch(id) {
    this.playback.pause();
    this.send("branch", { step: this.step, id });
  }

  stop() {
    this.playback.stop();
    this.root.remove();
  }
}

export default mountOnce(PredictPlayer);
