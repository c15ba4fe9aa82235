"""One batch of a survey: the texts run together, and the weights of each layer are counted as soon as they are made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.device import PLAIN, within_memory
from model.edits.edit import Edit
from model.network.transformer import Transformer
from model.surveys.rows import TextRow
from model.surveys.rule_tally import Predictions
from model.surveys.rules import Rule
from model.surveys.runs import network_inputs
from model.surveys.sight import Sight
from model.surveys.tally import Tally
from model.tape import AllRecorded, Tape


def attention_names(config: TransformerConfig) -> Iterator[tuple[str, str]]:
    """Stack and attention of each kind, in the order in which they run: ("decoder", "self_attn")."""
    return ((stack, attention) for stack in config.stacks for attention in config.attentions(stack))


def sight_of(config: TransformerConfig, rows: Sequence[TextRow], stack: str, attention: str) -> Sight:
    """What an attention sees of these texts, in a layer without a window."""
    numbers = tuple(row.number for row in rows)
    queries = tuple(row.read_by(stack, config) for row in rows)
    is_cross = attention == "cross_attn"
    keys = tuple(row.source for row in rows) if is_cross else queries
    marked = tuple(row.marked for row in rows) if stack == config.stacks[0] else ()  # of the text, not of a translation
    is_causal = stack == "decoder" and not is_cross
    return Sight(numbers, queries, keys, is_causal=is_causal, is_cross=is_cross, marked=marked)


@dataclass(frozen=True, eq=False)
class Prepared:
    """What is the same for all layers of an attention that see the same of a batch."""

    sight: Sight
    pairs: Tensor
    predicted: Predictions | None


class BatchRun:
    """Runs texts through a network, and adds what its heads do to `tallies`, by attention: "decoder.self_attn"."""

    def __init__(
        self,
        network: Transformer,
        edits: tuple[Edit, ...],
        rules: Sequence[Rule],
        tallies: Mapping[str, Tally],
    ) -> None:
        self._network, self._config, self._edits, self._rules = network, network.config, edits, rules
        self._tallies = tallies
        self._attentions = sum(len(tally.by_pair) for tally in tallies.values())  # of all layers

    @torch.inference_mode()
    def run(self, rows: Sequence[TextRow]) -> None:
        """Count one batch of `batches_to_run`."""
        made: dict[tuple[str, int | None], Prepared] = {}
        left = self._attentions

        def look(name: str, tensor: Tensor) -> None:
            nonlocal left
            if not name.endswith("_attn.weights"):
                return
            stack, layer, attention, _ = name.split(".")
            path = f"{stack}.{attention}"
            window = self._config.window_of(stack, int(layer)) if attention == "self_attn" else None
            if (path, window) not in made:
                made[path, window] = self._prepare(rows, stack, attention, window)
            found = made[path, window]
            weights = PLAIN.take(tensor if tensor.dim() == 4 else tensor[None])  # (texts, heads, queries, keys)
            self._tallies[path].add(int(layer), weights, found.sight, found.pairs, found.predicted)
            left -= 1
            if not left and not self._edits:
                raise AllRecorded  # what comes after the last weights is not computed

        tape = Tape((), self._edits, watches_all=True, look=look)
        with within_memory(), suppress(AllRecorded):
            self._run_network(rows, tape)
            tape.check_edits()

    def _run_network(self, rows: Sequence[TextRow], tape: Tape) -> None:
        self._network(*network_inputs(self._network, self._edits, rows, tape))

    def _prepare(self, rows: Sequence[TextRow], stack: str, attention: str, window: int | None) -> Prepared:
        sight = replace(sight_of(self._config, rows, stack, attention), window=window)
        tally = self._tallies[f"{stack}.{attention}"]
        pairs = torch.from_numpy(tally.frequent.find(sight.pairs))
        return Prepared(sight, pairs, None if sight.is_cross else Predictions.of(sight, self._rules))
