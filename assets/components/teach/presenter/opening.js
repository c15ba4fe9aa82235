// The request for a room. Another message of the page may overtake it, and then it is lost: it is sent again until the
// server has heard it.
import { isAppIdle } from "../restart_line.js";

const RETRY_TIME = 1500; // milliseconds
const MOST_TRIES = 6;

export class Opening {
  // `send(number)` asks the server, which tells the number of the last request that it heard.
  constructor(send) {
    this.send = send;
    this.number = 0;
    this.isOn = false; // the slide that says how to follow comes with the room
  }

  begin() {
    this.number = Date.now();
    this.isOn = true;
    this.isHeard = false;
    this.tell(MOST_TRIES);
  }

  tell(tries) {
    clearTimeout(this.timer);
    if (this.isHeard || tries === 0) return;
    const isIdle = isAppIdle();
    if (isIdle || tries === MOST_TRIES) this.send(this.number);
    this.timer = setTimeout(() => this.tell(isIdle ? tries - 1 : tries), RETRY_TIME);
  }

  hear(number) {
    this.isHeard ||= number === this.number;
  }

  end() {
    this.isOn = false;
    this.isHeard = true;
  }
}
