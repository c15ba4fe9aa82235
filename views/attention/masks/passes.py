"""One masked pass gives the predictions of T separate passes: the same numbers, in less time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import pandas as pd

from model.analysis.head_steps import final_name
from model.experiments import causality
from model.experiments.causality import PassComparison
from model.numerals import milliseconds
from views.attention.masks.decoders import has_decoder, say_no_decoder
from views.call import Call, call_of
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.run import Run
from views.shared.quotes import quote, tex
from views.view import Needs, View, equation, grey, work_out
from viz.attention.masks import passes_figure
from viz.shared.style import number
from viz.shared.tokens import words

COUNT = "the number of predictions"
REASON = "It predicts nothing from prefixes."
SHOWN_BELOW = ["given", "next token", "largest difference"]  # columns that stand below the picture

MAX_TOKENS_UNASKED = 12  # of a longer sentence, more tokens are measured when the reader asks for it


@dataclass(frozen=True)
class Passes(View):
    """The time of one masked pass beside that of a pass for each prefix. `timings`: None before they are measured."""

    run: Run
    timings: PassComparison | None = field(default=None, compare=False)

    needs: ClassVar[Needs] = ()
    is_timed: ClassVar[bool] = True

    def made_by(self) -> Call:
        timings = Call(time_passes, (self.run, len(self.timings.seconds))) if self.timings else None
        return call_of(self, timings=timings)

    @property
    def _timings(self) -> PassComparison:
        assert self.timings is not None
        return self.timings

    def told(self) -> Mapping[str, float | str]:
        return {} if self.timings is None else {COUNT: len(self.timings.seconds)}

    def picture_parts(self) -> Sequence[Any]:
        below = DataTable(lambda: self._table()[SHOWN_BELOW], height="content")
        return self._if_measured(lambda: [self.picture(), below])

    def number_parts(self) -> Sequence[Any]:
        return self._if_measured(lambda: [self.table()])

    def _if_measured(self, make: Any) -> list[Any]:
        """What `make` makes of the timings, with the words about them."""
        if not has_decoder(self.run):
            return say_no_decoder(self.run, REASON)
        if self.timings is None:
            return [Controls("measure")]
        return [*make(), *grey(self.caption()), Controls("more"), self.files()]

    def picture(self) -> Chart:
        return Chart(self._draw(), "Time of the separate passes and of the single one", key="masks passes")

    def _draw(self) -> Draw:
        seconds = self._timings.seconds
        return partial(passes_figure, range(1, len(seconds) + 1), seconds, self._timings.together)

    def table(self) -> DataTable:
        return DataTable(self._table)

    def _table(self) -> pd.DataFrame:
        """One row for each prefix: its last words, the next token, the difference of the logits, the time."""
        timings = self._timings
        tokens = words(self.run.trace.tokens[: len(timings.seconds)])
        return pd.DataFrame(
            {
                "given": [_end_of(tokens[: length + 1]) for length in range(len(tokens))],
                "next token": words(self.run.model.output_tokenizer.tokens(timings.next_tokens)),
                "same in one pass": timings.agree,
                "largest difference": timings.differences,
                "milliseconds": [1000 * seconds for seconds in timings.seconds],
            }
        )

    def formula_parts(self) -> Sequence[Any]:
        written = equation(
            r"u_t(x_0 \dots x_{T-1}) = u_t(x_0 \dots x_t) \quad \text{for } t = 0 \dots T - 1",
            "Palaskos (2022), section 3.9",
            {
                "u_t": "the logits after token t, counted from 0. Under the causal mask they do not depend on what "
                "comes later",
            },
        )
        return [*written, *(self._worked_logit() if has_decoder(self.run) else say_no_decoder(self.run, REASON))]

    def _worked_logit(self) -> list[Any]:
        """The largest logit half way through the sentence, computed from the whole sentence and from its first half."""
        run = self.run
        ids, source = ([token.id for token in tokens] for tokens in (run.trace.tokens, run.trace.source_tokens))
        half = (len(ids) + 1) // 2
        final, network = final_name(run.config, "decoder"), run.model.on_cpu.network
        both = run.of_tokens(ids[:half], final, source), run.again(final)
        alone, together = (network.logits(trace[final][half - 1]) for trace in both)  # (vocabulary,)
        best = int(alone.argmax())
        token = quote(words(run.model.output_tokenizer.tokens([best]))[0])
        return work_out(
            f"For t = {half - 1} and T = {len(ids)}, the logit of {token}, its largest, and the difference over all "
            f"{len(alone):,} logits:",
            rf"u_{{{half - 1}}}(x_0 \dots x_{{{len(ids) - 1}}}) = {tex(float(together[best]), 5)}, \qquad "
            rf"u_{{{half - 1}}}(x_0 \dots x_{{{half - 1}}}) = {tex(float(alone[best]), 5)}, \qquad "
            rf"\lVert \Delta u \rVert_\infty = {tex(float((together - alone).abs().max()), 7)}",
        )

    def code(self) -> Sequence[Any]:
        return [causality.masked_pass, causality.separate_passes]

    def caption(self) -> str:
        timings = self._timings
        count, total = len(timings.seconds), sum(timings.seconds)
        return (
            f"{count:,} passes over growing prefixes took {milliseconds(total)}, one masked pass "
            f"{milliseconds(timings.together)}, {number(total / timings.together, 1)} times less; measured once on "
            f"this server, so times vary. All logits agree to {number(max(timings.differences))}, and "
            f"{sum(timings.agree):,} of {len(timings.agree):,} next tokens are the same."
        )

    def files(self) -> Files:
        draw = self._draw()
        return Files(f"{self.run.name}-passes", draw, draw, rows=lambda: self._table().to_dict("records"))


def time_passes(run: Run, count: int) -> PassComparison:
    """Time the separate passes over the first tokens of a run (`count`), and the masked one over all of these."""
    tokens, source = run.trace.tokens[:count], run.trace.source_tokens
    causality.masked_pass(run.model, tokens, source)  # warms up: the first run of a length is slower
    together = causality.masked_pass(run.model, tokens, source)
    return causality.compare_passes(list(causality.separate_passes(run.model, tokens, source)), *together)


def _end_of(tokens: list[str]) -> str:
    """All tokens of a short prefix, or the last five of a longer one."""
    return " ".join(tokens) if len(tokens) <= 6 else "… " + " ".join(tokens[-5:])
