"""The public name of the view of the present keys, with their values: for “Copy as Python”, and for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pages.catalogue import BY_URL
from pages.shared.model_runs import traces
from pages.shared.session import state, substitutes
from pages.shared.session.keys import KEYS
from views.attention.many_texts.names import MINE
from views.expressions import quoted
from views.live_code import LiveCode

if TYPE_CHECKING:
    from views.by_page.live_view import LiveView

YOUR_PICTURE = "your-picture.png"  # the reader's own is in their session alone


def live_code() -> LiveCode | None:
    """The code of the view of the present keys; None where no public class makes it."""
    from views.by_page import find  # it loads torch and Plotly, which a view has loaded
    from views.by_page.written import write_live

    page = state.page()
    if page not in find.PAGES:
        return None
    entry = BY_URL[page]
    part = state.get(entry.part_key) if entry.part_key else ""
    cls = find.class_of(page, [state.get(key) for key in entry.keys_of(part)])
    if cls is None:
        return None
    request = traces.request()
    text = traces.text_of(request)
    choices: dict[str, Any] = {name: state.get(key_of(cls, name)) for name in cls.choices()}
    if choices.get("texts") == MINE:
        return None  # No code has the reader's own texts but that of the value.
    if "text" in choices:
        choices["text"] = text
    if "attention" in choices and not substitutes.choice_of("attention"):
        choices["attention"] = ""  # of the stack that makes the output, as the class has it too
    code = write_live(cls, choices, request.name, text, request.target, request.begin, request.edits)
    if cls.takes == "picture" and state.get("see_source") != "example":
        return LiveCode(code.name, code.choices, quoted(YOUR_PICTURE), is_measured=code.is_measured)
    return code


def key_of(cls: type[LiveView], name: str) -> str:
    """The key of the app that a trait stands for."""
    own: str = cls.choices()[name].metadata.get("key", f"{cls.page}_{name}")
    return own if own in KEYS else name
