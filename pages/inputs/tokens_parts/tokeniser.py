"""The pieces of the reader's sentence, how one word is cut, and the pieces of every tokeniser here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from model.errors import UnreadableText
from model.tokens import spelling as tokenizer_steps
from model.tokens.spelling import MAX_LETTERS, Pieces, Spelling, merge_ranks, spell_words
from model.tokens.tokenizer import Placed, Token, Tokenizer
from pages.components import mounts
from pages.inputs.tokens_parts import every_tokeniser
from pages.inputs.tokens_parts.piece_texts import PieceTexts, token_of
from pages.shared.elements import claims, control_tokens, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import text_work, traces
from pages.shared.model_runs.head_on_screen import usual_token
from pages.shared.session import places, state
from views.run import Run
from views.shared import quotes, sums
from viz.inputs.pieces import spelling_figure
from viz.shared.style import SPACE, Theme, count_noun, is_right_to_left, markdown_text, token_label
from viz.shared.tokens import labels

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

MAX_NAMED = 6  # words that are cut
SENTENCE = "tokens sentence"  # the name of the strip of its pieces
HOW = {  # a word without steps was cut
    "added": "A token of its own: it is found in a text as it stands, before anything is cut.",
    "unknown": "No piece of the vocabulary fits: the model reads the token for unknown words.",
    "untold": "The model reads {}. Its table's steps end in others, so they are not shown: another rule cuts here.",
    "long": f"The model reads {{}}. The steps of a word of more than {MAX_LETTERS} letters or bytes are not shown.",
}
PIECES = "the number of pieces of the word"
A_WORD = "the number of tokens to a word between spaces"
PROMPTS = (
    layout.Prompt(
        "A long word",
        "A rare word falls into many pieces.",
        {"text": "Transformers disestablish", "tokens_place": 1, "query": -1},
        claim=Claim(PIECES, "over", 1),
        at="tokens pieces",
    ),
    layout.Prompt(
        "Urdu",
        "Letters become bytes where no piece is known: a word takes many tokens.",
        {"text": "میں ایک روبوٹ ہوں"},
        claim=Claim(A_WORD, "over", 1.5),
        at=SENTENCE,
    ),
    layout.Prompt(
        "Digits",
        "Few tokenizers have a piece for each number: it falls into parts, or into its digits.",
        {"text": "In 2017 it cost 1234567 dollars"},
        claim=Claim(A_WORD, "over", 1.2),
        at=SENTENCE,
    ),
)


def show(depth: str) -> None:
    if depth == "Formula":
        _show_formula()
    found = _find_run()
    if found is not None:
        _show_run(found, depth)
    if depth == "Code":
        layout.code(tokenizer_steps)
    elif depth != "Formula":
        every_tokeniser.show(state.get("text") if found is None else found.text)
    layout.try_this(*PROMPTS)


def _show_run(run: Run, depth: str) -> None:
    """Show the sentence and one of its words. Every depth has the same piece chosen."""
    tokenizer, numbers = run.model.tokenizer, depth == "Numbers"
    spellings = text_work.in_turn(spell_words(tokenizer, run.text))
    placed = tokenizer.place(run.text)
    word_of = _words_of_pieces(placed, spellings)
    piece = _read_piece(run, word_of)
    if depth == "Formula":
        _work_out(tokenizer, spellings)
    elif depth != "Code":
        claims.tell(A_WORD, len(placed) / max(len(run.text.split()), 1))
        _show_sentence([each.token for each in placed], word_of, piece, spellings, numbers)
        _show_word(tokenizer, run.text, spellings, numbers)


def _find_run() -> Run | None:
    """The run of the sentence; None, below a message, where the chosen model's tokenizer cannot cut it. Others may."""
    try:
        return traces.current(keep=())
    except traces.NothingToShow as nothing:
        if isinstance(nothing.__cause__, UnreadableText):
            return None
        raise


def _show_sentence(
    tokens: Sequence[Token],
    word_of: Sequence[int | None],
    selected: int,
    spellings: Sequence[Spelling],
    numbers: bool,
) -> None:
    """Show the whole sentence in its pieces. A click on a piece chooses it, and its word."""
    if numbers:
        rows = [
            {"position": position, "piece": label, "id": token.id, "bytes": token.bytes.hex(" ").upper(), "word": word}
            for position, (label, token, word) in enumerate(zip(labels(tokens), tokens, word_of, strict=True))
        ]
        st.dataframe(rows, hide_index=True)
    else:
        mounts.token_strip(
            tokens,
            key=SENTENCE,
            label="Pieces of the sentence",
            selected=selected,
            on_pick=_take_piece,
        )
    cut = [each for each in spellings if len(each.pieces) > 1]
    named = ", ".join(f"“{markdown_text(token_label(each.word).lstrip(SPACE))}”" for each in cut[:MAX_NAMED])
    more = ", ..." if len(cut) > MAX_NAMED else ""
    cuts = f"In more than one piece: {named}{more}." if cut else "Every word is one piece."
    layout.caption(f"{count_noun(len(spellings), 'word')}, {count_noun(len(tokens), 'token')}. {cuts}")
    control_tokens.explain(tokens)


def _words_of_pieces(placed: Sequence[Placed], spellings: Sequence[Spelling]) -> list[int | None]:
    """The word of each token of the sentence. None for a token that was put around it."""
    words = (place for place, each in enumerate(spellings) for _ in each.pieces)
    return [None if each.word is None else next(words) for each in placed]


def _read_piece(run: Run, word_of: Sequence[int | None]) -> int:
    """The piece that the run bar chooses, whose word is spelled. Where that is open, the first one of the word."""
    place, stack = state.get("tokens_place"), run.model.config.stacks[0]
    if place >= 0 and (last := max((word for word in word_of if word is not None), default=-1)) >= 0:
        place = state.checked_number("tokens_place", 0, last, "Word")
    usual = word_of.index(place) if place in word_of else usual_token(run, stack)
    piece = places.read_query(len(word_of), usual, stack)
    if word_of[piece] not in (None, place):
        state.put(tokens_place=word_of[piece])
    return piece


def _take_piece() -> None:
    """Choose the piece that was clicked."""
    piece = st.session_state[SENTENCE]["pick"]
    if piece is not None:
        state.put(query=int(piece))


def _take_word() -> None:
    """The menu has chosen a word: which of its pieces is left open."""
    state.put(query=-1)


def _show_word(tokenizer: Tokenizer, text: str, spellings: Sequence[Spelling], numbers: bool) -> None:
    """Show one word of the sentence at one step of its spelling."""
    st.subheader("How one word is cut", anchor=False)
    if not spellings:
        st.info("There is no word to cut: only special tokens are left of this text.")
        return
    chosen, at = _choose_step(tokenizer, spellings)
    claims.tell(PIECES, len(chosen.pieces))
    if numbers:
        st.dataframe(_step_rows(tokenizer, chosen), hide_index=True)
    else:
        mounts.token_strip(
            _tokens_of(tokenizer, chosen.steps.at(at).pieces), key="tokens pieces", label="Pieces of the word"
        )
    layout.caption(_explain(tokenizer, chosen, at))
    figures.export(
        "pieces",
        partial(_draw_steps, tokenizer, chosen, at),
        partial(_all_rows, tokenizer, spellings),
        ids=[token.id for token in tokenizer.encode(text)],
    )


def _draw_steps(tokenizer: Tokenizer, spelling: Spelling, at: int, theme: Theme = "light") -> Figure:
    """The picture of a word's steps. All steps of a long word have many pieces, so they are made when it is drawn."""
    pieces = PieceTexts(tokenizer)
    steps = [[pieces.of(piece).label for piece in step.pieces] for step in spelling.steps]
    ranks = [step.rank for step in spelling.steps]
    return spelling_figure(steps, ranks, at, leftwards=is_right_to_left(spelling.word), theme=theme)


def _choose_step(tokenizer: Tokenizer, spellings: Sequence[Spelling]) -> tuple[Spelling, int]:
    """Draw the choice of a word and of a step. Returns the spelling of the word and the step's number."""
    place = state.checked_number("tokens_place", 0, len(spellings) - 1, "Word")
    chosen = spellings[place]
    last = len(chosen.steps) - 1
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Word", range(len(spellings)), key="tokens_place", width=260, on_change=_take_word,
            format_func=lambda i: f"{i}  {token_label(spellings[i].word)}",
        )  # fmt: skip
        if last:
            if state.get("tokens_step") > last or state.get("tokens_step") < 0:
                state.put(tokens_step=last)
            st.slider("Step", 0, last, key="tokens_step", width=320)
    return chosen, state.get("tokens_step") if last else 0


def _work_out(tokenizer: Tokenizer, spellings: Sequence[Spelling]) -> None:
    """Work out the smallest rank of the chosen step. WordPiece has no ranks."""
    if not spellings:
        st.info("There is no word to cut: only special tokens are left of this text.")
        return
    chosen, at = _choose_step(tokenizer, spellings)
    rank = chosen.steps.at(at).rank
    if rank is None:
        layout.caption(_explain(tokenizer, chosen, at))
        return
    before = chosen.steps.at(at - 1).pieces
    ranks = merge_ranks(tokenizer, before)
    pairs = ", ".join(r"\infty" if each is None else sums.whole(each) for each in ranks)
    names = labels(_tokens_of(tokenizer, before))
    layout.work_out(
        f"Step {at}: the ranks of the pairs of neighbours in {' '.join(quotes.quote(name) for name in names)}. The "
        "smallest rank is merged first. A pair that was never merged has rank ∞:",
        rf"\min\{{{pairs}\}} = {sums.whole(rank)}",
    )
    layout.caption(_explain(tokenizer, chosen, at))


def _all_rows(tokenizer: Tokenizer, spellings: Sequence[Spelling]) -> list[dict[str, Any]]:
    """One row for each step of each word of the sentence."""
    texts = PieceTexts(tokenizer)
    return [{"word": i} | row for i, each in enumerate(spellings) for row in _rows_of_steps(texts, each)]


def _tokens_of(tokenizer: Tokenizer, pieces: Pieces) -> list[Token]:
    """The pieces as tokens."""
    return [token_of(tokenizer, piece) for piece in pieces]


def _step_rows(tokenizer: Tokenizer, spelling: Spelling) -> list[dict[str, Any]]:
    """One row for each step."""
    return _rows_of_steps(PieceTexts(tokenizer), spelling)


def _rows_of_steps(texts: PieceTexts, spelling: Spelling) -> list[dict[str, Any]]:
    rows = []
    for number, step in enumerate(spelling.steps):
        pieces = [texts.of(piece) for piece in step.pieces]
        rows.append(
            {
                "step": number,
                "pieces": "  ".join(piece.label for piece in pieces),
                "count": len(pieces),
                "merge rank": step.rank,
                "ids": " ".join(piece.id for piece in pieces),
                "bytes": " | ".join(piece.bytes for piece in pieces),
            }
        )
    return rows


def _explain(tokenizer: Tokenizer, spelling: Spelling, at: int) -> str:
    step, pieces = spelling.steps.at(at), len(spelling.pieces)
    if len(spelling.steps) == 1:
        if spelling.how in HOW:
            return HOW[spelling.how].format(count_noun(pieces, "piece"))
        if pieces == 1:
            return "The whole word is in the vocabulary: one piece."
        if spelling.how == "at once":
            return f"The whole text is cut at once, into the likeliest pieces that are known: {pieces} for this word."
        return f"The table of merges has no two neighbours of this word: it stays {pieces} pieces."
    if step.rank is not None:
        before, now = spelling.steps.at(at - 1).pieces, step.pieces
        merged = next((i for i in range(len(now)) if now[i] != before[i]), len(now) - 1)
        name = markdown_text(labels(_tokens_of(tokenizer, now))[merged])
        left = f"Left: {count_noun(len(now), 'piece')}" + (
            f", {pieces} at the end." if pieces < len(now) else ", the last."
        )
        return f"Step {at}: merge {step.rank:,} of the table makes **{name}**. {left}"
    if at == 0 and spelling.steps.last.rank is not None:
        return f"At first every byte or letter is a piece: {len(step.pieces)} pieces. The merges leave {pieces}."
    return f"Cut off the longest known beginning, then that of the rest: {count_noun(pieces, 'piece')} in the end."


def _show_formula() -> None:
    layout.equation(
        r"(a, b)^* = \arg\min_{(a, b) \in \text{neighbours}} \mathrm{rank}(a, b), \qquad a\,b \to ab",
        "Byte-pair encoding. Each step merges the two neighbours that were merged first in training, until no pair is "
        "in the table. Sennrich et al. (2016), arXiv:1508.07909.",
    )
    layout.equation(
        r"\text{piece}_1 = \text{the longest prefix of the word in the vocabulary, and so on with the rest}",
        "WordPiece. Wu et al. (2016), arXiv:1609.08144. A piece within a word begins with ##.",
    )
    layout.equation(
        r"x^* = \arg\max_{x_1 \dots x_n \,=\, \text{text}} \ \sum_i \log p(x_i)",
        "Unigram model, in SentencePiece: the likeliest of all ways to cut the text into known pieces. Kudo (2018), "
        "arXiv:1804.10959.",
    )
