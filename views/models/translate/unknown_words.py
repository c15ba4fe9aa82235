"""The words of a sentence, or of a given translation, that the translator does not know."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from model.tokens.sentence_pieces import UNKNOWN, SentencePieces
from model.tokens.tokenizer import Tokenizer
from model.tokens.word_vocabulary import UnknownWord, script, unknown_words
from views.models.translate.languages import ENGLISH_TO_URDU, languages
from views.parts import Action
from views.run import Run
from viz.documents.page_parts import Group, Text
from viz.shared.style import isolate, markdown_text

MAX_NAMED = 6  # unknown words


def notes(run: Run) -> list[Any]:
    """Names the unknown words of the source, and of a given target, or says that the script is another one."""
    texts = {"text": (run.text, "latin"), "target": (run.target or "", "arabic")}
    return [part for key, (text, expected) in texts.items() if text for part in _notes_on(run, key, text, expected)]


def _notes_on(run: Run, key: str, text: str, expected: str) -> list[Any]:
    is_urdu = languages(run.model.card) == ENGLISH_TO_URDU
    if is_urdu and script(text) not in ("", expected):
        language = "English" if expected == "latin" else "Urdu, in Arabic letters"
        said = (
            f"The {'sentence' if key == 'text' else 'translation'} is in {script(text).title()} script, but the "
            f"model reads {language} there. Below is what it does with it all the same."
        )
        return [Text(said, "warning", ":material/translate:")]
    tokenizer = run.model.tokenizer if key == "text" else run.model.output_tokenizer
    if not is_urdu or isinstance(tokenizer.backend, SentencePieces):
        return _name_characters(tokenizer, text)
    unknown = unknown_words(tokenizer, text, of_script=expected)
    return [_warn(unknown), _suggest(unknown, key, text), Text(_mark(text, unknown))] if unknown else []


def _name_characters(tokenizer: Tokenizer, text: str) -> list[Any]:
    """Names the characters that no piece of the vocabulary has."""
    unknown = [each.span for each in tokenizer.place(text, add_special=False) if each.piece == UNKNOWN]
    found = [text[start:end] for start, end in unknown]
    if not found:
        return []
    names = ", ".join(f"**{isolate(markdown_text(each))}**" for each in dict.fromkeys(found[:MAX_NAMED]))
    said = f"The vocabulary has no piece for {names}. The model reads {UNKNOWN} there, so it cannot tell these apart."
    return [Text(said, "warning", ":material/help:")]


def _warn(unknown: tuple[UnknownWord, ...]) -> Text:
    names = ", ".join(f"**{isolate(markdown_text(each.word))}**" for each in unknown[:MAX_NAMED])
    return Text(
        f"The model does not know {names}. It reads such a word as single bytes, so what follows is a guess, not a "
        "translation. Try a word it knows:" if any(each.suggestions for each in unknown) else
        f"The model does not know {names}. It reads such a word as single bytes: what follows is a guess.",
        "warning",
        ":material/help:",
    )  # fmt: skip


def _suggest(unknown: tuple[UnknownWord, ...], key: str, text: str) -> Group:
    """A button for each word that the model knows and that is like an unknown one. It puts the word into the text."""
    buttons = [
        Action(
            f"{markdown_text(each.word)} → {markdown_text(suggestion)}",
            _replace(key, text, each.word, suggestion),
            f"translate {key} {each.word} {suggestion}",
        )
        for each in unknown[:MAX_NAMED]
        for suggestion in each.suggestions
    ]
    return Group(buttons, "row")


def _replace(key: str, text: str, word: str, suggestion: str) -> Mapping[str, str]:
    return {key: re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", lambda _: suggestion, text)}


def _mark(text: str, unknown: tuple[UnknownWord, ...]) -> str:
    """The text as Markdown, its unknown words marked."""
    names = sorted({re.escape(each.word) for each in unknown}, key=len, reverse=True)
    parts = re.split(rf"(?<!\w)({'|'.join(names)})(?!\w)", text)
    return "".join(
        f":orange-background[**{isolate(markdown_text(part))}**]" if place % 2 else markdown_text(part)
        for place, part in enumerate(parts)
    )
