"""The experts of a layer: which of them each token takes, with what weight, what each writes, and the load of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from model.analysis import written_by_experts
from model.analysis.written_by_experts import Load, load_of, written_at
from model.cached_property import cached_property
from model.network.experts import Experts
from views.head_of_run import tokens_of
from views.layer.excited_tokens import ExcitedTokens
from views.layer.feed_forward import HiddenFeatures
from views.layer.layer_of_run import LayerOfRun
from views.layer.view_of_layer import ViewOfLayer
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.shared import quotes, sums
from views.view import equation, grey, work_out
from viz.block.experts import gates_figure
from viz.documents.page_parts import Group, Text
from viz.models.why import bars_figure
from viz.shared.style import number, percent

TAKES = "the share of the singled-out word's places in the example sentences that take the expert"


@dataclass(frozen=True)
class TakenExperts(ViewOfLayer):
    """The experts of one layer over the sentence, what those of the singled-out token write, and the tokens of example
    sentences that take one of them most (`excited`)."""

    excited: ExcitedTokens

    @property
    def path(self) -> str:
        return self.place.full_name("ffn")

    @cached_property
    def load(self) -> Load:
        return load_of(self.place.run.trace, self.path)

    @cached_property
    def written(self) -> dict[str, float]:
        """The length of what each expert of the token writes, by its name, the best expert first."""
        place = self.place
        found = written_at(place.config, place.run.trace, self.path, place.token)
        return {name.removeprefix(f"{self.path}."): float(vector.norm()) for name, vector in found.items()}

    @cached_property
    def places(self) -> tuple[int, int]:
        """The places of the singled-out word in the example sentences, and how many of them take the expert."""
        place, gates = self.place, []
        word = tokens_of(place.run, place.stack)[place.token].text
        for trace in self.excited.examples:
            tokens = (place.stack == "encoder" and trace.source_tokens) or trace.tokens
            column = trace[place.full_name("ffn.gates")][:, self.excited.neuron].tolist()
            gates += [gate for token, gate in zip(tokens, column, strict=True) if token.text == word]
        return len(gates), sum(gate > 0 for gate in gates)

    def told(self) -> Mapping[str, float | str]:
        count, taken = self.places
        return {TAKES: taken / count} if count else {}

    def picture_parts(self) -> Sequence[Any]:
        name = quotes.quote(self.place.tokens[self.place.token], self.place.token)
        left = [Text("**The weight of each expert, and the load of each**"), self.picture()]
        right = [Text(f"**What its experts write at** {name}"), self._lengths(), *grey(self._say_token())]
        columns = Group([Group(left, "column", 3), Group(right, "column", 2)], "row", gap="large")
        return [Controls("stack"), columns, *grey(self.caption()), self.files(), self.excited]

    def number_parts(self) -> Sequence[Any]:
        return [Controls("stack"), self.table(), *grey(self.caption()), self.files(), self.excited]

    def code_parts(self) -> Sequence[Any]:
        return [Controls("stack"), *super().code_parts()]

    def picture(self) -> Chart:
        return Chart(self._draw(), "The weight of each expert for each token, and the share of the choices of each")

    def _draw(self) -> Draw:
        gates, place = self.place.tensor("ffn.gates").numpy(), self.place
        return partial(gates_figure, gates, self.load.share.numpy(), place.tokens, place.token)

    def _lengths(self) -> Chart:
        bars = {_title(name): length for name, length in self.written.items()}
        return Chart(partial(bars_figure, bars, "length"), "The length of what each expert writes at this token")

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()))

    def rows(self) -> list[dict[str, Any]]:
        """One row for each token and each expert that it takes."""
        place, gates, router = self.place, self.place.tensor("ffn.gates"), self.place.tensor("ffn.router")
        given, rows = place.tensor("ffn.expert_out").norm(dim=-1), []  # (taken, tokens)
        for token, chosen in enumerate(place.tensor("ffn.chosen").long().tolist()):
            for slot, expert in enumerate(chosen):
                weight = float(gates[token, expert])
                named = {"token": place.tokens[token], "choice": slot + 1, "expert": expert}
                numbers = {"logit": float(router[token, expert]), "weight": weight}
                rows.append(named | numbers | {"writes, length": weight * float(given[slot, token])})
        return rows

    def _say_token(self) -> str:
        said = ", ".join(f"{_title(name)}: {number(length)}" for name, length in self.written.items())
        count, taken = self.places
        word = quotes.quote(self.place.tokens[self.place.token], self.place.token)
        places = f" Of {count} places of {word} in the example sentences, {taken} take expert {self.excited.neuron}."
        return f"The length of weight × what the expert gives: {said}.{places if count else ''}"

    def caption(self) -> str:
        config, share = self.place.config, self.load.share
        busiest, idle = int(share.argmax()), int((self.load.taken == 0).sum())
        shared = " All tokens take the shared expert besides." if config.d_shared else ""
        alone = "the taken experts alone" if config.normalise_taken else "all experts"
        return (
            f"Each token takes {config.n_taken} of {config.n_experts} experts, those with the largest logits of the "
            f"router; their weights are a softmax over {alone}.{shared} In this sentence expert {busiest} has most of "
            f"the choices, {percent(float(share[busiest]))}; even would be {percent(1 / config.n_experts)}, the dotted "
            f"line. {_say_idle(idle)}"
        )

    def files(self) -> Files:
        draw, gates = self._draw(), self.place.tensor("ffn.gates").numpy()
        return Files(f"{self.place.run.name}-experts", draw, draw, self.rows, lambda: {"gates": gates})

    def formula(self) -> Sequence[Any]:
        place, config = self.place, self.place.config
        shared = r" + \sigma(w_s x)\, \mathrm{FFN}_s(x)" if config.shared_gate else r" + \mathrm{FFN}_s(x)"
        over = r"\in \mathcal{T}(x)" if config.normalise_taken else ""
        name = quotes.quote(place.tokens[place.token], place.token)
        made = place.explain("ffn.out" if not config.d_shared else "ffn.routed", place.token, self._largest_feature())
        terms = [term.part for term in made.terms]
        return [
            *equation(
                r"\mathrm{FFN}(x) = \sum_{e \in \mathcal{T}(x)} g_e\, \mathrm{FFN}_e(x)"
                + (shared if config.d_shared else "")
                + rf", \qquad g_e = \frac{{\exp(W_r x)_e}}{{\sum_{{e' {over}}} \exp(W_r x)_{{e'}}}}",
                "Shazeer et al. (2017), arXiv:1701.06538, eqs. 1 to 5; Jiang et al. (2024), arXiv:2401.04088.",
                {r"\mathcal{T}(x)": f"the {config.n_taken} experts with the largest logits $W_r x$"},
            ),
            Controls("stack"),
            *work_out(
                f"Feature {self._largest_feature()} of what the taken experts give at {name}, each by its weight:",
                sums.total(terms),
            ),
        ]

    def _largest_feature(self) -> int:
        name = "ffn.routed" if self.place.config.d_shared else "ffn.out"
        return int(self.place.tensor(name)[self.place.token].abs().argmax())

    def code(self) -> Sequence[Any]:
        return [Experts, written_by_experts.written_at, written_by_experts.load_of]


def feed_forward_view(place: LayerOfRun, excited: ExcitedTokens) -> HiddenFeatures | TakenExperts:
    """The neurons of a feed-forward, or its experts."""
    return TakenExperts(place, excited) if place.config.n_experts else HiddenFeatures(place, excited)


def _title(name: str) -> str:
    """An expert in words: "expert 5" for "experts.5", or "the shared expert"."""
    return "the shared expert" if name == "shared" else name.replace("experts.", "expert ")


def _say_idle(experts: int) -> str:
    if not experts:
        return "Every expert is taken by a token."
    return "One expert is taken by no token." if experts == 1 else f"{experts} experts are taken by no token."
