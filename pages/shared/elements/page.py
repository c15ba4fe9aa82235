"""A page as data: its title, its idea, its parts in order, and the things to try. `draw` puts it on the screen.

    PAGE = Page("Heads", "For every word, each head decides where to look.", "heads_view", PARTS, PROMPTS)

A part says how its view is made of the keys of the state, and which controls it has. The view is a value
(`views.view.View`), so whoever needs a scene, a picture or a file of it makes the same one without the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from typing import Any

from streamlit.delta_generator import DeltaGenerator

from model.location import PACKAGE
from pages.catalogue import BY_URL
from pages.shared.elements import layout, lecture_screen, public_view, renderer, shown
from pages.shared.elements.prompts import Prompt
from pages.shared.model_runs import model_choice, second_model, traces
from pages.shared.session import state, view_apart
from views.beside import Beside
from views.live_code import LiveCode
from views.message import Message
from views.parts import PART_CHOICE
from views.shown_page import ShownPage
from views.view import DEPTHS, Depth, Nothing, View
from viz.shared.style import markdown_text

BESIDE_PARTS = "beside parts"  # the place of controls in the row of the choice between parts
ABOVE = "above"  # the place of controls above the view
Prompts = tuple[Prompt, ...] | Callable[[Any], tuple[Prompt, ...]]  # the things to try, or those of a view


@dataclass(frozen=True)
class Part:
    """A part of a page. `title`: with its icon. `view` makes its view of the present keys: it draws nothing.

    `controls`: what draws the controls at each place that the view keeps for them, by the name of the place. Each gets
    the view. `prompts`: the things to try of this part alone, in place of those of the page.

    `alone`: draws the view as a piece that runs without the rest of the page (`pages.shared.elements.fragments`). It
    gets the view, and what draws the view of the keys that there are then.

    `goes_beside`: a second model may answer the same question beside the reader's. Where one is chosen and the part
    shows one model, a line below the bar says so.
    """

    title: str
    view: Callable[[], View]
    controls: Mapping[str, Callable[[Any], None]] = field(default_factory=dict)
    prompts: Prompts = ()
    alone: Callable[[Any, Callable[[], None]], None] | None = None
    goes_beside: bool = False

    def make(self) -> View:
        """Its view, with that of a second model beside it where the reader wants one."""
        view = self.view()
        if self.goes_beside:
            return second_model.beside(view, self.view, public_view.live_code)
        second_model.say_alone()
        return view


@dataclass(frozen=True)
class Page:
    """A page. `key` of the state chooses one of its `parts`; "" where it has only one. A `title` may be made of keys.

    `chooses_inside`: the views have the place `PART_CHOICE`. Else the choice between the parts stands above the view.
    """

    title: str | Callable[[], str]
    idea: str
    key: str
    parts: Mapping[str, Part]
    prompts: Prompts = ()
    depths: tuple[Depth, ...] = DEPTHS
    chooses_inside: bool = False

    @property
    def open_part(self) -> Part:
        """The part that the present keys choose."""
        return self.parts[state.get(self.key)] if self.key else next(iter(self.parts.values()))

    @property
    def heading(self) -> str:
        """The title, as Markdown; that of the scene while a lecture is presented."""
        if words := lecture_screen.scene_words():
            return markdown_text(words.title)
        return self.title() if callable(self.title) else self.title

    def show(self, view: View | None = None) -> ShownPage:
        """The page at the depth that the present keys choose. `view`: of its open part, where it is made already."""
        part, chosen, depths = self.open_part, state.get("depth"), self.depths or DEPTHS
        depth = chosen if chosen in depths else depths[0]
        view = view or part.make()
        return ShownPage(self.heading, self.idea, layout.without_icon(part.title), view, depth, _code_of(view))


def _code_of(view: View) -> LiveCode | None:
    """The code of the view of the present keys by its public name, or of two side by side; None where it has none."""
    if isinstance(view, Nothing | Message):
        return None
    code = public_view.live_code()
    if code is None or not isinstance(view, Beside) or isinstance(view.second, Message):
        return code
    return code.beside(view.second_code)


def page_of(url: str) -> Page | None:
    """The page at a URL path, Home as "home"; None where it draws itself."""
    entry = BY_URL[url]
    if entry.draws_itself:
        return None
    page: Page = import_module(f"{PACKAGE}{entry.module}").PAGE
    return page


@contextmanager
def opened(url: str, link: Mapping[str, str]) -> Iterator[ShownPage]:
    """The page that a link opens, made apart from any session. Inside, the keys have the values of the link.

    Raises the errors of `traces.errors` for a sentence or a model that cannot be run. Raises `traces.NothingToShow`,
    with the page's message, for a page that has no view of it, or none at all.
    """
    page = page_of(url)
    if page is None:
        raise traces.NothingToShow
    with view_apart.opened(url, link):
        model_choice.read()
        try:
            shown = page.show()
        except traces.NothingToShow as nothing:
            raise traces.NothingToShow(traces.complained()) from nothing
        yield shown


def draw_at(url: str) -> None:
    """Draw the page at a URL path. Its module is imported with its first run."""
    page = page_of(url)
    assert page is not None, f"{url} draws itself"
    draw(page)


def draw(page: Page) -> None:
    """Draw a page: its title, the choice between its parts, the view of the open one with its controls, its prompts."""
    depth: Any = layout.begin(page.heading, page.idea, depths=page.depths)
    row = _choose_part(page) if page.key and not page.chooses_inside else None
    part = page.open_part
    shown.note(page.show(Nothing()))  # where it ends early, a class sees that it shows nothing
    view = part.make()
    shown.note(page.show(view))
    choose: Callable[[], Any] = partial(_choose_part, page)
    controls = {PART_CHOICE.name: choose, **_controls_of(part, view)}
    if row is not None and BESIDE_PARTS in controls:
        with row:
            controls[BESIDE_PARTS]()
    if ABOVE in controls:
        controls[ABOVE]()
    if depth == "Code":
        layout.copy_as_python(shown.copied())
    if part.alone is None:
        renderer.show_alone(view, depth, controls)
    else:
        part.alone(own_view(view), partial(_draw_piece, page, depth, [view]))
    prompts = part.prompts or page.prompts
    if page.depths:  # a tool has nothing to try
        layout.try_this(*(prompts(own_view(view)) if callable(prompts) else prompts))


def _choose_part(page: Page) -> DeltaGenerator:
    return layout.choose_part(page.key, {name: part.title for name, part in page.parts.items()})


def _draw_piece(page: Page, depth: Depth, made: list[View]) -> None:
    """The open part by itself. `made` has its view when the page runs; each run of the piece alone makes it anew."""
    part = page.open_part
    view = made.pop() if made else part.make()
    shown.note(page.show(view))
    renderer.show_alone(view, depth, _controls_of(part, view))
    state.finish()


def own_view(view: View) -> View:
    """The view of the reader's model, without that of a second one."""
    return view.first if isinstance(view, Beside) else view


def _controls_of(part: Part, view: View) -> Mapping[str, Callable[[], None]]:
    return {name: partial(draw_controls, own_view(view)) for name, draw_controls in part.controls.items()}
