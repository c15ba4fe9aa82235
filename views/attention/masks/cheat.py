"""The cheating decoder: without its mask, a word that comes later changes earlier predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import pandas as pd

from model.experiments import causality
from model.experiments.causality import Leak
from model.tokens.tokenizer import Token
from views.attention.masks.decoders import has_decoder, say_no_decoder
from views.call import Call, call_of
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.run import Run
from views.shared.matrix_tables import named_rows, number_words
from views.shared.quotes import quote, tex
from views.view import Needs, View, equation, grey, work_out
from viz.attention.masks import leak_figure
from viz.documents.page_parts import Text
from viz.shared.style import count_noun, markdown_text, number, percent
from viz.shared.tokens import words

CHANGE_BEFORE = "the largest change before the changed word, with the mask,"
REASON = "There is no future to hide from it."


@dataclass(frozen=True)
class CheatingDecoder(View):
    """What changes where the token at a `place` is replaced by another one. `shown`: the tokens that are drawn.

    `leaks` are the changes with the causal mask and without it, None before they are compared. Where the new word is no
    token, `why_not` says so.
    """

    run: Run
    place: int
    new_token: Token | None
    shown: slice
    leaks: tuple[Leak, Leak] | None = field(default=None, compare=False)
    why_not: str = ""

    needs: ClassVar[Needs] = ()

    def made_by(self) -> Call:
        if self.new_token is None:
            return call_of(self)
        token = Call(causality.one_token, (self.run.model, self.new_token.text.strip()))
        leaks = Call(compare_leaks, (self.run, self.place, token)) if self.leaks else None
        return call_of(self, new_token=token, leaks=leaks)

    @property
    def labels(self) -> list[str]:
        """The words of the sentence, with the new one after that which it replaces."""
        labels = words(self.run.trace.tokens)
        if self.new_token is not None:
            labels[self.place] = f"{labels[self.place]} → {words([self.new_token])[0]}"
        return labels

    @property
    def _leaks(self) -> tuple[Leak, Leak]:
        assert self.leaks is not None
        return self.leaks

    @property
    def _is_same(self) -> bool:
        return self.new_token is not None and self.new_token.id == self.run.trace.tokens[self.place].id

    def told(self) -> Mapping[str, float | str]:
        if self.leaks is None or self._is_same or self.place == 0:
            return {}
        return {CHANGE_BEFORE: float(self.leaks[0].change[: self.place].max())}

    def picture_parts(self) -> Sequence[Any]:
        return self._if_compared(lambda: [Controls("window"), self.picture(), self.files(), *grey(self.caption())])

    def number_parts(self) -> Sequence[Any]:
        return self._if_compared(
            lambda: [Controls("window of numbers"), self.table(), self.files(), *grey(self.caption())]
        )

    def formula_parts(self) -> Sequence[Any]:
        written = equation(
            r"p(x_{t+1} \mid x_{\le t}): \quad \frac{\partial u_t}{\partial x_s} = 0 \text{ for all } s > t",
            "Slides, “Masking out the future”; Palaskos (2022), section 3.9",
            {"u_t": "the logits after token t", "x_s": "a token that comes later"},
        )
        return [*written, *self._if_compared(self._worked_changes)]

    def _if_compared(self, make: Any) -> list[Any]:
        """What `make` makes of both leaks, below the choice of the word; or why there are none."""
        if not has_decoder(self.run):
            return say_no_decoder(self.run, REASON)
        if self.why_not:
            return [Controls("change"), Text(markdown_text(self.why_not), "error", ":material/error:")]
        if self.leaks is None:
            count = len(self.run.trace.tokens)
            asked = grey(f"All logits of four runs over {count:,} tokens are compared when you ask for it.")
            return [Controls("change"), Controls("compare"), *asked]
        return [Controls("change"), Controls("compare"), *make()]

    def picture(self) -> Chart:
        return Chart(self._draw(), "Change of the logits at every position", key="masks leak")

    def _draw(self) -> Draw:
        kept, leaked = (leak.change[self.shown].numpy() for leak in self._leaks)
        return partial(leak_figure, self.labels[self.shown], kept, leaked, self.place - self.shown.start)

    def table(self) -> DataTable:
        return DataTable(self._table, has_index=True)

    def _table(self) -> pd.DataFrame:
        """The largest change of a logit at every position, with the mask and without it."""
        kept, leaked = (leak.change.numpy() for leak in self._leaks)
        return pd.DataFrame({"with the causal mask": kept, "without the mask": leaked}, index=number_words(self.labels))

    def _worked_changes(self) -> list[Any]:
        """The largest change of a logit before the changed token, with the mask and without it."""
        place, (masked, unmasked) = self.place, self._leaks
        if place == 0:
            return grey("No prediction stands before the first token: change a later one.")
        kept, leaked = float(masked.change[:place].max()), float(unmasked.change[:place].max())
        change = r"\lVert \Delta u_t \rVert_\infty"
        return work_out(
            f"For {quote(self.labels[place])} (s = {place}), the largest change of a logit at any t before, with the "
            f"mask; and without it, where t = {unmasked.most_changed_before(place)} changes most:",
            rf"\max_{{t < {place}}} {change} = {tex(kept)}, \qquad \max_{{t < {place}}} {change} = {tex(leaked)}",
        )

    def code(self) -> Sequence[Any]:
        return [causality.leak, causality.compare_predictions, causality.Leak, causality.change_token]

    def caption(self) -> str:
        place, labels, (masked, unmasked) = self.place, self.labels, self._leaks
        name = markdown_text(labels[place])
        if self._is_same:
            return f"**{name}** is the word that stands there: write another one, and see who notices."
        if place == 0:
            return f"**{name}** is the first token: nothing comes before it that could see it."
        kept, worst = float(masked.change[:place].max()), unmasked.most_changed_before(place)
        id, before, after = unmasked.likeliest_at(worst)
        token = markdown_text(words(self.run.model.output_tokenizer.tokens([id]))[0])
        return (
            f"**{name}** comes at place {place}. With the mask, the {count_noun(place, 'prediction')} before it "
            f"{'changes' if place == 1 else 'change'} by {'exactly 0' if kept == 0 else number(kept)}. Without it the "
            f"change is up to {number(float(unmasked.change[worst]))}, largest after "
            f"{quote(labels[worst], worst)}: there “{token}” goes from {percent(before)} to {percent(after)}. "
            "In training, a decoder without the mask would read the answer instead of learning to predict it."
        )

    def files(self) -> Files:
        draw, labels, (masked, unmasked) = self._draw(), self.labels, self._leaks
        return Files(
            f"{self.run.name}-leak",
            draw,
            draw,
            rows=lambda: named_rows(self._table(), "token"),
            arrays=lambda: {"labels": labels, "masked": masked.change, "unmasked": unmasked.change},
        )


def compare_leaks(run: Run, place: int, new_token: Token) -> tuple[Leak, Leak]:
    """What changes where a token of a run is replaced: with the causal mask, and without it."""
    tokens, source = run.trace.tokens, run.trace.source_tokens
    changed = causality.change_token(tokens, place, new_token)
    masked, unmasked = (causality.leak(run.model, tokens, changed, source, causal) for causal in (True, False))
    return masked, unmasked
