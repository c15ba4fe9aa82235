"""Recurrent networks with the interface of `Transformer`. So a `Model` can run and record them.

`model.names.RECURRENT` lists the tensors that they put on the tape. Each step of the decoder waits for the one before
it. So its tensors have the step's number in their names, `decoder.3.attention.weights`; `stack_steps` joins them.
"""

from __future__ import annotations

import copy

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.network.embedding import table
from model.network.kv_cache import KVCache
from model.recurrent.bahdanau import Alignment, BahdanauCell
from model.recurrent.cells import CELLS, Bidirectional, Cell, GRUCell, LSTMCell, RNNCell, State
from model.recurrent.config import RecurrentConfig
from model.seeding import seeded
from model.tape import SILENT, Tape, Trace


class Recurrent(nn.Module):
    """The common part of both shapes: one embedding table, which is also the output layer."""

    can_cache = True  # as `Transformer.can_cache`

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        self.config = config
        self.embed = table(config.vocab_size, config.d_embed)
        if not self.embed.weight.is_meta:
            nn.init.normal_(self.embed.weight, std=config.d_embed**-0.5)

    def embed_scaled(self, ids: Tensor) -> Tensor:
        """Embeddings, scaled to variance 1 as in Vaswani et al. (2017), section 3.4: (..., tokens, d_embed)."""
        return self.embed(ids.to(self.embed.weight.device)) * self.config.d_embed**0.5

    def decode(
        self,
        ids: Tensor,
        memory: Tensor | None = None,
        tape: Tape = SILENT,
        is_real: Tensor | None = None,
        memory_is_real: Tensor | None = None,
        cache: KVCache | None = None,
    ) -> Tensor:
        """The vectors that `logits` multiplies with the table: (..., tokens, d_embed). With a cache, `ids` are new."""
        raise NotImplementedError

    def logits(self, hidden: Tensor) -> Tensor:
        """u = h E^T: (..., vocabulary)."""
        return F.linear(hidden, self.embed.weight)


class Seq2Seq(Recurrent):
    """A translator whose decoder starts from the encoder's last state. Sutskever et al. (2014), arXiv:1409.3215.

    With `config.attention` the decoder also looks back at every state of the encoder: Bahdanau et al. (2015),
    arXiv:1409.0473. The encoder is bidirectional: its last state is [forward(S), backward(1)], and each direction has
    half of the decoder's features. Ids are (..., tokens).
    """

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__(config)
        memory, width = config.memory_width, config.memory_width
        self.encoder = Bidirectional(config.cell, config.d_embed, config.width)
        self.bridge = nn.Linear(memory, width)
        self.cell: Cell | BahdanauCell
        if config.attention:
            self.align = Alignment(width, memory, config.width)
            self.cell = BahdanauCell(config.d_embed, memory, width)
            self.out = nn.Linear(width + memory, config.d_embed)
        else:
            self.cell = CELLS[config.cell](config.d_embed, width)
            self.out = nn.Linear(width, config.d_embed)

    def forward(
        self,
        ids: Tensor,
        source: Tensor | None = None,
        tape: Tape = SILENT,
        ids_are_real: Tensor | None = None,
        source_is_real: Tensor | None = None,
    ) -> Tensor:
        """Teacher forcing: logits (..., tokens, vocabulary) for the decoder's input `ids`, after <SOS>."""
        assert source is not None, "a translator needs a source sentence"
        memory = self.encode(source, tape, source_is_real)
        return tape("logits", self.logits(self.decode(ids, memory, tape, memory_is_real=source_is_real)))

    def encode(self, ids: Tensor, tape: Tape = SILENT, is_real: Tensor | None = None) -> Tensor:
        """h(t') of every source token, [forward, backward]: (..., tokens, 2 width). Padding stands on the right."""
        words = tape("encoder.embed", self.embed_scaled(ids))
        return tape("encoder.states", self.encoder(words, None if is_real is None else is_real.to(words.device)))

    def bottleneck(self, memory: Tensor) -> Tensor:
        """The encoder's last state: (..., 2 width). A decoder without attention knows nothing else of the sentence.

        Padding does not change the state. So the last column holds the state after the last word.
        """
        width = self.config.width
        return torch.cat((memory[..., -1, :width], memory[..., 0, width:]), dim=-1)

    def decode(
        self,
        ids: Tensor,
        memory: Tensor | None = None,
        tape: Tape = SILENT,
        is_real: Tensor | None = None,
        memory_is_real: Tensor | None = None,
        cache: KVCache | None = None,
    ) -> Tensor:
        """The vectors that `logits` multiplies with the table: (..., tokens, d_embed). With a cache, `ids` are new.

        Padding stands on the right, after all real tokens. So `is_real` changes no state that matters.
        """
        assert memory is not None, "a translator needs the encoder's states"
        memory = memory.to(self.embed.weight.device)
        memory_is_real = None if memory_is_real is None else memory_is_real.to(memory.device)
        first = cache.length if cache is not None else 0
        known = cache.fixed("decoder.state") if cache is not None else None
        state = known if known is not None else self._start(memory, tape)
        words = self.embed_scaled(ids)
        parts = self.cell.from_word(words) if isinstance(self.cell, BahdanauCell) else self.cell.from_input(words)
        keys = self.align.key(memory) if self.config.attention else torch.empty(0)
        rows = []
        for t in range(ids.shape[-1]):
            at, word = tape.at("decoder", first + t), parts[..., t, :]
            if isinstance(self.cell, BahdanauCell):
                context = self.align(state[0], memory, keys, memory_is_real, at.at("attention"))
                state = (at("state", self.cell.step(word, context, state[0], at)),)
                rows.append(torch.cat((state[0], context), dim=-1))
            else:
                state = self.cell.step(word, state[: self.cell.memories])
                rows.append(at("state", state[0]))
        if cache is not None:
            cache.keep("decoder.state", state[0], state[-1])
            cache.length += ids.shape[-1]
        return torch.tanh(self.out(torch.stack(rows, dim=-2)))

    def _start(self, memory: Tensor, tape: Tape) -> State:
        """s(0) = tanh(W [forward(S), backward(1)]), and zeros for the second memory of an LSTM."""
        last = tape("bottleneck", self.bottleneck(memory))
        start = tape("decoder.start", torch.tanh(self.bridge(last)).to(memory.dtype))
        return (start, torch.zeros_like(start))


class RecurrentLM(Recurrent):
    """A language model: each token's state predicts the next token. Mikolov et al. (2010)."""

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__(config)
        self.cell = CELLS[config.cell](config.d_embed, config.width)
        self.out = nn.Linear(config.width, config.d_embed)

    def forward(
        self,
        ids: Tensor,
        source: Tensor | None = None,
        tape: Tape = SILENT,
        ids_are_real: Tensor | None = None,
        source_is_real: Tensor | None = None,
    ) -> Tensor:
        """The logits of the token after each position: (..., tokens, vocabulary)."""
        return tape("logits", self.logits(self.decode(ids, tape=tape)))

    def decode(
        self,
        ids: Tensor,
        memory: Tensor | None = None,
        tape: Tape = SILENT,
        is_real: Tensor | None = None,
        memory_is_real: Tensor | None = None,
        cache: KVCache | None = None,
    ) -> Tensor:
        """The vectors that `logits` multiplies with the table: (..., tokens, d_embed). With a cache, `ids` are new."""
        words = tape("embed", self.embed_scaled(ids))
        known = cache.fixed("decoder.state") if cache is not None else None
        hidden, state = self.cell(words, None if known is None else known[: self.cell.memories])
        if cache is not None:
            cache.keep("decoder.state", state[0], state[-1])
            cache.length += ids.shape[-1]
        return torch.tanh(self.out(tape("states", hidden)))


def make_recurrent(config: RecurrentConfig) -> Recurrent:
    """A network of this configuration, with random weights."""
    return Seq2Seq(config) if config.kind == "encoder-decoder" else RecurrentLM(config)


class TorchCell(nn.Module):
    """PyTorch's own layer with the weights of a language model's cell. Its loop is not in Python."""

    memories = 0

    def __init__(self, cell: Cell) -> None:
        super().__init__()
        layers = {LSTMCell: nn.LSTM, GRUCell: nn.GRU, RNNCell: nn.RNN}
        inputs, linear = cell.from_input.in_features, (cell.from_input, cell.from_state)
        with seeded(0):  # the layer first draws random weights
            self.layer = layers[type(cell)](inputs, cell.width, batch_first=True)
        for kind, part in zip(("ih", "hh"), linear, strict=True):
            setattr(self.layer, f"weight_{kind}_l0", nn.Parameter(part.weight.data))
            setattr(self.layer, f"bias_{kind}_l0", nn.Parameter(part.bias.data))

    def forward(self, x: Tensor, state: State | None = None) -> tuple[Tensor, State]:
        """All h, (..., tokens, width), and the last one. It always starts from zeros, whatever `state` is."""
        hidden, _ = self.layer(x)
        return hidden, (hidden[..., -1, :],)


def with_torch_cell(network: Recurrent) -> Recurrent:
    """The same language model with PyTorch's own layer as its cell. It tells Python's cost from the recurrence's.

    It reads whole texts. It can also write, but only without a cache.
    """
    quick = copy.copy(network)
    quick._modules = dict(network._modules)
    quick.cell = TorchCell(network.cell)  # type: ignore[arg-type]
    return quick


def stack_steps(trace: Trace, name: str) -> Tensor:
    """A tensor of every step of the decoder as one table, `stack_steps(trace, "attention.weights")`: (targets, ...)."""
    return torch.stack([trace[f"decoder.{step}.{name}"] for step in range(len(trace.tokens))])
