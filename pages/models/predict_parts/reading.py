"""The lens and the surprise of a continuation, in turns with other readers. The session keeps its last lens."""

from __future__ import annotations

import streamlit as st

from model.analysis.logit_lens import Lens
from model.generation.surprise import Surprise
from pages.shared.model_runs import model_turns
from pages.shared.session.last_made import keep_last
from views.models.predict.continuation import Continuation
from views.models.predict.reader import Reader


class ReaderInTurns(Reader):
    """A reader that waits for its turn."""

    def lens(self, written: Continuation, positions: tuple[int, ...]) -> Lens:
        def make() -> Lens:
            with st.spinner("Asking every layer"), model_turns.forward_pass():
                return super(ReaderInTurns, self).lens(written, positions)

        return keep_last("logit lens", (written.run.spec.model, written.ids, positions), make)

    def measure_surprise(self, written: Continuation) -> Surprise:
        with model_turns.forward_pass(runs=0):
            return super().measure_surprise(written)
