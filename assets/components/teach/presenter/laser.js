// The laser: a red spot that follows the pointer, here and for the class.
import { isConnected, pageBlocks, say } from "../room.js";
import { createSpot, moveSpot } from "../spot.js";

const REST = 100; // milliseconds between two messages to the class

// Where a point is on the page: the number of its block, and the shares of the block's width and height; or null.
export function placeOnPage(boxes, { clientX, clientY }) {
  const number = boxes.findLastIndex(
    (box) => clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom,
  );
  if (number < 0) return null;
  const box = boxes[number];
  const share = (part, whole) => Number((part / whole).toFixed(3));
  return [number, share(clientX - box.left, box.width), share(clientY - box.top, box.height)];
}

export class Laser {
  constructor() {
    this.isOn = false;
    this.spot = createSpot();
    this.place = null; // on the page, where the class shall see it
    this.sent = "null";
    this.isResting = false;
  }

  // Takes the spot away where the laser is off, here and for the class.
  update() {
    if (this.isOn) return;
    this.spot.hidden = true;
    this.send(null);
  }

  follow(event) {
    if (!this.isOn) return;
    moveSpot(this.spot, event.clientX, event.clientY);
    const boxes = pageBlocks().map((block) => block.getBoundingClientRect());
    this.send(placeOnPage(boxes, event));
  }

  // The class hears of the newest place, not of each one.
  send(place) {
    this.place = place;
    const text = JSON.stringify(place);
    if (this.isResting || text === this.sent || !isConnected()) return;
    this.sent = text;
    say({ spot: place });
    this.isResting = true;
    setTimeout(() => {
      this.isResting = false;
      this.send(this.place);
    }, REST);
  }
}
