// Which scene of a lecture is shown, and the way to another one.

const CHECK_TIME = 500; // milliseconds
const MOST_TRIES = 3;

// The place of the next scene that can be played, and of the one before; undefined where there is none.
export const playableAfter = (scenes, at) => placeOf(scenes.findIndex((scene, i) => scene.playable && i > at));
export const playableBefore = (scenes, at) => placeOf(scenes.findLastIndex((scene, i) => scene.playable && i < at));

const placeOf = (index) => (index < 0 ? undefined : index);

// `take(scene, isAtEnd)` asks the server for a scene, at its beginning or at its end; `redraw` shows a change.
export class Steps {
  constructor(take, redraw) {
    Object.assign(this, { take, redraw });
    this.scenes = [];
    this.shown = -1; // the scene that the server shows
    this.at = -1; // the scene that is wanted; the shown one may still be another
    this.isAtEnd = false; // whether its end is wanted
    this.timer = null; // until the wanted scene has come
    this.isHeld = false;
  }

  // Takes over what the server shows now.
  update(scenes, shown) {
    Object.assign(this, { scenes, shown });
    if (this.at === shown) this.stopWaiting();
    if (this.timer === null && !this.isHeld) this.at = shown;
  }

  // While the app is restarted, scenes are only wanted; `goOn` takes the last one.
  hold() {
    this.stopWaiting();
    this.isHeld = true;
  }

  goOn() {
    this.isHeld = false;
    if (!this.isOnItsWay()) return;
    this.take(this.at, this.isAtEnd);
    this.insist();
  }

  isOnItsWay() {
    return this.at !== this.shown;
  }

  scene() {
    return this.scenes[this.at];
  }

  next() {
    return playableAfter(this.scenes, this.at);
  }

  previous() {
    return playableBefore(this.scenes, this.at);
  }

  first() {
    return playableAfter(this.scenes, -1);
  }

  last() {
    return playableBefore(this.scenes, this.scenes.length);
  }

  // Wants another scene, before it has come: a second press goes on from there. Returns whether it is another one.
  go(place, isAtEnd = false) {
    if (place === undefined || place === this.at) return false;
    Object.assign(this, { at: place, isAtEnd });
    if (this.isHeld) return true;
    this.take(place, isAtEnd);
    this.insist();
    return true;
  }

  stopWaiting() {
    clearInterval(this.timer);
    this.timer = null;
  }

  // A step may be lost: the network was away, or another message of the presenter's overtook it. It is taken again once
  // the app is connected and has nothing to do. A scene that the server refuses several times is given up.
  insist() {
    const app = document.querySelector('[data-testid="stApp"]').dataset;
    let idleChecks = 0;
    let tries = 0;
    clearInterval(this.timer);
    this.timer = setInterval(() => {
      const isIdle = app.testConnectionState === "CONNECTED" && app.testScriptState === "notRunning";
      idleChecks = isIdle ? idleChecks + 1 : 0;
      if (!this.isOnItsWay()) this.stopWaiting();
      else if (tries >= MOST_TRIES) this.giveUp();
      else if (idleChecks > 1) {
        idleChecks = 0;
        tries += 1;
        this.take(this.at, this.isAtEnd);
      }
    }, CHECK_TIME);
  }

  giveUp() {
    this.stopWaiting();
    this.at = this.shown;
    this.redraw();
  }
}
