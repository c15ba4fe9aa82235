"""The graph of every architecture here, made from its configuration: one table of what makes what.

It follows `model.network` line by line: `Embedding`, `Block`, `MultiHeadAttention`, `FeedForward`, `Transformer`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from types import MappingProxyType

from model.config import TransformerConfig
from model.graph.nodes import PIXELS, WEIGHT, Graph, Input, Node
from model.names import describe

Reads = tuple[str, str]  # role and name of one input


@lru_cache(maxsize=64)
def make_graph(config: TransformerConfig) -> Graph:
    """What makes each tensor that a run of this configuration records, and all its weights."""
    return _Builder(config).build()


class _Builder:
    """Collects the nodes in the order in which a run records its tensors. Each method returns the name that it made."""

    def __init__(self, config: TransformerConfig) -> None:
        self.config = config
        self.nodes: dict[str, Node] = {}
        self.stack = config.stacks[0]

    def build(self) -> Graph:
        """The whole model, from the tokens or pixels to its results."""
        outputs: dict[str, str] = {}
        hidden = ""
        for stack in self.config.stacks:
            self.stack, memory = stack, hidden
            outputs[stack] = hidden = self.final_norm(self.layers(self.embedding(), memory))
        self.read_out(hidden)
        return Graph(self.config, MappingProxyType(self.nodes), MappingProxyType(outputs))

    def add(self, name: str, operation: str, *reads: Reads) -> str:
        """A recorded tensor."""
        inputs = tuple(Input(role, read) for role, read in reads)
        axes = describe(name, self.config.gated).axes
        self.nodes[name] = Node(name, operation, inputs, axes, self.stack)
        return name

    def make(self, name: str, made: tuple[str, list[Reads]]) -> str:
        """A recorded tensor, of its operation and its inputs."""
        operation, reads = made
        return self.add(name, operation, *reads)

    def weight(self, name: str, **shape: int) -> str:
        """A weight of the network, with the lengths of its axes by name."""
        self.nodes.setdefault(name, Node(name, WEIGHT, (), tuple(shape), self.stack, tuple(shape.values())))
        return name

    def affine(self, module: str, out: int, inner: int, bias: bool = True) -> list[Reads]:
        """The weight (out, inner) and the bias (out,) of a linear map."""
        reads = [("weight", self.weight(f"{module}.weight", outputs=out, inputs=inner))]
        return [*reads, ("bias", self.weight(f"{module}.bias", outputs=out))] if bias else reads

    def norm_weights(self, module: str) -> list[Reads]:
        """The gain of a norm, and the bias that only LayerNorm has."""
        roles = {"layer": ("gain", "bias"), "rms": ("gain",), "none": ()}[self.config.norm]
        return [(role, self.weight(f"{module}.{role}", d_model=self.config.d_model)) for role in roles]

    def norm(self, name: str, module: str, x: str) -> str:
        """The tensor x after a norm; x itself in a model without norms."""
        weights = self.norm_weights(module)
        return self.add(name, "norm" if weights else "copy", ("x", x), *weights)

    @property
    def prefix(self) -> str:
        """With two stacks, each has its own embedding and final norm, and the names say whose."""
        return f"{self.stack}." if self.config.kind == "encoder-decoder" else ""

    def token_table(self) -> str:
        """The embedding table of this stack. Both stacks share one where they share a vocabulary."""
        config, stack = self.config, self.stack
        has_own = config.kind == "encoder-decoder" and stack == "decoder" and config.target_vocab_size
        owner = stack if has_own else config.stacks[0]
        rows = config.target_vocab_size if has_own else config.vocab_size
        return self.weight(f"{owner}.embed.tokens.weight", vocabulary=rows or 0, token_width=config.token_width)

    def embedding(self) -> str:
        """x = e + p, or x = (e, p); then segments and a norm, where the model has them."""
        config, here, module = self.config, f"{self.prefix}embed", f"{self.stack}.embed"
        tokens = self.patch_tokens(here, module) if config.image_size else self.lookup(here)
        beside = config.has_position_vectors and not config.adds_positions
        parts = [("left" if beside else "x", tokens)]
        if config.has_position_vectors:
            parts.append(("right" if beside else "x", self.positions(here, module)))
        if config.n_segments:
            table = self.weight(f"{module}.segments.weight", segments=config.n_segments, d_model=config.d_model)
            parts.append(("x", self.add(f"{here}.segments", "lookup segment", ("table", table))))
        weights = self.norm_weights(f"{module}.norm") if config.embed_norm else []
        sum_name = "concatenate" if beside else "add" if len(parts) > 1 else "copy"
        return self.add(f"{here}.out", "norm" if weights else sum_name, *parts, *weights)

    def lookup(self, here: str) -> str:
        """Each token's row of the table."""
        return self.add(f"{here}.tokens", "lookup token", ("table", self.token_table()))

    def patch_tokens(self, here: str, module: str) -> str:
        """The learnt tokens and the projected patches of a picture."""
        config = self.config
        sides = (config.channels, config.image_size, config.image_size)
        self.nodes[PIXELS] = Node(PIXELS, PIXELS, (), ("channels", "rows", "columns"), self.stack, sides)
        patches = self.add(f"{here}.patches", "patches", ("pixels", PIXELS))
        names = {"first": "class_token"} | ({"second": "distillation_token"} if config.distillation_token else {})
        learnt = [
            (role, self.weight(f"{module}.patches.{name}", token_width=config.token_width))
            for role, name in names.items()
        ]
        weights = self.affine(f"{module}.patches.project", config.token_width, config.patch_width)
        return self.add(f"{here}.tokens", "patch tokens", *learnt, ("x", patches), *weights)

    def positions(self, here: str, module: str) -> str:
        """The position vectors, from a learnt table or by formula."""
        config = self.config
        if config.positions == "sinusoidal":
            return self.add(f"{here}.positions", "sinusoid")
        sides = {"positions": config.max_length, "position_width": config.position_width}
        table = self.weight(f"{module}.positions.weight", **sides)
        return self.add(f"{here}.positions", "lookup position", ("table", table))

    def layers(self, x: str, memory: str) -> str:
        """All layers of this stack."""
        for layer in range(self.config.n_layers(self.stack)):
            x = self.layer(layer, x, memory)
        return x

    def layer(self, layer: int, x: str, memory: str) -> str:
        """One layer: attention, cross-attention where there is a memory, and feed-forward."""
        here, block = f"{self.stack}.{layer}", f"{self.stack}.blocks.{layer}"
        x = found = self.add(f"{here}.resid_in", "copy", ("x", x))
        x = self.sublayer(here, block, x, "attn", "resid_mid", partial(self.attention, here, block, "self_attn"))
        if memory:
            cross = partial(self.attention, here, block, "cross_attn", memory=memory)
            x = self.sublayer(here, block, x, "cross", "resid_cross", cross)
        read = found if self.config.parallel_residual else x
        return self.sublayer(here, block, x, "ffn", "resid_out", partial(self.feed_forward, here, block), read)

    def sublayer(
        self, here: str, block: str, x: str, part: str, total: str, make: Callable[[str], str], read: str = ""
    ) -> str:
        """Adds a sublayer's output to x. The norm stands before or after the sum. It reads x, or `read`."""
        config, norm = self.config, f"{part}_norm"
        pre = config.norm_position == "pre"
        added = make(self.norm(f"{here}.{norm}", f"{block}.{norm}", read or x) if pre else read or x)
        if config.layer_scale and part != "cross":
            gain = self.weight(f"{block}.{part}_gain", d_model=config.d_model)
            added = self.add(f"{here}.{part}_scaled", "gain", ("x", added), ("gain", gain))
        if config.residual:
            summed = self.add(f"{here}.{total}", "add", ("x", x), ("x", added))
        else:
            summed = self.add(f"{here}.{total}", "copy", ("x", added))
        return summed if pre else self.norm(f"{here}.{norm}", f"{block}.{norm}", summed)

    def attention(self, layer: str, block: str, part: str, x: str, memory: str = "") -> str:
        """softmax(Q K^T / sqrt(d_k) + M) V for every head, and W_O."""
        config, here, module = self.config, f"{layer}.{part}", f"{block}.{part}"
        wide, narrow = config.n_heads * config.head_width, config.kv_heads * config.head_width
        project = {
            letter: self.affine(f"{module}.{name}", width, config.d_model, config.has_qkv_bias)
            for letter, name, width in (("q", "query", wide), ("k", "key", narrow), ("v", "value", narrow))
        }
        if memory:
            memory = self.add(f"{here}.memory", "copy", ("x", memory))
        read = {"q": x, "k": memory or x, "v": memory or x}
        turned = config.positions == "rotary" and not memory
        made: dict[str, tuple[str, list[Reads]]] = {  # the operation and its inputs, so far
            letter: ("linear to heads", [("x", read[letter]), *project[letter]]) for letter in "qkv"
        }
        if config.qk_norm:
            for letter, name in (("q", "query"), ("k", "key")):
                gain = self.weight(f"{module}.{name}_norm.gain", d_head=config.head_width)
                made[letter] = (
                    "head norm",
                    [("x", self.make(f"{here}.{letter}_unnormed", made[letter])), ("gain", gain)],
                )
        if turned:
            for letter in "qk":
                made[letter] = ("rotate", [("x", self.make(f"{here}.{letter}_unrotated", made[letter]))])
        for letter in "qkv":
            self.make(f"{here}.{letter}", made[letter])
        self.weigh(here, "open mask" if memory else self.own_mask(layer), is_self=not memory)
        heads = self.add(f"{here}.heads", "mix values", ("weights", f"{here}.weights"), ("v", f"{here}.v"))
        concat = self.add(f"{here}.concat", "concatenate heads", ("x", heads))
        weights = self.affine(f"{module}.out", config.d_model, wide, config.has_out_bias)
        return self.add(f"{here}.out", "linear", ("x", concat), *weights)

    def relative_bias(self) -> str:
        """The table of relative positions, which all layers of a stack share."""
        config = self.config
        return self.weight(f"{self.stack}.relative_bias.weight", buckets=config.relative_buckets, heads=config.n_heads)

    def own_mask(self, layer: str) -> str:
        """The operation that makes the mask of a layer's self-attention."""
        if self.stack == "encoder":
            return "open mask"
        windowed = self.config.window_of(self.stack, int(layer.rpartition(".")[-1])) is not None
        return "window mask" if windowed else "causal mask"

    def weigh(self, here: str, made: str, is_self: bool) -> None:
        """From queries and keys to the attention weights. `made` is the operation that makes the mask."""
        raw = self.add(f"{here}.raw_scores", "matrix product", ("q", f"{here}.q"), ("k", f"{here}.k"))
        if self.config.positions == "relative" and is_self:
            unbiased = self.add(f"{here}.scores_unbiased", "scale", ("x", raw))
            bias = self.add(f"{here}.position_bias", "lookup distance", ("table", self.relative_bias()))
            scores = self.add(f"{here}.scores", "add", ("x", unbiased), ("x", bias))
        else:
            scores = self.add(f"{here}.scores", "scale", ("x", raw))
        mask = self.add(f"{here}.mask", made)
        masked = self.add(f"{here}.masked", "mask", ("x", scores), ("x", mask))
        self.add(f"{here}.weights", "softmax", ("x", masked))

    def feed_forward(self, layer: str, block: str, x: str) -> str:
        """W_2 act(W_1 x), where a gated network multiplies by W_up x in between."""
        config, here, module = self.config, f"{layer}.ffn", f"{block}.ffn"
        sizes = (config.d_ff, config.d_model, config.bias)
        hidden = self.add(f"{here}.hidden", "linear", ("x", x), *self.affine(f"{module}.expand", *sizes))
        gated = []
        if config.gated:
            gated = [("up", self.add(f"{here}.up", "linear", ("x", x), *self.affine(f"{module}.up", *sizes)))]
        activated = self.add(f"{here}.activated", "activation", ("x", hidden), *gated)
        weights = self.affine(f"{module}.contract", config.d_model, config.d_ff, config.bias)
        return self.add(f"{here}.out", "linear", ("x", activated), *weights)

    def final_norm(self, x: str) -> str:
        """The norm after the last layer, which only a pre-norm stack has."""
        if self.config.norm_position == "post":
            return x
        return self.norm(f"{self.prefix}final_norm", f"{self.stack}.final_norm", x)

    def read_out(self, hidden: str) -> None:
        """The results: scores of the vocabulary, or of classes."""
        config = self.config
        if config.transform != "none":
            hidden = self.transform(hidden)
        if config.answers_words:
            self.logits(hidden)
            return
        heads = {"text": config.text_labels, "token": config.token_labels, "image": config.image_labels}
        for head, labels in heads.items():
            if labels and head == "image" and config.distillation_head:
                self.two_heads(hidden)
            elif labels:
                weights = self.affine(f"{head}_head", len(labels), config.d_model)
                self.add(f"{head}_logits", "linear" if head == "token" else "classify", ("x", hidden), *weights)

    def transform(self, hidden: str) -> str:
        """act(W x + b) before the answer, and a norm where that is a word."""
        sizes = (self.config.d_model, self.config.d_model)
        dense = self.add("transform.hidden", "linear", ("x", hidden), *self.affine("transform.dense", *sizes))
        activated = self.add("transform.activated", "activation of the transform", ("x", dense))
        return self.norm("transform.norm", "transform.norm", activated) if self.config.masked_words else activated

    def logits(self, hidden: str) -> None:
        """The scores of the vocabulary."""
        config = self.config
        rows, table = config.target_vocab_size or config.vocab_size, self.token_table()
        if not config.shares_output_table:
            table = self.weight("unembed.weight", vocabulary=rows, d_model=config.d_model)
        bias = [("bias", self.weight("output_bias", vocabulary=rows))] if config.output_bias else []
        operation = "scaled logits" if config.scale_logits else "logits"
        self.add("logits", operation, ("x", hidden), ("weight", table), *bias)

    def two_heads(self, hidden: str) -> None:
        """The classes of a picture as the mean of the class token's head and the distillation token's."""
        classes, width = len(self.config.image_labels), self.config.d_model
        own, taught = (self.affine(f"{head}_head", classes, width) for head in ("image", "distillation"))
        self.add("class_logits", "classify", ("x", hidden), *own)
        self.add("distillation_logits", "classify second", ("x", hidden), *taught)
        self.add("image_logits", "mean", ("x", "class_logits"), ("x", "distillation_logits"))
