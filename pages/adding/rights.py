"""Who may add which models: the setting `GLASSFORMER_MODELS_ALLOWED`, and where a visitor is.

Unset, a browser on the machine of the app may add any model, and nobody else may. `*` allows every model of the hub to
everybody; a list with commas the models that it names, with `*` and `?` as in names of files; an empty text none.
Folders and GGUF files are for browsers on this machine alone. Where presenters sign in (`GLASSFORMER_PRESENTERS`), only
they may add models.
"""

from __future__ import annotations

import os
import re
from fnmatch import fnmatchcase
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

from model.errors import GlassformerError
from model.zoo.hub_names import read_name
from pages.teach.presenting import presenters
from pages.teach.presenting.presenters import Standing

ALLOWED = "GLASSFORMER_MODELS_ALLOWED"
EVERY = "*"
ENTRY = re.compile(r"[A-Za-z0-9*?][A-Za-z0-9._*?-]*/[A-Za-z0-9*?][A-Za-z0-9._*?-]*")
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")  # headers that proxies add


class ModelsSettingError(GlassformerError):
    """`GLASSFORMER_MODELS_ALLOWED` names models in an impossible way."""


class NotAllowed(GlassformerError):
    """This visitor may not add this model."""


def check_settings() -> None:
    """Raises `ModelsSettingError` if the setting is impossible."""
    allowed()


def allowed() -> tuple[str, ...] | None:
    """The names and patterns of the setting, in lower case; None where it is unset. Raises `ModelsSettingError`."""
    text = os.environ.get(ALLOWED)
    if text is None:
        return None
    found = [entry.strip() for entry in text.split(",") if entry.strip()]
    for entry in found:
        if entry != EVERY and not ENTRY.fullmatch(entry):
            raise ModelsSettingError(
                f"{ALLOWED} names {entry!r}. Write names of the hub with commas between them, such as "
                "openai-community/gpt2, EleutherAI/pythia-*; or * for every model; or nothing for none."
            )
    return tuple(entry.lower() for entry in found)


def is_off() -> bool:
    """Whether nobody at all may add models here, so that the page need not offer it."""
    return allowed() == ()


def standing() -> Standing:
    """Whether the account of this visitor may add models, where presenters must sign in."""
    return presenters.standing()


def check(text: str) -> None:
    """Raises `NotAllowed` unless this visitor may add the model of that name or path, `UnknownModel` for neither."""
    check_visitor()
    name = read_name(text)
    if isinstance(name, Path):
        if not is_on_this_machine():
            raise NotAllowed("Folders and files are added only by a browser on the machine where the app runs.")
        return
    patterns, repository = allowed(), name.repository.lower()
    if patterns is not None and not any(fnmatchcase(repository, each) for each in patterns):
        listed = ", ".join(patterns[:8])
        raise NotAllowed(f"This server does not add {name.repository}. It adds: {listed}.")


def check_visitor() -> None:
    """Raises `NotAllowed` unless this visitor may add some model."""
    if is_off():
        raise NotAllowed("Adding models is switched off on this server.")
    if (found := standing()) is not Standing.ALLOWED:
        raise NotAllowed(SIGN_IN_WORDS[found])
    if allowed() is None and not is_on_this_machine():
        raise NotAllowed(
            "On this server, models are added by whoever runs it: python -m model add NAME, or the setting "
            f"{ALLOWED}, which says what visitors may add."
        )


SIGN_IN_WORDS = {
    Standing.NOT_SIGNED_IN: "Sign in to add a model.",
    Standing.NOT_LISTED: "Your account may not add models on this server. Ask whoever runs it.",
    Standing.NOT_CONFIGURED: "Nobody can add a model: presenters are asked to sign in, but sign-in is not configured.",
}


def may_remove() -> bool:
    """Whether this visitor may remove a model for everybody: on this machine, or as one who is named."""
    if is_off() or standing() is not Standing.ALLOWED:
        return False
    return is_on_this_machine() or bool(presenters.entries())


def is_on_this_machine() -> bool:
    """Whether the visitor's browser is on the machine of the app, as far as nothing says otherwise.

    A server that was told an address which others reach faces others. A visitor of a proxy has another address, a
    header of the proxy, or an address of the page (`Origin`) that is not of this machine.
    """
    if not is_loopback(st.get_option("server.address") or "localhost"):
        return False
    if not is_loopback(st.context.ip_address or "localhost"):
        return False
    headers = st.context.headers
    if any(headers.get(name) for name in FORWARDED):
        return False
    return is_loopback(urlsplit(headers.get("Origin") or "").hostname or "")


def is_loopback(host: str) -> bool:
    """Whether a name or an address is that of the machine itself."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
