"""What the chosen head writes on many texts, and what is lost without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from model.experiments.head_ablation import AblationSweep
from model.surveys.effect import HeadEffect, WordRises
from model.surveys.head_effect import head_effect
from model.surveys.reading import Place, Reading
from model.surveys.writing import Writing
from model.surveys.written_places import written_at_strongest
from model.tokens.tokenizer import Token
from views.attention.many_texts.longest_places import LongestPlaces
from views.attention.many_texts.reading_view import ReadingView, call_of_reading
from views.attention.many_texts.token_names import sides_of
from views.call import Call
from views.head_of_run import HeadOfRun
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.shared import quotes
from views.shared.quotes import tex
from views.view import equation, grey, work_out
from viz.attention.many_texts_effect import rises_figure, words_figure
from viz.documents.page_parts import Heading, Metric
from viz.shared.style import count_noun, number, token_label
from viz.shared.tokens import labels

PLACES, WORDS_OF_PLACE, WORDS, HARMED = 12, 5, 10, 12
MEAN_RISE = "the mean rise of the loss without the head"
NO_WORDS = (
    "This head is in an encoder, which has no output layer: what it writes makes no word likelier by itself, so only "
    "the loss without it is measured."
)
NOT_RUN = "What is lost without the head takes two runs of all texts: with it, and without it. It waits for you to ask."


@dataclass(frozen=True)
class EffectOnTexts(ReadingView):
    """What a head writes at its strongest places (`written`), and its `effect`; None where no text was run for it."""

    written: tuple[tuple[Place, WordRises], ...]
    effect: HeadEffect | None

    def made_by(self) -> Call:
        done = 0 if self.effect is None else int(self.effect.done.sum())
        named = {} if self.effect is not None and self.effect.is_whole else {"most": done}
        return Call(effect_on_texts, (self.head, call_of_reading(self)), named)

    @property
    def is_encoder(self) -> bool:
        """Whether an encoder makes the outcome, which predicts no next token."""
        return self.head.config.kind == "encoder"

    @property
    def measure(self) -> str:
        """What a text loses, in words."""
        return "how far the text's vector turns, 1 − cosine" if self.is_encoder else "rise of the loss, in nats a token"

    @property
    def words(self) -> WordRises | None:
        """The words that the head raises and lowers, in the mean over all queries."""
        return None if self.effect is None else self.effect.words(self.head.run.model, WORDS)

    def told(self) -> Mapping[str, float | str]:
        return {} if self.effect is None else {MEAN_RISE: self.effect.mean}

    def picture_parts(self) -> Sequence[Any]:
        return [*self._about_words(self._draw_words), *self._about_loss(self._draw_loss), *self.about_texts()]

    def number_parts(self) -> Sequence[Any]:
        return [*self._about_words(self._list_words), *self._about_loss(self._list_loss), *self.about_texts()]

    def _about_loss(self, make: Any) -> list[Any]:
        begin = [Heading("Without it", 3), Controls("effect")]
        if self.effect is None:
            return [*begin, *grey(NOT_RUN)]
        mean, margin = number(self.effect.mean), number(self.effect.margin)
        return [
            *begin,
            Metric(f"mean {self.measure}", f"{mean} ± {margin}" if np.isfinite(self.effect.margin) else mean),
            *make(self.effect),
            *grey(self.caption()),
            self.files(),
        ]

    def _about_words(self, make: Any) -> list[Any]:
        if not self.written:
            return grey(NO_WORDS) if self.head.at.stack == "encoder" else []
        places = Files(f"{self.head.file_name}-words", rows=self._place_rows)
        return [Heading("What it writes", 3), *make(), *grey(self._say_words()), places]

    def _draw_loss(self, effect: HeadEffect) -> list[Any]:
        harmed = DataTable(lambda: pd.DataFrame(self._text_rows(effect)), 3, height=300)
        return [self.picture(), harmed, *LongestPlaces(self.head, self.reading, effect).list_parts()]

    def _list_loss(self, effect: HeadEffect) -> list[Any]:
        tables = [self._text_rows(effect), self._token_rows(effect), self._longest_rows(effect)]
        return [DataTable(partial(pd.DataFrame, rows), 3) for rows in tables if rows]

    def _draw_words(self) -> list[Any]:
        words = self.words
        if words is None:
            return self._list_words()
        draw = partial(words_figure, _labelled(words.most), _labelled(words.least))
        said = "The words whose logits the head raises and lowers most, in the mean over all queries"
        return [Chart(draw, said, key="words of texts"), *self._list_words()]

    def _list_words(self) -> list[Any]:
        return [DataTable(lambda: pd.DataFrame(self._place_rows()), 2, height=300)]

    def picture(self) -> Chart:
        return Chart(self._draw(), f"How many texts have each {self.measure}, without {self.head.place}", key="rises")

    def _draw(self) -> Draw:
        assert self.effect is not None
        rises = self.effect.rises[np.isfinite(self.effect.rises)]
        return partial(rises_figure, rises, self.effect.mean, self.effect.margin, self.measure)

    def caption(self) -> str:
        effect = self.effect
        if effect is None:
            return ""
        known = effect.rises[np.isfinite(effect.rises)]
        said = [
            f"{count_noun(len(known), 'text')}. The line is the mean, ± what it may be off by in 95 of 100 samples."
        ]
        if not effect.is_whole:
            said.insert(
                0, f"**Partial**: {int(effect.done.sum()):,} of {int(effect.reading.read.sum()):,}, drawn by lot."
            )
        if not self.is_encoder:
            is_clear = abs(effect.mean) > effect.margin
            said.append(f"{int((known < 0).sum()):,} texts are predicted better without the head.")
            said.append("" if is_clear else "The mean is no further from 0 than chance puts it.")
        return " ".join(filter(None, [*said, "Michel et al. (2019), arXiv:1905.10650."]))

    def _say_words(self) -> str:
        place, words = self.written[0]
        query = quotes.quote(self._sides(place)["query"])
        raised = ", ".join(quotes.quote(label) for label, _ in _labelled(words.most[:3]))
        return (
            f"At the strongest place its output at {query} raises {raised} most. This is its direct part of the "
            "logits, with the scales that the norms had there; later layers read what it writes, too."
        )

    def _text_rows(self, effect: HeadEffect) -> list[dict[str, Any]]:
        return [{self.measure: harm.rise, "kind": harm.kind, "text": harm.text} for harm in effect.texts(HARMED)]

    def _token_rows(self, effect: HeadEffect) -> list[dict[str, Any]]:
        return [
            {
                "token": token_label(harm.tokens[harm.place]),
                "surprise with it": harm.before,
                "without it": harm.after,
                "text": harm.text,
            }
            for harm in effect.tokens(HARMED)
        ]

    def _longest_rows(self, effect: HeadEffect) -> list[dict[str, Any]]:
        return [
            {"length written": length, "weight": place.weight, **self._sides(place), "text": place.text}
            for place, length in effect.longest_places(HARMED)
        ]

    def _place_rows(self) -> list[dict[str, Any]]:
        return [
            {"weight": place.weight, **self._sides(place)}
            | {"raises": _list(words.most), "lowers": _list(words.least), "text": place.text}
            for place, words in self.written
        ]

    def _sides(self, place: Place) -> dict[str, str]:
        query, key = sides_of(self.head.run.model, self.reading, self.attention, place)
        return {"query": query, "key": key}

    def formula(self) -> Sequence[Any]:
        if self.effect is None:
            return [*self._loss_equation(), *self._word_equation()]
        known = self.effect.rises[np.isfinite(self.effect.rises)].astype(float)
        spread = tex(float(known.std(ddof=1))) if len(known) > 1 else "0"
        worked = work_out(
            f"Over {count_noun(len(known), 'text')}:",
            rf"\overline{{\Delta}} = {tex(self.effect.mean)}, \qquad "
            rf"1.96 \cdot \frac{{{spread}}}{{\sqrt{{{len(known)}}}}} = {tex(self.effect.margin)}",
        )
        return [*self._loss_equation(), *worked, *self._word_equation()]

    def _loss_equation(self) -> Sequence[Any]:
        return equation(
            r"\Delta_t = \mathrm{loss}_t(H_{l,h} := 0) - \mathrm{loss}_t, \qquad "
            r"\overline{\Delta} = \frac{1}{n} \sum_t \Delta_t \;\pm\; 1.96\, \frac{s}{\sqrt{n}}",
            "Michel et al. (2019), arXiv:1905.10650, section 3. For an encoder: 1 - cosine of the text's vector.",
            {"t": "a text", "s": "standard deviation over the texts", "H_{l,h}": f"the output of {self.head.place}"},
        )

    def _word_equation(self) -> Sequence[Any]:
        if not self.written:
            return ()
        return equation(
            r"\Delta u = \frac{\gamma \odot z W_O}{\mathrm{scale}}\, W_U, \qquad "
            r"\mathrm{length}_{ij} = A_{ij}\, \lVert v_j W_O \rVert",
            "Elhage et al. (2021); Kobayashi et al. (2020), arXiv:2004.10102.",
            {
                "z": "the output of the head at a query",
                r"\mathrm{scale}": "what the last norm divides by there; where norms follow the sums, each on the way",
                "W_U": "the output layer, a column for each word",
            },
        )

    def code(self) -> Sequence[Any]:
        return [head_effect, Writing, AblationSweep]

    def files(self) -> Files:
        assert self.effect is not None
        rises = self.effect.rises
        rows = partial(self._text_rows, self.effect)
        return Files(f"{self.head.file_name}-without-it", self._draw(), self._draw(), rows, lambda: {"rises": rises})


def effect_on_texts(head: HeadOfRun, reading: Reading, most: int | None = None) -> EffectOnTexts:
    """What a head writes and what is lost without it, on the texts of a reading.

    `most`: on how many texts its loss was measured when somebody stopped; 0 for none, None for all. Raises as
    `head_effect`.
    """
    model, attention = head.run.model, f"{head.at.stack}.{head.at.part}"
    where = head.at.layer, head.head, attention
    written = tuple(written_at_strongest(model, reading, *where, places=PLACES, words=WORDS_OF_PLACE))
    if most == 0:
        return EffectOnTexts(head, reading, written, None)
    share = 0.0

    def note(step: str, done: float) -> None:
        nonlocal share
        share = done

    def stop() -> bool:
        return most is not None and round(share * int(reading.read.sum())) >= most

    return EffectOnTexts(head, reading, written, head_effect(model, reading, *where, progress=note, stop=stop))


def _labelled(words: Sequence[tuple[Token, float]]) -> list[tuple[str, float]]:
    names = labels([token for token, _ in words])
    return [(name, value) for name, (_, value) in zip(names, words, strict=True)]


def _list(words: Sequence[tuple[Token, float]]) -> str:
    return "  ".join(name for name, _ in _labelled(words))
