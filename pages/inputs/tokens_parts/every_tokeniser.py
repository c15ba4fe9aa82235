"""One text, and odd texts, in every tokeniser here. One that fails has its reason in its row, and the others go on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from model import load_tokenizer
from model.tokens.tokenizer import Token, Tokenizer
from pages.shared.elements import figures, layout
from pages.shared.model_runs import text_work, traces
from pages.shared.session import keys, state
from viz.inputs.pieces import NOT_CUT, samples_figure, tokenisers_figure
from viz.shared.style import count_noun, is_right_to_left, markdown_text, percent
from viz.shared.tokens import labels

MAX_SAMPLES = 12  # odd texts
MAX_KEPT = 32  # tokenisers; with fewer than there are models, each visit would read all of them
KEPT_SECONDS = 600.0  # after which files that were refused are tried again
Tokenisers = Mapping[str, Tokenizer | Exception]  # by the model's title; an error where it cannot be read


def show(text: str) -> None:
    """Show the text in every tokeniser, then a field of odd texts."""
    tokenisers = _load_tokenisers()
    _show_text(tokenisers, text)
    _show_samples(tokenisers)


def _load_tokenisers() -> dict[str, Tokenizer | Exception]:
    """The tokenisers of all installed models."""
    tokenisers: dict[str, Tokenizer | Exception] = {}
    for card in traces.cards():
        if not card.ready or card.name.startswith("tiny-lm-"):  # the variants of tiny-lm share its tokeniser
            continue
        tokenisers[card.title] = _read_tokeniser(card.name) if card.in_memory else _load_tokeniser(card.name)
    return tokenisers


@st.cache_resource(max_entries=MAX_KEPT, ttl=KEPT_SECONDS, show_spinner="Reading the tokenisers")
def _load_tokeniser(name: str) -> Tokenizer | Exception:
    """The tokeniser of one model, without the model's weights. An error is kept as well: otherwise each visitor would
    wait until the same files are read and refused."""
    return _read_tokeniser(name)


def _read_tokeniser(name: str) -> Tokenizer | Exception:
    try:
        return load_tokenizer(name)
    except traces.errors() as error:
        return error


def _cut(tokeniser: Tokenizer | Exception, text: str) -> tuple[Token, ...] | Exception:
    """The tokens of a text, or the error that says why there are none."""
    if isinstance(tokeniser, Exception):
        return tokeniser
    try:
        return tokeniser.encode(text, add_special=False)
    except traces.errors() as error:
        return error


def _show_text(tokenisers: Tokenisers, text: str) -> None:
    st.subheader("The same text, by every tokeniser here", anchor=False)
    cuts = dict(text_work.in_turn((title, _cut(tokeniser, text)) for title, tokeniser in tokenisers.items()))
    pieces = {title: labels(cut) for title, cut in cuts.items() if not isinstance(cut, Exception)}
    rows: list[dict[str, Any]] = [
        {
            "model": title,
            "vocabulary": None if isinstance(tokeniser, Exception) else tokeniser.size,
            "tokens": len(pieces[title]) if title in pieces else None,
            "pieces": "  ".join(pieces[title]) if title in pieces else str(cuts[title]),
        }
        for title, tokeniser in tokenisers.items()
    ]
    st.dataframe(rows, hide_index=True)
    layout.caption(_compare(text, {title: len(each) for title, each in pieces.items()}, len(rows)))
    ids = {title: [each.id for each in cut] for title, cut in cuts.items() if not isinstance(cut, Exception)}
    figures.export(
        "tokenisers", partial(tokenisers_figure, pieces, leftwards=is_right_to_left(text)), lambda: rows, **ids
    )


def _compare(text: str, counts: Mapping[str, int], models: int) -> str:
    """The caption: which tokeniser takes fewest tokens, which takes most, and how many cannot cut the text."""
    failed = models - len(counts)
    lost = f" {count_noun(failed, 'tokeniser')} of {models} cannot cut it: the reason is in its row." if failed else ""
    if not counts:
        return lost.lstrip()
    fewest, most = min(counts, key=lambda title: counts[title]), max(counts, key=lambda title: counts[title])
    beginning = f"{count_noun(len(text), 'character')}: {count_noun(counts[fewest], 'token')} in"
    if counts[fewest] == counts[most]:
        return f"{beginning} every model {'that can cut it' if failed else 'here'}.{lost}"
    return f"{beginning} {markdown_text(fewest)}, {counts[most]} in {markdown_text(most)}.{lost}"


def _show_samples(tokenisers: Tokenisers) -> None:
    """Show a field of texts that are hard for tokenisers, and the number of tokens of each."""
    st.subheader("Odd texts", anchor=False)
    st.text_area("One text a line", key="tokens_samples", height=130, max_chars=keys.MAX_CHARACTERS)
    lines = [line for line in state.get("tokens_samples").splitlines() if line.strip()][:MAX_SAMPLES]
    if not lines:
        st.info("Write a text, one a line, to see its tokens in each tokeniser.")
        return
    counts: dict[str, list[int]] = {}
    unknown: dict[str, list[int]] = {}
    for title, tokeniser in tokenisers.items():
        cuts = text_work.in_turn(_cut(tokeniser, line) for line in lines)
        counts[title] = [NOT_CUT if isinstance(cut, Exception) else len(cut) for cut in cuts]
        unknown[title] = [0 if isinstance(cut, Exception) else sum(token.special for token in cut) for cut in cuts]
    rows = [
        {"text": line, "characters": len(line)}
        | {title: _count_in_words(count[i], unknown[title][i]) for title, count in counts.items()}
        for i, line in enumerate(lines)
    ]
    st.dataframe(rows, hide_index=True)
    layout.caption(_say_losses(counts, unknown))
    figures.export("odd-texts", partial(samples_figure, lines, counts, unknown), lambda: rows, **counts)


def _count_in_words(count: int, lost: int) -> str:
    return "not cut" if count == NOT_CUT else f"{count}" + (f" ({lost} unknown)" if lost else "")


def _say_losses(counts: Mapping[str, list[int]], unknown: Mapping[str, list[int]]) -> str:
    """The caption: in how many cases a piece was lost, and in how many a tokeniser failed."""
    cases = sum(map(len, counts.values()))
    lossy = sum(lost > 0 for losses in unknown.values() for lost in losses)
    failed = sum(count == NOT_CUT for each in counts.values() for count in each)
    return (
        f"Tokens of each text. In {lossy} of {cases} cases, {percent(lossy / cases)}, a piece became the unknown token "
        "and cannot be read back. Tokenisers that fall back to bytes lose nothing."
        + (f" In {failed}, the tokeniser cannot cut the text." if failed else "")
    )
