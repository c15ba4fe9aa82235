"""The screen on which a page is read or a lecture presented. The browser tells its size, and charts fit it.

A page grows with a large window (assets/style.css), and so do its charts. `pages.teach.page_bars` asks for the size of
a presenter's screen, `pages.shared.frame.sidebar` for that of a reader's window. Canvases ask the browser themselves
(assets/components/shared/layout.js). Plotly's charts are drawn by the server.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypedDict

from pages.shared.server.session_values import of_session

FIGURE_TYPE_PIXELS = 13.5  # the size of most words in a figure
MAX_CHART_SHARE = 0.6  # of the screen's height, for one chart
PAGE_TYPE_PIXELS = 16.0  # the size of a page's type in a window of the usual size
MAX_READ_SHARE = 0.85  # of a reader's window, for one chart
LEAST_GROWTH = 1.05  # of a page: charts that would grow less stay as they are


@dataclass(frozen=True)
class Screen:
    """The sizes of the page's type and of the window, in pixels. The defaults are a projector's, until the browser
    sends its own."""

    type_pixels: float = 22.08
    height_pixels: float = 1080.0

    @property
    def scale(self) -> float:
        """How much a figure's type is enlarged to be as large as the page's."""
        return max(1.0, self.type_pixels / FIGURE_TYPE_PIXELS)

    @property
    def max_chart_pixels(self) -> float:
        return MAX_CHART_SHARE * self.height_pixels


@dataclass(frozen=True)
class Window(Screen):
    """A reader's window. Its page grows as a whole, so that the type of a figure stays smaller than the page's."""

    type_pixels: float = PAGE_TYPE_PIXELS
    height_pixels: float = 768.0

    @property
    def scale(self) -> float:
        return max(1.0, self.type_pixels / PAGE_TYPE_PIXELS)

    @property
    def max_chart_pixels(self) -> float:
        return MAX_READ_SHARE * self.height_pixels


@dataclass(frozen=True)
class SceneWords:
    """The words of a presented scene that stand above its view, in place of the page's title.

    `question` and `point` share one place: the presenter's browser shows one of them at a time.
    """

    title: str
    question: str
    point: str


class Presentation(TypedDict):
    """`which` lecture is presented, "mine" or the file name of a shipped one, and the `scene` on screen."""

    which: str
    scene: int


@dataclass
class ScreenSession:
    """What is presented in this session, the words of its scene, and the sizes that the browser told last."""

    window: Window = field(default_factory=Window)
    projector: Screen = field(default_factory=Screen)
    presented: Presentation | None = None
    words: SceneWords | None = None


def window() -> Window:
    """The reader's window, as the browser told it last."""
    return of_session(ScreenSession).window


def chart_screen() -> Screen | None:
    """The screen that charts are enlarged for: a presenter's, or a large window. None where they keep their size."""
    return present_screen() or (window() if window().scale >= LEAST_GROWTH else None)


def present_screen() -> Screen | None:
    """The screen while a lecture is presented, else None."""
    session = of_session(ScreenSession)
    return session.projector if session.presented is not None else None


def scene_words() -> SceneWords | None:
    """The words of the scene whose view is on screen, else None. `pages.teach.page_bars` puts them there."""
    return of_session(ScreenSession).words


def take_sizes(sizes: Any) -> None:
    """Take the type size and the height of a presenter's screen, if a screen can have them."""
    if _are_sizes(sizes):
        of_session(ScreenSession).projector = Screen(*map(float, sizes))


def take_window(sizes: Any) -> None:
    """Take the type size and the height of a reader's window, if a window can have them."""
    if _are_sizes(sizes):
        of_session(ScreenSession).window = Window(*map(float, sizes))


def _are_sizes(sizes: Any) -> bool:
    if not (isinstance(sizes, list) and len(sizes) == 2 and all(type(each) in (int, float) for each in sizes)):
        return False
    type_pixels, height_pixels = sizes
    return 8 <= type_pixels <= 200 and 200 <= height_pixels <= 20_000
