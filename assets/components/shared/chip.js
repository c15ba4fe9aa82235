// A token as a chip: one choice of a row of tokens.
import { createElement } from "./dom.js";
import { describeToken } from "./tokens.js";

// The classes of a chip by its token: what it is, and who said it.
export function classesOf(token) {
  const said = token.said ? `said ${token.said}` : "";
  return [said, ...["special", "frame", "starts", "answers"].filter((sign) => token[sign])].filter(Boolean);
}

// `props`: those that differ from place to place. `className` joins the chip's own classes.
export function createChip(token, i, { className = "", ...props }, ...children) {
  const description = describeToken(token, i);
  const classes = ["chip", className, ...classesOf(token)].filter(Boolean).join(" ");
  const own = { className: classes, role: "option", title: description, "aria-description": description };
  if (token.starts) own["data-said"] = token.said;
  return createElement("button", { ...own, ...props }, ...children);
}
