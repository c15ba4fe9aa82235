// One entry of the browser's history for one deed of the reader.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const SCRIPT = readFileSync(new URL("../../assets/one_entry.js", import.meta.url), "utf8");

// A window whose history is a list of addresses, with the script in it.
function openWindow(address) {
  const entries = [new URL(address, "http://localhost")];
  const listeners = {};
  const window = {
    get location() {
      return entries.at(-1);
    },
    history: {
      pushState: (_state, _unused, url) => entries.push(new URL(url, entries.at(-1))),
      replaceState: (_state, _unused, url) => entries.splice(-1, 1, new URL(url, entries.at(-1))),
    },
    addEventListener: (name, listener) => {
      listeners[name] = listener;
    },
  };
  new Function("window", SCRIPT)(window);
  return {
    deed: (name, type) => listeners[name]({ composedPath: () => [{ type }] }),
    push: (url) => window.history.pushState({}, "", url),
    entries: () => entries.map((each) => each.pathname + each.search),
  };
}

test("a link to a page makes one entry, with the view that the server writes", () => {
  const page = openWindow("/scores?layer=2");
  page.deed("pointerdown");
  page.deed("click");
  page.push("/masks");
  page.push("/masks?layer=2");
  assert.deepEqual(page.entries(), ["/scores?layer=2", "/masks?layer=2"]);
});

test("a click while the page opens makes no second entry", () => {
  const page = openWindow("/scores?layer=2");
  page.deed("click");
  page.push("/masks");
  page.deed("pointerdown");
  page.push("/masks?layer=2");
  assert.deepEqual(page.entries(), ["/scores?layer=2", "/masks?layer=2"]);
});

test("a button that leads to a page makes one entry", () => {
  const page = openWindow("/?layer=2");
  page.deed("click");
  for (const url of ["/?layer=3", "/heads?layer=3", "/heads?layer=3&head=1"]) page.push(url);
  assert.deepEqual(page.entries(), ["/?layer=2", "/heads?layer=3&head=1"]);
});

test("each choice on a page makes an entry", () => {
  const page = openWindow("/heads?layer=2");
  for (const layer of [3, 4]) {
    page.deed("keydown");
    page.push(`/heads?layer=${layer}`);
  }
  assert.deepEqual(page.entries(), ["/heads?layer=2", "/heads?layer=3", "/heads?layer=4"]);
});

test("a menu that is changed by speech makes an entry, and a step of a slider none of its own", () => {
  const page = openWindow("/heads?layer=2");
  page.deed("input", "select-one");
  page.push("/heads?layer=3");
  for (const phi of [1, 2]) {
    page.deed("input", "range");
    page.push(`/heads?layer=3&phi=${phi}`);
  }
  assert.deepEqual(page.entries(), ["/heads?layer=2", "/heads?layer=3&phi=2"]);
});

test("what nobody did makes no entry: the first address, a picture that plays, and a view after Back", () => {
  const page = openWindow("/heads");
  page.push("/heads?layer=2");
  page.push("/heads?layer=3");
  page.deed("keydown");
  page.deed("popstate");
  page.push("/heads?layer=4");
  assert.deepEqual(page.entries(), ["/heads?layer=4"]);
});
