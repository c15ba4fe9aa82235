"""Activation patching: which part of a run carries what tells two sentences apart?

A clean and a corrupted sentence have equally many tokens. The corrupted one is run again with one part taken from the
clean run. The measure is u[answer] - u[against], the difference of two logits after the last token, and its share that
comes back: 0 is the corrupted run, 1 the clean one. Meng et al. (2022), arXiv:2202.05262; Zhang and Nanda (2024),
arXiv:2309.16042.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from model.device import PLAIN
from model.errors import GlassformerError
from model.experiments.gradients import track_gradient
from model.experiments.surgery import edits_of
from model.network.masks import causal_mask
from model.network.transformer import Transformer
from model.tape import SILENT, Edit, Tape

AT_ONCE = 2048  # tokens in all rows of a batch
SMALLEST_GAP = 1e-4  # between the measures of both runs; the share of a smaller one would be rounding


class UnequalPrompts(GlassformerError):
    """Two sentences cannot be patched into each other."""


@dataclass(frozen=True)
class Prompt:
    """The ids that the last stack reads (tokens,), and those of an encoder before it (sources,)."""

    ids: Tensor
    source: Tensor | None = None

    def of(self, stack: str) -> Tensor:
        """The ids that a stack reads."""
        return self.source if stack == "encoder" and self.source is not None else self.ids


@dataclass(frozen=True)
class Site:
    """A kind of tensor that is patched: in each layer, one row after another.

    A row of "heads" is one head at all tokens; of every other tensor, all features at one token.
    """

    stack: str
    part: str  # "resid_in", "self_attn.out", "ffn.out", "self_attn.heads"

    @property
    def is_of_heads(self) -> bool:
        return self.part.endswith(".heads")

    def name(self, layer: int) -> str:
        """The name of the tensor on the tape."""
        return f"{self.stack}.{layer}.{self.part}"

    def title(self, has_several: bool) -> str:
        """The site in words; with the stack's name where the model has several."""
        words = {
            "resid_in": "residual stream",
            "self_attn.out": "self-attention",
            "cross_attn.out": "cross-attention",
            "ffn.out": "feed-forward",
            "self_attn.heads": "heads",
            "cross_attn.heads": "heads of cross-attention",
        }[self.part]
        return f"{self.stack}: {words}" if has_several else words


def sites_of(network: Transformer) -> tuple[Site, ...]:
    """All sites of a network, those of the encoder first."""
    config = network.config
    return tuple(
        Site(stack, part)
        for stack in config.stacks
        for part in (
            "resid_in",
            *(f"{attention}.out" for attention in config.attentions(stack)),
            "ffn.out",
            *(f"{attention}.heads" for attention in config.attentions(stack)),
        )
    )


class Patching:
    """Patches parts of the clean run into the corrupted one. Raises `UnequalPrompts`.

    Everything below the patched layer is as in the corrupted run, so each layer starts from the recorded residual
    stream, and the rows of a layer are a batch. Edits of the network stay in all runs.
    """

    def __init__(self, network: Transformer, clean: Prompt, corrupted: Prompt, answer: int, against: int) -> None:
        if network.decoder is None:
            raise UnequalPrompts("This model predicts no next token, so there is no answer whose logit could change.")
        for stack in network.config.stacks:
            counts = len(clean.of(stack)), len(corrupted.of(stack))
            if counts[0] != counts[1]:
                raise UnequalPrompts(
                    f"The sentences have {counts[0]} and {counts[1]} tokens. A part of one run has a place in the "
                    "other only where both have equally many: change a word for one of the same number of tokens."
                )
        if clean.ids.equal(corrupted.ids) and (clean.source is None or clean.source.equal(corrupted.of("encoder"))):
            raise UnequalPrompts("Both sentences have the same tokens, so nothing tells them apart. Change a word.")
        if answer == against:
            raise UnequalPrompts("The answer is compared with itself. Choose another token to compare it with.")
        self.network, self.prompts, self.tokens = network, (clean, corrupted), (answer, against)
        if abs(self.measures[0] - self.measures[1]) < SMALLEST_GAP:
            raise UnequalPrompts(
                "Both sentences give the same difference of these two logits, so there is nothing to bring back. "
                "Choose other tokens, or change another word."
            )

    @property
    def sites(self) -> tuple[Site, ...]:
        """The sites of this network, those of the encoder first."""
        return sites_of(self.network)

    def shape(self, site: Site) -> tuple[int, int]:
        """Layers, and rows of each layer."""
        config = self.network.config
        rows = config.n_heads if site.is_of_heads else len(self.prompts[0].of(site.stack))
        return config.n_layers(site.stack), rows

    @cached_property
    def _runs(self) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
        """The tensors of all sites and both measures, of the clean and of the corrupted run."""
        found = []
        with torch.inference_mode():
            for prompt in self.prompts:
                tape = Tape(keep=(*(f"{site.stack}.*.{site.part}" for site in self.sites), "*memory"))
                memory = self._encode(prompt, tape)
                hidden = self.network.decode(prompt.ids, memory, tape)
                found.append(tape.records | {"measure": self._measure(hidden)})
                if memory is not None:
                    found[-1]["memory"] = memory
        return found[0], found[1]

    def _encode(self, prompt: Prompt, tape: Tape = SILENT) -> Tensor | None:
        return None if prompt.source is None else self.network.encode(prompt.source, tape)

    def _measure(self, hidden: Tensor) -> Tensor:
        """u[answer] - u[against] after the last token: (..., tokens, d_model) -> (...)."""
        logits = self.network.logits(hidden[..., -1, :])  # (..., vocabulary)
        answer, against = self.tokens
        return logits[..., answer].float() - logits[..., against].float()

    @property
    def measures(self) -> tuple[float, float]:
        """The difference of the logits in the clean and in the corrupted run."""
        clean, corrupted = self._runs
        return float(clean["measure"]), float(corrupted["measure"])

    def share(self, measure: Tensor) -> Tensor:
        """The share of the difference that comes back: 0 as in the corrupted run, 1 as in the clean one."""
        clean, corrupted = self.measures
        return PLAIN.take((measure - corrupted) / (clean - corrupted))

    @torch.inference_mode()
    def run(self, site: Site) -> Iterator[Tensor]:
        """The share that each row of a layer brings back, (rows,), layer after layer, as soon as it is known."""
        layers, rows = self.shape(site)
        for layer in range(layers):
            yield torch.cat([self._patch(site, layer, some) for some in self._batches(site, rows)])

    @torch.inference_mode()
    def run_head(self, site: Site, layer: int, head: int) -> Tensor:
        """The share that one head brings back at each token alone: (tokens,)."""
        own = torch.eye(len(self.prompts[0].of(site.stack)), dtype=torch.bool)[:, None, :, None]  # (rows, 1, tokens, 1)
        heads = torch.arange(self.network.config.n_heads) == head
        return torch.cat(
            [
                self._patch_cells(site, layer, own[some] & heads[None, :, None, None])
                for some in self._batches(site, len(own))
            ]
        )

    def _batches(self, site: Site, rows: int) -> list[Tensor]:
        """The rows, as many together as there is memory for."""
        tokens = max(len(self.prompts[0].of(stack)) for stack in self.network.config.stacks)
        return list(torch.arange(rows).split(max(1, AT_ONCE // tokens)))

    def _patch(self, site: Site, layer: int, rows: Tensor) -> Tensor:
        """The share that each of some rows of a layer brings back."""
        own = torch.eye(self.shape(site)[1], dtype=torch.bool)[rows]
        return self._patch_cells(site, layer, own[:, :, None, None] if site.is_of_heads else own[:, :, None])

    def _patch_cells(self, site: Site, layer: int, cells: Tensor) -> Tensor:
        """Cells that are True come from the clean run, one batch row each: (rows, ...) -> (rows,)."""
        name = site.name(layer)
        clean, corrupted = self._runs
        cells = cells.to(clean[name].device)
        patch = Edit(name, lambda found: torch.where(cells, clean[name], found))
        tape = Tape(edits=(*edits_of(self.network), patch))
        x = corrupted[f"{site.stack}.{layer}.resid_in"]
        return self.share(self._measure(self._go_on(site.stack, layer, x.expand(len(cells), *x.shape), tape)))

    def _go_on(self, stack: str, layer: int, x: Tensor, tape: Tape) -> Tensor:
        """The corrupted run from a layer on: (rows, tokens, d_model) -> hidden states of the last stack."""
        prompt, memory = self.prompts[1], self._runs[1].get("memory")
        assert self.network.decoder is not None
        if stack == "encoder":
            assert self.network.encoder is not None
            memory = self.network.encoder.run(x, tape, first=layer)
            return self.network.decode(prompt.ids.expand(len(x), -1), memory)
        mask = causal_mask(x.shape[-2], x.shape[-2])
        memory = None if memory is None else memory.expand(len(x), *memory.shape)
        return self.network.decoder.run(x, tape, mask, memory, first=layer)

    def estimate(self) -> dict[Site, Tensor]:
        """Of each site the shares that a straight line predicts, (layers, rows), from one run and one gradient.

        Attribution patching: (clean - corrupted) times the gradient of the measure in the corrupted run. Nanda (2023).
        """
        clean, corrupted = self._runs
        gradients = self._gradients()
        gap = self.measures[0] - self.measures[1]
        found = {}
        for site in self.sites:
            lines = []
            for layer in range(self.shape(site)[0]):
                name = site.name(layer)
                rise = (clean[name] - corrupted[name]).float() * gradients[name].float()
                lines.append(rise.sum((-2, -1)) if site.is_of_heads else rise.sum(-1))
            found[site] = PLAIN.take(torch.stack(lines) / gap)
        return found

    def _gradients(self) -> dict[str, Tensor]:
        """d measure / d tensor in the corrupted run, for the tensors of all sites."""
        prompt = self.prompts[1]
        with torch.inference_mode(False), torch.enable_grad():
            copied = Prompt(prompt.ids.clone(), None if prompt.source is None else prompt.source.clone())
            starts = tuple(Edit(f"{stack}.0.resid_in", track_gradient) for stack in self.network.config.stacks)
            tape = Tape(keep=tuple(f"{site.stack}.*.{site.part}" for site in self.sites), edits=starts)
            hidden = self.network.decode(copied.ids, self._encode(copied, tape), tape)
            found = torch.autograd.grad(self._measure(hidden), list(tape.records.values()))
        return dict(zip(tape.records, found, strict=True))


def telling_tokens(network: Transformer, clean: Prompt, corrupted: Prompt) -> tuple[int, int]:
    """The token that the clean sentence predicts, and the one that the corrupted one makes likelier instead.

    The second is the likeliest after the corrupted sentence; where both predict the same, the one whose log-probability
    rises most among the likely ones.
    """
    with torch.inference_mode():
        logits = [network(prompt.ids, prompt.source)[-1].float().log_softmax(-1) for prompt in (clean, corrupted)]
    answer, against = int(logits[0].argmax()), int(logits[1].argmax())
    if answer != against:
        return answer, against
    likely = logits[1].topk(10).indices
    rises = (logits[1] - logits[0])[likely].masked_fill(likely == answer, -torch.inf)
    return answer, int(likely[rises.argmax()])
