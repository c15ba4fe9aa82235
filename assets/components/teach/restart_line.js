// One line over the page while the app does not answer, in the words of a classroom. It outlives the components, which
// a restarted app takes off the page for a moment.
import { createElement } from "../shared/dom.js";

const GRACE = 600; // milliseconds: a line that breaks for a moment is not worth a word
const CHECK_TIME = 300;
const WAKE_TIME = 2000; // milliseconds between two wakes
const MOST_WAKES = 5;
const STYLE = {
  position: "fixed",
  zIndex: 2100,
  top: "0",
  left: "0",
  right: "0",
  width: "fit-content",
  maxWidth: "96vw",
  margin: "0 auto",
  padding: "0.5em 1.2em",
  borderRadius: "0 0 10px 10px",
  font: "600 clamp(16px, 1.6vw, 34px)/1.35 var(--st-font, sans-serif)",
  color: "#1a2230",
  background: "#ffd873",
  boxShadow: "0 2px 10px rgb(0 0 0 / 35%)",
  textAlign: "center",
};

const findApp = () => document.querySelector('[data-testid="stApp"]');
export const isAppConnected = () => findApp()?.dataset.testConnectionState === "CONNECTED";
export const isAppIdle = () => isAppConnected() && findApp().dataset.testScriptState === "notRunning";

// The words: a device without a network is told so, since then it is not the app.
export const restartText = (after, hasNetwork = globalThis.navigator?.onLine !== false) =>
  hasNetwork ? `The app is being restarted. ${after}` : `This device has no network now. ${after}`;

// Shows the line while `isAway()`, in the words of `after`: how it goes on. `wake` is called when the app is connected
// again: Streamlit would show its old page until somebody touches it.
export class RestartLine {
  constructor(after, isAway, wake) {
    Object.assign(this, { after, isAway, wake });
    this.wakes = MOST_WAKES; // that were sent since the app was cut off
    this.woken = 0; // when, in milliseconds
    this.node = createElement("div", { id: "glassformer-restart", role: "status", style: STYLE });
    this.since = null;
    this.timer = null;
  }

  // Called with each drawing of the page.
  watch() {
    this.wakes = MOST_WAKES;
    this.timer ??= setInterval(() => this.check(), CHECK_TIME);
  }

  check() {
    this.wakeApp();
    if (!this.isAway()) {
      this.since = null;
      this.node.remove();
      return;
    }
    this.since ??= Date.now();
    if (this.node.isConnected || Date.now() - this.since < GRACE) return;
    this.node.textContent = restartText(this.after);
    document.body.append(this.node);
  }

  // A message to an app that has just come back may be lost, so it is sent again until the page is drawn anew.
  wakeApp() {
    if (!isAppConnected()) this.wakes = 0;
    else if (this.wakes < MOST_WAKES && isAppIdle() && Date.now() - this.woken > WAKE_TIME) {
      this.wakes += 1;
      this.woken = Date.now();
      this.wake();
    }
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.since = null;
    this.node.remove();
  }
}
