"""What every component shares, in a real browser: Streamlit calls a component anew before the call before has ended."""

from __future__ import annotations

import os
from base64 import b64encode
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser

from viz.shared.component_script import join_script
from viz.shared.payload import pack, printed_codes

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
PAYLOAD = """
import { unpack, weightOfCode } from "%(folder)s/shared/payload.js";

export default () => ({ unpack, weightOfCode });
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
    assert page.evaluate(OVERTAKEN, {"script": join_script(entry), **labels}) == ["now", "now", ""]
    page.close()


def test_every_component_is_a_script_that_a_browser_loads(browser: Browser) -> None:
    entries = [path for path in COMPONENTS.glob("*/*/*.js") if path.stem == path.parent.name]
    page = browser.new_page()
    load = """async (script) => {
      const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
      return typeof (await import(url)).default;
    }"""
    assert {entry.stem: page.evaluate(load, join_script(entry)) for entry in entries} == {
        entry.stem: "function" for entry in entries
    }
    page.close()


def test_what_is_packed_arrives_and_a_weight_is_printed_as_everywhere_else(browser: Browser, tmp_path: Path) -> None:
    entry = tmp_path / "payload.js"
    folder = Path(os.path.relpath(COMPONENTS, tmp_path)).as_posix()
    entry.write_text(PAYLOAD % {"folder": folder}, encoding="utf-8")
    weights = np.random.default_rng(0).random((9, 7), np.float32) ** 4  # most of them small
    data = pack({"label": "ہوں"}, codes=printed_codes(weights), exact=weights, last=printed_codes(weights[:1]))
    page = browser.new_page()
    found = page.evaluate(
        """async ({ script, text }) => {
          const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
          const { unpack, weightOfCode } = (await import(url)).default();
          const header = await unpack(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
          return {
            label: header.label,
            shape: header.exact.shape,
            exact: [...header.exact],
            printed: [...header.codes].map((code) => weightOfCode(code).toFixed(2)),
            last: [...header.last],
          };
        }""",
        {"script": join_script(entry), "text": b64encode(data).decode()},
    )
    page.close()
    assert (found["label"], found["shape"]) == ("ہوں", [9, 7])
    assert found["exact"] == weights.ravel().tolist()
    assert found["printed"] == [f"{weight:.2f}" for weight in weights.flat]
    assert found["last"] == printed_codes(weights[:1]).ravel().tolist()
