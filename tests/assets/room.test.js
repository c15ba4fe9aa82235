// The room of a class: places on a page, the way back after a restart, the join slide, the timer, connections.
import assert from "node:assert/strict";
import { test } from "node:test";
import { canvasCells } from "../../assets/components/shared/pointed_cell.js";
import { ComingBack } from "../../assets/components/teach/coming_back.js";
import { Countdown, formatLeft } from "../../assets/components/teach/countdown.js";
import { Arrival, fits } from "../../assets/components/teach/follower/arrival.js";
import { findPlace, namesOf, placeUnder, sharesIn, stepInto } from "../../assets/components/teach/places.js";
import { qrPath, typedAddress } from "../../assets/components/teach/presenter/join_slide.js";
import { PlaceTeller } from "../../assets/components/teach/presenter/laser.js";
import { Presses } from "../../assets/components/teach/presenter/presses.js";
import { RestartLine, restartText } from "../../assets/components/teach/restart_line.js";
import { connect, disconnect } from "../../assets/components/teach/room.js";

// -- places --------------------------------------------------------------------------------------------------------

function box(left, top, width, height) {
  return { left, top, width, height, right: left + width, bottom: top + height };
}

// A node of a page: its place, its classes, its children.
function node(at, { classes = [], children = [], ...more } = {}) {
  const made = { classList: classes, children, dataset: {}, getBoundingClientRect: () => at, ...more };
  made.matches = (selector) => selector.split(", ").includes(made.tag ?? "");
  made.querySelector = () => more.inside ?? null;
  made.closest = (selector) => (classes.includes(selector.slice(1)) ? made : null);
  return made;
}

function pageOf(t, ...elements) {
  globalThis.document = { querySelectorAll: () => elements };
  t.after(() => delete globalThis.document);
}

const pointer = (x, y, ...path) => ({ clientX: x, clientY: y, composedPath: () => path });

test("elements have their key as a name, or their order among those of their kind in their part of the page", () => {
  const inside = { dataset: { testid: "stMarkdown" } };
  const within = (...containers) => ({
    inside,
    closest: (selector) => containers.some((each) => selector.includes(each)),
  });
  const names = namesOf([
    node(box(0, 0, 1, 1), { inside }),
    node(box(0, 0, 1, 1), { classes: ["x", "st-key-lines"] }),
    node(box(0, 0, 1, 1)),
    node(box(0, 0, 1, 1), { classes: [`st-key-${"long".repeat(100)}`], inside }),
    node(box(0, 0, 1, 1), { dataset: { place: "stCode 3" }, inside }),
    { ...node(box(0, 0, 1, 1)), ...within("st-key-view"), querySelector: () => inside },
    { ...node(box(0, 0, 1, 1)), ...within("st-key-view", "st-key-controls-"), querySelector: () => inside },
    { ...node(box(0, 0, 1, 1)), ...within("st-key-view"), querySelector: () => inside },
  ]);
  const around = ["page stMarkdown 1", "st-key-lines", "page # 1", "page stMarkdown 2", "stCode 3"];
  assert.deepEqual(names, [...around, "stMarkdown 1", "controls stMarkdown 1", "stMarkdown 2"]);
});

test("what is pointed at is found on another screen: a cell, a chip, a picture, an element", (t) => {
  const cells = { at: () => "0 1 2", boxOf: (address) => (address === "0 1 2" ? box(10, 10, 20, 10) : null) };
  const picture = node(box(0, 0, 100, 100), { glassformerCells: cells });
  const chip = node(box(0, 120, 40, 20), { dataset: { spot: "query 3" } });
  const canvas = node(box(0, 200, 100, 100), { tag: "canvas" });
  const element = node(box(0, 0, 200, 400), { classes: ["st-key-a"], children: [picture, chip, canvas] });
  pageOf(t, element);
  const places = [
    [pointer(20, 12, picture, element), ["st-key-a", "cell 0 1 2", 0.5, 0.2]],
    [pointer(10, 125, chip, element), ["st-key-a", "spot query 3", 0.25, 0.25]],
    [pointer(50, 250, canvas, element), ["st-key-a", "#0", 0.5, 0.5]],
    [pointer(150, 100, element), ["st-key-a", "", 0.75, 0.25]],
  ];
  for (const [event, place] of places) {
    assert.deepEqual(placeUnder(event), place);
    const found = findPlace(place);
    assert.deepEqual([found.x, found.y], [event.clientX, event.clientY]);
    assert.equal(found.isNamed, /^(cell|spot)/.test(place[1]));
  }
  assert.equal(placeUnder(pointer(5, 5, node(box(0, 0, 10, 10)))), null, "the bar is no element of the page");
});

test("what another screen does not have is marked as a whole, or not at all", (t) => {
  const element = node(box(0, 0, 200, 100), { classes: ["st-key-a"] });
  pageOf(t, element);
  for (const part of ["cell 9 9 9", "spot no", "#7", "#x", "__proto__", "cell "]) {
    const found = findPlace(["st-key-a", part, 0.5, 0.5]);
    assert.deepEqual([found.node, found.x, found.isNamed], [element, 100, true]);
  }
  assert.equal(findPlace(["st-key-b", "", 0, 0]), null);
  assert.equal(findPlace(["stText 1", "", 0, 0]), null);
});

test("shares are of the box, and never beyond it", () => {
  assert.deepEqual(sharesIn(box(10, 20, 40, 0), 20, 500), [0.25, 1]);
  assert.deepEqual(sharesIn(box(10, 20, 40, 10), -5, 25), [0, 0.5]);
});

test("a cell of a canvas has its box on the screen, whatever its pixels", () => {
  const canvas = { style: { width: "100px", height: "50px" }, getBoundingClientRect: () => box(10, 20, 200, 100) };
  const cells = canvasCells(
    canvas,
    (x, y) => `${x} ${y}`,
    (address) => (address === "a" ? [10, 5, 20, 10] : null),
  );
  assert.equal(cells.at({ clientX: 110, clientY: 70 }), "50 25");
  assert.deepEqual(cells.boxOf("a"), { left: 30, top: 30, width: 40, height: 20 });
  assert.equal(cells.boxOf("b"), null);
});

test("a point that is in sight moves nothing, another one comes to the middle", () => {
  assert.equal(stepInto(300, 0, 600, 90), 0);
  assert.equal(stepInto(700, 0, 600, 90), 400);
  assert.equal(stepInto(-100, 0, 600, 90), -400);
  assert.equal(stepInto(595, 0, 600, 90), 295, "below the bar");
});

// -- the class is told -----------------------------------------------------------------------------------------------

// A browser's connection: `sockets` are those that were dialled.
function sockets(t) {
  const made = [];
  globalThis.WebSocket = class {
    static OPEN = 1;
    constructor() {
      Object.assign(this, { readyState: 1, sent: [] });
      made.push(this);
    }
    send(text) {
      this.sent.push(JSON.parse(text));
    }
    close() {
      this.isClosed = true;
    }
  };
  globalThis.location = { href: "http://localhost/" };
  const waits = [];
  t.mock.method(globalThis, "setTimeout", (act, wait) => {
    waits.push([act, wait]);
    return waits.length;
  });
  t.after(() => {
    disconnect();
    delete globalThis.WebSocket;
    delete globalThis.location;
  });
  return { made, waits };
}

test("a browser that waits for the presenter is not connected until the room lets it in", (t) => {
  const { made, waits } = sockets(t);
  const heard = [];
  connect("/room", { key: "k" }, (message) => heard.push(message));
  made[0].onopen();
  assert.deepEqual(made[0].sent, [{ key: "k" }]);
  made[0].onmessage({ data: '{"wait": "restarted"}' });
  made[0].onclose();
  assert.deepEqual(heard, [{ wait: "restarted" }, { online: false }]);
  waits.at(-1)[0]();
  made[1].onopen();
  made[1].onmessage({ data: '{"presenter": "A", "here": true}' });
  assert.deepEqual(heard.slice(2), [{ online: true }, { presenter: "A", here: true }]);
});

test("a browser tries again soon, at most every few seconds, and not all in one moment", (t) => {
  const { made, waits } = sockets(t);
  connect("/room", { key: "k" }, () => {});
  for (let i = 0; i < 10; i++) {
    made.at(-1).onclose();
    waits.at(-1)[0]();
  }
  const times = waits.map(([, wait]) => wait);
  assert.ok(times.every((time) => time >= 350 && time <= 3900));
  assert.ok(new Set(times.slice(4)).size > 3);
});

test("a line on which nothing comes any more is given up, and the room is dialled anew", (t) => {
  t.mock.timers.enable({ apis: ["Date", "setInterval"], now: 1e12 });
  const { made, waits } = sockets(t);
  const heard = [];
  connect("/room", { key: "k" }, (message) => "online" in message && heard.push(message.online));
  made[0].onmessage({ data: '{"presenter": "A", "here": true}' });
  t.mock.timers.tick(30_000);
  made[0].onmessage({ data: '{"beat": true}' });
  t.mock.timers.tick(35_000);
  assert.deepEqual(heard, [true], "the server says every 15 seconds that it is there");
  t.mock.timers.tick(10_000);
  assert.deepEqual([heard, made[0].isClosed], [[true, false], true]);
  waits.at(-1)[0]();
  made[1].onmessage({ data: '{"presenter": "A", "here": true}' });
  t.mock.timers.tick(20_000);
  assert.deepEqual([heard, made.length], [[true, false, true], 2]);
});

test("a room that has ended is dialled again when the app asks for it", (t) => {
  const { made } = sockets(t);
  connect("/room", { key: "k" }, () => {});
  made[0].onmessage({ data: '{"end": true}' });
  connect("/room", { key: "k" }, () => {});
  connect("/room", { key: "k" }, () => {});
  assert.equal(made.length, 2);
});

test("on a new connection the servers are not apart, unless it says so", (t) => {
  const { made, waits } = sockets(t);
  const heard = [];
  connect("/room", { key: "k" }, (message) => "apart" in message && heard.push(message.apart));
  made[0].onmessage({ data: '{"apart": true}' });
  made[0].onclose();
  waits.at(-1)[0]();
  made[1].onmessage({ data: '{"presenter": "Ada", "here": true}' });
  assert.deepEqual(heard, [true, false]);
});

test("the newest place is told, and each place once", (t) => {
  const { made, waits } = sockets(t);
  connect("/room", { token: "t" }, () => {});
  const teller = new PlaceTeller("spot");
  for (const x of [0.1, 0.2, 0.3]) teller.send(["a", "", x, 0]);
  waits.at(-1)[0]();
  waits.at(-1)[0]();
  teller.send(["a", "", 0.3, 0]);
  assert.deepEqual(made[0].sent, [{ spot: ["a", "", 0.1, 0] }, { spot: ["a", "", 0.3, 0] }]);
});

// -- the way back ----------------------------------------------------------------------------------------------------

test("a component comes back while this window keeps what it is for", (t) => {
  const kept = {};
  globalThis.sessionStorage = { getItem: (name) => kept[name] ?? null };
  t.after(() => delete globalThis.sessionStorage);
  const back = new ComingBack(["playing", "room"]);
  assert.equal(back.isExpected(), false, "it is there");
  back.leave();
  assert.equal(back.isExpected(), false, "nothing is kept");
  kept["glassformer window"] = '{"playing": null, "room": "token"}';
  assert.equal(back.isExpected(), true);
  kept["glassformer window"] = '{"playing": null, "room": null, "follow": "key"}';
  assert.equal(back.isExpected(), false, "it was left");
  kept["glassformer window"] = "no json";
  assert.equal(back.isExpected(), false);
  assert.equal(back.arrive(), true);
  assert.equal(back.arrive(), false);
});

test("a class is told in its own words that the app does not answer", () => {
  assert.equal(restartText("Wait.", true), "The app is being restarted. Wait.");
  assert.equal(restartText("Wait.", false), "This device has no network now. Wait.");
});

test("a student arrives where the presenter is, also if the app did not hear it", (t) => {
  let check = () => {};
  t.mock.method(globalThis, "setInterval", (act) => {
    check = act;
    return 1;
  });
  const app = { dataset: { testConnectionState: "CONNECTED", testScriptState: "notRunning" } };
  globalThis.document = { querySelector: () => app };
  t.after(() => delete globalThis.document);
  const taken = [];
  const arrival = new Arrival((page, view) => taken.push([page, view]));
  arrival.see("home", {});
  arrival.want("heads", { layer: "2" });
  arrival.go();
  arrival.go();
  assert.equal(taken.length, 1);
  check();
  assert.equal(taken.length, 2, "lost");
  arrival.see("heads", { layer: "2", head: "0" });
  check();
  check();
  assert.equal(taken.length, 2);
  arrival.again();
  assert.equal(taken.length, 3, "back from exploring");
});

test("a view fits what was wanted if it has all of it", () => {
  const wanted = { page: "heads", view: { layer: "2" } };
  assert.equal(fits(wanted, "heads", { layer: "2", head: "1" }), true);
  assert.equal(fits(wanted, "heads", { layer: "1" }), false);
  assert.equal(fits(wanted, "masks", { layer: "2" }), false);
});

// -- the slide, the timer -----------------------------------------------------------------------------------

test("the QR code is drawn as the runs of its rows", () => {
  assert.equal(qrPath(["0110", "1001"]), "M1 0h2v1h-2zM0 1h1v1h-1zM3 1h1v1h-1z");
  assert.equal(qrPath([]), "");
});

test("an address is shown as people type it", () => {
  assert.equal(typedAddress("https://class.example/app/follow"), "class.example/app/follow");
  assert.equal(typedAddress("http://192.168.1.20:8501/follow"), "192.168.1.20:8501/follow");
});

test("the timer counts down, and ends", (t) => {
  t.mock.timers.enable({ apis: ["Date", "setInterval"] });
  globalThis.document = {
    createElement: () => ({ setAttribute: () => {}, append: () => {}, classList: { toggle: () => {} }, style: {} }),
  };
  t.after(() => delete globalThis.document);
  const countdown = new Countdown();
  countdown.set(1, 65);
  assert.equal(countdown.node.textContent, "1:05");
  t.mock.timers.tick(5000);
  countdown.set(1, 60.4); // told again, a little off
  assert.equal(countdown.node.textContent, "1:00");
  t.mock.timers.tick(60_000);
  assert.deepEqual([countdown.node.textContent, countdown.isOver()], ["Time is up", true]);
  countdown.set(2, null);
  assert.deepEqual([countdown.node.hidden, countdown.isOver()], [true, false]);
  assert.deepEqual([0, 400, 59_001, 600_000].map(formatLeft), ["0:00", "0:01", "1:00", "10:00"]);
});

test("nothing is drawn anew while a button is pressed, so the click finds it", (t) => {
  t.mock.timers.enable({ apis: ["Date", "setTimeout"] });
  let drawn = 0;
  const presses = new Presses(() => {
    drawn += 1;
  });
  presses.request();
  assert.equal(drawn, 1);
  presses.begin();
  presses.request();
  presses.request();
  assert.equal(drawn, 1);
  presses.end();
  assert.equal(drawn, 1, "the click comes first");
  t.mock.timers.tick(0);
  assert.equal(drawn, 2);
  presses.begin();
  presses.request();
  t.mock.timers.tick(2000); // the release went to another window
  assert.equal(drawn, 3);
});

test("a page is woken until it is drawn anew, and only after the app was cut off", (t) => {
  t.mock.timers.enable({ apis: ["Date", "setInterval"], now: 1e12 });
  const app = { dataset: { testConnectionState: "CONNECTED", testScriptState: "notRunning" } };
  globalThis.document = {
    querySelector: () => app,
    createElement: () => ({ style: {}, append: () => {}, setAttribute: () => {}, remove: () => {} }),
  };
  t.after(() => delete globalThis.document);
  let wakes = 0;
  const line = new RestartLine(
    "",
    () => false,
    () => {
      wakes += 1;
    },
  );
  line.watch();
  t.after(() => line.stop());
  t.mock.timers.tick(10_000);
  assert.equal(wakes, 0);
  app.dataset.testConnectionState = "PINGING_SERVER";
  t.mock.timers.tick(1000);
  app.dataset.testConnectionState = "CONNECTED";
  t.mock.timers.tick(600);
  assert.equal(wakes, 1);
  t.mock.timers.tick(2500);
  assert.equal(wakes, 2, "the first one was lost");
  line.watch(); // the page is drawn
  t.mock.timers.tick(20_000);
  assert.equal(wakes, 2);
});
