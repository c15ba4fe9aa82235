"""Components without a server: a page is run by AppTest, and a component of it is mounted on a blank page of a browser.

    part = mount("inputs/positions.py", "position_circles", positions_part="circles")
    part.page.get_by_role("button", name="Play").click()
    expect(part.page).to_have_url(re.compile("positions_phi=8.0"))
    expect(part.said).to_contain_text("turns every hand by its own fixed angle")

The component has the script, the style sheet and the packed data that Streamlit would send to the browser, in a shadow
root as Streamlit makes it. What it tells runs the page again, with the callbacks of the page; then the component gets
its new data, and the blank page gets the page's new query as its own and the page's words, as Markdown, below.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page
from streamlit import config
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import sent, tell, text

ADDRESS = "http://component.test"  # answered by the test: nothing leaves the browser
BLANK = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A component</title>
<style>body { margin: 0; font: 16px sans-serif; }</style><body><div id="place"></div><pre id="said"></pre>"""

# As Streamlit does it: the script is imported, and called again with each change of the data. What a component tells
# while the page runs waits for its turn.
MOUNT = """async ({ turn, name, js, css, data, said }) => {
  const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const root = document.getElementById("place").attachShadow({ mode: "open" });
  const style = root.appendChild(document.createElement("style"));
  style.textContent = css;
  const address = URL.createObjectURL(new Blob([js], { type: "text/javascript" }));
  const { default: component } = await import(address);
  let turns = Promise.resolve();
  const say = (words) => (document.getElementById("said").textContent = words);
  const draw = ({ packed, json }) =>
    component({
      name,
      key: name,
      data: packed === null ? JSON.parse(json) : bytes(packed),
      parentElement: root,
      setStateValue: send,
      setTriggerValue: send,
    });
  const send = (event, value) => {
    turns = turns.then(async () => {
      const { data, query, said } = await window.tell(turn, event, JSON.stringify(value));
      if (data) await draw(data);
      say(said);
      history.replaceState(null, "", query);
    });
  };
  say(said);
  await draw(data);
}"""


class MountedComponent:
    """A component in the browser and its page in AppTest.

    `told`: what the component told, in order, (event, value). `said`: the words of the page as it ran last.
    """

    def __init__(self, page: Page, app: AppTest, name: str) -> None:
        self.page, self.app, self.name = page, app, name
        self.told: list[tuple[str, Any]] = []
        self.said = page.locator("#said")

    def sent(self) -> Any:
        """What Streamlit sends to the browser for the component; None where the page does not show it."""
        return sent(self.app, self.name)

    def query(self) -> str:
        """The query of the page's URL."""
        return "?" + urlencode({name: self.app.query_params[name] for name in self.app.query_params}, doseq=True)

    def take(self, event: str, value: str) -> dict[str, Any]:
        """Run the page with an event of the component and its value (JSON); what the browser gets then."""
        self.told.append((event, json.loads(value)))
        before = self.sent()
        tell(self.app, self.name, event, json.loads(value))
        assert not self.app.exception
        after = self.sent()
        changed = after is not None and data_of(after) != data_of(before)
        return {"data": data_of(after) if changed else None, "query": self.query(), "said": text(self.app)}


class Stage:
    """A blank page of a browser, on which one component after the other is mounted."""

    def __init__(self, browser: Browser) -> None:
        self.page = browser.new_context(reduced_motion="reduce").new_page()
        self.page.route(f"{ADDRESS}/**", lambda route: route.fulfill(body=BLANK, content_type="text/html"))
        self.page.expose_function("tell", self._tell)
        self._shown: list[MountedComponent] = []

    def _tell(self, turn: int, event: str, value: str) -> dict[str, Any]:
        return self._shown[turn].take(event, value)

    def mount(self, app: AppTest, name: str, theme: Literal["light", "dark"], width: int) -> MountedComponent:
        """`app`: a page that ran; `name`: a component that it shows; `width`: of the column in pixels."""
        shown = MountedComponent(self.page, app, name)
        self._shown.append(shown)
        sent = shown.sent()
        assert sent is not None, f"{name} is not on this page"
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme=theme)
        self.page.mouse.move(0, 0)
        self.page.goto(f"{ADDRESS}/{shown.query()}")
        self.page.add_style_tag(content=f":root {{ {theme_variables(theme)} }}")
        scripts = {"turn": len(self._shown) - 1, "name": name, "js": sent.js_content, "css": sent.css_content}
        self.page.evaluate(MOUNT, {**scripts, "data": data_of(sent), "said": text(app)})
        return shown


def data_of(proto: Any) -> Mapping[str, str | None]:
    kind = proto.WhichOneof("data")
    return {"packed": b64encode(proto.bytes).decode() if kind == "bytes" else None, "json": proto.json or "null"}


def theme_variables(theme: str) -> str:
    """The variables that Streamlit gives to components, from the theme of the app's configuration."""
    colours = ("backgroundColor", "secondaryBackgroundColor", "textColor", "borderColor", "primaryColor")
    values = {name: config.get_option(f"theme.{theme}.{name}") for name in colours}
    values |= {"font": config.get_option("theme.font"), "codeFont": config.get_option("theme.codeFont")}
    return "".join(f"--st-{kebab(name)}: {value}; " for name, value in values.items())


def kebab(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)
