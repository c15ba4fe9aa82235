// The join slide: the address, the code and the QR code, as large as the screen.
import { createElement } from "../../shared/dom.js";

const NAMESPACE = "http://www.w3.org/2000/svg";
const QUIET = 4; // modules of white around a QR code (ISO/IEC 18004)

// The outline of the black modules: rows of 0 and 1, each run of 1 a rectangle.
export function qrPath(rows) {
  return rows
    .flatMap((row, y) =>
      [...row.matchAll(/1+/g)].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
    )
    .join("");
}

export function qrNode(rows, label) {
  const size = rows.length + 2 * QUIET;
  const svg = document.createElementNS(NAMESPACE, "svg");
  svg.setAttribute("viewBox", `${-QUIET} ${-QUIET} ${size} ${size}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  svg.setAttribute("class", "qr");
  const path = svg.appendChild(document.createElementNS(NAMESPACE, "path"));
  path.setAttribute("d", qrPath(rows));
  return svg;
}

// The address as people type it: without the protocol that browsers add.
export const typedAddress = (address) => address.replace(/^https?:\/\//, "");

export function createJoinSlide(presenter) {
  const { room } = presenter.show;
  const hidden = !presenter.isJoinShown || !room;
  const props = { className: "join", "aria-label": "How to follow", hidden, onclick: () => presenter.do("toggleJoin") };
  const slide = createElement("section", props);
  if (hidden) return slide;
  const { address, qr, fault } = room.join;
  const text = (className, textContent) => createElement("p", { className, textContent });
  const words = createElement("div", { className: "words" });
  words.append(text("lead", "Follow this lecture on your own device"));
  if (address) words.append(text("address", typedAddress(address)));
  words.append(text("lead", "Code"), text("code", room.code), text("lead", presenter.followerStatus()));
  if (fault) words.append(text("warn", fault));
  if (qr.length) slide.append(qrNode(qr, "QR code of the lecture"));
  slide.append(words);
  return slide;
}
