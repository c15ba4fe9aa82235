// Icons as SVG: a sign of a font would be a box on a machine that has no font for signs.
const NAMESPACE = "http://www.w3.org/2000/svg";

// Outlines on a square of 16 units, drawn with a line.
const PATHS = {
  edit: "M2.5 13.5 3.2 10.4 10.7 2.9a1.4 1.4 0 0 1 2 0l.4.4a1.4 1.4 0 0 1 0 2L5.6 12.8ZM9.5 4.1l2.4 2.4",
  undo: "M6 3 2.5 6.5 6 10M3 6.5h6.5a3.5 3.5 0 0 1 0 7H7",
  redo: "M10 3l3.5 3.5L10 10M13 6.5H6.5a3.5 3.5 0 0 0 0 7H9",
  right: "M3 8.5 6.5 12 13 4.5",
  wrong: "M4 4l8 8M12 4l-8 8",
  open: "M4 6.2l4 4 4-4",
  mute: "M2.5 6v4h2.5L8.5 13V3L5 6ZM11 6.2l3.6 3.6M14.6 6.2 11 9.8",
  sound: "M2.5 6v4h2.5L8.5 13V3L5 6ZM11 5.8a3 3 0 0 1 0 4.4M12.8 4a5.6 5.6 0 0 1 0 8",
  close: "M4 4l8 8M12 4l-8 8",
  restart: "M3.5 3v10M13 3.5v9L6 8Z",
  back: "M11.5 3.5v9L4.5 8Z",
  play: "M4.5 3v10l8-5Z",
  pause: "M5 3v10M11 3v10",
  step: "M3.5 3.5v9L10 8ZM12.5 3v10",
  next: "M4.5 3.5v9l7-4.5Z",
  end: "M3 3.5v9L9.5 8ZM10.5 3v10M13 3v10",
};

export function icon(name) {
  const svg = document.createElementNS(NAMESPACE, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "icon");
  const path = svg.appendChild(document.createElementNS(NAMESPACE, "path"));
  path.setAttribute("d", PATHS[name]);
  return svg;
}
