// While a lecture is presented, charts are drawn for a screen of the usual size
// (pages/shared/elements/lecture_screen.py). This component tells the server of a very different one. It is apart from
// the presenter's bar: of two messages that one component sends at once, one is lost.
import { debounce } from "../../shared/dom.js";
import { mountOnce } from "../../shared/mount.js";
import { isAppIdle } from "../../teach/restart_line.js";

const TOLERANCE = 0.25; // as a share
const RETRY_TIME = 2500; // milliseconds
const MOST_TRIES = 4;

// Whether one of the sizes differs much from what was expected.
export const differs = (sizes, expected) => sizes.some((size, i) => Math.abs(size / expected[i] - 1) > TOLERANCE);

class ScreenWatch {
  constructor() {
    this.tries = 0;
    this.measure = debounce(() => this.tell(), 500);
    this.onResize = () => {
      this.tries = 0;
      this.measure();
    };
    window.addEventListener("resize", this.onResize);
  }

  // `expected`: the sizes that the charts are drawn for. `scene`: the number of the scene on screen.
  update({ expected, scene }, send) {
    Object.assign(this, { expected, scene, send });
    this.measure();
  }

  // Another message may overtake this one, and then it is lost. So it is sent again until the charts are drawn anew.
  // Streamlit sends the values of all fields with it. While the page runs they may be those of the scene before.
  tell() {
    const typeSize = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const sizes = [typeSize, window.innerHeight];
    if (this.isOver || this.tries >= MOST_TRIES || !differs(sizes, this.expected)) return;
    if (!isAppIdle()) {
      setTimeout(this.measure, RETRY_TIME / 5);
      return;
    }
    this.tries += 1;
    this.send("sizes", { sizes, scene: this.scene });
    setTimeout(this.measure, RETRY_TIME);
  }

  stop() {
    this.isOver = true;
    window.removeEventListener("resize", this.onResize);
  }
}

export default mountOnce(ScreenWatch, (data) => data);
