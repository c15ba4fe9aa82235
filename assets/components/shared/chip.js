// A token as a chip: one choice of a row of tokens.
import { createElement } from "./dom.js";
import { describeToken } from "./tokens.js";

// `props`: those that differ from place to place. `className` joins the chip's own classes.
export function createChip(token, i, { className = "", ...props }, ...children) {
  const description = describeToken(token, i);
  const classes = ["chip", className, token.special ? "special" : ""].filter(Boolean).join(" ");
  const own = { className: classes, role: "option", title: description, "aria-description": description };
  return createElement("button", { ...own, ...props }, ...children);
}
