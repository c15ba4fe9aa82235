"""The classes of a text and of its words, a masked word or an answer; and where the chosen token looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import pandas as pd
import torch

from model import Card
from model.analysis import answer_span
from model.analysis.head_steps import final_name
from model.analysis.telling import largest_other_weight
from model.cached_property import cached_property
from model.config import TransformerConfig
from model.config_values import ACTIVATIONS
from model.graph.explain import explain
from model.loading import gives_answer
from model.network.transformer import Transformer
from views.models.classify.answers import Answers
from views.models.classify.found_answer import FoundAnswer
from views.parts import Action, Chart, Controls, DataTable, Files
from views.plotted import Plotted
from views.run import Run
from views.shared import quotes, sums
from views.shared.matrix_tables import named_rows, number_words
from views.view import Needs, View, equation, work_out
from viz.documents.page_parts import Group, Heading
from viz.models.classify import attention_rows_figure
from viz.shared.style import markdown_text, percent
from viz.shared.tokens import words

KEEP = ("*logits", "*.weights")
CLASSIFIER = "tiny-encoder"  # the bundled model with classes of texts and of words
MAKES = {  # what is made of a logit, by a configuration's `label_scores`
    "softmax": "what the softmax over {count:,} answers makes of it",
    "sigmoid": "what the sigmoid makes of it, whatever the other labels have",
    "none": "that is the number itself",
}
SIGMOID = {"softmax": {}, "sigmoid": {r"\sigma(u)": r"$1 / (1 + e^{-u})$, for each label by itself"}, "none": {}}


def shows_bundled(card: Card) -> bool:
    """Whether the bundled classifier stands in for a model: one that is no encoder with an answer, or that itself."""
    return card.name == CLASSIFIER or not (card.kind == "encoder" and gives_answer(card))


@dataclass(frozen=True)
class Classes(View):
    """What an encoder says of a text. `run`: None where the sentence cannot be run. `token`: the chosen one."""

    run: Run | None
    token: int = 0

    needs: ClassVar[Needs] = KEEP

    @property
    def answers(self) -> Answers:
        assert self.run is not None
        return Answers(self.run, self.token)

    def told(self) -> Mapping[str, float | str]:
        return {} if self.run is None else self.answers.told()

    def picture_parts(self) -> Sequence[Any]:
        return (
            [] if self.run is None else [self.answers.beside(), *AttentionBehind(self.run, self.answers.asked).parts()]
        )

    number_parts = picture_parts

    def formula(self) -> Sequence[Any]:
        if self.run is None:
            return []
        if self.run.config.answer_span:
            return FoundAnswer(self.run).formula()
        return [*_equations(self.run.config), Controls("token"), *_work_out_answers(self.run, self.answers.asked)]

    def code(self) -> Sequence[Any]:
        finds = self.run is not None and self.run.config.answer_span
        return (Transformer.classify, answer_span.best_span) if finds else (Transformer.classify,)


@dataclass(frozen=True)
class AttentionBehind:
    """Where a token looks, in every head."""

    run: Run
    asked: int

    @cached_property
    def rows(self) -> torch.Tensor:
        """(layers, heads, tokens)"""
        layers = range(self.run.config.n_encoder_layers)
        return torch.stack([self.run.trace[f"encoder.{layer}.self_attn.weights"][:, self.asked] for layer in layers])

    def parts(self) -> list[Any]:
        tokens, rows = words(self.run.trace.tokens), self.rows
        draw = partial(attention_rows_figure, rows.numpy(), tokens)
        layer, head, key = self._strongest()
        names = [f"{layer}.{head}" for layer in range(rows.shape[0]) for head in range(rows.shape[1])]
        table = pd.DataFrame(rows.flatten(0, 1).numpy(), index=names, columns=number_words(tokens))
        link: dict[str, Any] = {"model": self.run.name, "attention": "encoder.self_attn", "heads_view": "Lines"}
        link |= {"layer": layer, "head": head, "query": self.asked, "key": key, "heads_shown": ()}
        chart = Chart(draw, f"Where {tokens[self.asked]} looks in every head")
        shown = Plotted(
            Group([chart], key="classify attention"),
            DataTable(lambda: table, has_index=True),
            f"Where {quotes.quote(tokens[self.asked], self.asked)} looks: most at {quotes.quote(tokens[key], key)} in "
            f"layer {layer}, head {head}, {percent(float(rows[layer, head, key]))}. Attention says where values were "
            "taken from, not what was made of them.",
            Files(
                f"{self.run.name}-attention",
                draw,
                draw,
                partial(named_rows, table, "head"),
                lambda: {"weights": rows.numpy()},
            ),
        )
        button = Action("See this head on Heads", link, "classify to heads", ":material/timeline:", page="heads")
        return [Heading("The attention behind it", 3), Controls("token"), shown, button]

    def _strongest(self) -> tuple[int, int, int]:
        """The layer, the head and the key of the largest weight on another token."""
        others, count = self.rows.flatten(0, 1).clone(), self.rows.shape[-1]
        others[:, self.asked] = 0
        place, key = largest_other_weight(others) if count > 2 else divmod(int(others.argmax()), count)
        return *divmod(place, self.run.config.n_heads), key


def _work_out_answers(run: Run, asked: int) -> list[Any]:
    """The likeliest answers of the sentence and the chosen token: the logit as a product, then the softmax."""
    config = run.config
    keep = (final_name(config, "encoder"), "transform.*", "*logits")
    trace = run.again(keep).with_network(run.model.network)  # cached traces hold no model
    of_token = quotes.quote(words(run.trace.tokens)[asked], asked)
    found: list[tuple[str, tuple[int, ...], Sequence[str], str]] = []
    if config.masked_words:
        found.append(("logits", (asked,), (), f"The word at {of_token}"))
    if config.text_labels:
        found.append(("text_logits", (), config.text_labels, "The sentence"))
    if config.token_labels:
        found.append(("token_logits", (asked,), config.token_labels, of_token))
    parts: list[Any] = []
    for name, where, names, subject in found:
        ordered, ids = trace[name][where].sort(descending=True)  # (answers,)
        best = int(ids[0])
        label = names[best] if names else words([run.model.output_tokenizer.token(best)])[0]
        kind = config.label_scores if name == "text_logits" else "softmax"
        parts += work_out(
            f"{subject} {'is' if kind == 'softmax' else 'and'} **{markdown_text(label)}**: its logit, and "
            f"{MAKES[kind].format(count=len(ordered))}:",
            f"u = {sums.explained(explain(trace, name, (*where, best)))}",
            sums.answer(ordered, 0, kind),
        )
    return parts


def _equations(config: TransformerConfig) -> list[Any]:
    curve = ACTIVATIONS.get(config.transform)
    bias = " + b" if config.transform_bias else ""
    h = "h" if curve is None else r"\tilde h"
    step = (
        {}
        if curve is None
        else {
            rf"{h} = \text{{{curve}}}(W h{bias})": "one more step before the answer"
            + (", and a norm after it" if config.masked_words or config.transform_norm else "")
        }
    )
    parts: list[Any] = []
    if config.masked_words:
        parts += equation(
            rf"p(x_t) = \mathrm{{softmax}}(W_{{words}}\, {h}_t + b_{{words}})",
            "The word at a place, which stands there or is hidden. Devlin et al. (2019), arXiv:1810.04805, "
            "section 3.1.",
            {"h_t": "the last hidden state of token t"} | step,
        )
    if config.text_labels:
        parts += equation(
            sums.answer_equation(config.label_scores, rf"W_{{text}}\, {h}_0 + b_{{text}}"),
            "Text classification from the first token. Palaskos (2022), section 3.8.",
            {"h_0": "the last hidden state of the first token: it stands for no word and collects from all of them"}
            | SIGMOID[config.label_scores]
            | step,
        )
    if config.token_labels:
        parts += equation(
            r"p(\text{class}_t) = \mathrm{softmax}(W_{token}\, h_t + b_{token})",
            "Token classification: the same matrix at every token. Palaskos (2022), section 3.8.",
            {"h_t": "the last hidden state of token t"},
        )
    return parts
