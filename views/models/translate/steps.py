"""The translation step by step: the player, or its numbers as a table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
from torch import Tensor

from model.generation.steps import generate
from views.models.translate.pair import Pair
from views.models.translate.translation import Translation
from views.parts import Canvas, DataTable, Files, Keys
from views.shared import control_words, quotes
from views.view import grey
from viz.documents.page_parts import Text
from viz.models.translate import pack_translation, whole_words
from viz.print import translation_pictures
from viz.shared.style import count_noun, isolate, markdown_text, percent
from viz.shared.tokens import words

CROSSINGS = "the number of pairs of lines that cross"
GIVEN = "You gave this translation in the bar: the decoder reads it. Empty the field to see its own."


@dataclass(frozen=True)
class Steps(Translation):
    """The translation up to a step, and where a layer and head look back."""

    def above(self) -> list[Any]:
        return [Text(GIVEN, "caption")] if self.pair.given else []

    def told(self) -> Mapping[str, float | str]:
        looks = self.cross_attention.argmax(-1)  # (target tokens,)
        return {**super().told(), CROSSINGS: int((looks[:, None] > looks).triu().sum())}

    @property
    def cross_attention(self) -> Tensor:
        """The cross-attention of the chosen layer and head: (target tokens, source tokens)."""
        weights, layer, head = self.pair.weights("decoder", "cross_attn"), self.choice.layer, self.choice.head
        weights = weights.mean(0) if layer < 0 else weights[layer]
        return weights.mean(0) if head < 0 else weights[head]

    @property
    def probabilities(self) -> list[float]:
        """The model's probability of each token of the translation."""
        p = self.pair.run.trace.logits.softmax(-1)
        return [float(p[step, id]) for step, id in enumerate(self.pair.written_ids)]

    def picture_parts(self) -> Sequence[Any]:
        output = self.pair.run.model.output_tokenizer
        tokens = (output.token(self.pair.start), *self.pair.written)
        control = control_words.explain_names(token.text for token in tokens if token.special)
        return [self.picture(), *grey(self.caption()), *control, self.files()]

    def number_parts(self) -> Sequence[Any]:
        where = f"layer {self.choice.layer}" if self.choice.layer >= 0 else "the mean of all layers"
        said = f"Cross-attention in {where}: each row sums to 1 over the source tokens."
        return [self.table(), *grey(said), self.files()]

    def picture(self) -> Canvas:
        return Canvas("models/translation", self._pack, key="translate player", picks={"view": _take_view})

    def _pack(self) -> bytes:
        pair, choice = self.pair, self.choice
        return pack_translation(
            pair.source,
            pair.written,
            words(pair.source),
            words(pair.written),
            pair.weights("encoder", "self_attn").numpy(),
            pair.weights("decoder", "self_attn").numpy(),
            pair.weights("decoder", "cross_attn").numpy(),
            identity=repr((pair.run.name, pair.run.text, pair.run.target)),
            given=pair.given,
            probabilities=self.probabilities,
            # with the keys, the order and the form that the player sends back
            view={"step": choice.step, "layer": choice.layer, "head": choice.head, "order": choice.order},
            start=words(pair.run.model.output_tokenizer.tokens([pair.start]))[0],
        )

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        """Every step: its token, its probability, and the cross-attention to each source token."""
        columns = [f"{i} {word}" for i, word in enumerate(words(self.pair.source))]
        steps = zip(words(self.pair.written), self.probabilities, self.cross_attention.tolist(), strict=True)
        return [
            {"step": step + 1, "token": word, "probability": p} | dict(zip(columns, row, strict=True))
            for step, (word, p, row) in enumerate(steps)
        ]

    def files(self) -> Files:
        pair, choice, row = self.pair, self.choice, self.cross_attention.numpy()
        where = f"layer {choice.layer}" if choice.layer >= 0 else "mean of all layers"
        title = f"{pair.run.model.card.title}, cross-attention, {where}, after step {choice.step}"
        picture = partial(
            translation_pictures.lines_picture, pair.source, pair.written, row, choice.step, title,
            leftwards=choice.order != "time",
        )  # fmt: skip
        return Files("translation", picture, rows=self._rows, arrays=lambda: {"weights": row})

    def caption(self) -> str:
        pair, probabilities = self.pair, self.probabilities
        spoken = [word["text"] for word in whole_words(pair.written) if not word["special"]]
        if not spoken:
            return "The model ended the sentence at once, without a word."
        unsure = min(range(len(probabilities)), key=probabilities.__getitem__)
        translation = markdown_text(pair.text(pair.written_ids))
        verb = "was given" if pair.given else "wrote"
        size = f"{count_noun(len(spoken), 'word')} in {count_noun(len(pair.written), 'step')}"
        text = f"The model {verb} **{isolate(translation)}**: {size}. "
        if probabilities[unsure] > 0.95:
            floor = math.floor(1000 * probabilities[unsure]) / 10
            text += f"It was sure of every one: each had at least {floor:g}%."
        else:
            unsure_word = quotes.quote(words(pair.written)[unsure], unsure)
            text += f"It was least sure of {unsure_word}, {percent(probabilities[unsure])}."
        if not pair.given and pair.written_ids[-1] not in pair.run.model.output_tokenizer.ends:
            text += " It reached its limit before it ended the sentence."
        return text

    def code(self) -> Sequence[Any]:
        return (generate,)


def _take_view(view: Mapping[str, Any]) -> Keys:
    return {
        "translate_step": int(view["step"]),
        "translate_layer": int(view["layer"]),
        "translate_head": int(view["head"]),
        "translate_order": "time" if view["order"] == "time" else "reading",
    }


def aligned_layer(pair: Pair) -> int:
    """The decoder layer whose cross-attention aligns words best, by the model's card. -1 if the card has no measure."""
    metrics = pair.run.model.card.details.get("metrics", {})
    accuracies = {l: metrics.get(f"alignment_layer_{l}", 0.0) for l in range(pair.config.n_decoder_layers)}
    best = max(accuracies, key=accuracies.__getitem__)
    return best if accuracies[best] else -1
