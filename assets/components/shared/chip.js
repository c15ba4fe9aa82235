// A token as a chip: one choice of a row of tokens.
import { createElement } from "./dom.js";
import { describeToken } from "./tokens.js";

// `props`: those that differ from place to place. `className` joins the chip's own classes.
export function createChip(token, i, { className = "", ...props }, ...children) {
  const description = describeToken(token, i);
  const said = token.said ? `said ${token.said}` : "";
  const signs = ["special", "frame", "starts", "answers"].filter((sign) => token[sign]);
  const classes = ["chip", className, said, ...signs].filter(Boolean).join(" ");
  const own = { className: classes, role: "option", title: description, "aria-description": description };
  if (token.starts) own["data-said"] = token.said;
  return createElement("button", { ...own, ...props }, ...children);
}
