"""The sentence and its translation, for all parts of the page, and the message on unknown words."""

from __future__ import annotations

import re
from dataclasses import dataclass

import streamlit as st
import torch
from torch import Tensor

from model.tokens.sentence_pieces import UNKNOWN, SentencePieces
from model.tokens.tokenizer import Token, Tokenizer
from model.tokens.word_vocabulary import UnknownWord, script, unknown_words
from model.train.samples import hand_made_examples
from pages.models.translate_parts.translators import ENGLISH_TO_URDU, languages
from pages.shared.session import state
from views.run import Run
from viz.shared.style import isolate, markdown_text


@dataclass(frozen=True)
class Pair:
    """A source sentence and its translation, which the decoder wrote or the reader gave.

    `written` has one token for each step of the decoder, <EOS> among them.
    """

    run: Run
    source: tuple[Token, ...]
    written: tuple[Token, ...]
    given: bool

    @property
    def source_ids(self) -> tuple[int, ...]:
        return tuple(token.id for token in self.source)

    @property
    def written_ids(self) -> tuple[int, ...]:
        return tuple(token.id for token in self.written)

    @property
    def start(self) -> int:
        return self.run.model.output_tokenizer.sequence_start

    @property
    def end(self) -> int:
        end = self.run.model.output_tokenizer.end
        assert end is not None, "a translator's tokenizer has a token that ends a sequence"
        return end

    def weights(self, stack: str, attention: str) -> Tensor:
        """The weights of all layers: (layers, heads, queries, keys)."""
        layers = range(self.run.model.config.n_layers(stack))
        return torch.stack([self.run.trace[f"{stack}.{l}.{attention}.weights"] for l in layers])

    def text(self, ids: tuple[int, ...]) -> str:
        return self.run.model.output_tokenizer.decode(ids)


def of_run(run: Run) -> Pair:
    """The pair of a run. In its own translation the model took the likeliest token at every step."""
    tokenizer = run.model.output_tokenizer
    if run.target is None:
        ids = run.trace.logits.argmax(-1).tolist()
    else:
        ids = [*(token.id for token in run.trace.tokens[1:]), tokenizer.end]
    return Pair(run, run.trace.source_tokens, tokenizer.tokens(ids), run.target is not None)


def say_unknown(run: Run) -> None:
    """Names the unknown words of the source, and of a given target, or says that the script is another one."""
    is_urdu = languages(run.model.card) == ENGLISH_TO_URDU
    for what, text, expected, key in (("text", run.text, "latin", "text"), ("target", run.target, "arabic", "target")):
        if not text:
            continue
        if is_urdu and script(text) not in ("", expected):
            language = "English" if expected == "latin" else "Urdu, in Arabic letters"
            st.warning(
                f"The {'sentence' if key == 'text' else 'translation'} is in {script(text).title()} script, but the "
                f"model reads {language} there. Below is what it does with it all the same.",
                icon=":material/translate:",
            )
            continue
        tokenizer = run.model.tokenizer if key == "text" else run.model.output_tokenizer
        if not is_urdu or isinstance(tokenizer.backend, SentencePieces):
            _say_unknown_characters(tokenizer, text)
            continue
        unknown = unknown_words(tokenizer, text, of_script=expected)
        if unknown:
            _warn(unknown, what)
            st.markdown(_mark(text, unknown))


def _say_unknown_characters(tokenizer: Tokenizer, text: str) -> None:
    """Names the characters that no piece of the vocabulary has."""
    unknown = [each.span for each in tokenizer.place(text, add_special=False) if each.piece == UNKNOWN]
    found = [text[start:end] for start, end in unknown]
    if found:
        names = ", ".join(f"**{isolate(markdown_text(each))}**" for each in dict.fromkeys(found[:6]))
        st.warning(
            f"The vocabulary has no piece for {names}. The model reads {UNKNOWN} there, so it cannot tell these apart.",
            icon=":material/help:",
        )


def _warn(unknown: tuple[UnknownWord, ...], key: str) -> None:
    names = ", ".join(f"**{isolate(markdown_text(each.word))}**" for each in unknown[:6])
    st.warning(
        f"The model does not know {names}. It reads such a word as single bytes, so what follows is a guess, not a "
        "translation. Try a word it knows:" if any(each.suggestions for each in unknown) else
        f"The model does not know {names}. It reads such a word as single bytes: what follows is a guess.",
        icon=":material/help:",
    )  # fmt: skip
    with st.container(horizontal=True):
        for each in unknown[:6]:
            for suggestion in each.suggestions:
                st.button(
                    f"{markdown_text(each.word)} → {markdown_text(suggestion)}",
                    key=f"translate {key} {each.word} {suggestion}",
                    on_click=_replace,
                    args=(key, each.word, suggestion),
                    type="tertiary",
                )


def _mark(text: str, unknown: tuple[UnknownWord, ...]) -> str:
    """The text as Markdown, its unknown words marked."""
    names = sorted({re.escape(each.word) for each in unknown}, key=len, reverse=True)
    parts = re.split(rf"(?<!\w)({'|'.join(names)})(?!\w)", text)
    return "".join(
        f":orange-background[**{isolate(markdown_text(part))}**]" if place % 2 else markdown_text(part)
        for place, part in enumerate(parts)
    )


def _replace(key: str, word: str, suggestion: str) -> None:
    pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    state.put(**{key: pattern.sub(lambda _: suggestion, state.get(key))})


def truth(pair: Pair) -> tuple[str, str]:
    """The translation that teacher forcing starts from, and its origin in words."""
    if pair.given:
        return pair.run.target or "", "the translation of the bar"
    translation = _hand_translations().get(pair.run.text.strip().rstrip(".?!").lower())
    if translation is not None and languages(pair.run.model.card) == ENGLISH_TO_URDU:
        return translation, "translated by hand"
    return pair.text(pair.written_ids), "the model's own translation"


def _hand_translations() -> dict[str, str]:
    return {each.source_text.rstrip(".?!").lower(): each.target_text for each in hand_made_examples()}
