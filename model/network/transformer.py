"""The transformer: encoder, decoder, or both, of the same blocks."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.network.attention import AttentionContext, ContextNames
from model.network.block import Block, add_block
from model.network.embedding import Embedding, add_embedding
from model.network.graph_builder import GraphBuilder
from model.network.kv_cache import KVCache
from model.network.linear import Linear, linear, linear_weights
from model.network.masks import causal_mask, combine, padding_mask, window_mask
from model.network.norms import add_norm, make_norm
from model.network.positions import rotary_gains, rotary_speeds, rotation
from model.network.relative_positions import PositionBias, make_bias
from model.network.shared_space import SharedVector, Similarity, add_shared_vector, add_similarity
from model.network.transform import Transform, add_transform
from model.tape import SILENT, Tape


class Stack(nn.Module):
    """An embedding and the blocks above it: the encoder or the decoder.

    With `shared_layers`, one block is every layer. Lan et al. (2020), arXiv:1909.11942, section 3.1.
    """

    def __init__(self, config: TransformerConfig, name: str) -> None:
        super().__init__()
        self.config, self.name = config, name
        cross = "cross_attn" in config.attentions(name)
        vocab_size = config.target_vocab_size if cross else None
        self.embed = Embedding(config, vocab_size or config.vocab_size)
        self.kinds = [config.of_layer(name, layer) for layer in range(config.n_layers(name))]
        blocks = [Block(kind, cross) for kind in (self.kinds[:1] if config.shared_layers else self.kinds)]
        for block in blocks if config.own_biases else ():
            block.relative_bias = make_bias(config, name)
        self.blocks = nn.ModuleList(blocks * (config.n_layers(name) if config.shared_layers else 1))
        if config.unnormed_first:
            self.blocks[0].attn_norm = nn.Identity()
        self.final_norm = None if config.norms_sums else make_norm(config)
        self.relative_bias = None if config.own_biases else make_bias(config, name)

    def forward(
        self,
        ids: Tensor,
        tape: Tape,
        mask: Tensor | None = None,
        memory: Tensor | None = None,
        memory_mask: Tensor | None = None,
        cache: KVCache | None = None,
    ) -> Tensor:
        """ids (..., tokens) -> hidden states (..., tokens, d_model)."""
        length = self.config.max_length if self.config.image_size else ids.shape[-1]
        x = self.embed(ids, self.places(length, cache), self.own(tape).at("embed"))
        return self.run(x, tape, mask, memory, memory_mask, cache)

    def run(
        self,
        x: Tensor,
        tape: Tape,
        mask: Tensor | None = None,
        memory: Tensor | None = None,
        memory_mask: Tensor | None = None,
        cache: KVCache | None = None,
        first: int = 0,
        stop: int | None = None,
    ) -> Tensor:
        """The layers from `first` on, and the final norm. x is the residual stream before that layer.

        With `stop`, the layers before that one, and no final norm. Layers with a window add it to the mask.
        """
        mask, memory_mask = (None if each is None else each.to(x) for each in (mask, memory_mask))
        memory = None if memory is None else memory.to(x.device)
        places, keys = self.places(x.shape[-2], cache), self.keys(x, cache)
        bias = self.bias(self.relative_bias, places, keys, x)
        own, across = AttentionContext(mask, bias=bias, cache=cache), AttentionContext(memory_mask, memory, cache=cache)
        seen: dict[TransformerConfig, AttentionContext] = {}  # layers that are alike see the same
        for layer in range(first, len(self.blocks) if stop is None else stop):
            kind = self.kinds[layer]
            if kind not in seen:
                seen[kind] = replace(own, mask=add_window(mask, kind, places, keys, x), rotation=turns(kind, places, x))
            context, block = seen[kind], self.blocks[layer]
            assert isinstance(block, Block)
            if self.config.own_biases:
                context = replace(context, bias=self.bias(block.relative_bias, places, keys, x))
            contexts = context.at(f"{layer}.self_attn"), across.at(f"{layer}.cross_attn")
            x = block(x, tape.at(self.name, layer), *contexts)
        if stop is not None or self.final_norm is None:
            return x
        return self.own(tape)("final_norm", self.final_norm(x))

    def places(self, new: int, cache: KVCache | None) -> Tensor:
        """The positions t of the new tokens, counted from 0, after those in the cache: (new,), on the CPU. What is
        computed from them is too, in float64, which Apple's GPUs lack. A joined cache has them for each row of a batch.
        """
        return torch.arange(new) if cache is None else cache.places(new)

    def keys(self, x: Tensor, cache: KVCache | None) -> int:
        """How many keys self-attention has: the new tokens of x (..., tokens, d_model), and those in the cache."""
        return x.shape[-2] + (0 if cache is None else cache.length)

    def bias(self, made_by: PositionBias | None, places: Tensor, keys: int, x: Tensor) -> Tensor | None:
        """B of relative positions: (heads, queries, keys). None where positions are of another kind."""
        return None if made_by is None else made_by(places, torch.arange(keys)).to(x)

    def own(self, tape: Tape) -> Tape:
        """With two stacks, each has its own embedding and final norm, and the names say whose."""
        return tape.at(self.name) if self.config.kind == "encoder-decoder" else tape


def turns(config: TransformerConfig, places: Tensor, x: Tensor) -> Tensor | None:
    """What turns queries and keys at these positions: (..., 1, tokens, d_head / 2). None without rotary positions."""
    if config.positions != "rotary":
        return None
    turn = rotation(places, rotary_speeds(config), x.dtype, rotary_gains(config))
    return turn.to(x.device)[..., None, :, :]  # the same for all heads


def add_window(mask: Tensor | None, config: TransformerConfig, places: Tensor, keys: int, x: Tensor) -> Tensor | None:
    """The mask with the window of a layer. It stays as it is while the window reaches the first of `keys`.

    `places` are the positions of the queries, (queries,), or of a joined cache (batch, queries).
    """
    if config.window is None or keys <= config.window:
        return mask
    near = window_mask(places, keys, config.window).to(x)  # (queries, keys)
    return combine(mask, near if places.dim() == 1 else near[:, None])  # of a batch the same for all heads


def add_stack(graph: GraphBuilder, stack: Stack, memory: str) -> str:
    """What makes each tensor that `Stack` records, and the name of its result. `memory` is the encoder's, or ""."""
    own = graph.at(stack.name) if stack.config.kind == "encoder-decoder" else graph
    x = add_embedding(own.at("embed"), stack.embed)
    for layer, (block, kind) in enumerate(zip(stack.blocks, stack.kinds, strict=True)):
        assert isinstance(block, Block)
        masks = ("causal mask", "window mask") if kind.is_causal(stack.name) else ("open mask", "window around")
        mask = masks[kind.window is not None]
        seen = ContextNames(mask, rotates=kind.positions == "rotary", bias=block.relative_bias or stack.relative_bias)
        x = add_block(graph.at(stack.name, layer), block, x, seen, ContextNames(memory=memory))
    return x if stack.final_norm is None else add_norm(own, "final_norm", stack.final_norm, x)


def initialise(module: nn.Module) -> None:
    """Starting weights: Glorot for matrices; embeddings so that scaled by sqrt(d_model) they have variance 1."""
    if any(parameter.is_meta for parameter in module.parameters(recurse=False)):
        return  # a checkpoint fills it
    if isinstance(module, nn.Linear):
        nn.init.xavier_uniform_(module.weight)
        if module.bias is not None:
            nn.init.zeros_(module.bias)
    elif isinstance(module, nn.Embedding):
        nn.init.normal_(module.weight, std=module.embedding_dim**-0.5)


class Transformer(nn.Module):
    """Vaswani et al. (2017), with the variations that `TransformerConfig` names.

    Every method takes ids with any number of leading batch axes: one sentence is (tokens,), a batch (batch, tokens).
    Ids, pixels and masks may be on another device than the network, which gives its results on its own.
    In the place of ids, a vision model takes pixels (..., channels, height, width).
    `*_is_real` is False where a token only fills up a batch: (batch, tokens).
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = Stack(config, "encoder") if config.n_encoder_layers else None
        self.decoder = Stack(config, "decoder") if config.n_decoder_layers else None
        if self.encoder is not None and self.decoder is not None and config.target_vocab_size is None:
            self.decoder.embed.tokens = self.encoder.embed.tokens  # one table for both languages
        has_output_layer = config.answers_words and not config.shares_output_table
        output_size = config.target_vocab_size or config.vocab_size
        self.unembed = Linear(config.embedding_width, output_size, bias=False) if has_output_layer else None
        self.output_bias = nn.Parameter(torch.zeros(output_size)) if config.output_bias else None
        self.transform = Transform(config) if config.transform != "none" else None
        self.text_head = Linear(config.d_model, len(config.text_labels)) if config.text_labels else None
        self.token_head = Linear(config.d_model, len(config.token_labels)) if config.token_labels else None
        has_classes = config.image_labels and not config.shared_width
        self.image_head = Linear(config.d_model, len(config.image_labels)) if has_classes else None
        self.shared_vector = SharedVector(config) if config.shared_width else None
        self.similarity = Similarity(config) if config.shared_width and config.image_size else None
        self.distillation_head = Linear(config.d_model, len(config.image_labels)) if config.distillation_head else None
        self.apply(initialise)

    def forward(
        self,
        ids: Tensor,
        source: Tensor | None = None,
        tape: Tape = SILENT,
        ids_are_real: Tensor | None = None,
        source_is_real: Tensor | None = None,
    ) -> Tensor:
        """The whole model at once. Encoder-only: hidden states (..., tokens, d_model). With a decoder: logits
        (..., tokens, vocabulary); `source` is what the encoder of an encoder-decoder model reads."""
        if self.decoder is None:
            return self.read_out(self.encode(ids, tape, ids_are_real), tape, ids_are_real)
        memory = None if source is None else self.encode(source, tape, source_is_real)
        return self.read_out(self.decode(ids, memory, tape, ids_are_real, source_is_real), tape)

    def encode(self, ids: Tensor, tape: Tape = SILENT, is_real: Tensor | None = None) -> Tensor:
        """Every token sees every token, or those before it alone: (..., tokens, d_model)."""
        assert self.encoder is not None, "a decoder-only model has no encoder"
        causal = causal_mask(ids.shape[-1], ids.shape[-1], ids.device) if self.config.causal else None
        mask = combine(causal, None if is_real is None else padding_mask(is_real))
        return self.encoder(ids, tape, mask)

    def decode(
        self,
        ids: Tensor,
        memory: Tensor | None = None,
        tape: Tape = SILENT,
        is_real: Tensor | None = None,
        memory_is_real: Tensor | None = None,
        cache: KVCache | None = None,
    ) -> Tensor:
        """Every token sees itself and the ones before it, and all of `memory`: (..., tokens, d_model).

        With a cache, `ids` are only the tokens that are new.
        """
        assert self.decoder is not None, "an encoder-only model has no decoder"
        seen = cache.length if cache is not None else 0
        new = ids.shape[-1]
        has_mask = new > 1 or (is_real is None and not tape.idle)  # a single token sees all before it
        causal = causal_mask(new, seen + new, ids.device) if has_mask else None
        mask = combine(causal, None if is_real is None else padding_mask(is_real.to(ids.device)))
        memory_mask = None if memory_is_real is None else padding_mask(memory_is_real)
        hidden = self.decoder(ids, tape, mask, memory, memory_mask, cache)
        if cache is not None:
            cache.advance(new)
        return hidden

    def run_layer(self, stack: str, layer: int, x: Tensor, tape: Tape, memory: Tensor | None = None) -> Tensor:
        """One layer of the "encoder" or the "decoder" alone: (tokens, d_model) -> the same shape.

        x is the residual stream of a whole sentence before that layer. `memory` is the encoder's output, if any.
        """
        chosen = self.encoder if stack == "encoder" else self.decoder
        assert chosen is not None, f"this model has no {stack}"
        mask = causal_mask(len(x), len(x), x.device) if self.config.is_causal(stack) else None
        return chosen.run(x, tape, mask, memory, first=layer, stop=layer + 1)

    @property
    def can_cache(self) -> bool:
        """Whether a token's keys and values stay what they are while others are written after it."""
        return True

    def read_out(self, hidden: Tensor, tape: Tape = SILENT, is_real: Tensor | None = None) -> Tensor:
        """What the model gives after its last stack: the logits, or the hidden states that it has classified."""
        return self.classify(hidden, tape, is_real) if self.decoder is None else tape("logits", self.logits(hidden))

    def logits(self, hidden: Tensor) -> Tensor:
        """u = h E^T with tied embeddings (slides, "Language Modelling Head"), else u = h W: (..., vocabulary).

        With `logit_factor`, h is multiplied by it first. With `output_bias`, plus b. A cap c makes c tanh(u / c) of u.
        """
        if self.config.logit_factor != 1:
            hidden = hidden * self.config.logit_factor
        u = linear(hidden, self.output_table) if self.unembed is None else self.unembed(hidden)
        u = u if self.output_bias is None else u + self.output_bias
        cap = self.config.logit_cap
        return u if cap is None else cap * torch.tanh(u / cap)

    def word_logits(self, hidden: Tensor) -> Tensor:
        """As `logits`, of what the last stack gives: a BERT's have a transform before them. (..., vocabulary)."""
        return self.logits(hidden if self.transform is None else self.transform(hidden, SILENT))

    @property
    def output_table(self) -> Tensor:
        """E or W, with a row for each token that the model writes: (vocabulary, embedding_width)."""
        assert self.config.answers_words, "this encoder gives no word"
        stack = self.encoder if self.decoder is None else self.decoder
        assert stack is not None
        return (stack.embed.tokens if self.unembed is None else self.unembed).weight

    def answer(self, hidden: Tensor, position: int = -1) -> Tensor:
        """The logits of the next token after a position, or those of an encoder: of the word at the position, of the
        classes of the text, or of its token: (..., answers).

        hidden: (..., tokens, d_model), after the last stack.
        """
        first = position if self.config.answers_places else 0
        row = hidden[..., first:, :][..., :1, :]  # (..., 1, d_model); a slice has a gradient on every device
        if self.config.answers_words:
            return self.word_logits(row)[..., 0, :]
        if self.text_head is not None:
            return self.text_head(row if self.transform is None else self.transform(row, SILENT))[..., 0, :]
        assert self.token_head is not None, "this encoder gives no class"
        return self.token_head(row)[..., 0, :]

    def classify(self, hidden: Tensor, tape: Tape = SILENT, is_real: Tensor | None = None) -> Tensor:
        """Encoder-only heads (Palaskos section 3.8): the text's class from the first token, each token's from itself,
        the word at each place (Devlin et al. 2019, section 3.1), a picture's class from its class token (Dosovitskiy et
        al. 2021, eq. 4). A BERT's have a transform before them. With a distillation head, a picture's are the
        mean of two heads' (Touvron et al. 2020, section 4).

        They are on the tape as `text_logits`, `token_logits`, `logits`, `image_logits`; the hidden states are given
        back. Those of the two heads are there as `class_logits` and `distillation_logits`.
        """
        read = hidden if self.transform is None else self.transform(hidden, tape.at("transform"))  # (tokens, d_model)
        if self.config.masked_words and tape.watches("logits"):  # else nobody reads this largest of all products
            tape("logits", self.logits(read))  # (tokens, vocabulary)
        if self.text_head is not None:
            tape("text_logits", self.text_head(read[..., 0, :]))  # (classes,)
        if self.token_head is not None:
            tape("token_logits", self.token_head(hidden))  # (tokens, classes)
        if self.image_head is not None and self.distillation_head is None:
            tape("image_logits", self.image_head(hidden[..., 0, :]))  # (classes,)
        elif self.image_head is not None and self.distillation_head is not None:
            own = tape("class_logits", self.image_head(hidden[..., 0, :]))  # (classes,)
            taught = tape("distillation_logits", self.distillation_head(hidden[..., 1, :]))  # (classes,)
            tape("image_logits", (own + taught) / 2)
        if self.shared_vector is not None:
            shared = self.shared_vector(hidden, tape, is_real)  # (1, shared_width)
            if self.similarity is not None and self.config.image_labels:
                tape("image_logits", self.similarity(shared))  # (sentences,)
        return hidden


def add_transformer(graph: GraphBuilder, network: Transformer) -> dict[str, str]:
    """What makes each tensor that `Transformer` records. Returns what each stack hands on, by its name."""
    outputs: dict[str, str] = {}
    hidden = ""
    for stack in (network.encoder, network.decoder):
        if stack is not None:
            graph = graph.of_stack(stack.name)
            outputs[stack.name] = hidden = add_stack(graph, stack, hidden)
    if network.decoder is None:
        _add_answers(graph, network, hidden)
    else:
        _add_logits(graph, network, hidden)
    return outputs


def _add_logits(graph: GraphBuilder, network: Transformer, hidden: str) -> None:
    """As `Transformer.logits`."""
    weights = {"weight": graph.weight(network.output_table, "vocabulary", "embedding_width")}
    if network.output_bias is not None:
        weights["bias"] = graph.weight(network.output_bias, "vocabulary")
    is_plain = network.config.logit_factor == 1 and network.config.logit_cap is None
    graph.add("logits", "logits" if is_plain else "scaled logits", x=hidden, **weights)


def _add_answers(graph: GraphBuilder, network: Transformer, hidden: str) -> None:
    """As `Transformer.classify`."""
    transform = network.transform
    read = hidden if transform is None else add_transform(graph.at("transform"), transform, hidden)
    if network.config.masked_words:
        _add_logits(graph, network, read)
    if network.text_head is not None:
        graph.add("text_logits", "classify", x=read, **linear_weights(graph, network.text_head))
    if network.token_head is not None:
        graph.add("token_logits", "linear", x=hidden, **linear_weights(graph, network.token_head))
    if network.image_head is not None and network.distillation_head is None:
        graph.add("image_logits", "classify", x=hidden, **linear_weights(graph, network.image_head))
    elif network.image_head is not None and network.distillation_head is not None:
        weights = [linear_weights(graph, head) for head in (network.image_head, network.distillation_head)]
        own = graph.add("class_logits", "classify", x=hidden, **weights[0])
        taught = graph.add("distillation_logits", "classify second", x=hidden, **weights[1])
        graph.add("image_logits", "mean", x=(own, taught))
    if network.shared_vector is not None:
        shared = add_shared_vector(graph, network.shared_vector, hidden)
        if network.similarity is not None and network.config.image_labels:
            add_similarity(graph, network.similarity, shared)
