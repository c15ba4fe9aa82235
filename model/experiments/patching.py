"""Activation patching: which part of a run carries what tells two sentences apart?

A clean and a corrupted sentence have equally many tokens. The corrupted one is run again with one part taken from the
clean run. The measure is u[answer] - u[against], the difference of two logits after the last token, or of two classes
of an encoder, and its share that comes back: 0 is the corrupted run, 1 the clean one. Meng et al. (2022),
arXiv:2202.05262; Zhang and Nanda (2024), arXiv:2309.16042.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

import torch
from torch import Tensor

from model.device import PLAIN, Place, to_cpu
from model.experiments.gradients import track_gradient
from model.experiments.sentence_pair import SentencePair, Site, UnequalPrompts, run_prompt, sites_of
from model.experiments.surgery import edits_above
from model.network.masks import causal_mask
from model.network.transformer import Transformer
from model.tape import Edit, Tape

AT_ONCE = 2048  # tokens in all rows of a batch
SMALLEST_GAP = 1e-4  # between the measures of both runs; the share of a smaller one would be rounding


class Patching:
    """Patches parts of the clean run into the corrupted one. Raises `UnequalPrompts`.

    Everything below the patched layer is as in the corrupted run, so each layer starts from the recorded residual
    stream, and the rows of a layer are a batch. Edits of the network stay in all runs.
    """

    def __init__(self, network: Transformer, pair: SentencePair, answer: int, against: int) -> None:
        if answer == against:
            raise UnequalPrompts("The answer is compared with itself. Choose another token to compare it with.")
        self.network, self.pair, self.tokens = network, pair, (answer, against)
        clean, corrupted = self.measures
        if abs(clean - corrupted) < SMALLEST_GAP:
            raise UnequalPrompts(
                "Both sentences give the same difference of these two logits, so there is nothing to bring back. "
                "Choose other tokens, or change another word."
            )

    @property
    def measures(self) -> tuple[float, float]:
        """The difference of the logits in the clean and in the corrupted run."""
        answer, against = self.tokens
        clean, corrupted = (float(logits[answer] - logits[against]) for logits in self.pair.logits)
        return clean, corrupted

    def shape(self, site: Site) -> tuple[int, int]:
        """Layers, and rows of each layer."""
        config = self.network.config
        rows = config.n_heads if site.is_of_heads else len(self.pair.clean.of(site.stack))
        return config.n_layers(site.stack), rows

    def _measure(self, hidden: Tensor) -> Tensor:
        """u[answer] - u[against]: (..., tokens, d_model) -> (...)."""
        logits = self._logits(hidden)
        answer, against = self.tokens
        return logits[..., answer] - logits[..., against]

    def _logits(self, hidden: Tensor) -> Tensor:
        """After the last token, at a place, or of the class: (..., tokens, d_model) -> (..., answers)."""
        return self.network.answer(hidden, self.pair.clean.position).float()

    def share(self, measure: Tensor) -> Tensor:
        """The share of the difference that comes back: 0 as in the corrupted run, 1 as in the clean one."""
        clean, corrupted = self.measures
        return PLAIN.take((measure - corrupted) / (clean - corrupted))

    @torch.inference_mode()
    def run(self, site: Site) -> Iterator[Tensor]:
        """The share that each row of a layer brings back, (rows,), layer after layer, as soon as it is known."""
        for layer in range(self.shape(site)[0]):
            yield self._shares(site, layer, self._rows(site))

    @torch.inference_mode()
    def run_head(self, site: Site, layer: int, head: int) -> Tensor:
        """The share that one head brings back at each token alone: (tokens,)."""
        return self._shares(site, layer, self._rows(site)[head] & self._rows(replace(site, part="resid_in"))[:, None])

    @torch.inference_mode()
    def run_row(self, site: Site, layer: int, row: int) -> Tensor:
        """The logits of the answers of one patched run: (answers,)."""
        (hidden,) = self._patch(site, layer, self._rows(site)[row : row + 1])
        return PLAIN.take(self._logits(hidden))

    def _rows(self, site: Site) -> Tensor:
        """The cells of each row of a site: (rows, heads, 1, 1) for heads, (rows, tokens, 1) else."""
        own = torch.eye(self.shape(site)[1], dtype=torch.bool)
        return own[:, :, None, None] if site.is_of_heads else own[:, :, None]

    def _shares(self, site: Site, layer: int, cells: Tensor) -> Tensor:
        """The share that each row of cells brings back: (rows, ...) -> (rows,). Many rows go in several batches."""
        tokens = max(len(self.pair.clean.of(stack)) for stack in self.network.config.stacks)
        batches = cells.split(max(1, AT_ONCE // tokens))
        return torch.cat([self.share(self._measure(self._patch(site, layer, some))) for some in batches])

    def _patch(self, site: Site, layer: int, cells: Tensor) -> Tensor:
        """The hidden states of the last stack, each row with its cells from the clean run: (rows, tokens, d_model)."""
        name, start = site.name(layer), f"{site.stack}.{layer}.resid_in"
        clean, corrupted = self.pair.runs
        patch = Edit(name, lambda found: torch.where(cells.to(found.device), clean[name].to(found), found))
        tape = Tape(edits=(*edits_above(self.network, start), patch))
        x = Place.of(self.network).take(corrupted[start])
        return self._go_on(site.stack, layer, x.expand(len(cells), *x.shape), tape)

    def _go_on(self, stack: str, layer: int, x: Tensor, tape: Tape) -> Tensor:
        """The corrupted run from a layer on: (rows, tokens, d_model) -> hidden states of the last stack."""
        prompt, memory = self.pair.corrupted, self.pair.runs[1].get("memory")
        if stack == "encoder":
            assert self.network.encoder is not None
            memory = self.network.encoder.run(x, tape, first=layer)
            return (
                memory if self.network.decoder is None else self.network.decode(prompt.ids.expand(len(x), -1), memory)
            )
        assert self.network.decoder is not None
        mask = causal_mask(x.shape[-2], x.shape[-2])
        memory = None if memory is None else memory.to(x).expand(len(x), *memory.shape)
        return self.network.decoder.run(x, tape, mask, memory, first=layer)

    @cached_property
    def estimates(self) -> dict[Site, Tensor]:
        """Of each site the shares that a straight line predicts, (layers, rows), from one run and one gradient.

        Attribution patching: (clean - corrupted) times the gradient of the measure in the corrupted run. Nanda (2023).
        """
        clean, corrupted = self.pair.runs
        gradients = self._gradients()
        gap = self.measures[0] - self.measures[1]
        found = {}
        for site in sites_of(self.network):
            lines = []
            for layer in range(self.shape(site)[0]):
                name = site.name(layer)
                rise = (clean[name] - corrupted[name]) * gradients[name]
                lines.append(rise.sum((-2, -1)) if site.is_of_heads else rise.sum(-1))
            found[site] = torch.stack(lines) / gap
        return found

    def _gradients(self) -> dict[str, Tensor]:
        """d measure / d tensor in the corrupted run, for the tensors of all sites."""
        prompt = self.pair.corrupted
        with torch.inference_mode(False), torch.enable_grad():
            copied = replace(
                prompt, ids=prompt.ids.clone(), source=None if prompt.source is None else prompt.source.clone()
            )
            starts = tuple(Edit(f"{stack}.0.resid_in", track_gradient) for stack in self.network.config.stacks)
            tape = Tape(keep=tuple(f"{site.stack}.*.{site.part}" for site in sites_of(self.network)), edits=starts)
            hidden, _ = run_prompt(self.network, copied, tape)
            found = torch.autograd.grad(self._measure(hidden), list(tape.records.values()))
        return to_cpu(dict(zip(tape.records, found, strict=True)))
