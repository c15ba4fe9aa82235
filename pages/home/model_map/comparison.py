"""The second run of the map: another sentence, or the model beside the reader's. The map shows the difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from model.errors import GlassformerError
from model.experiments.second_sentence import swap_noun
from pages.home.model_map.tiled_runs import DifferenceSource, RunSource, source_of
from pages.shared.elements import layout
from pages.shared.model_runs import fitting_text, traces
from pages.shared.session import state
from pages.shared.session.keys import KEYS, MAX_CHARACTERS
from views.run import Run
from views.run_spec import RunSpec
from viz.shared.style import markdown_text, token_label
from viz.shared.tokens import shorten

SENTENCE = "another sentence"
LONGEST_QUOTE = 120  # characters


@dataclass(frozen=True)
class Comparison:
    """The run of the run bar (a) and a second one (b), and both in words."""

    source: DifferenceSource
    first: str
    second: str

    def pair_labels(self, labels: Sequence[str], *, is_source: bool) -> list[str]:
        """The labels of the tokens of both runs: both where they differ. `is_source`: those of the encoder."""
        spec = self.source.second.spec
        tokens = spec.source_tokens if is_source else spec.tokens
        others = [token_label(token.text, token.bytes) for token in tokens]
        return [one if one == other else f"{one} / {other}" for one, other in zip(labels, others, strict=True)]


def read(run: Run) -> tuple[Comparison | None, str]:
    """What the reader has chosen, and why it cannot be compared. None for the run alone."""
    try:
        return _read(run), ""
    except traces.errors() as error:
        return None, str(error)


def _read(run: Run) -> Comparison | None:
    """Raises `GlassformerError` for what cannot be compared."""
    first = source_of(run)
    text = state.get("home_text2")
    return _with_sentence(run, first, text) if state.get("home_with") == SENTENCE and text.strip() else None


def _with_sentence(run: Run, first: RunSource, text: str) -> Comparison:
    """The same model over another text. A decoder after an encoder goes through the same translation."""
    fitting = fitting_text.fit_and_say(run.model, text, "the second sentence")
    text, tokens = fitting.text, fitting.tokens
    mine = first.spec.source_tokens or first.spec.tokens
    if len(tokens) != len(mine):
        raise GlassformerError(
            f"To be compared, both sentences need as many tokens: the first has {len(mine)}, the second {len(tokens)}. "
            "Change words, not the number of tokens."
        )
    both = (first.spec.tokens, tokens) if first.spec.source_tokens else (tokens,)
    second = RunSource(RunSpec.of(run.model, *both), run.model, first.turns)
    quotes = (f"“{shorten(each, LONGEST_QUOTE)}”" for each in (run.text, text))
    return Comparison(DifferenceSource(first, second), *quotes)


def of_models(first: Run, second: Run) -> Comparison:
    """The runs of two models over the same tokens."""
    return Comparison(DifferenceSource(source_of(first), source_of(second)), first.title, second.title)


def show_controls(run: Run) -> None:
    """The choice of the second run, and one line where it cannot be compared."""
    _, problem = read(run)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control(
            "Compare with",
            KEYS["home_with"].choices,
            key="home_with",
            required=True,
            width="content",
            format_func=str.capitalize,
            help="The map then shows each number of this run minus the same number of the other one.",
        )
        if state.get("home_with") == SENTENCE:
            mine = run.trace.source_tokens or run.trace.tokens
            st.text_input(
                "Second sentence",
                key="home_text2",
                max_chars=MAX_CHARACTERS,
                placeholder=f"{len(mine)} tokens, such as this sentence with one word changed",
            )
            _offer_example(run)
    if problem:
        st.error(markdown_text(problem), icon=":material/error:")
    elif state.get("home_with") == SENTENCE and not state.get("home_text2").strip():
        layout.caption("Type a second sentence with as many tokens as the first.")


def _offer_example(run: Run) -> None:
    example = swap_noun(run.model, run.text)
    if example and example != state.get("home_text2"):
        words = markdown_text(f"“{shorten(example, 40)}”")
        st.button(f"Try {words}", key="home example", on_click=partial(state.put, home_text2=example))
