"""The errors of `huggingface_hub` as one message each, which says what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from huggingface_hub import constants
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    HTTPError,
    LocalEntryNotFoundError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from model.errors import GlassformerError, HubError


class NoConnection(HubError):
    """The hub cannot be reached, or must not be."""


class NoRevision(HubError):
    """The model has no such branch, tag or commit."""


@contextmanager
def told(name: str) -> Iterator[None]:
    """Raises `HubError` for what the library raises inside, in words about the model of that name."""
    repository = name.partition("@")[0]
    try:
        yield
    except GlassformerError:
        raise
    except GatedRepoError as error:
        raise HubError(
            f"{repository} is gated: its owners ask who uses it. Accept their terms at {constants.ENDPOINT}/"
            f"{repository}, make a token in your settings there, set HF_TOKEN to it, and start the app again."
        ) from error
    except RevisionNotFoundError as error:
        raise NoRevision(
            f"{repository} has no revision of the name in {name}. Leave out what is behind the @ for the newest."
        ) from error
    except (RepositoryNotFoundError, HFValidationError) as error:
        raise HubError(
            f"The hub has no model {repository}, or it is private. Look for a mistake in its name; for a private model "
            "set HF_TOKEN, and start the app again."
        ) from error
    except (OfflineModeIsEnabled, LocalEntryNotFoundError) as error:
        raise NoConnection(_say_absent(name)) from error
    except HfHubHTTPError as error:
        status = error.response.status_code
        raise HubError(f"The hub answered {status} for {name}. Try again in some minutes.") from error
    except HTTPError as error:
        raise NoConnection(_say_absent(name)) from error


def _say_absent(name: str) -> str:
    if constants.is_offline_mode():
        return f"{name} is not in the cache, and HF_HUB_OFFLINE forbids to ask the hub. Unset it to download."
    return (
        f"The hub at {constants.ENDPOINT} does not answer, and {name} is not in the cache. Is this machine connected? "
        "Behind a proxy set HTTPS_PROXY; for a mirror set HF_ENDPOINT."
    )
