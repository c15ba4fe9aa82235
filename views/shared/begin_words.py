"""How a model begins its sentences, in words and as Python code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model import Model

LOAD = re.compile(r"(?<![\w.])load(?:_tokenizer)?\(")  # in code: it opens a model
CHOICES = {"": None, "with": True, "without": False}  # of the key `begin`; "": as the model's files say


def choice_of(model: Model, begins: bool) -> str:
    """The value of the key for a model that begins its sentences so."""
    if begins == model.tokenizer.puts_begin:
        return ""
    return "with" if begins else "without"


def name_of(model: Model) -> str:
    """How a model begins its sentences, as `CHOICES` has it."""
    return choice_of(model, model.tokenizer.begins)


def say(model: Model) -> str:
    """A line of plain text where a model does not begin a sentence as its files say; "" where it does."""
    tokenizer = model.tokenizer
    if tokenizer.begin is None or not name_of(model):
        return ""
    token = tokenizer.token(tokenizer.begin).text
    if tokenizer.begins:
        return f"{model.card.title} reads {token} before the sentence: its tokenizer does not put it there."
    return f"{model.card.title} reads no {token} before the sentence: its tokenizer puts it there."


def in_code(source: str, begin: str) -> str:
    """Python code in which every model that it loads begins sentences so."""
    chosen = CHOICES[begin]
    if chosen is None:
        return source
    made, done = "", 0
    for call in LOAD.finditer(source):
        end = _closing_place(source, call.end())
        made, done = f"{made}{source[done:end]}.with_begin({chosen})", end
    return made + source[done:]


def _closing_place(source: str, start: int) -> int:
    """The place after the parenthesis that closes one whose inside begins at `start`."""
    depth = 1
    for place, letter in enumerate(source[start:], start + 1):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return place
    return len(source)
