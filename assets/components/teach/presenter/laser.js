// The laser: a red spot that follows the pointer, here and for the class; and where the page is scrolled to.
import { focusPlace, placeUnder, topPlace } from "../places.js";
import { isConnected, say } from "../room.js";
import { createSpot, moveSpot } from "../spot.js";

const REST = 100; // milliseconds between two messages to the class

// Tells the class the newest place of a kind, not each one.
export class PlaceTeller {
  constructor(kind) {
    this.kind = kind;
    this.place = null;
    this.sent = "null";
    this.isResting = false;
  }

  send(place) {
    this.place = place;
    const text = JSON.stringify(place);
    if (this.isResting || text === this.sent || !isConnected()) return;
    this.sent = text;
    say({ [this.kind]: place });
    this.isResting = true;
    setTimeout(() => {
      this.isResting = false;
      this.send(this.place);
    }, REST);
  }

  // To a new connection, or about a new view, which begins without a place.
  forget() {
    this.sent = "null";
  }
}

export class Laser {
  constructor() {
    this.isOn = false;
    this.isFollowed = true; // whether the class is shown this page
    this.spot = createSpot();
    this.teller = new PlaceTeller("spot");
    this.scroll = new PlaceTeller("scroll");
    this.focus = ""; // the class of what the scene points at, until the presenter scrolls
    this.share = 0; // of its height, which a small screen shows
  }

  // Takes the spot away where the laser is off, here and for the class.
  update() {
    if (this.isOn) return;
    this.spot.hidden = true;
    this.teller.send(null);
  }

  follow(event) {
    if (!this.isOn) return;
    moveSpot(this.spot, event.clientX, event.clientY);
    this.teller.send(this.isFollowed ? placeUnder(event) : null);
  }

  // To a new connection.
  forget() {
    this.teller.forget();
    this.scroll.forget();
    this.tellScroll();
  }

  // A new scene: the class sees what it points at, on a small screen too.
  tellFocus(name, share) {
    Object.assign(this, { focus: name, share });
    this.scroll.forget();
    this.tellScroll();
  }

  // Where the presenter's page is scrolled to, once the presenter has scrolled it.
  tellScroll() {
    if (this.isFollowed && isConnected()) this.scroll.send(focusPlace(this.focus, this.share) ?? topPlace());
  }
}
