"""Whatever goes wrong between the app and the hub, as one message each, which says what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from huggingface_hub import constants
from huggingface_hub.errors import HTTPError, OfflineModeIsEnabled

from model.adding.asking import Refused, WrongAnswer
from model.errors import GlassformerError, HubError


class NoConnection(HubError):
    """The hub cannot be reached, or must not be."""


class NoRevision(HubError):
    """The model has no such branch, tag or commit."""


@contextmanager
def told(name: str) -> Iterator[None]:
    """Raises `HubError` for what `asking` raises inside, in words about the model of that name."""
    repository = name.partition("@")[0]
    try:
        yield
    except GlassformerError:
        raise
    except Refused as error:
        raise _say_refused(error, name, repository) from error
    except WrongAnswer as error:
        raise HubError(
            f"The hub at {constants.ENDPOINT} gives an answer for {name} that cannot be right: {error}. It was thrown "
            "away. Try again; if it happens again, look at HF_ENDPOINT, and at what stands between here and the hub."
        ) from error
    except (HTTPError, OfflineModeIsEnabled) as error:
        raise NoConnection(_say_absent(name)) from error


def _say_refused(error: Refused, name: str, repository: str) -> HubError:
    if error.code == "GatedRepo":
        return HubError(
            f"{repository} is gated: its owners ask who uses it. Accept their terms at {constants.ENDPOINT}/"
            f"{repository}, make a token in your settings there, set HF_TOKEN to it, and start the app again."
        )
    if error.code == "RevisionNotFound":
        return NoRevision(
            f"{repository} has no revision of the name in {name}. Leave out what is after the @ for the newest."
        )
    if error.code == "RepoNotFound" or error.status == 401:
        return HubError(
            f"The hub has no model {repository}, or it is private. Look for a mistake in its name; for a private model "
            "set HF_TOKEN, and start the app again."
        )
    return HubError(f"The hub answered {error.status} for {name}. Try again in some minutes.")


def _say_absent(name: str) -> str:
    if constants.is_offline_mode():
        return f"{name} is not in the cache, and HF_HUB_OFFLINE forbids to ask the hub. Unset it to download."
    return (
        f"The hub at {constants.ENDPOINT} does not answer, and {name} is not in the cache. Is this machine connected? "
        "Behind a proxy set HTTPS_PROXY; for a mirror set HF_ENDPOINT."
    )
