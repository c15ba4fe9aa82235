"""The chat template of a model's files: chat_template.jinja, or `chat_template` of tokenizer_config.json, or that of a
GGUF file.

A file may have several, by their names. Then the one called default is taken, as the library transformers does where no
tools are given. A model is read although its template is damaged: a plain text needs none.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from model.chat.template import MAX_SOURCE, ChatTemplate
from model.regular_file import read_regular
from model.zoo.files import read_object
from model.zoo.tokenizers.settings import CONFIG

FILE = "chat_template.jinja"
KEY, GGUF_KEY = "chat_template", "tokenizer.chat_template"
DEFAULT = "default"


def template_of_folder(folder: Path, names: Mapping[str, Any]) -> ChatTemplate | None:
    """`names` are the special tokens by their names. Raises `DamagedWeights` for a damaged tokenizer_config.json."""
    path, beside = folder / FILE, folder / CONFIG
    if not path.is_file():
        return template_of(read_object(beside).get(KEY) if beside.is_file() else None, names)
    try:
        return template_of(read_regular(path, MAX_SOURCE).decode("utf-8"), names)
    except (OSError, ValueError):
        return ChatTemplate("", fault=f"This model's {FILE} cannot be read. Give it a plain text.")


def template_of(given: Any, names: Mapping[str, Any]) -> ChatTemplate | None:
    """Of the value that a file has under `chat_template`; None where it has none."""
    if not given:
        return None
    if isinstance(given, list):
        given = {each.get("name"): each.get("template") for each in given if isinstance(each, dict)}
    if isinstance(given, dict):
        if DEFAULT not in given:
            named = ", ".join(str(name)[:40] for name in given)
            return ChatTemplate(
                "", fault=f"This model has chat templates for {named} alone, and no usual one. Give it a plain text."
            )
        given = given[DEFAULT]
    if not isinstance(given, str) or len(given) > MAX_SOURCE:
        return ChatTemplate("", fault="This model's chat template is no text, or too long. Give it a plain text.")
    return ChatTemplate(given, tuple((key, str(token)) for key, token in names.items() if token is not None))
