"""The cost of a run: multiplications and memory of every part, by formula."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch.utils.flop_counter import FlopCounterMode

from model.config import TransformerConfig
from model.graph.network_graph import make_graph
from model.network.transformer import Transformer
from model.tape import Tape

FLOAT_BYTES = 4  # float32
WITHOUT_EXPERTS: dict[str, Any] = {"n_experts": 0, "n_taken": 0, "d_shared": 0, "shared_gate": False}


@dataclass(frozen=True)
class Cost:
    """The cost of one part of a run. Bishop (2024), ch. 12, "Computational complexity".

    `multiplications` counts the products of two numbers inside the part's matrix products. Norms, softmax and additions
    are left out: they grow more slowly. `memory` is the size of the part's results in bytes, in float32. `growth` says
    how the multiplications grow with T tokens, width D, a vocabulary of V tokens and C classes.
    """

    part: str
    multiplications: int
    memory: int
    growth: str


def attention_costs(config: TransformerConfig, queries: int, keys: int, keep_weights: bool = True) -> list[Cost]:
    """The parts of one attention with `queries` rows of Q and `keys` rows of K and V.

    If nobody keeps the weights, a fused kernel computes them a tile at a time. Then no (heads, queries, keys) matrix is
    ever whole in memory.
    """
    d_model, heads, d_head = config.d_model, config.n_heads, config.head_width
    query_features, key_features = heads * d_head, config.kv_heads * d_head  # features of all queries, of all keys
    pairs = heads * queries * keys
    matrix = FLOAT_BYTES * pairs if keep_weights else 0
    return [
        Cost("queries, keys, values", d_model * (queries * query_features + 2 * keys * key_features),
             FLOAT_BYTES * (queries * query_features + 2 * keys * key_features), "T D²"),
        Cost("scores", pairs * d_head, matrix, "T² D"),
        Cost("weighted mean of values", pairs * d_head, matrix + FLOAT_BYTES * queries * query_features, "T² D"),
        Cost("output projection", queries * query_features * d_model, FLOAT_BYTES * queries * d_model, "T D²"),
    ]  # fmt: skip


def patch_entries(height: float, width: float, patch: int, special: int = 1) -> float:
    """Entries of one head's attention over the patches of a picture and the learnt tokens: (S + H W / P²)².

    `height` and `width` are those of the picture, `patch` the side of a patch, all in pixels.
    `special` is S: the learnt tokens, as 1 for a class token. Palaskos (2022),
    section 4.2.1.
    """
    return (height * width / patch**2 + special) ** 2


def feed_forward_cost(config: TransformerConfig, tokens: int) -> Cost:
    """One feed-forward network over `tokens` tokens: two matrices, or three if it is gated.

    With experts, those that a token takes, and the router.
    """
    matrices, hidden, routes = 3 if config.gated else 2, active_features(config), router_rows(config)
    results = tokens * (hidden * (matrices - 1) + max(1, config.n_taken) * config.d_model + routes)
    products = tokens * config.d_model * (matrices * hidden + routes)
    return Cost("feed-forward", products, FLOAT_BYTES * results, "T D²")


def active_features(config: TransformerConfig) -> int:
    """The hidden features that a token has in a feed-forward: d_ff, or those of all experts that it takes."""
    return max(1, config.n_taken) * config.d_ff + config.d_shared


def router_rows(config: TransformerConfig) -> int:
    """The logits of a router, and the one of a shared expert's gate; 0 without experts."""
    return config.n_experts + config.shared_gate


def parameter_counts(config: TransformerConfig) -> tuple[int, int]:
    """All weights of a model, and those that one token makes use of: without the experts that it does not take.

    >>> from glassformer import load
    >>> from model.cost.formulas import parameter_counts
    >>> parameter_counts(load("tiny-lm").config)
    (674432, 674432)
    """
    graph = make_graph(config)
    sizes = {name: math.prod(graph[name].shape or ()) for name in graph.weights}
    of_experts = sum(size for name, size in sizes.items() if ".ffn.experts." in name)
    idle = of_experts // config.n_experts * (config.n_experts - config.n_taken) if config.n_experts else 0
    return sum(sizes.values()), sum(sizes.values()) - idle


def output_cost(config: TransformerConfig, tokens: int) -> Cost:
    """The output layer at `tokens` positions: a product with every row of its table, of the next tokens, or of the
    words that stand at the places of an encoder."""
    vocabulary = config.target_vocab_size or config.vocab_size
    part = "next-token scores" if config.n_decoder_layers else "scores of the words"
    return Cost(part, tokens * config.embedding_width * vocabulary, FLOAT_BYTES * tokens * vocabulary, "T D V")


def widening_cost(config: TransformerConfig, tokens: int) -> Cost:
    """The map from narrow embeddings to the width of the layers."""
    results = tokens * config.d_model
    return Cost("embedding to the model's width", results * config.embedding_size, FLOAT_BYTES * results, "T D")


def transform_cost(config: TransformerConfig, tokens: int) -> Cost:
    """The transform between an encoder's last layer and its answer, at every token."""
    results = tokens * config.transform_width
    return Cost("transform before the answer", results * config.d_model, FLOAT_BYTES * results, "T D²")


def class_costs(config: TransformerConfig, tokens: int) -> list[Cost]:
    """The class heads of an encoder: of a text's first token, of every token, of a picture's class token
    and distillation token."""
    heads = (
        ("text classes", 1, len(config.text_labels), "D C"),
        ("token classes", tokens, len(config.token_labels), "T D C"),
        ("picture classes", 1 + config.distillation_head, len(config.image_labels), "D C"),
    )
    width = config.shared_width or config.d_model  # what a head reads of a token
    return [
        Cost(part, positions * width * classes, FLOAT_BYTES * positions * classes, growth)
        for part, positions, classes, growth in heads
        if classes
    ]


def shared_costs(config: TransformerConfig, tokens: int) -> list[Cost]:
    """The vector by which a picture and a text are compared: a projection, or a probe that asks all tokens."""
    if not config.shared_width:
        return []
    if config.pooled == "probe":
        asked = [*attention_costs(config, 1, tokens), feed_forward_cost(config, 1)]
        return [replace(cost, part=f"probe: {cost.part}") for cost in asked]
    width = config.shared_width
    return [Cost("projection to the shared space", config.d_model * width, FLOAT_BYTES * width, "D²")]


def patch_cost(config: TransformerConfig) -> Cost:
    """The projection of a picture's patches to the width of a token."""
    results = config.n_patches * config.token_width
    return Cost("patch projection", results * config.patch_width, FLOAT_BYTES * results, "T D")


def layer_costs(config: TransformerConfig, tokens: int, keep_weights: bool = True) -> list[Cost]:
    """The parts of one layer of self-attention and feed-forward."""
    return [*attention_costs(config, tokens, tokens, keep_weights), feed_forward_cost(config, tokens)]


def model_costs(
    config: TransformerConfig, tokens: int, source_tokens: int = 0, keep_weights: bool = True
) -> list[Cost]:
    """All parts of the model: a picture's patches, the sum of all layers part by part, and what reads an answer off.

    A vision model has S + N tokens: its `max_length`.
    """
    total: dict[str, Cost] = {}

    def add(costs: list[Cost], times: int) -> None:
        for cost in costs:
            before = total.get(cost.part, Cost(cost.part, 0, 0, cost.growth))
            total[cost.part] = Cost(
                cost.part,
                before.multiplications + times * cost.multiplications,
                before.memory + times * cost.memory,
                cost.growth,
            )

    if config.image_size:
        add([patch_cost(config)], 1)
    if config.embedding_size:
        add([widening_cost(config, tokens)], 1)
    encoder_tokens = source_tokens if config.kind == "encoder-decoder" else tokens
    add(layer_costs(config, encoder_tokens, keep_weights), config.n_encoder_layers)
    add(layer_costs(config, tokens, keep_weights), config.n_decoder_layers)
    if config.kind == "encoder-decoder":
        add(attention_costs(config, tokens, source_tokens, keep_weights), config.n_decoder_layers)
    if config.transform != "none":
        add([transform_cost(config, tokens)], 1)
    if config.answers_words:
        add([output_cost(config, tokens)], 1)
    add(shared_costs(config, tokens), 1)
    add(class_costs(config, tokens), 1)
    return list(total.values())


def attention_memory(config: TransformerConfig, tokens: int, keep_weights: bool = True) -> int:
    """Bytes of the results of all attentions. The source of a translator is as long as what it writes."""
    attentions = sum(config.n_layers(stack) * len(config.attentions(stack)) for stack in config.stacks)
    return attentions * sum(cost.memory for cost in attention_costs(config, tokens, tokens, keep_weights))


def crossing_length(config: TransformerConfig) -> float:
    """The number of tokens from which, in one layer, the parts that grow with T² cost more than those that grow with T.

    The layer has self-attention and a feed-forward network.
    """
    one = layer_costs(config, 1)
    squared = sum(cost.multiplications for cost in one if cost.growth == "T² D")
    linear = sum(cost.multiplications for cost in one if cost.growth == "T D²")
    return linear / squared


def count_multiplications(config: TransformerConfig, tokens: int, source_tokens: int = 0) -> int:
    """The multiplications of one run, counted by torch, operator by operator. It checks the formulas.

    The network is on torch's meta device: it has shapes but no numbers. So any size is counted at once.
    """
    with torch.device("meta"), torch.inference_mode():
        # A cap has no product, and needs numbers. So does a router: one wide network makes as many products.
        dense = replace(config, score_cap=None, d_ff=active_features(config), **WITHOUT_EXPERTS)
        network = Transformer(dense).eval()
        picture = (config.channels, config.image_size, config.image_size)
        ids = torch.zeros(picture) if config.image_size else torch.zeros(tokens, dtype=torch.long)
        source = torch.zeros(source_tokens, dtype=torch.long) if config.kind == "encoder-decoder" else None
        with FlopCounterMode(display=False) as counter:
            network(ids, source, Tape("logits"))  # an encoder scores the words of its places where they are asked for
    routed = sum(config.n_layers(each) * _tokens_of(config, each, tokens, source_tokens) for each in config.stacks)
    # It counts a multiplication and its addition as two.
    return counter.get_total_flops() // 2 + routed * config.d_model * router_rows(config)


def _tokens_of(config: TransformerConfig, stack: str, tokens: int, source_tokens: int) -> int:
    return source_tokens if stack == "encoder" and config.kind == "encoder-decoder" else tokens
