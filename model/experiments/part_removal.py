"""Is the account of a logit also its cause? Take each part away, run the rest, and see what the logit loses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor

from model.analysis.attribution import Account, embedding_pieces, embedding_rows, head_directions
from model.analysis.head_steps import Attention, module_of
from model.analysis.written_by_experts import written_at
from model.config import TransformerConfig
from model.device import PLAIN, Placement
from model.edits.edit import Change
from model.errors import ModelMismatch
from model.experiments import row_batches
from model.experiments.surgery import edits_above
from model.network.answer_scores import answer_scores
from model.network.kv_cache import RecordedCache
from model.network.transformer import Stack
from model.run import Model
from model.tape import Tape, Trace

Swap = Callable[..., Tensor]  # changes the rows of a batch, and takes their places among all rows as `rows`
Values = Mapping[str, Tensor]  # what stands in for parts, by the name of their tensor; a part without one becomes 0


@dataclass(frozen=True)
class Removal:
    """One part, taken away at the position of the account alone.

    `direct` is what leaves the account: the part, less what stands in for it. `fall` is what the logit (or the
    difference) really loses, `before` and `after` the probability of the token, or
    what else its logit is shown as: `model.network.answer_scores`. A part that acts only directly has
    `fall` = `direct`, but for the scale of the norms above it, which an account keeps.
    """

    name: str
    direct: float
    fall: float
    before: float
    after: float


def keep_for_removal(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors that a run must record for `RemovalSweep` and `values_at`, beside those of `keep_for_account`."""
    stack = config.stacks[-1]
    return (f"{stack}.*.resid_in", f"{stack}.*.k", f"{stack}.*.v", f"{stack}.*.memory")


def values_at(config: TransformerConfig, trace: Trace, position: int) -> dict[str, Tensor]:
    """The parts of another run at a position, as what stands in for those of a sweep."""
    return {name: _row(trace[name], position) for name in _replaced(config, trace)}


def mean_values(config: TransformerConfig, traces: Iterable[Trace]) -> dict[str, Tensor]:
    """The parts' means over all positions of some runs. Without a run there is no mean: `ValueError`."""
    runs = list(traces)
    if not runs:
        raise ValueError("A mean needs at least one run.")
    return {
        name: torch.cat([trace[name] for trace in runs], dim=-2).mean(-2)  # (tokens, width) or (heads, tokens, d_head)
        for name in _replaced(config, runs[0])
    }


def _replaced(config: TransformerConfig, trace: Trace) -> list[str]:
    """The tensors whose rows are the parts: of the embedding, heads and feed-forwards."""
    stack = config.stacks[-1]
    own = f"{stack}." if config.kind == "encoder-decoder" else ""
    layers = [f"{stack}.{layer}" for layer in range(config.n_layers(stack))]
    names = [f"{own}embed.tokens", f"{own}embed.positions"]
    for layer in layers:
        names += [f"{layer}.{part}.heads" for part in config.attentions(stack)] + [f"{layer}.ffn.out"]
    return [name for name in names if name in trace]


def _row(tensor: Tensor, position: int) -> Tensor:
    return tensor[..., position, :]


class RemovalSweep:
    """Takes away the parts of an account, one at a time, and measures the logit.

    Each layer starts from the recorded residual stream, and the parts of a layer are taken away together, one in each
    row of a batch. The last row is whole, to compare with. In a decoder only the row of the account's position can
    change, since the tokens before it do not see it. So each run is one token after the recorded keys and values of
    the others. An encoder's tokens all see one another, so each run has them all. A long text has its rows in several
    batches. `take_turn` waits for a turn at the processor before each. The last layer comes first: its runs are the
    shortest, and of a long text, whose layers are made again, each is made once. Edits of the network stay in all
    runs. Raises `ModelMismatch` for a model that gives neither a word nor a class of a text.
    """

    def __init__(
        self,
        model: Model,
        trace: Trace,
        account: Account,
        values: Values | None = None,
        take_turn: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        stack = model.network.encoder if model.network.decoder is None else model.network.decoder
        if not (isinstance(stack, Stack) and model.config.has_answer):
            raise ModelMismatch("Parts are taken away from a word or a class here, and this model gives neither.")
        self.model, self.trace, self.account, self.values = model, trace, account, values or {}
        self.config, self.stack, self.take_turn = model.config, stack, take_turn
        self.place = 0 if model.network.decoder is not None else account.position  # of the account's row in a run
        self.own = f"{self.stack.name}." if model.config.kind == "encoder-decoder" else ""
        self._seen: dict[str, tuple[Tensor, Tensor]] = {}  # keys and values of the tokens before, by their attention

    @property
    def places(self) -> list[str]:
        """What the sweep takes apart, in its order: each layer from the last one, and the embedding."""
        layers = [f"{self.stack.name}.{layer}" for layer in range(len(self.stack.blocks))]
        return [*reversed(layers), f"{self.own}embed"]

    @torch.inference_mode()
    def run(self) -> Iterator[list[Removal]]:
        """Yields the removals of one place after another. The work of a place is done when its value is asked for."""
        for layer in reversed(range(len(self.stack.blocks))):
            yield self._without_each_part(layer)
        yield self._without_pieces()

    def _without_pieces(self) -> list[Removal]:
        """The embedding without its token, and without its position."""
        rows = embedding_rows(self.trace, self.account.position, self.own)
        new_rows = {name: self._stand_in(name, row) for name, row in rows.items()}
        pieces, others = (embedding_pieces(self.config, each) for each in (rows, new_rows))
        removed = [name for name in pieces if not name.endswith("segments")]
        whole = torch.stack(list(pieces.values())).sum(0)  # (embedding_width,)
        x = torch.stack([*(whole - pieces[name] + others[name] for name in removed), whole])  # (rows, embedding_width)
        on_cpu = self.model.on_cpu.network
        embed = (on_cpu.encoder if on_cpu.decoder is None else on_cpu.decoder).embed  # type: ignore[union-attr]
        direction = self.account.directions[f"{self.own}embed"]
        direct = {name: float((pieces[name] - others[name]) @ direction) for name in removed}
        for each in (embed.norm, embed.widen):
            x = x if each is None else each(x)
        return self._measure(direct, self._among_others(x, 0), 0, f"{self.own}embed.out", {})

    def _without_each_part(self, layer: int) -> list[Removal]:
        """A layer without each of its heads, without its feed-forward, and without each expert of that."""
        place = f"{self.stack.name}.{layer}"
        attentions = [Attention(self.stack.name, layer, part) for part in self.config.attentions(self.stack.name)]
        direct: dict[str, float] = {}
        swaps: dict[str, Swap] = {}
        for at in attentions:
            name = f"{at.path}.heads"
            old = _row(self.trace[name], self.account.position)  # (heads, d_head)
            new = self._stand_in(name, old)
            by_head = head_directions(module_of(self.model, at).out, self.account.directions[at.path], self.config)
            parts = ((old - new) * by_head).sum(-1).tolist()
            swaps[name] = partial(_swap_heads, len(direct), new, self.place)
            direct |= {f"{name}.{head}": part for head, part in enumerate(parts)}
        name = f"{place}.ffn.out"
        old = _row(self.trace[name], self.account.position)  # (d_model,)
        new = self._stand_in(name, old)
        without, direction = self._without_experts(f"{place}.ffn", old), self.account.directions[f"{place}.ffn"]
        swaps[name] = partial(_swap_rows, len(direct), torch.stack([new, *without.values()]), self.place)
        direct[f"{place}.ffn"] = float((old - new) @ direction)
        direct |= {expert: float((old - rest) @ direction) for expert, rest in without.items()}
        x = _row(self.trace[f"{place}.resid_in"], self.account.position).expand(len(direct) + 1, -1)
        return self._measure(direct, self._among_others(x, layer), layer, f"{place}.resid_in", swaps)

    def _without_experts(self, path: str, out: Tensor) -> dict[str, Tensor]:
        """What a feed-forward gives without each of its experts, (d_model,) each. Nothing else stands in for one."""
        if not self.config.n_experts or self.values:
            return {}
        written = written_at(self.config, self.trace, path, self.account.position)
        return {name: out - given for name, given in written.items()}

    def _among_others(self, x: Tensor, layer: int) -> Tensor:
        """Rows of the account's position before a layer, with the other tokens of a run, if it has any.

        x: (rows, d_model) -> (rows, tokens, d_model).
        """
        if self.model.network.decoder is not None:
            return x[:, None]
        recorded = self.trace[f"{self.stack.name}.{layer}.resid_in"]  # (tokens, d_model)
        found = recorded.repeat(len(x), 1, 1)
        found[:, self.account.position] = x
        return found

    def _stand_in(self, name: str, old: Tensor) -> Tensor:
        """What takes the place of a tensor's row at the position: the same shape."""
        return self.values.get(name, torch.zeros_like(old))

    def _measure(
        self, direct: Mapping[str, float], x: Tensor, first: int, recorded: str, swaps: Mapping[str, Swap]
    ) -> list[Removal]:
        """Runs the layers from `first` on over x (rows, tokens, d_model), rows of the `recorded` tensor: one for each
        of `direct`, and the whole one."""
        found = []
        for rows in row_batches.batches(len(x), self._numbers_of_row(x.shape[1])):
            with self.take_turn():
                found.append(self._answers(x[rows.start : rows.stop], rows, first, recorded, swaps))
        logits = torch.cat(found)  # (rows, answers)
        answer = logits[:, self.account.token]
        if self.account.against is not None:
            answer = answer - logits[:, self.account.against]
        falls = (answer[-1] - answer[:-1]).tolist()
        chances = answer_scores(logits, self.config)[:, self.account.token].tolist()
        return [
            Removal(name, part, fall, chances[-1], after)
            for (name, part), fall, after in zip(direct.items(), falls, chances[:-1], strict=True)
        ]

    def _numbers_of_row(self, tokens: int) -> int:
        """About how many numbers a row of so many tokens holds at once in one layer."""
        config = self.config
        if self.model.network.decoder is None:
            return row_batches.numbers_of_row(config, tokens, tokens)
        seen = self.account.position + 1
        copied = 2 * seen * config.kv_heads * config.head_width  # keys and values
        return row_batches.numbers_of_row(config, tokens, seen) + copied

    def _answers(self, x: Tensor, rows: range, first: int, recorded: str, swaps: Mapping[str, Swap]) -> Tensor:
        """The logits of some of all rows, x (rows, tokens, d_model): (rows, answers)."""
        network, here = self.model.network, Placement.of(self.model.network)
        edits = [Change(name, partial(swap, rows=rows)) for name, swap in swaps.items()]
        tape = Tape(edits=(*edits_above(network, recorded, self.account.position - self.place), *edits))
        memory = self.trace[f"{self.stack.name}.0.cross_attn.memory"] if self.own else None
        cache = None if network.decoder is None else self._cache(len(x), first)
        hidden = self.stack.run(here.take(x), tape, memory=memory, cache=cache, first=first)  # (rows, tokens, d_model)
        return PLAIN.take(network.answer(hidden, self.place))

    def _cache(self, rows: int, first: int) -> RecordedCache:
        """The keys and values of the tokens before the position, once for each row."""
        cache = RecordedCache(self.account.position)
        for layer in range(first, len(self.stack.blocks)):
            for part in self.config.attentions(self.stack.name):
                k, v = self._keys_and_values(Attention(self.stack.name, layer, part))
                cache.keep(f"{layer}.{part}", k.expand(rows, *k.shape), v.expand(rows, *v.shape))
        return cache

    def _keys_and_values(self, at: Attention) -> tuple[Tensor, Tensor]:
        """Those that the account's position sees before itself: (kv_heads, keys, d_head) each."""
        if at.path not in self._seen:
            here, seen = Placement.of(self.model.network), slice(None) if at.is_cross else slice(self.account.position)
            # A copy, since a part of a tensor would keep all of it in memory.
            k, v = (here.take(self.trace[f"{at.path}.{name}"][:, seen].clone()) for name in "kv")
            self._seen[at.path] = (k, v)
        return self._seen[at.path]


def _swap_heads(first: int, new: Tensor, token: int, heads: Tensor, rows: range) -> Tensor:
    """Puts new[h], (d_head,), in the place of head h at a token, in row `first` + h of all rows.

    heads: (rows, heads, tokens, d_head), the `rows` of a batch.
    """
    swapped = heads.clone()
    for head, vector in enumerate(new.to(heads)):
        if first + head in rows:
            swapped[first + head - rows.start, head, token] = vector
    return swapped


def _swap_rows(first: int, new: Tensor, token: int, out: Tensor, rows: range) -> Tensor:
    """Puts new[i], (d_model,), in the place of a token in row `first` + i of all rows. out: (rows, tokens, d_model)."""
    swapped = out.clone()
    for row, vector in enumerate(new.to(out), first):
        if row in rows:
            swapped[row - rows.start, token] = vector
    return swapped
