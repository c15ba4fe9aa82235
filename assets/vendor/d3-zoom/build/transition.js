// The place of d3-transition in the bundle: the map moves by its own frames, so nothing is ever interrupted.
import { selection } from "d3-selection";

export function interrupt() {}

selection.prototype.interrupt = function () {
  return this;
};
