"""What is each head for? Take it away, and measure how much worse the model gets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

import torch
from torch import Tensor

from model.analysis.change import turn
from model.device import PLAIN
from model.edits.edit import Change
from model.errors import GlassformerError
from model.experiments import row_batches
from model.experiments.surgery import edits_above
from model.generation.surprise import losses
from model.network.masks import causal_mask
from model.network.transformer import Transformer
from model.tape import SILENT, Tape


class TooShort(GlassformerError):
    """The text has too few tokens for this measure."""


@dataclass(frozen=True)
class Harm:
    """The effect of removing each head of one attention, one head at a time: `rise[head]`."""

    path: str  # "decoder.3.self_attn"
    rise: Tensor = field(compare=False)  # (heads,)


def next_token_loss(network: Transformer, hidden: Tensor, ids: Tensor) -> Tensor:
    """Mean surprise of each next token, in nats: hidden (..., tokens, d_model), ids (tokens,) -> (...)."""
    positions = hidden[..., :-1, :].flatten(0, -2)  # (rows * (tokens - 1), d_model)
    wanted = ids[1:].expand((*hidden.shape[:-2], -1)).flatten()
    return losses(network, positions, wanted).view((*hidden.shape[:-2], -1)).mean(-1)


def embedding_change(hidden: Tensor, before: Tensor) -> Tensor:
    """1 - cosine of the mean hidden states: how far a sentence's embedding turned. Both (..., tokens, d_model)."""
    return turn(before.mean(-2), hidden.mean(-2))


class AblationSweep:
    """Removes each head of a network in turn, on one sentence.

    With a decoder, the measure is the rise of the mean next-token loss in nats; an encoder-only model has no next
    token, so there it is the change of the sentence's embedding. Michel et al. (2019), arXiv:1905.10650, section 3.

    Everything below the removed head is as before, so each layer starts from the recorded residual stream; and the
    layer's heads are removed together, one in each row of a batch. A long text has its rows in several batches.
    `take_turn` waits for a turn at the processor before each, and before the run of the whole network. Edits of the
    network stay in all runs. Raises `TooShort` where there is nothing to predict.
    """

    def __init__(
        self,
        network: Transformer,
        ids: Tensor,
        source: Tensor | None = None,
        take_turn: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        if network.decoder is not None and len(ids) < 2:
            raise TooShort("The ablation sweep needs at least two tokens, so that one can be predicted.")
        self.network, self.ids, self.source, self.take_turn = network, ids, source, take_turn

    @property
    def attentions(self) -> list[str]:
        """The attentions in the order in which the sweep removes their heads."""
        config = self.network.config
        return [
            f"{stack}.{layer}.{part}"
            for stack in config.stacks
            for layer in range(config.n_layers(stack))
            for part in config.attentions(stack)
        ]

    @torch.inference_mode()
    def run(self, first: int = 0) -> Iterator[Harm]:
        """Yields one `Harm` for each attention, from the one at place `first`, as soon as it is known.

        The work of an attention is done when its value is asked for.
        """
        tape = Tape(keep="*.resid_in")
        with self.take_turn():
            memory = None if self.source is None else self.network.encode(self.source, tape)
            hidden = self._last_stack(self.ids, memory, tape)
            whole = self._measure(hidden, hidden)
        for path in self.attentions[first:]:
            x = tape.records[f"{path.rpartition('.')[0]}.resid_in"]
            changed = []
            for heads in row_batches.batches(self.network.config.n_heads, self._numbers_of_row()):
                with self.take_turn():
                    rows = self._without_each_head(path, x, memory, heads)  # (heads, tokens, d_model)
                    changed.append(PLAIN.take(self._measure(rows, hidden) - whole))
            yield Harm(path, torch.cat(changed))

    def _numbers_of_row(self) -> int:
        """About how many numbers a run of all tokens holds at once in one layer."""
        most = max(len(self.ids), 0 if self.source is None else len(self.source))
        return row_batches.numbers_of_row(self.network.config, most, most)

    def _last_stack(self, ids: Tensor, memory: Tensor | None, tape: Tape = SILENT) -> Tensor:
        if self.network.decoder is None:
            return self.network.encode(ids, tape)
        return self.network.decode(ids, memory, tape)

    def _without_each_head(self, path: str, x: Tensor, memory: Tensor | None, removed: range) -> Tensor:
        """The last stack's output with one of the heads `removed` in each row: (heads, tokens, d_model)."""
        stack, layer, _ = path.split(".")
        count = len(removed)
        kept = 1 - torch.eye(self.network.config.n_heads)[list(removed)].to(x)[:, :, None, None]  # (row, head, 1, 1)
        above = edits_above(self.network, f"{stack}.{layer}.resid_in")
        tape = Tape(edits=(*above, Change(f"{path}.heads", lambda heads: heads * kept)))
        rows = x.expand(count, *x.shape)
        if stack == "encoder":
            assert self.network.encoder is not None
            encoded = self.network.encoder.run(rows, tape, first=int(layer))
            if self.network.decoder is None:
                return encoded
            return self._last_stack(self.ids.expand(count, -1), encoded)
        assert self.network.decoder is not None
        mask = causal_mask(len(self.ids), len(self.ids))
        memory = None if memory is None else memory.expand(count, *memory.shape)
        return self.network.decoder.run(rows, tape, mask, memory, first=int(layer))

    def _measure(self, hidden: Tensor, before: Tensor) -> Tensor:
        if self.network.decoder is None:
            return embedding_change(hidden, before)
        return next_token_loss(self.network, hidden, self.ids)


def mean_sweep(sweeps: Sequence[AblationSweep], first: int = 0) -> Iterator[Harm]:
    """The mean harm over several sentences: as `AblationSweep.run`, as soon as it is known for all of them."""
    for harms in zip(*(sweep.run(first) for sweep in sweeps), strict=True):
        yield Harm(harms[0].path, torch.stack([harm.rise for harm in harms]).mean(dim=0))
