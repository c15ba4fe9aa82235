"""Follow a lecture: type its code or open its link, and this browser goes where the presenter goes."""

from __future__ import annotations

import streamlit as st

from pages.shared.elements import layout
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.teach.presenting import my_room
from pages.teach.presenting.my_room import RoomSession
from pages.teach.rooms.room import HUB, RoomAwaited, RoomError
from viz.shared.style import markdown_text


def main() -> None:
    layout.begin("Follow a lecture", "Your browser goes where the presenter goes, until you say otherwise.", depths=())
    session = of_session(RoomSession)
    key = state.get("follow_key")
    if key:
        state.put(follow_key="")  # Take the key out of the address, so that a copied link is without it.
        _enter(key)
    following = session.followed
    if following:
        _show_presenter(following)
    with st.form("join", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Code of the lecture", key="join code", max_chars=12, placeholder="six letters and digits")
        st.form_submit_button("Follow", icon=":material/login:", type="primary", on_click=_join)
    if session.code_refused:
        st.error(markdown_text(session.code_refused), icon=":material/error:")
        session.code_refused = ""
    layout.caption(
        "The code is on the presenter's screen. Nothing about you is stored: the presenter sees only how many follow."
    )


def _show_presenter(key: str) -> None:
    try:
        presenter = HUB.presenter(key)
    except RoomAwaited as wait:
        st.info(markdown_text(str(wait)), icon=":material/school:")
    except RoomError as error:
        my_room.stop_following()
        st.error(markdown_text(str(error)), icon=":material/error:")
    else:
        st.success(f"You follow {markdown_text(presenter)}. The next view comes by itself.", icon=":material/school:")


def _join() -> None:
    """This must be the button's callback. The button's value is lost if another message of the browser ends the run."""
    try:
        my_room.follow(my_room.admit(st.session_state["join code"]))
    except RoomError as error:
        of_session(RoomSession).code_refused = str(error)


def _enter(key: str) -> None:
    try:
        my_room.follow(key)
    except RoomError as error:
        of_session(RoomSession).code_refused = str(error)
    else:
        st.rerun()


main()
