"""The pieces of the reader's sentence: how one word is cut, what every tokeniser here makes of it, and odd texts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from model import load_tokenizer
from model.tokens import spelling as tokenizer_steps
from model.tokens.spelling import Spelling, Step, merge_ranks, spell
from model.tokens.tokenizer import Token, Tokenizer, byte_alphabet
from pages.components import mounts
from pages.shared import figures, keys, layout, state, sums, traces
from viz.inputs.pieces import samples_figure, spelling_figure, tokenisers_figure
from viz.shared.style import count_noun, is_right_to_left, markdown_text, percent, token_label
from viz.shared.tokens import labels

PROMPTS = (
    layout.Prompt(
        "A long word", "A rare word falls into many pieces.", {"text": "Transformers disestablish", "tokens_place": 1}
    ),
    layout.Prompt("Urdu", "Letters become bytes where no piece is known.", {"text": "میں ایک روبوٹ ہوں"}),
    layout.Prompt("Digits", "Are numbers one piece, or one a digit?", {"text": "In 2017 it cost 1234567 dollars"}),
)


def show(depth: str) -> None:
    if depth == "Formula":
        _show_formula()
        run = traces.current(keep=())
        _work_out(run.model.tokenizer, run.text)
    elif depth == "Code":
        layout.code(tokenizer_steps)
    else:
        run = traces.current(keep=())
        _show_word(run.model.tokenizer, run.text, depth == "Numbers")
        _show_every_tokeniser(run.text)
        _show_samples()
    layout.try_this(*PROMPTS)


def _show_word(tokenizer: Tokenizer, text: str, numbers: bool) -> None:
    """One word of the sentence, a step of its spelling at a time."""
    spellings = spell(tokenizer, text)
    if not spellings:
        st.info("There is no word to cut: only special tokens are left of this text.")
        return
    chosen, at = _choose_step(tokenizer, spellings)
    if numbers:
        st.dataframe(_step_rows(tokenizer, chosen), hide_index=True)
    else:
        mounts.token_strip(
            _tokens_of_step(tokenizer, chosen.steps[at]), key="tokens pieces", label="Pieces of the word"
        )
    layout.caption(_explain(tokenizer, chosen, at))
    pieces = [labels(_tokens_of_step(tokenizer, step)) for step in chosen.steps]
    ranks = [step.rank for step in chosen.steps]
    draw = partial(
        spelling_figure, pieces, ranks, at, leftwards=is_right_to_left("".join(_name_pieces(tokenizer, (chosen.word,))))
    )
    figures.export(
        "pieces", draw, partial(_all_rows, tokenizer, spellings), ids=[token.id for token in tokenizer.encode(text)]
    )


def _choose_step(tokenizer: Tokenizer, spellings: Sequence[Spelling]) -> tuple[Spelling, int]:
    """The controls: which word, and which step of its spelling."""
    place = state.within("tokens_place", 0, len(spellings) - 1, "Word")
    chosen = spellings[place]
    last = len(chosen.steps) - 1
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Word", range(len(spellings)), key="tokens_place", width=260,
            format_func=lambda i: f"{i}  {''.join(_name_pieces(tokenizer, (spellings[i].word,)))}",
        )  # fmt: skip
        if last:
            if state.get("tokens_step") > last or state.get("tokens_step") < 0:
                state.put(tokens_step=last)
            st.slider("Step", 0, last, key="tokens_step", width=320)
    return chosen, state.get("tokens_step") if last else 0


def _work_out(tokenizer: Tokenizer, text: str) -> None:
    """The ranks among which the chosen step finds the smallest. WordPiece has none."""
    spellings = spell(tokenizer, text)
    if not spellings:
        st.info("There is no word to cut: only special tokens are left of this text.")
        return
    chosen, at = _choose_step(tokenizer, spellings)
    rank = chosen.steps[at].rank
    if rank is None:
        layout.caption(_explain(tokenizer, chosen, at))
        return
    ranks = merge_ranks(tokenizer, chosen.steps[at - 1].pieces)
    pairs = ", ".join(r"\infty" if each is None else sums.whole(each) for each in ranks)
    names = labels(_tokens_of_step(tokenizer, chosen.steps[at - 1]))
    layout.work_out(
        f"Step {at}: the ranks of the neighbours among {' '.join(layout.quote(name) for name in names)}, a pair that "
        "was never merged having none, and the first of them:",
        rf"\min\{{{pairs}\}} = {sums.whole(rank)}",
    )
    layout.caption(_explain(tokenizer, chosen, at))


def _all_rows(tokenizer: Tokenizer, spellings: Sequence[Spelling]) -> list[dict[str, Any]]:
    """The steps of each word of the sentence."""
    return [{"word": i} | row for i, each in enumerate(spellings) for row in _step_rows(tokenizer, each)]


def _tokens_of_step(tokenizer: Tokenizer, step: Step) -> list[Token]:
    """The pieces as tokens. What WordPiece has not cut yet is not in its vocabulary: it stands without an id."""
    ids = [tokenizer.id_of(piece) for piece in step.pieces]
    return [
        Token(-1, piece, piece.encode()) if id is None else tokenizer.token(id)
        for piece, id in zip(step.pieces, ids, strict=True)
    ]


def _name_pieces(tokenizer: Tokenizer, pieces: tuple[str, ...]) -> list[str]:
    alphabet = byte_alphabet()
    if tokenizer.id_of(pieces[0]) is None and all(letter in alphabet for letter in "".join(pieces)):
        data = bytes(alphabet[letter] for letter in "".join(pieces))
        return [token_label(data.decode("utf-8", "replace"), data)]
    return [piece if (id := tokenizer.id_of(piece)) is None else labels([tokenizer.token(id)])[0] for piece in pieces]


def _step_rows(tokenizer: Tokenizer, spelling: Spelling) -> list[dict[str, Any]]:
    """One row a step."""
    return [
        {
            "step": number,
            "pieces": "  ".join(labels(_tokens_of_step(tokenizer, step))),
            "count": len(step.pieces),
            "merge rank": step.rank,
            "ids": " ".join("-" if token.id < 0 else str(token.id) for token in _tokens_of_step(tokenizer, step)),
            "bytes": " | ".join(token.bytes.hex(" ").upper() for token in _tokens_of_step(tokenizer, step)),
        }
        for number, step in enumerate(spelling.steps)
    ]


def _explain(tokenizer: Tokenizer, spelling: Spelling, at: int) -> str:
    step, pieces = spelling.steps[at], len(spelling.pieces)
    if len(spelling.steps) == 1:
        if pieces == 1:
            return "The word is in the vocabulary as it stands: one piece."
        return f"No neighbours of it are in the table of merges: it stays {pieces} pieces."
    if step.rank is not None:
        before, now = spelling.steps[at - 1].pieces, step.pieces
        merged = next((i for i in range(len(now)) if now[i] != before[i]), len(now) - 1)
        name = markdown_text(labels(_tokens_of_step(tokenizer, step))[merged])
        left = f"Left: {count_noun(len(now), 'piece')}" + (
            f", {pieces} at the end." if pieces < len(now) else ", the last."
        )
        return f"Step {at}: merge {step.rank:,} of the table makes **{name}**. {left}"
    if at == 0 and spelling.steps[-1].rank is not None:
        return (
            f"At first every byte or letter is a piece of its own, {len(step.pieces)} of them; merges leave {pieces}."
        )
    return f"The longest known beginning is cut off, then that of the rest: {count_noun(pieces, 'piece')} in the end."


def _load_tokenisers() -> dict[str, Tokenizer]:
    """Those of all models that are installed, by the model's title."""
    found: dict[str, Tokenizer] = {}
    for card in traces.cards():
        if card.ready and not card.name.startswith("tiny-lm-"):  # the variants of tiny-lm share its tokeniser
            found[card.title] = _load_tokeniser(card.name)
    return found


@st.cache_resource(max_entries=16, show_spinner="Reading the tokenisers")
def _load_tokeniser(name: str) -> Tokenizer:
    """Of one model, without its weights."""
    return load_tokenizer(name)


def _show_every_tokeniser(text: str) -> None:
    st.subheader("The same text, by every tokeniser here", anchor=False)
    rows: list[dict[str, Any]] = []
    pieces: dict[str, list[str]] = {}
    ids: dict[str, list[int]] = {}
    for title, tokenizer in _load_tokenisers().items():
        tokens = tokenizer.encode(text, add_special=False)
        pieces[title], ids[title] = labels(tokens), [token.id for token in tokens]
        rows.append(
            {"model": title, "vocabulary": tokenizer.size, "tokens": len(tokens), "pieces": "  ".join(pieces[title])}
        )
    st.dataframe(rows, hide_index=True)
    fewest, most = min(rows, key=lambda row: row["tokens"]), max(rows, key=lambda row: row["tokens"])
    become = f"{count_noun(len(text), 'character')}: {count_noun(fewest['tokens'], 'token')} in"
    if fewest["tokens"] == most["tokens"]:
        layout.caption(f"{become} every model here.")
    else:
        layout.caption(
            f"{become} {markdown_text(fewest['model'])}, {most['tokens']} in {markdown_text(most['model'])}."
        )
    figures.export(
        "tokenisers", partial(tokenisers_figure, pieces, leftwards=is_right_to_left(text)), lambda: rows, **ids
    )


def _show_samples() -> None:
    """Texts that are hard for a tokeniser, the reader's to change."""
    st.subheader("Odd texts", anchor=False)
    st.text_area("One text a line", key="tokens_samples", height=130, max_chars=keys.MAX_CHARACTERS)
    lines = [line for line in state.get("tokens_samples").splitlines() if line.strip()][:12]
    if not lines:
        st.info("Write a text, one a line, to see what each tokeniser makes of it.")
        return
    counts: dict[str, list[int]] = {}
    unknown: dict[str, list[int]] = {}
    for title, tokenizer in _load_tokenisers().items():
        each = [tokenizer.encode(line, add_special=False) for line in lines]
        counts[title] = [len(tokens) for tokens in each]
        unknown[title] = [sum(token.special for token in tokens) for tokens in each]
    rows = [
        {"text": line, "characters": len(line)}
        | {
            title: f"{n[i]}" + (f" ({bad} unknown)" if (bad := unknown[title][i]) else "")
            for title, n in counts.items()
        }
        for i, line in enumerate(lines)
    ]
    lost = sum(bad > 0 for each in unknown.values() for bad in each)
    st.dataframe(rows, hide_index=True)
    cases = len(lines) * len(_load_tokenisers())
    layout.caption(
        f"Tokens of each text. In {lost} of {cases} cases, {percent(lost / cases)}, "
        "something became the unknown token and cannot be read back; tokenisers that fall back to bytes lose nothing."
    )
    figures.export("odd-texts", partial(samples_figure, lines, counts, unknown), lambda: rows, **counts)


def _show_formula() -> None:
    layout.equation(
        r"(a, b)^* = \arg\min_{(a, b) \in \text{neighbours}} \mathrm{rank}(a, b), \qquad a\,b \to ab",
        "Byte-pair encoding: of all neighbouring pieces those that were merged first in training become one, until no "
        "pair is in the table. Sennrich et al. (2016), arXiv:1508.07909.",
    )
    layout.equation(
        r"\text{piece}_1 = \text{the longest prefix of the word in the vocabulary, and so on with the rest}",
        "WordPiece. Wu et al. (2016), arXiv:1609.08144. A piece within a word begins with ##.",
    )
