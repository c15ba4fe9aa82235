"""A chat template: the program in a model's files that writes turns as the text on which the model was trained.

`tokenizer_config.json`, `chat_template.jinja` and GGUF files have it, in the language Jinja. The variables are those of
`apply_chat_template` of the library transformers, without tools and documents. A template runs in a process of its own
(`model.chat.renderer`), with bounds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from model.chat.turns import Turn
from model.errors import ConversationError

MAX_SOURCE = 200_000  # characters of a template; Llama 3.1's has 3,800
MAX_WAIT_SECONDS = 20  # for the process: a busy machine may start it late
RENDERER = Path(__file__).with_name("renderer.py")
PASSED_ON = ("SYSTEMROOT", "TZ", "LANG", "LC_ALL")  # of the environment: a stranger's program gets no more


@dataclass(frozen=True)
class Request:
    """One text that a template is to write. `prompts`: it ends with the beginning of an answer."""

    turns: tuple[Turn, ...]
    prompts: bool = False


@dataclass(frozen=True)
class Answer:
    """The text of a request; or why there is none, and whether the template refuses such turns."""

    text: str = ""
    error: str = ""
    refused: bool = False


@dataclass(frozen=True)
class ChatTemplate:
    """`names` are the model's special tokens by the variables that a template has for them, such as bos_token.

    `fault`: why a model's templates give none that can be taken; "" for one that can.
    """

    source: str
    names: tuple[tuple[str, str], ...] = ()
    fault: str = ""

    def write(self, *requests: Request) -> tuple[Answer, ...]:
        """The answer to each request. Raises `ConversationError` for a template that fails as such or never ends."""
        if self.fault:
            raise ConversationError(self.fault)
        return _write(self, requests)


@lru_cache(maxsize=256)
def _write(template: ChatTemplate, requests: Sequence[Request]) -> tuple[Answer, ...]:
    names = dict(template.names)
    written = run_renderer(template.source, [names | _variables(request) for request in requests])
    return tuple(Answer(each.get("text", ""), each.get("error", ""), "refused" in each) for each in written)


def run_renderer(source: str, requests: Sequence[dict[str, Any]]) -> list[dict[str, str]]:
    """What the renderer's process writes: `model.chat.renderer.write_all`. Raises `ConversationError`."""
    given = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    try:
        ended = subprocess.run(
            [sys.executable, "-s", "-S", "-P", str(RENDERER)],
            input=json.dumps({"template": source, "requests": requests}).encode(),
            capture_output=True,
            timeout=MAX_WAIT_SECONDS,
            env=given | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _never_ends() from None
    if ended.returncode:
        raise _never_ends()
    written: list[dict[str, str]] = json.loads(ended.stdout)
    return written


def _variables(request: Request) -> dict[str, object]:
    """What a template has under which name: as the library transformers gives it, without tools and documents."""
    messages = [{"role": turn.role, "content": turn.text} for turn in request.turns]
    return {"messages": messages, "add_generation_prompt": request.prompts, "tools": None, "documents": None}


def _never_ends() -> ConversationError:
    return ConversationError(
        "This model's chat template takes more time or memory than a template may: it seems never to end. Type a plain "
        "text, which needs no template."
    )
