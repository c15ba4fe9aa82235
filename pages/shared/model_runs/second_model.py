"""The model beside the reader's: which one a link or the run bar chooses, and its view of the same question.

Its view is made of the same keys, apart from the session, as that of a scene is (`view_apart`). So a part of a page is
written once, and its function is called twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from model.errors import GlassformerError
from model.zoo.cards import card as card_of
from pages.catalogue import BY_URL
from pages.shared.model_runs import edited_parts, model_choice, traces
from pages.shared.server import session_values
from pages.shared.server.session_values import of_session
from pages.shared.session import bar_notes, state, substitutes
from pages.shared.session.keys import KEYS, MODEL_PLACES, SHARED_PLACES, TOKENS
from pages.shared.session.view_session import ViewSession
from views.beside import Beside
from views.live_code import LiveCode
from views.message import Message
from views.shared.shapes import has_same_places
from views.shared.token_link import TokenLink
from views.view import View
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text

if TYPE_CHECKING:
    from model import Card, Model
    from views.run import Run

KEY = "beside"
ANSWERS = ("why_answer", "why_against")  # ids of tokens, or of classes
WRITTEN = "predict_path"  # what one model has written, another one writes anew


def is_offered() -> bool:
    """Whether this page may show a second model."""
    return state.page() in KEYS[KEY].pages


def choices(card: Card) -> tuple[Card, ...]:
    """The models that may stand beside the reader's on this page: itself without its edits, the steps of its training,
    and all others that are here."""
    page = BY_URL[state.page()]
    whole = (replace(card, title=f"{card.title}, whole"),) if edited_parts.of_model(card.name) else ()
    others = (
        each for each in traces.cards() if each.ready and each.name != card.name and model_choice.fits(each, page)
    )
    return (*whole, *reversed(card.steps()), *others)


def chosen() -> str:
    """The name of the model that the page shows beside the reader's; "" for none."""
    name = state.get(KEY) if is_offered() else ""
    is_same = name == state.get("model") and not edited_parts.of_model(name)
    return "" if is_same else name


def offer(card: Card) -> dict[str, Any] | None:
    """For the run bar: the models that may stand beside the reader's, and the chosen one; None where the page shows one
    model."""
    if not is_offered():
        return None
    entries = [{"name": each.name, "title": each.title, "note": model_choice.shape_of(each)} for each in choices(card)]
    return {"models": entries, "chosen": chosen(), "title": _title_of(chosen())}


def _title_of(name: str) -> str:
    try:
        return card_of(name).title if name else ""
    except traces.errors():
        return name  # of a link, which the page says more of


def say_alone() -> None:
    """A line below the bar where the reader has chosen a second model, and the open part shows one."""
    name, shown = str(substitutes.choice_of(KEY)), bar_notes.shown()
    takes_nothing = shown is not None and not shown.read_sentence
    is_same = name == state.get("model") and not (is_offered() and chosen())
    if not name or takes_nothing or is_same or BY_URL[state.page()].is_tool:
        return
    there = "in other parts of this page"
    if not is_offered():
        there = f"on the pages {', '.join(BY_URL[url].title for url in KEYS[KEY].pages)}"
    bar_notes.add(f"{_title_of(name)} stands beside your model {there}, not here.")


def beside(view: View, make: Callable[[], View], write: Callable[[], LiveCode | None]) -> View:
    """The view with that of the second model beside it, if the reader wants one. `make` makes it of the keys, and
    `write` its code."""
    run, name = view.about(), chosen()
    if run is None:
        say_alone()
    if not name or run is None:
        return view
    try:
        second = traces.model(name, state.message_slot(), whole=True)
        _check_page(second)
        with _opened(run, second, view.settled()):
            other, code = make(), write()
    except traces.errors() as error:
        return Beside(view, _say_why_not(name, str(error)))
    except traces.NothingToShow:
        return Beside(view, _say_why_not(name, ""))
    bar_notes.name_models([run.model.card.title, second.card.title])
    return Beside(view, other, second_code=code)


def _check_page(second: Model) -> None:
    """Raises `GlassformerError` for a model that this page cannot show."""
    page = BY_URL[state.page()]
    if not model_choice.fits(second.card, page):
        raise GlassformerError(f"{second.card.title} cannot stand beside it here: {page.model_reason}.")


def _say_why_not(name: str, why: str) -> Message:
    said = why or f"{name} has nothing to show here."
    return Message(Text(markdown_text(said), "error", ":material/error:"))


@contextmanager
def _opened(run: Run, second: Model, settled: Mapping[str, Any]) -> Iterator[None]:
    """Inside, the keys are those of the page for the second model. What it chooses stays inside. `settled`: what the
    first one has chosen where the reader has left it open."""
    kept: dict[Any, Any] = {name: state.get(name) for name in KEYS} | _places(run, second)
    kept |= {name: _translate(name, value, run.model, second) for name, value in settled.items()}
    kept |= {"model": second.card.name, "edits": "", KEY: "", WRITTEN: ()}
    kept["predict_tokens"] = max(kept["predict_tokens"], len(state.get(WRITTEN)))
    page = state.page()
    with session_values.apart(kept):
        session = of_session(ViewSession)
        session.page, session.values = page, dict(kept)
        yield


def _translate(name: str, value: Any, first: Model, second: Model) -> Any:
    """A choice of the first model as one of the second: a token by its text. The default where it has no such token."""
    if name not in ANSWERS or value < 0 or not (first.config.answers_words and second.config.answers_words):
        return value
    text = first.output_tokenizer.token(value).text
    found = second.output_tokenizer.encode(text, add_special=False)
    return found[0].id if len(found) == 1 else KEYS[name].default


def _places(run: Run, second: Model) -> dict[str, Any]:
    """The places of the second model: those on screen where it has the same, else those that the reader has chosen.

    A token is the one that stands for the same characters.
    """
    link = TokenLink.of_text(run.model, second, run.text)
    tokens = {name: link.find_there(state.get(name)) for name in TOKENS if state.get(name) >= 0}
    if has_same_places(run.config, second.config) and run.config.d_ff == second.config.d_ff:
        return tokens
    open_again = {name: key.default for name, key in KEYS.items() if name.endswith((*MODEL_PLACES, "_neuron"))}
    return open_again | {name: substitutes.choice_of(name) for name in SHARED_PLACES if name not in TOKENS} | tokens
