"""What every component shares, in a real browser: Streamlit calls a component anew before the call before has ended."""

from __future__ import annotations

import os
from base64 import b64encode
from pathlib import Path

from playwright.sync_api import Browser

from viz.shared.component_script import joined_script
from viz.shared.payload import pack

COMPONENTS = Path(__file__).parents[2] / "assets" / "components"

# A component that shows its label. `held` lets the data of the first call come last, as on a busy machine.
LABEL = """
import { mountOnce } from "%(folder)s/shared/mount.js";
import { unpack } from "%(folder)s/shared/payload.js";

const held = new Promise((resolve) => {
  globalThis.release = resolve;
});

class Label {
  constructor(parent) {
    this.root = parent.appendChild(document.createElement("p"));
  }
  update({ label }) {
    this.root.textContent = label;
  }
  stop() {
    this.root.remove();
  }
}

export default mountOnce(Label, async (bytes) => {
  const data = await unpack(bytes);
  if (data.label === "old") await held;
  return data;
});
"""
OVERTAKEN = """async ({ script, old, now }) => {
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const { default: component } = await import(url);
  const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const place = document.body.appendChild(document.createElement("div")), shown = [];
  const first = component({ data: bytes(old), parentElement: place });
  const end = await component({ data: bytes(now), parentElement: place });
  shown.push(place.textContent);
  release();
  (await first)?.(); // Streamlit ends a call that was overtaken
  shown.push(place.textContent);
  end();
  return [...shown, place.textContent];
}"""


def test_data_that_were_overtaken_are_not_drawn_and_take_nothing_away(browser: Browser, tmp_path: Path) -> None:
    entry = tmp_path / "label.js"
    folder = Path(os.path.relpath(COMPONENTS, tmp_path)).as_posix()
    entry.write_text(LABEL % {"folder": folder}, encoding="utf-8")
    page = browser.new_page()
    labels = {name: b64encode(pack({"label": name})).decode() for name in ("old", "now")}
    assert page.evaluate(OVERTAKEN, {"script": joined_script(entry), **labels}) == ["now", "now", ""]
    page.close()


def test_every_component_is_a_script_that_a_browser_loads(browser: Browser) -> None:
    entries = [path for path in COMPONENTS.glob("*/*/*.js") if path.stem == path.parent.name]
    page = browser.new_page()
    load = """async (script) => {
      const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
      return typeof (await import(url)).default;
    }"""
    assert {entry.stem: page.evaluate(load, joined_script(entry)) for entry in entries} == {
        entry.stem: "function" for entry in entries
    }
    page.close()
