"""How a model that is not bundled is named: by a name of the hub, or by a path."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from model.errors import UnknownModel

PART = r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}"
FILE = r"[A-Za-z0-9][A-Za-z0-9._-]{0,150}\.gguf"
HUB_NAME = re.compile(rf"({PART}/{PART})(?:@([A-Za-z0-9][A-Za-z0-9._/-]{{0,99}}))?(?::({FILE}))?")
HUB_ADDRESS = re.compile(r"https?://(?:huggingface\.co|hf\.co)/")  # what a browser shows, pasted as it is
PATH_STARTS = re.compile(r"[/~.\\]|[A-Za-z]:[\\/]")
SHORT_COMMIT = 8  # characters of a commit in a card's name


@dataclass(frozen=True)
class HubName:
    """`owner/name` of a model repository, and a branch, tag or commit of it; "" for its main branch.

    `file` is one of its GGUF files; "" lets the app choose.
    """

    repository: str
    revision: str = ""
    file: str = ""

    def __str__(self) -> str:
        revision = f"@{self.revision}" if self.revision else ""
        return self.repository + revision + (f":{self.file}" if self.file else "")


def read_name(text: str) -> HubName | Path:
    """The hub name or the path that a text means. Raises `UnknownModel` for anything else.

    A path begins with `/`, `~`, `.` or a drive, or ends in `.gguf`. So no folder can pass for a name of the hub. A file
    of a repository stands behind a colon: `owner/name:file.gguf`, `owner/name@revision:file.gguf`.
    """
    text = text.strip()
    match = HUB_NAME.fullmatch(HUB_ADDRESS.sub("", text).rstrip("/"))
    if PATH_STARTS.match(text) or (text.endswith(".gguf") and not (match and match[3])):
        return Path(text).expanduser()
    if match is None or ".." in text:
        raise UnknownModel(
            f"{text[:100]!r} names no model. Write the name of a model on the hub, such as openai-community/gpt2 or "
            "openai-community/gpt2@main, or the path of a folder or GGUF file, which begins with / or ./"
        )
    return HubName(match[1], match[2] or "", match[3] or "")
