// The bar of a student whose window is in the app: to explore, or to follow with the whole app. A window that only
// follows goes to the page for students (assets/follow/follow.js), which asks no session of the server.
import { findOrCreateRoot, unpackNewest } from "../../shared/mount.js";
import { ComingBack } from "../coming_back.js";
import { clearPage, onceGone } from "../panel.js";
import { isAppConnected } from "../restart_line.js";
import { Arrival } from "./arrival.js";
import { FollowerBar } from "./follower_bar.js";
import { explores, keepKey, setExploring, setWholeApp, stopFollowing, takesWholeApp } from "./window_memory.js";

class AppWindow {
  constructor(joined) {
    this.bar = new FollowerBar(joined.key, joined.presenter, this);
    this.arrival = new Arrival((page, view) => this.send("go", { page, view })); // where the presenter went last
    this.comingBack = new ComingBack(["follow"]);
  }

  update(joined, root, send) {
    this.comingBack.arrive();
    Object.assign(this, { joined, send });
    this.arrival.see(joined.page, joined.view);
    if (this.isAway() || takesWholeApp(joined.key)) this.bar.mount(root, joined.path);
    else this.goToLecture();
  }

  goToLecture() {
    keepKey(this.joined.key);
    location.assign(this.joined.lecture);
  }

  get lecture() {
    return this.joined.lecture;
  }

  goOn(key) {
    setExploring(null);
    setWholeApp(null);
    keepKey(key);
    location.assign(this.lecture);
  }

  hear(message) {
    if (!("page" in message)) return;
    this.arrival.want(message.page, message.view);
    if (!this.isAway()) this.arrival.go();
  }

  isAway() {
    return explores(this.bar.key);
  }

  explore() {
    setExploring(this.bar.key);
  }

  comeBack() {
    setExploring(null);
    if (takesWholeApp(this.bar.key)) this.arrival.again();
    else this.goToLecture();
  }

  // Whether the app or the room does not answer now.
  isCutOff(isOnline) {
    if (this.comingBack.isGone()) return this.comingBack.isExpected();
    return !isAppConnected() || !isOnline;
  }

  wake() {
    this.send("wake", true);
  }

  // The component was taken off the page: for a moment by an app that was restarted, or for good.
  leavePage() {
    clearPage();
    this.comingBack.leave();
    this.arrival.stop();
    if (!this.comingBack.isExpected()) this.bar.restartLine.stop();
  }

  leave() {
    stopFollowing();
    this.arrival.stop();
    follower = null;
    left = this.joined.joined;
    this.send("leave", true);
  }
}

let follower = null; // one for this window: it goes on from page to page
let left = null; // the joining that the student left

export default async function mountFollower({ data, parentElement, setTriggerValue }) {
  const joined = await unpackNewest(parentElement, data);
  if (!joined) return undefined;
  if (joined.joined === left) return undefined; // a run of the page that began before the student left
  if (follower?.bar.key !== joined.key) follower = new AppWindow(joined);
  const mounted = follower;
  const root = findOrCreateRoot(parentElement, "section", {
    className: "gf follower",
    "aria-label": "Lecture that you follow",
  });
  mounted.update(joined, root, setTriggerValue);
  const onKey = (event) => mounted.bar.press(event);
  window.addEventListener("keydown", onKey);
  return () => {
    window.removeEventListener("keydown", onKey);
    onceGone(root, () => mounted.leavePage());
  };
}
