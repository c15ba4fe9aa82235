// Asks the server again and again while something works there. It stands in a dialog, which is a piece of the page
// that runs alone: Streamlit lets no such piece run by a clock inside another one.
import { mountOnce } from "../../shared/mount.js";

class Pulse {
  // `seconds` between two beats; `beat` differs in each run of the dialog.
  update({ seconds, beat }, send) {
    clearInterval(this.timer);
    this.timer = setInterval(() => send("beat", beat), 1000 * seconds);
  }

  stop() {
    clearInterval(this.timer);
  }
}

export default mountOnce(Pulse);
