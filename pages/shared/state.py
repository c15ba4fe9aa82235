"""What the session and the URL hold: the keys of one table, `keys.KEYS`.

How a page uses it:

    layer = state.within("heads_layer", 0, n_layers - 1, "Layer")     # mends and reports a value out of range
    st.slider("Layer", 0, n_layers - 1, key="heads_layer")            # plain keyed widget: no value=, no bind=
    state.get("heads_layer")                                          # read it anywhere
    st.button("Look at layer 9", on_click=state.put, kwargs={"heads_layer": 9})   # set it in a callback

`begin` fills the session from the URL before a page runs, `finish` writes the URL after it, so any view can be sent
as a link. A key named `<page>_<name>` belongs to the page of that URL path; a key without `_` to all pages. Values
outlive a visit to another page. A value from a URL that cannot be is replaced by the default, and the page says so.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.navigation.page import Page
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared.keys import KEYS, PLACES, Key
from viz.shared.style import Theme, markdown_text
from viz.shared.tokens import shorten

LATELY = 50  # addresses that a session remembers to have written

Address = tuple[str, dict[str, str]]  # page, and what its URL says


def get(name: str) -> Any:
    """The present value of a key of the table. KeyError for a name that is not in it."""
    return st.session_state.get(name, KEYS[name].default)


def put(**values: Any) -> None:
    """Set keys of the table. Call it in a widget's callback, or before the widget of that key is drawn."""
    for name, value in values.items():
        if name not in KEYS:
            raise KeyError(f"{name} is not in the table of pages/shared/keys.py.")
        st.session_state[name] = value


def forget_places() -> None:
    """Layers and heads chosen in one model mean nothing in another: back to their defaults."""
    put(**{name: key.default for name, key in KEYS.items() if name.endswith(PLACES)})


def theme() -> Theme:
    """The theme that the reader's browser shows."""
    return "dark" if st.context.theme.type == "dark" else "light"


def within(name: str, low: float, high: float, what: str) -> Any:
    """The value of a number key, inside `low`..`high`; otherwise the nearest end, and the page says so.

    `what` names the thing as the reader knows it: "Layer", "Head". Nothing is said for the default of the table, which
    may stand for "as the page likes".
    """
    value = get(name)
    if low <= value <= high:
        return value
    nearest = type(KEYS[name].default)(low if value < low else high)
    put(**{name: nearest})
    if value != KEYS[name].default:
        say(name, f"{what} {value} does not exist here: it can be {low} to {high}. Shown: {nearest}.")
    return nearest


def among(name: str, choices: Sequence[str], what: str, fallback: str) -> str:
    """The value of a str key if it is one of `choices`; otherwise `fallback`, and the page says so.

    Nothing is said for the default of the table, which may stand for "as the page likes".
    """
    value = get(name)
    if value in choices:
        return value
    put(**{name: fallback})
    if value != KEYS[name].default:
        shown = f" Shown: {_quoted(fallback)}." if fallback else ""
        say(name, f"{what} {_quoted(value)} does not exist here.{shown}")
    return fallback


def say(name: str, message: str) -> None:
    """Show a note above the page. It stays until the key changes or the reader goes to another page.

    `message` is Markdown: user text in it must have gone through `viz.shared.style.markdown_text`.
    """
    notes = st.session_state.setdefault("_notes", {})
    notes[name] = (get(name), message)
    slot = st.session_state.get("_slot")
    if slot is not None:
        slot.warning(message, icon=":material/info:")


def pages() -> dict[str, Page]:
    """The pages that exist, by URL path, Home as "home"."""
    return st.session_state["_pages"]


def view() -> dict[str, str]:
    """What the URL of the present view says: the values of its page that are not the defaults, as text."""
    return _address(st.session_state["_page"])


def _address(page: str) -> dict[str, str]:
    return _url(page, {name: get(name) for name in KEYS if _belongs(name, page)})


def _url(page: str, values: Mapping[str, Any]) -> dict[str, str]:
    said = {name: values[name] for name in KEYS if name in values and _belongs(name, page)}
    return {name: _written(value) for name, value in said.items() if KEYS[name].always or value != KEYS[name].default}


def show(page: str, values: Mapping[str, str]) -> None:
    """Go to a view, as by a link, with the next run. What `values` does not say takes its default.

    Raises KeyError for a page that does not exist.
    """
    st.session_state["_wanted"] = (pages()[page].url_path or "home", dict(values))


def go(page: str, **values: Any) -> None:
    """Go to a page with the next run, and set keys on the way. What is not said stays as it is. For callbacks.

    Raises KeyError for a page that does not exist.
    """
    put(**values)
    st.session_state["_wanted"] = (pages()[page].url_path or "home", None)


def as_text(values: Mapping[str, Any]) -> dict[str, str]:
    """Values as a URL says them, for `show`."""
    return {name: _written(value) for name, value in values.items()}


def without_defaults(values: Mapping[str, str]) -> dict[str, str]:
    """Of the values of a view those that its URL says: not the defaults."""
    return {
        name: value
        for name, value in values.items()
        if name in KEYS and (KEYS[name].always or value != _written(KEYS[name].default))
    }


def fault(name: str, page: str, text: str) -> str:
    """What is wrong with a value that a link to `page` gives to a key; "" for nothing."""
    if name not in KEYS or not _belongs(name, page):
        return "it is not a key of this page"
    try:
        _parsed(KEYS[name], text)
    except ValueError as error:
        return str(error)
    return ""


def begin(page: str, all_pages: Sequence[Page]) -> None:
    """Fill the session for this run, or leave for the page that belongs to it. Called by app.py only.

    `page` is the URL path of the page; "" for Home.
    """
    session, page, url = st.session_state, page or "home", st.query_params.to_dict()
    session["_pages"] = {each.url_path or "home": each for each in all_pages}
    written = session.setdefault("_urls", deque(maxlen=LATELY))
    if _by_history():
        session["_returned"] = True  # until `returned`: a run that is stopped half-way hands it on to the next
    # A URL that we did not write comes from a link. One that we wrote earlier comes from the back button, or from a
    # browser that had not yet heard of what we have written since: then it says nothing, nor does its page.
    known = any(url == each for _, each in written)
    back = "_returned" in session and (page, url) in written and (page, url) != written[-1]
    linked = not known or back
    if url and known and "_returned" not in session and page != session["_page"]:
        session.setdefault("_wanted", (session["_page"], view()))
    wanted_page, wanted = session.get("_wanted", (page, None))
    if wanted_page != page:
        # With its URL: what a browser tells before it hears of the new page could else pass for a click on a link.
        st.switch_page(pages()[wanted_page], query_params=_address(wanted_page) if wanted is None else wanted)
    _fill(page, url if linked else None, wanted)
    # Not before: any line above may be this run's last, and then the next one has to read URL and view again.
    session["_page"] = page
    if linked:
        _known((page, url), written)
    _known((page, _url(page, session["_kept"])), written)
    session.pop("_wanted", None)


def _fill(page: str, url: Mapping[str, str] | None, wanted: Mapping[str, str] | None) -> None:
    """The values of this run: what a view or, where none is wanted, a link says, and what the session holds else."""
    session = st.session_state
    arrived = session.get("_page") != page
    session["_slot"] = st.container()
    notes = {} if arrived else session.get("_notes", {})
    session["_notes"] = {name: note for name, note in notes.items() if get(name) == note[0]}
    for _, message in session["_notes"].values():
        session["_slot"].warning(message, icon=":material/info:")

    held, kept = session.to_dict(), session.get("_kept", {})  # one look at the session: each costs some microseconds
    values = {}
    for name, key in KEYS.items():
        value = held.get(name, kept.get(name, key.default))
        if wanted is not None and _belongs(name, page):
            value = _read(name, wanted[name]) if name in wanted else key.default
        elif url is not None and name in url:
            value = _read(name, url[name])
        elif url is not None and not arrived and _belongs(name, page) and not key.always:
            value = key.default
        session[name] = values[name] = value  # also keeps values whose widget is not on this page
    session["_kept"] = values


def came_back() -> bool:
    """Whether the browser's back or forward button led here. True once: in the first run that comes to ask."""
    return bool(st.session_state.pop("_returned", False))


def finish() -> None:
    """Write this page's view to the URL. Called by app.py after the page, and by a fragment that changes state."""
    session = st.session_state
    page, held = session["_page"], session.to_dict()
    url = _url(page, held)
    session["_kept"] = {name: held[name] for name in KEYS}
    _known((page, url), session["_urls"])
    if url != st.query_params.to_dict():
        st.query_params.from_dict(url)
    for listen in session.get("_listeners", {}).values():
        listen(page, url)


def listen(who: str, told: Callable[[str, dict[str, str]], None] | None) -> None:
    """Have `told` called with page and URL values whenever a view has been written; None: no more."""
    listeners = st.session_state.setdefault("_listeners", {})
    listeners.pop(who, None)
    if told is not None:
        listeners[who] = told


def _known(address: Address, written: deque[Address]) -> None:
    """The address is the one that the session has read or written last."""
    if not written or address != written[-1]:
        written.append(address)


def _by_history() -> bool:
    """Whether the browser's back or forward button asked for this run."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def _belongs(name: str, page: str) -> bool:
    return "_" not in name or name.startswith(f"{page}_")


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (tuple, list)):
        return ",".join(str(member) for member in value)
    return "" if value is None else str(value)


def _read(name: str, text: str) -> Any:
    """The value that a URL gives to a key, or the default and a note."""
    key = KEYS[name]
    try:
        return _parsed(key, text)
    except ValueError as error:
        st.session_state[name] = key.default
        chosen_by_page = key.default in ("", (), -1, -2)  # "as the page likes"
        shown = "The default is shown." if chosen_by_page else f"Shown: {_quoted(_written(key.default))}."
        say(name, f"The link asks for {markdown_text(name)} = {_quoted(text)}, but {error}. {shown}")
        return key.default


def _parsed(key: Key, text: str) -> Any:
    kind = type(key.default)
    if kind is bool:
        if text not in ("yes", "no"):
            raise ValueError("it can only be yes or no")
        return text == "yes"
    if kind is tuple:
        return tuple(_parsed(Key(0, low=key.low, high=key.high), part) for part in text.split(",") if part)
    if kind is str:
        if key.choices and text not in key.choices:
            raise ValueError("it can only be " + ", ".join(choice for choice in key.choices if choice))
        if len(text) > key.max_characters:
            raise ValueError(f"it has {len(text):,} characters and at most {key.max_characters:,} are read")
        return text
    try:
        value = kind(text)
    except ValueError:
        raise ValueError("it is not a whole number" if kind is int else "it is not a number") from None
    if not key.low <= value <= key.high:  # also false for nan
        raise ValueError(f"it must {_bounds(key)}")
    return value


def _bounds(key: Key) -> str:
    if math.isinf(key.low) and math.isinf(key.high):
        return "be finite"
    if math.isinf(key.high):
        return f"be at least {key.low:g}"
    return f"lie between {key.low:g} and {key.high:g}"


def _quoted(text: str) -> str:
    return f"“{markdown_text(shorten(text, 60))}”"
