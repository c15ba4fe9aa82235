"""Who may open a room to a class: the setting `GLASSFORMER_PRESENTERS`, and who this visitor is.

Unset, anybody may. "signed-in" admits whoever has signed in. A list with commas admits the addresses that it names, and
with `*@university.example` all of that domain. A subdomain is a domain of its own.

Streamlit signs visitors in by OpenID Connect, with the provider of [auth] in .streamlit/secrets.toml. It tells the
claims of the provider's identity token. Sources: https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims,
https://docs.streamlit.io/develop/concepts/connections/authentication
"""

from __future__ import annotations

import os
import re
from enum import Enum
from importlib.util import find_spec

import streamlit as st
from streamlit.errors import StreamlitAuthError

from model.errors import GlassformerError

PRESENTERS = "GLASSFORMER_PRESENTERS"
SIGNED_IN = "signed-in"
LOCAL = r"[a-z0-9!#$%&'+/=?^_`{|}~.-]+"  # the characters of RFC 5322 before the @, without the asterisk
DOMAIN = r"[a-z0-9-]+(\.[a-z0-9-]+)+"
ADDRESS = re.compile(rf"{LOCAL}@{DOMAIN}")
ENTRY = re.compile(rf"(\*|{LOCAL})@{DOMAIN}")


class PresenterSettingError(GlassformerError):
    """`GLASSFORMER_PRESENTERS` names somebody in an impossible way."""


class SignInError(GlassformerError):
    """Nobody can sign in here. The text says what the server lacks."""


class Standing(Enum):
    """Whether this visitor may open a room. The value says why not, and what to do."""

    ALLOWED = ""
    NOT_SIGNED_IN = "Sign in to open a room."
    NOT_LISTED = (
        "Your account may not open a room on this server. Sign out and take another one, or ask whoever runs the "
        "server."
    )
    NOT_CONFIGURED = (
        f"Nobody can open a room: {PRESENTERS} asks presenters to sign in, but sign-in is not configured. Whoever runs "
        'this server needs the section [auth] in .streamlit/secrets.toml and the packages of "streamlit[auth]", as the '
        "docs/running.md says."
    )


def check_settings() -> None:
    """Raises `PresenterSettingError` if the setting is impossible."""
    entries()


def entries() -> frozenset[str]:
    """The entries of the setting, in lower case. None of them: anybody may present. Raises `PresenterSettingError`."""
    text = os.environ.get(PRESENTERS, "").strip()
    if not text:
        return frozenset()
    if text == SIGNED_IN:
        return frozenset((SIGNED_IN,))
    found = [entry.strip() for entry in text.split(",")]
    for entry in found:
        # Some letters beyond ASCII become ASCII in lower case, such as the sign for kelvin.
        if not entry.isascii() or not ENTRY.fullmatch(entry.lower()):
            raise PresenterSettingError(
                f"{PRESENTERS} names {entry!r}. Write {SIGNED_IN}, or addresses with commas between them, such as "
                "anna@university.example, *@school.example"
            )
    return frozenset(entry.lower() for entry in found)


def standing() -> Standing:
    """Whether this visitor may open a room. Raises `PresenterSettingError`."""
    allowed = entries()
    if not allowed:
        return Standing.ALLOWED
    if is_signed_in():
        is_allowed = SIGNED_IN in allowed or is_listed(verified_address(), allowed)
        return Standing.ALLOWED if is_allowed else Standing.NOT_LISTED
    # Streamlit knows this entry where [auth] is configured, and nowhere else.
    is_configured = "is_logged_in" in st.user and find_spec("authlib") is not None
    return Standing.NOT_SIGNED_IN if is_configured else Standing.NOT_CONFIGURED


def is_signed_in() -> bool:
    return st.user.get("is_logged_in") is True


def verified_address() -> object:
    """The visitor's e-mail address, or None if the provider says that it is not verified.

    Some providers verify all addresses and do not say so. Some say it as a text.
    """
    return st.user.get("email") if st.user.get("email_verified", True) in (True, "true") else None


def is_listed(address: object, allowed: frozenset[str]) -> bool:
    """Whether the setting's entries admit an address. It comes from a provider, so it may be anything."""
    if not isinstance(address, str) or not address.isascii() or not ADDRESS.fullmatch(address.lower()):
        return False
    local, _, domain = address.lower().partition("@")
    return f"{local}@{domain}" in allowed or f"*@{domain}" in allowed


def sign_in() -> None:
    """Lead the browser to the provider, which leads it back to Home. Raises `SignInError` if [auth] lacks something."""
    try:
        st.login()
    except StreamlitAuthError as error:
        raise SignInError(f"Sign-in is not configured. {error}") from error
