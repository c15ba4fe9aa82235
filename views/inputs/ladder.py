"""The Ladder: the same two words as vectors of six kinds, from one-hot to a transformer's."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd

from model.cached_property import cached_property
from model.vectors import cosines, counts, factorisation, glove
from views.inputs.glove import TrainedWords
from views.inputs.ratings import Ratings
from views.inputs.small_world import COUNTED_LINES, NEW_WORLD, Rung, SmallWorld
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.shared import quotes
from views.view import View, equation, grey, work_out
from viz.documents.page_parts import Group, Heading, Text
from viz.inputs.ladder import similarity_figure
from viz.shared.style import count_noun, markdown_text, number, percent

RUNGS = {
    "one-hot": "One-hot",
    "presence": "Presence",
    "tf-idf": "TF-IDF",
    "factorisation": "Matrix factorisation",
    "glove": "GloVe",
    "context": "In context",
}
UNTRAINED_RUNGS = ("one-hot", "presence", "tf-idf", "factorisation")  # they need no training on the page
EXPLANATIONS = {
    "one-hot": "One number for each word of the vocabulary: 1 for the word itself, 0 for all others. Every two words "
    "are at right angles.",
    "presence": "One number for each line of the small world: 1 if the word stands in it, however often, and 0 if not. "
    "Palaskos calls this one-hot. Words that share lines are a little alike.",
    "tf-idf": "One number for each line: the word's count in it. The count weighs less if many lines have the word.",
}
MODEL = "minilm-l6"  # of the rung In context
COSINE = "the cosine of both words on this rung"


@dataclass(frozen=True)
class Ladder(View):
    """Two words on each rung, of which `open_rung` is open.

    `in_context`: the rung In context, or why it has none; None while it is not open. `glove` and `ratings` are those of
    their rungs; `glove` is None where a word is not in the vocabulary.
    """

    words: tuple[str, str]
    open_rung: str
    ratings: Ratings
    glove: TrainedWords | None
    in_context: Rung | Text | None
    world: SmallWorld = field(default=NEW_WORLD, compare=False, repr=False)

    @cached_property
    def places(self) -> tuple[int, int] | None:
        """The indices of the words in the vocabulary, or None if one is not in it."""
        return self.world.places(self.words)

    @cached_property
    def rungs(self) -> dict[str, Rung]:
        """The rungs that know the two words, by their titles."""
        found: dict[str, Rung | Text | None] = {}
        if self.places is not None:
            found = {name: self.world.rung(name, self.places) for name in UNTRAINED_RUNGS}
            if self.glove is not None and self.glove.trained is not None:
                found["glove"] = self.world.describe(self.glove.vectors.words, self.places)
        found["context"] = self.in_context
        return {RUNGS[name]: each for name, each in found.items() if isinstance(each, Rung)}

    def told(self) -> Mapping[str, float | str]:
        shown = self.rungs.get(RUNGS[self.open_rung])
        return {} if shown is None else {COSINE: shown.similarity}

    def picture_parts(self) -> Sequence[Any]:
        return self._parts(self.picture())

    def number_parts(self) -> Sequence[Any]:
        return self._parts(None)

    def _parts(self, picture: Chart | None) -> list[Any]:
        above = [Controls("words and rung"), *self._complain()]
        if self.places is None and self.open_rung not in ("factorisation", "context"):
            return above
        return [*above, *self._open_rung(), *(self._all_rungs(picture) if self.rungs else [])]

    def _complain(self) -> list[Text]:
        """A warning that names the words outside the vocabulary, where the open rung needs them."""
        return [] if self.places is not None or self.open_rung == "context" else [self._missing_words()]

    def _missing_words(self) -> Text:
        words = self.world.words
        strange = dict.fromkeys(word for word in self.words if word and word not in words)
        unknown = " and ".join(f"“{markdown_text(word)}”" for word in strange)
        examples = ", ".join(word for word in words if len(word) > 3)[:90].rpartition(",")[0]
        return Text(
            (f"{unknown}: not in the vocabulary of these rungs. " if unknown else "A word is missing. ")
            + f"They know the small world's {len(words)} most frequent words, such as {examples}. "
            "Only the rung In context takes any word.",
            "warning",
            ":material/info:",
        )

    def _open_rung(self) -> Sequence[Any]:
        if self.open_rung == "factorisation":
            return [self.ratings]
        if self.open_rung == "glove":
            return [self.glove]
        if self.open_rung == "context":
            return [Controls("sentences"), *([self.in_context] if isinstance(self.in_context, Text) else [])]
        return grey(EXPLANATIONS[self.open_rung])

    def _all_rungs(self, picture: Chart | None) -> list[Any]:
        table = Group([self.table()], key="tokens rungs")
        shown = [] if picture is None else [picture]
        return [Heading("All rungs", 3), table, *grey(self.caption()), *shown, self.files()]

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "rung": name,
                "numbers a word": each.size,
                "share of zeros": percent(each.zeros),
                "similarity": number(each.similarity),
                "nearest to the first word": ", ".join(f"{word} {number(cosine, 2)}" for word, cosine in each.near)
                or "none",
            }
            for name, each in self.rungs.items()
        ]

    def caption(self) -> str:
        (first, first_rung), (last, last_rung) = (list(self.rungs.items())[place] for place in (0, -1))
        one, other = map(markdown_text, self.words)
        return (
            f"“{one}” and “{other}”: cosine {number(first_rung.similarity)} on the rung {first}, "
            f"{number(last_rung.similarity)} on {last}. GloVe and In context have a row once their rung is open."
        )

    def picture(self) -> Chart:
        return Chart(self._draw(), "The cosine of the two words on each rung")

    def _draw(self) -> Draw:
        return partial(similarity_figure, {name: each.similarity for name, each in self.rungs.items()})

    def files(self) -> Files:
        return Files("tokens-ladder", self._draw(), self._draw(), self._rows)

    def formula(self) -> Sequence[Any]:
        return [
            Controls("words"),
            *([] if self.places is not None else [self._missing_words()]),
            *equation(
                r"\text{one-hot: } w_{ij} = [\,i = j\,], "
                r"\qquad \text{presence: } w_{ij} = [\,i \text{ stands in line } j\,]",
                "One-hot over the vocabulary; over the sentences it is Palaskos (2022), section 1.1.",
            ),
            *equation(
                r"w_{ij} = \mathrm{tf}(i, j)\,\left(\ln\frac{1 + N}{1 + \mathrm{df}(i)} + 1\right)",
                "TF-IDF: Palaskos (2022), section 1.1, in the smoothed form of scikit-learn; then each line has "
                "length 1.",
                {
                    r"\mathrm{tf}": "how often word i stands in line j",
                    r"\mathrm{df}": "lines that have the word",
                    "N": "all lines",
                },
            ),
            *([] if self.places is None else _work_out_tf_idf(self.world, self.places[0])),
            *self._factorisation_formula(),
            *equation(
                r"\sum_{ij} f(x_{ij})\,\bigl(w_i \cdot u_j + b_i + c_j - \log(1 + x_{ij})\bigr)^2, \quad"
                r" f(x) = \min\bigl(1, (x / x_{max})^{0.75}\bigr)",
                "GloVe: Palaskos (2022), eq. 1.13-1.14; Pennington, Socher and Manning (2014).",
                {"x_{ij}": "co-occurrences, weighted 1, 1/2, 1/3 by distance", "x_{max}": "100"},
            ),
            *(() if self.glove is None else self.glove.formula()),
        ]

    def _factorisation_formula(self) -> list[Any]:
        return [
            *equation(
                r"r_{ij} \approx w_i \cdot u_j + b_i + c_j + \mu",
                "Matrix factorisation with biases: Palaskos (2022), eq. 1.5-1.12.",
                {"w_i, u_j": "vectors of K numbers", "b_i, c_j": "biases", r"\mu": "the mean of what was observed"},
            ),
            *equation(
                r"w_i,\,b_i \leftarrow \Bigl(\sum_j \tilde u_j \tilde u_j^\top + \lambda I\Bigr)^{-1}"
                r"\sum_j \tilde u_j\,(r_{ij} - c_j - \mu), \quad \tilde u_j = [u_j, 1]",
                "One half-step of alternating least squares. The sums run over the observed entries of row i.",
            ),
            *self.ratings.formula(),
        ]

    def code(self) -> Sequence[Any]:
        counted = (counts.one_hot, counts.presence, counts.tf_idf, cosines.cosines)
        return [*counted, factorisation.half_step, factorisation.fit, glove.cooccurrence, glove.weight, glove.fit]


def _work_out_tf_idf(world: SmallWorld, word: int) -> list[Any]:
    """The word's entry in the line where it weighs most."""
    words, lines = world.words, world.corpus.lines[:COUNTED_LINES]
    line = int(world.vectors("tf-idf")[word].argmax())
    having = [sum(each in line for line in lines) for each in words]
    counts_in_line = [lines[line].count(each) for each in words]
    weights = [counts.tf_idf_weight(n, df, len(lines)) for n, df in zip(counts_in_line, having, strict=True)]
    count, length = counts_in_line[word], math.hypot(*weights)
    if not count:
        return list(grey(f"{quotes.quote(words[word])} stands in none of the {len(lines):,} lines."))
    raw = quotes.tex(weights[word])
    return work_out(
        f"{quotes.quote(words[word])} stands {count_noun(count, 'time')} in “{' '.join(lines[line])}”, and in "
        f"{having[word]} of {len(lines):,} lines; then over the length of the line:",
        rf"{count} \left(\ln \frac{{1 + {len(lines)}}}{{1 + {having[word]}}} + 1\right) = {raw}, \qquad "
        rf"w_{{ij}} = \frac{{{raw}}}{{{quotes.tex(length)}}} = {quotes.tex(weights[word] / length)}",
    )
