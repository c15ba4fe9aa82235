// The weights of all layers of a run, for the picture of one layer beside them: a layer that the reader chooses is on
// screen before the server answers. They change with the run alone, so they travel once for it.
import { createElement } from "../../shared/dom.js";
import { mountOnce } from "../../shared/mount.js";
import { answerWithStack } from "../stack_link.js";

class StackWeights {
  constructor(parent) {
    parent.append(createElement("div", { className: "gf", hidden: true })); // it draws nothing, and says that it works
    this.stop = answerWithStack((id) => (id === this.stack?.id ? this.stack : undefined));
  }

  // `stack`: what `pack_stack` of viz/attention/heads.py packs.
  update(stack) {
    this.stack = stack;
  }
}

export default mountOnce(StackWeights);
