"""Who may add which models: the setting `GLASSFORMER_MODELS_ALLOWED`, and whether a browser is local.

Local is a browser that was opened with the token of the start (`pages.adding.local_token`). Unset, it may add any
model, and nobody else may. `*` allows every model of the hub to everybody; a list with commas the models that it names,
with `*` and `?` as in names of files; an empty text none. Folders and GGUF files are for local browsers alone; no other
hears whether one is there. Where presenters sign in (`GLASSFORMER_PRESENTERS`), only they may add models.
"""

from __future__ import annotations

import os
import re
from fnmatch import fnmatchcase
from pathlib import Path

from model.errors import GlassformerError
from model.zoo.hub_names import read_name
from pages.adding import local_token
from pages.adding.local_token import PATH, is_local, token
from pages.shared.server import presenters
from pages.shared.server.presenters import Standing

ALLOWED = "GLASSFORMER_MODELS_ALLOWED"
EVERY = "*"
ENTRY = re.compile(r"[A-Za-z0-9*?][A-Za-z0-9._*?-]*/[A-Za-z0-9*?][A-Za-z0-9._*?-]*")


class ModelsSettingError(GlassformerError):
    """`GLASSFORMER_MODELS_ALLOWED` names models in an impossible way."""


class NotAllowed(GlassformerError):
    """This visitor may not add this model."""


def check_settings() -> None:
    """Raises `ModelsSettingError` or `TokenSettingError` if a setting is impossible."""
    allowed()
    local_token.check_settings()


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
        if not is_local():
            raise NotAllowed(f"Folders and files are added only by whoever runs this server{_how_to_be_local()}.")
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
    if allowed() is None and not is_local():
        raise NotAllowed(
            f"On this server, models are added by whoever runs it{_how_to_be_local()}; or by "
            f"python -m glassformer add NAME. The setting {ALLOWED} says what visitors may add."
        )


def _how_to_be_local() -> str:
    """What whoever runs this server does in this browser; "" where nobody is local."""
    return f": open the address that the start printed, which has {PATH}?token= in it" if token() else ""


SIGN_IN_WORDS = {
    Standing.NOT_SIGNED_IN: "Sign in to add a model.",
    Standing.NOT_LISTED: "Your account may not add models on this server. Ask whoever runs it.",
    Standing.NOT_CONFIGURED: "Nobody can add a model: presenters are asked to sign in, but sign-in is not configured.",
}


def may_remove() -> bool:
    """Whether this visitor may remove a model for everybody: as a local one, or as one who is named."""
    if is_off() or standing() is not Standing.ALLOWED:
        return False
    return is_local() or bool(presenters.entries())
