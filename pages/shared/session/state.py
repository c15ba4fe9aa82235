"""The state of a view, in the session and in the URL: the values of the keys in `keys.KEYS`.

How a page uses it:

    layer = state.checked_number("layer", 0, n_layers - 1, "Layer")     # corrects and reports a value out of range
    st.slider("Layer", 0, n_layers - 1, key="layer")            # plain keyed widget: no value=, no bind=
    state.get("layer")                                          # read it anywhere
    st.button("Look at layer 9", on_click=state.put, kwargs={"layer": 9})   # set it in a callback

`begin` fills the session from the URL before a page runs, and `finish` writes the URL after it. So any view can be sent
as a link. Values stay while the reader is on another page. An impossible value in a URL is replaced by the default, and
the page says so. Several pages share some keys (`Key.pages`): what the reader chose on another page and this page lacks
is replaced without a word (`substitutes`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import Page

from pages.shared.server import session_values
from pages.shared.server.private_parts import runs
from pages.shared.server.session_values import of_session
from pages.shared.session import substitutes
from pages.shared.session.characters import REPLACEMENT, replace_halves
from pages.shared.session.key_texts import parse, to_text
from pages.shared.session.key_titles import title_of, value_title
from pages.shared.session.keys import KEYS, MODEL_PLACES, SHARED_PLACES, TOKENS, WINDOWS, belongs
from pages.shared.session.old_names import rename
from pages.shared.session.substitutes import Substitute
from pages.shared.session.view_session import Address, Listener, Places, ViewSession
from viz.shared.style import Theme, markdown_text
from viz.shared.tokens import shorten

SENTENCE = ("model", "text", "turns", "target")  # what tokens belong to
SUBSTITUTED = (*substitutes.RUN, *SHARED_PLACES)  # of which a page may show another value than the reader has chosen


def get(name: str) -> Any:
    """The present value of a key of the table. KeyError for a name that is not in it."""
    return session_values.values().get(name, KEYS[name].default)


def put(**values: Any) -> None:
    """Set keys of the table. Call it in a widget's callback, or before the widget of that key is drawn.

    A sentence takes the place of a conversation.
    """
    values = {"turns": ""} | values if "text" in values else values
    for name, value in values.items():
        if name not in KEYS:
            raise KeyError(f"{name} is not in the table of pages/shared/session/keys.py.")
        session_values.values()[name] = value
    substitutes.forget(values)
    if not values.keys().isdisjoint(TOKENS):
        of_session(ViewSession).tokens_put = True  # until the next run begins, or this one has ended


def forget_places() -> None:
    """Tokens and parts chosen in one model mean nothing in another: back to their defaults.

    The attention, layer and head that the reader has chosen stay. A page that lacks them shows the nearest.
    """
    names = (*TOKENS, *WINDOWS, *(name for name in KEYS if name.endswith(MODEL_PLACES)))
    chosen = {name: substitutes.choice_of(name) for name in SHARED_PLACES if name not in TOKENS}
    put(**{name: KEYS[name].default for name in names}, **chosen)


def theme() -> Theme:
    """The theme that the reader's browser shows; the light one of paper where there is no reader."""
    return "dark" if not session_values.is_apart() and st.context.theme.type == "dark" else "light"


def is_linked(name: str) -> bool:
    """Whether the address of the page has a value for a key."""
    return name in (of_session(ViewSession).values if session_values.is_apart() else st.query_params)


def checked_number(name: str, low: float, high: float, what: str) -> Any:
    """The value of a number key, if it lies in `low`..`high`. Otherwise the nearest end, with a note on the page.

    `what` is the reader's name for the key: "Layer", "Head". There is no note for the default of the table, which may
    mean "the page chooses", nor where it `is_carried_over`.
    """
    value = get(name)
    if low <= value <= high:
        return value
    nearest = type(KEYS[name].default)(low if value < low else high)
    if _replace(name, nearest):
        say(name, f"{what} {value} does not exist here: it can be {low} to {high}. Shown: {nearest}.")
    return nearest


def checked_choice(name: str, choices: Sequence[str], what: str, fallback: str) -> str:
    """The value of a str key, if it is one of `choices`. Otherwise `fallback`, with a note on the page.

    There is no note for the default of the table, which may mean "the page chooses", nor where it `is_carried_over`.
    """
    value = get(name)
    if value in choices:
        return value
    if _replace(name, fallback):
        shown = f" Shown: {_quote(value_title(fallback))}." if fallback else ""
        say(name, f"{what} {_quote(value_title(value))} does not exist here.{shown}")
    return fallback


def _replace(name: str, value: Any) -> bool:
    """Set a key to a value that is possible here. Returns whether the reader asked for another one."""
    asked = get(name) != KEYS[name].default and not is_carried_over(name)
    if KEYS[name].pages and not asked:
        substitutes.show_instead(name, value)
    else:
        put(**{name: value})
    return asked


def is_carried_over(name: str) -> bool:
    """Whether a shared key has its value from another page, or from before the sentence was changed."""
    values = of_session(ViewSession).carried_over
    return name in values and values[name] == get(name)


def say(name: str, message: str) -> None:
    """Show a note above the page. It stays until the key changes or the reader goes to another page.

    `message` is Markdown: user text in it must have gone through `viz.shared.style.markdown_text`.
    """
    session = of_session(ViewSession)
    session.notes[name] = (get(name), message)
    if session.slot is not None:
        session.slot.warning(message, icon=":material/info:")


def message_slot() -> DeltaGenerator | None:
    """The place above the page for messages; None before there is one."""
    return of_session(ViewSession).slot


def pages() -> dict[str, Page]:
    """The pages that exist, by URL path, Home as "home"."""
    return of_session(ViewSession).pages


def page() -> str:
    """The URL path of the page that this run shows, Home as "home"; "" before the session has one."""
    return of_session(ViewSession).page


def view() -> dict[str, str]:
    """The URL of the present view: the values of its page that are not the defaults, as text."""
    return _url_of(page())


def choices() -> dict[str, str]:
    """What the reader has chosen on all pages, as text: the keys of several pages, without their defaults."""
    values = {name: substitutes.choice_of(name) for name in KEYS if "_" not in name}
    return without_defaults(as_text(values))


def _url_of(page: str) -> dict[str, str]:
    read = get if page == of_session(ViewSession).page else substitutes.choice_of
    return _values_for_url(page, {name: read(name) for name in KEYS if belongs(name, page)})


def _values_for_url(page: str, values: Mapping[str, Any]) -> dict[str, str]:
    own = {name: values[name] for name in KEYS if name in values and belongs(name, page)}
    return {name: to_text(value) for name, value in own.items() if KEYS[name].always or value != KEYS[name].default}


def show(page: str, values: Mapping[str, str]) -> None:
    """Go to a view with the next run, as a link does. Keys that are not in `values` get their defaults.

    Raises KeyError for a page that does not exist.
    """
    path = pages()[page].url_path or "home"
    of_session(ViewSession).wanted = (path, rename(path, values))


def go(page: str, **values: Any) -> None:
    """Go to a page with the next run, and set keys. All other keys keep their values. For callbacks.

    Raises KeyError for a page that does not exist.
    """
    put(**values)
    of_session(ViewSession).wanted = (pages()[page].url_path or "home", None)


def as_text(values: Mapping[str, Any]) -> dict[str, str]:
    """Values as text, as in a URL, for `show`."""
    return {name: to_text(value) for name, value in values.items()}


def without_defaults(values: Mapping[str, str]) -> dict[str, str]:
    """The values of a view that its URL contains: not the defaults."""
    return {
        name: value
        for name, value in values.items()
        if name in KEYS and (KEYS[name].always or value != to_text(KEYS[name].default))
    }


def begin(page: str, all_pages: Sequence[Page]) -> None:
    """Fill the session for this run, or go to the page that the session wants. Only app.py calls it.

    `page` is the URL path of the page; "" for Home.
    """
    session, page, url = of_session(ViewSession), page or "home", st.query_params.to_dict()
    session.places = Places()
    session.pages = {each.url_path or "home": each for each in all_pages}
    written = session.written
    if _is_history_navigation():
        session.returned = True  # until `came_back`, so that a run that is stopped half-way hands it on
    # The session did not write this URL: it comes from a link. The session wrote it earlier: it comes from the back
    # button, or from a browser that has not yet heard of later URLs. In the last case, ignore the URL and its page.
    known = any(url == each for _, each in written)
    back = session.returned and (page, url) in written and (page, url) != written[-1]
    linked = not known or back
    if url and known and not session.returned and page != session.page:
        session.wanted = session.wanted or (session.page, view())
    wanted_page, wanted = session.wanted or (page, None)
    if wanted_page != page:
        # Switch with the URL of that view. Otherwise a late message of the browser could pass for a click on a link.
        st.switch_page(pages()[wanted_page], query_params=_url_of(wanted_page) if wanted is None else dict(wanted))
    restored = _substitutes_at((page, url)) if back else {}
    _fill(page, rename(page, url) if linked else None, wanted, restored)
    # Set the page only here. Any line above may be the last of this run; the next run then reads URL and view again.
    session.page = page
    if linked:
        _remember((page, url), written)
    _remember((page, _values_for_url(page, session.values)), written)
    session.wanted = None


def _substitutes_at(address: Address) -> dict[str, Substitute]:
    """What the page of an earlier address showed in the place of the reader's model and sentence."""
    substituted = of_session(ViewSession).substituted
    return next((each for earlier, each in reversed(substituted) if earlier == address), {})


def _fill(
    page: str, url: Mapping[str, str] | None, wanted: Mapping[str, str] | None, restored: Mapping[str, Substitute]
) -> None:
    """The values of this run: from the wanted view, else from the link (`url`), else from the session.

    `restored`: the substitutes that were shown when the view of the link was left. They are no choices now.
    """
    session = of_session(ViewSession)
    arrived = session.page != page
    session.slot = st.container(key="message-slot")
    notes = {} if arrived else session.notes
    session.notes = {name: note for name, note in notes.items() if get(name) == note[0]}
    for _, message in session.notes.values():
        session.slot.warning(message, icon=":material/info:")

    kept = session.values
    current = {**kept, **st.session_state.to_dict()}  # one copy, since each look at the session is slow
    if arrived:
        current |= substitutes.leave_page(current)
    link = (url if wanted is None else wanted) or {}
    other_model = "model" in link and link["model"] != kept.get("model")
    is_own_link = session.wanted == (page, None)  # of `go`
    values, carried = {}, []
    for name, key in KEYS.items():
        value = current.get(name, key.default)
        if wanted is not None and belongs(name, page):
            value = _read_value(name, wanted[name]) if name in wanted else key.default
        elif name in restored:
            value = restored[name].shown
            substitutes.restore(name, restored[name])
            carried.append(name)
        elif url is not None and name in url:
            value = _read_value(name, url[name])
            carried += [name] * is_own_link
        elif (other_model and key.pages) or (
            url is not None and not arrived and belongs(name, page) and not key.always
        ):
            value = key.default
        else:
            carried.append(name)
        st.session_state[name] = values[name] = value  # also for a key without a widget on this page
    substitutes.forget(name for name in SUBSTITUTED if name not in carried)
    substitutes.forget_outdated()
    _forget_tokens_of_another_sentence(carried, values)
    _note_carried_over(arrived, {name: values[name] for name in carried if KEYS[name].pages}, values)
    session.values = values


def _forget_tokens_of_another_sentence(carried: Sequence[str], values: dict[str, Any]) -> None:
    """A token is one of its sentence. With another sentence the choice is open, unless the token is chosen with it."""
    session = of_session(ViewSession)
    now = _sentence(values)
    is_chosen = session.tokens_put or any(name not in carried for name in TOKENS)
    session.tokens_put = False
    if session.sentence not in (None, now) and not is_chosen:
        open_again = {name: KEYS[name].default for name in (*TOKENS, "tokens_place")}
        put(**open_again)
        values |= open_again


def _sentence(values: Mapping[str, Any]) -> tuple[Any, ...]:
    """What the reader's tokens belong to."""
    return tuple(substitutes.choice_behind(name, values[name]) for name in SENTENCE)


def _note_carried_over(arrived: bool, carried: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    """Note the shared keys that nobody has set since another page, model or sentence was on screen.

    `carried` are those that no link has set in this run, `values` all keys.
    """
    session = of_session(ViewSession)
    before, earlier = session.values, session.carried_over
    if arrived:
        session.carried_over = dict(carried) if before else {}
        return
    if any(values[name] != before.get(name) for name in SENTENCE):
        earlier = before
    session.carried_over = {name: value for name, value in carried.items() if earlier.get(name) == value}


def came_back() -> bool:
    """Whether the browser's back or forward button led here. It is True only for the first call."""
    session = of_session(ViewSession)
    returned, session.returned = session.returned, False
    return returned


def finish() -> None:
    """Write this page's view to the URL. app.py calls it after the page; a fragment that changes state calls it too."""
    session = of_session(ViewSession)
    page, current = session.page, st.session_state.to_dict()
    url = _values_for_url(page, current)
    session.values = {name: current[name] for name in KEYS}
    session.sentence = _sentence(session.values)
    session.tokens_put = False
    if of_run := {name: each for name, each in substitutes.current().items() if name in substitutes.RUN}:
        session.substituted.append(((page, url), of_run))
    _remember((page, url), session.written)
    if url != st.query_params.to_dict():
        st.query_params.from_dict(url)
    for listen in session.listeners.values():
        listen(page, url)


def listen(name: str, callback: Listener | None) -> None:
    """Call `callback` with page and URL values whenever a view has been written. None ends the calls of that name."""
    listeners = of_session(ViewSession).listeners
    listeners.pop(name, None)
    if callback is not None:
        listeners[name] = callback


def _remember(address: Address, written: deque[Address]) -> None:
    """Remember an address as the last one that the session has read or written."""
    if not written or address != written[-1]:
        written.append(address)


def _is_history_navigation() -> bool:
    """Whether the browser's back or forward button asked for this run."""
    return runs.is_history_navigation()


def _read_value(name: str, text: str) -> Any:
    """The value that a URL gives to a key, or the default with a note on the page."""
    key = KEYS[name]
    whole = replace_halves(text)
    try:
        value = parse(key, whole)
        if whole != text:
            st.session_state[name] = value
            say(
                name,
                f"The {title_of(name)} of the link has halves of characters. {REPLACEMENT} stands for each of them.",
            )
        return value
    except ValueError as error:
        st.session_state[name] = key.default
        chosen_by_page = key.default in ("", (), -1, -2)
        shown = "The default is shown." if chosen_by_page else f"Shown: {_quote(to_text(key.default))}."
        say(name, f"The link asks for the {title_of(name)} {_quote(whole)}, but {error}. {shown}")
        return key.default


def _quote(text: str) -> str:
    return f"“{markdown_text(shorten(text, 60))}”"
