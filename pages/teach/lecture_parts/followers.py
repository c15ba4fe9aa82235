"""The presenter's room: its code, its QR code, and the button that closes it."""

from __future__ import annotations

from io import BytesIO

import segno
import streamlit as st

from pages.shared.elements import fragments, layout
from pages.shared.server import presenters
from pages.shared.server.presenters import SignInError, Standing
from pages.shared.server.session_values import of_session
from pages.teach.presenting import class_address, left_room, my_room
from pages.teach.presenting.class_address import host_of
from pages.teach.presenting.left_room import LeftRoom
from pages.teach.presenting.my_room import RoomSession
from pages.teach.rooms.room import HUB, MAX_NAME_CHARACTERS, OpenedRoom, RoomError
from viz.shared.style import count_noun, markdown_text


def show() -> None:
    room = my_room.room()
    if room is None:
        _offer()
    else:
        _show_room(room)


def _offer() -> None:
    layout.caption(
        "Students' browsers go where yours goes: page, model, sentence, layer, head, chosen cell. They can explore on "
        "their own and come back. Nothing about them is stored."
    )
    session = of_session(RoomSession)
    standing, error = presenters.standing(), session.refused
    session.refused = ""
    if standing is Standing.ALLOWED:
        if (left := left_room.find()) is not None:
            _offer_left_room(left)
        _offer_room()
    elif standing is Standing.NOT_SIGNED_IN:
        st.button(
            "Sign in to open a room",
            icon=":material/login:",
            on_click=_sign_in,
            help="Then you come back to Home. Your lecture is kept.",
        )
    else:
        error = standing.value
    if presenters.is_signed_in():
        st.button("Sign out", icon=":material/logout:", type="tertiary", on_click=st.logout)
    if error:
        st.error(markdown_text(error), icon=":material/error:")


def _offer_room() -> None:
    with st.form("open room", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Your name, as the class sees it", key="presenter name", max_chars=MAX_NAME_CHARACTERS)
        st.form_submit_button("Open to the class", icon=":material/cast_for_education:", on_click=_open)


def _offer_left_room(left: LeftRoom) -> None:
    """The room of another window of this browser."""
    code = f" with the code **{left.code}**" if left.code else ""
    window = "another window" if left.is_presented else "a window that is closed"
    follow = f" {count_noun(left.followers, 'browser follows', 'browsers follow')} it." if left.followers else ""
    st.info(f"This browser has a room open{code}, of {window}.{follow}", icon=":material/cast_for_education:")
    with st.container(horizontal=True):
        st.button("Take it back", key="take room back", icon=":material/undo:", type="primary", on_click=_take_back)
        st.button("Close it", key="close left room", icon=":material/stop_circle:", on_click=left_room.close)


def _take_back() -> None:
    try:
        left_room.take_back()
    except RoomError as error:
        of_session(RoomSession).refused = str(error)


def _open() -> None:
    """This must be the button's callback. The button's value is lost if another message of the browser ends the run."""
    try:
        of_session(RoomSession).presenter = st.session_state["presenter name"]
        my_room.open_room(st.session_state["presenter name"])
    except RoomError as error:
        of_session(RoomSession).refused = str(error)


def _sign_in() -> None:
    try:
        presenters.sign_in()
    except SignInError as error:
        of_session(RoomSession).refused = str(error)


def _show_room(room: OpenedRoom) -> None:
    st.session_state.setdefault("class address", class_address.address())
    st.text_input(
        "Students reach this app at",
        key="class address",
        max_chars=class_address.MAX_CHARACTERS,
        on_change=_keep_address,
        help="The address of this computer in the network of the class. The join slide (J, while presenting) shows it.",
    )
    address = st.session_state["class address"].rstrip("/")
    host = host_of(address)
    if fault := class_address.find_fault(address):
        (st.error if host is None else st.warning)(fault, icon=":material/error:")
    left, right = st.columns([1, 2], vertical_alignment="center")
    with left:
        if host is not None:
            st.image(_qr(class_address.link_of(address, room)), width=260, caption="Scan to follow")
    with right:
        place = f"**{markdown_text(address)}/follow**" if host is not None else "the page “Follow a lecture”"
        st.markdown(f"Open {place} and type")
        st.container(key="room-code").markdown(room.code)
        fragments.alone(_count, every=5)(room.token)
        with st.container(horizontal=True):
            st.button("Close to the class", icon=":material/stop_circle:", on_click=my_room.close_room)
    layout.caption(
        "The class goes where you go, presenting or not; while you are on this page it stays where it was. The code "
        "only lets follow; what steers is kept by this browser, over a reload and a restart of the app too. If you "
        "close this window by mistake, take the room back here in another one. The room ends when you close it, two "
        "hours after you have left, or after twelve hours. On a computer that others use, close it when you go."
    )


def _keep_address() -> None:
    class_address.keep(st.session_state["class address"])


def _count(token: str) -> None:
    """The number of followers. Only the presenter's own window shows it."""
    try:
        count = HUB.followers(token)
    except RoomError:
        count = 0
    st.markdown(f"**{count}** {'follows' if count == 1 else 'follow'} now")


def _qr(link: str) -> str:
    """The link as a QR code, an SVG. It is black on white in both themes, since phones read that best."""
    file = BytesIO()
    segno.make(link, error="m").save(file, kind="svg", scale=8, border=3, light="#fff")
    return file.getvalue().decode()
