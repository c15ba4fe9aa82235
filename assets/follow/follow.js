// The page for students: it follows a lecture without a session of the app. pages/follow/shell.py writes it. The key of
// the room comes in the part of the address that no server reads, and stays in this window.
import { createElement } from "../components/shared/dom.js";
import { applyTheme } from "../components/shared/theme.js";
import { FollowerBar } from "../components/teach/follower/follower_bar.js";
import {
  keepKey,
  keptKey,
  setExploring,
  setWholeApp,
  stopFollowing,
} from "../components/teach/follower/window_memory.js";
import { showJoinForm } from "./join_form.js";
import { keepForOffline } from "./offline_copy.js";
import { Picture } from "./picture.js";

const base = location.pathname.replace(/\/follow\/?$/, "");
const { barStyle } = document.documentElement.dataset;
const app = document.querySelector('[data-testid="stApp"]');
const page = document.querySelector('[data-testid="stMainBlockContainer"]');
const SCROLLED_PAGE = '[data-testid="stMain"]';

// The key in the address, which is taken out of it, so that a copied link is without it.
function takeKeyFromAddress() {
  const key = location.hash.slice(1) || new URLSearchParams(location.search).get("follow_key") || null;
  if (key) history.replaceState(null, "", location.pathname);
  return key && decodeURIComponent(key);
}

class LecturePage {
  constructor(key) {
    this.key = key;
    this.lecture = `${base}/follow`;
    this.presenterAt = null; // {page, view}
    this.picture = new Picture(page, { base, key, shown: (isNew) => this.showNew(isNew) });
    this.bar = new FollowerBar(key, "", this);
  }

  open() {
    const host = document.body.appendChild(createElement("div", { id: "bar" }));
    const root = host.attachShadow({ mode: "open" });
    const style = createElement("link", { rel: "stylesheet", href: barStyle });
    const section = createElement("section", { className: "gf follower", "aria-label": "Lecture that you follow" });
    root.append(style, section);
    this.bar.mount(section, `${base}/teach/room`);
    addEventListener("keydown", (event) => this.bar.press(event));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => applyTheme(section));
    this.picture.showKept();
  }

  hear(message) {
    app.dataset.testConnectionState = "CONNECTED";
    if ("page" in message) this.presenterAt = message;
    else if ("picture" in message) this.picture.want(message.picture.digest, message.picture.why);
  }

  // A view that is new stands where the presenter has scrolled to.
  showNew(isNew) {
    if (isNew) document.querySelector(SCROLLED_PAGE).scrollTo({ top: 0 });
    this.bar.pointing.arrive(isNew);
  }

  isAway() {
    return false;
  }

  explore() {
    setExploring(this.key);
    this.openApp();
  }

  followInApp() {
    setWholeApp(this.key);
    this.openApp();
  }

  openApp() {
    const { page: path = "home", view = {} } = this.presenterAt ?? {};
    location.assign(`${base}/${path === "home" ? "" : path}?${new URLSearchParams(view)}`);
  }

  comeBack() {}

  leave() {
    stopFollowing();
    this.picture.forget();
    location.assign(this.lecture);
  }

  goOn(key) {
    this.picture.forget();
    keepKey(key);
    location.assign(this.lecture);
  }

  isCutOff(isOnline) {
    app.dataset.testConnectionState = isOnline ? "CONNECTED" : "DISCONNECTED";
    return !isOnline;
  }

  wake() {
    this.picture.again();
  }
}

function follow(key) {
  keepKey(key);
  setExploring(null);
  setWholeApp(null);
  page.replaceChildren(createElement("h1", { textContent: "The lecture" }));
  const lecture = new LecturePage(key);
  lecture.picture.offerApp(() => lecture.followInApp());
  lecture.open();
  lecture.picture.first.then(() => keepForOffline(base, () => lecture.picture.copy()));
}

const key = takeKeyFromAddress() ?? keptKey();
if (key) follow(key);
else {
  app.dataset.testConnectionState = "CONNECTED";
  showJoinForm(page, base, follow);
}
addEventListener("hashchange", () => location.hash.length > 1 && location.reload());
