"""What every component shares, in a real browser: Streamlit calls a component anew before the call before has ended."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

from playwright.sync_api import Browser

from viz.shared.payload import pack

COMMON = Path(__file__).parents[2] / "assets" / "components" / "common.js"

# A component that shows its label. `held` lets the data of the first call come last, as on a busy machine.
OVERTAKEN = """async ({ old, now }) => {
  const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  let release;
  const held = new Promise((resolve) => (release = resolve));
  const component = living(
    (parent) => {
      const root = parent.appendChild(document.createElement("p"));
      return { update: ({ label }) => (root.textContent = label), stop: () => root.remove() };
    },
    async (header) => (header.label === "old" && (await held), header),
  );
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


def test_data_that_were_overtaken_are_not_drawn_and_take_nothing_away(browser: Browser) -> None:
    page = browser.new_page()
    page.add_script_tag(content=COMMON.read_text(encoding="utf-8"))
    labels = {name: b64encode(pack({"label": name})).decode() for name in ("old", "now")}
    assert page.evaluate(OVERTAKEN, labels) == ["now", "now", ""]
    page.close()
