// The slide after the last scene: what was seen, where to go on, and how to leave.
import { createElement } from "../../shared/dom.js";
import { qrNode, typedAddress } from "./join_slide.js";

export function createEndSlide(presenter) {
  const { end, title } = presenter.show;
  const hidden = !presenter.beats.isEndShown || !end;
  const slide = createElement("section", { className: "end", "aria-label": "End of the lecture", hidden });
  if (hidden) return slide;
  const text = (tag, className, textContent) => createElement(tag, { className, textContent });
  const rows = end.scenes.map(([scene, point]) =>
    createElement("li", {}, text("strong", "", scene), text("span", "", point)),
  );
  const seen = createElement("ol", { className: "seen" }, ...rows);
  slide.style.setProperty("--rows", String(Math.max(1, Math.ceil(rows.length / 2))));
  slide.append(text("h2", "", "Thank you"), text("p", "lead", title), seen);
  if (end.qr.length) {
    const words = createElement("div", {}, text("p", "", "Try your own sentence:"));
    words.append(text("p", "address", typedAddress(end.address)));
    slide.append(createElement("div", { className: "explore" }, qrNode(end.qr, "QR code of this app"), words));
  }
  slide.append(text("p", "leave", "Esc leaves the presentation. Page Up goes back to the last scene."));
  return slide;
}
