"""How a model that is not bundled is named: by a name of the hub, as people write or paste it, or by a path."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import unquote

from model.errors import UnknownModel

PART = r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}"
FILE = r"[A-Za-z0-9][A-Za-z0-9._-]{0,150}"
REPOSITORY = re.compile(rf"{PART}/{PART}")
COMMIT = re.compile(r"[0-9a-f]{40}")
SHA256 = re.compile(r"[0-9a-f]{64}")
DIGEST = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")  # git's SHA-1 of a small file, or the SHA-256 of a large one
# A name that means one file of a folder on every system. Others, such as those in folders, are never fetched.
FILE_NAME = re.compile(r'[^\x00-\x20\x7f/\\<>:"|?*.][^\x00-\x1f\x7f/\\<>:"|?*]{0,199}')
HUB_NAME = re.compile(rf"({PART}/{PART})(?:@([A-Za-z0-9][A-Za-z0-9._/-]{{0,99}}))?(?::({FILE}))?")
HUB_ADDRESS = re.compile(r"(?:hf://|(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/)(?P<place>[^?#]*)[?#]?.*")
# What a line of code or a command has around a name.
IN_CODE = re.compile(r".*(?:from_pretrained|model_info|snapshot_download)\(\s*([\"'])(?P<name>.+?)\1.*", re.DOTALL)
IN_COMMAND = re.compile(r"(?:ollama (?:run|pull)|(?:huggingface-cli|hf) download|git clone)\s+(?P<name>\S+).*")
OTHER_PLACES = {"datasets": "a data set", "spaces": "an app", "collections": "a collection", "papers": "a paper"}
VIEWS = ("tree", "blob", "resolve", "raw", "commit", "commits")  # pages of a repository that name a revision
VIEW_OF_NAME = re.compile(rf"(?:{PART}/){{1,2}}(?:{'|'.join(VIEWS)})/")
PATH_STARTS = re.compile(r"[/~.\\]|[A-Za-z]:[\\/]")
WINDOWS_PATH = re.compile(r"[\w. -]+(?:\\[\w. -]+)+\\?")
LOCAL_ADDRESS = "file://"
GGUF = ".gguf"
USUAL_TAG = "latest"  # what Ollama writes for no choice
SHORT_COMMIT = 8  # characters of a commit in a card's name
# Models that the hub knew before names had owners. Their names still lead there, by these owners.
FIRST_NAMES = {
    "openai-community": ("gpt2", "gpt2-medium", "gpt2-large", "gpt2-xl"),
    "google-bert": (
        *("bert-base-uncased", "bert-base-cased", "bert-large-uncased", "bert-large-cased", "bert-base-chinese"),
        *("bert-base-multilingual-cased", "bert-base-multilingual-uncased", "bert-base-german-cased"),
        "bert-large-uncased-whole-word-masking-finetuned-squad",
    ),
    "FacebookAI": ("roberta-base", "roberta-large", "roberta-large-mnli", "xlm-roberta-base", "xlm-roberta-large"),
    "distilbert": (
        *("distilgpt2", "distilroberta-base", "distilbert-base-uncased", "distilbert-base-cased"),
        *("distilbert-base-multilingual-cased", "distilbert-base-uncased-finetuned-sst-2-english"),
        *("distilbert-base-uncased-distilled-squad", "distilbert-base-cased-distilled-squad"),
    ),
    "albert": tuple(
        f"albert-{size}-{version}" for size in ("base", "large", "xlarge", "xxlarge") for version in ("v1", "v2")
    ),
    "google-t5": ("t5-small", "t5-base", "t5-large"),
}
OWNERS = {name: owner for owner, names in FIRST_NAMES.items() for name in names}


@dataclass(frozen=True)
class HubName:
    """`owner/name` of a model repository, and a branch, tag or commit of it; "" for its main branch.

    `file` is one of its GGUF files, or the kind of its numbers, as Q4_K_M; "" lets the app choose.
    """

    repository: str
    revision: str = ""
    file: str = ""

    def __str__(self) -> str:
        revision = f"@{self.revision}" if self.revision else ""
        return self.repository + revision + (f":{self.file}" if self.file else "")


def read_name(text: str) -> HubName | Path:
    """The hub name or the path that a text means. Raises `UnknownModel` for anything else, with names near to it.

    A path begins with `/`, `~`, `.` or a drive, or ends in `.gguf`. So no folder can pass for a name of the hub. A file
    of a repository stands after a colon: `owner/name:file.gguf`, `owner/name@revision:file.gguf`; or the kind of its
    numbers: `owner/name:Q4_K_M`. Addresses of the hub's pages, and lines of code with a name in them, are understood.
    """
    text = _alone(text)
    if (address := HUB_ADDRESS.fullmatch(text)) is not None:
        return _at(text, address["place"].strip("/"))
    if text.startswith(LOCAL_ADDRESS):
        return Path(unquote(text.removeprefix(LOCAL_ADDRESS)))
    text = text.rstrip("/") or text
    match = HUB_NAME.fullmatch(text)
    is_file = match is not None and (match[3] or "").endswith(GGUF)
    if VIEW_OF_NAME.match(text):
        return _at(text, text)
    if PATH_STARTS.match(text) or WINDOWS_PATH.fullmatch(text) or (text.endswith(GGUF) and not is_file):
        return _path(text)
    return HubName(f"{OWNERS[text]}/{text}") if text in OWNERS else _checked(text, text)


def has_kind(name: str, kind: str) -> bool:
    """Whether the name of a GGUF file has this kind of numbers: Q4_K_M, but not Q4_K, is in tiny-Q4_K_M.gguf."""
    return re.search(rf"(?:^|[._-]){re.escape(kind)}(?:[.-]|$)", name, re.IGNORECASE) is not None


def _alone(text: str) -> str:
    """The name without quotes, and without the code or the command around it."""
    text = text.strip()
    if (found := IN_CODE.fullmatch(text) or IN_COMMAND.fullmatch(text)) is not None:
        text = found["name"]
    return text.strip(" \t\r\n\"'`")


def _path(text: str) -> Path:
    """A path, written as on Windows or as elsewhere."""
    is_foreign = os.name != "nt" and not re.match(r"[A-Za-z]:\\", text)
    text = text.replace("\\", "/") if is_foreign else text
    # "~name" stays as it is: what it means tells which users this machine has.
    return Path(os.path.expanduser(text) if text == "~" or text.startswith(("~/", "~\\")) else text)


def _at(text: str, place: str) -> HubName:
    """What an address of the hub names: a repository, a revision of it, or a file. `place` stands after its host."""
    first, *rest = unquote(place).split("/")
    if first in OTHER_PLACES:
        raise UnknownModel(
            f"{text[:100]!r} is {OTHER_PLACES[first]} of the hub, not a model. On its page look for the model that it "
            "is about, and write that one's owner/name."
        )
    if first in OWNERS:
        first, rest = OWNERS[first], [first, *rest]
    name, view, *behind = (*rest, "", "", "")[: max(len(rest), 2)]
    revision = file = ""
    if view in VIEWS and behind:
        revision = "/".join(behind[:3]) if behind[0] == "refs" else behind[0]
        file = behind[-1] if behind[-1].endswith(GGUF) else ""
    elif "@" in name:
        name = "/".join(rest)  # as a branch with a slash after the @
    named = HubName(f"{first}/{name.removesuffix('.git')}", "" if revision == "main" else revision, file)
    return _checked(text, str(named))


def _checked(text: str, name: str) -> HubName:
    match = HUB_NAME.fullmatch(name)
    if match is None or ".." in name:
        raise _unknown(text)
    return HubName(match[1], match[2] or "", "" if match[3] == USUAL_TAG else match[3] or "")


def _unknown(text: str) -> UnknownModel:
    """The error for a text that names no model. It has the names that were perhaps meant."""
    near = get_close_matches(text.lower(), OWNERS, n=3, cutoff=0.75)
    error = UnknownModel(
        f"{text[:100]!r} names no model. Write the name of a model on the hub, such as openai-community/gpt2 or "
        "openai-community/gpt2@main, or the path of a folder or GGUF file, which begins with / or ./"
    )
    error.instead = tuple(f"{OWNERS[name]}/{name}" for name in near)
    return error
