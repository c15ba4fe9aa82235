// What a hand has done in a frame, on its way to the kernel. A kernel that is busy answers late, and a hand does not
// wait: the newest deed of each part waits for the answer to the one before, and older ones are forgotten.
export class Picks {
  constructor(send) {
    this.send = send;
    this.number = 0; // of the newest one that was sent
    this.isAwaited = false;
    this.waiting = new Map(); // key and event -> the deed
  }

  add(pick) {
    this.waiting.delete(`${pick.key} ${pick.event}`);
    this.waiting.set(`${pick.key} ${pick.event}`, pick);
    if (!this.isAwaited) this.sendNext();
  }

  sendNext() {
    const [next] = this.waiting;
    this.isAwaited = Boolean(next);
    if (!next) return;
    const [name, pick] = next;
    this.waiting.delete(name);
    this.number += 1;
    this.send({ does: "picked", number: this.number, ...pick });
  }

  // The kernel has answered the deed of a number, or tells of another change: then `number` is undefined. Returns
  // whether the hand has gone on, so that the answer is old.
  answer(number) {
    if (number !== undefined && number < this.number) return true;
    if (number === undefined) return this.isAwaited;
    const isOld = this.waiting.size > 0;
    this.sendNext();
    return isOld;
  }

  // A kernel has come that knows nothing of what was sent before.
  begin() {
    this.isAwaited = false;
    this.sendNext();
  }
}
