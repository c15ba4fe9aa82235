"""The length of every axis of every tensor, from a configuration and the number of tokens."""

from __future__ import annotations

from model.config import TransformerConfig
from model.graph.nodes import Node


def shape_of(config: TransformerConfig, node: Node, tokens: int, sources: int = 0) -> tuple[int, ...]:
    """The shape of a tensor or weight in a run of so many tokens.

    `tokens` are those of the last stack. `sources` are those of the encoder, where there is a decoder after it.
    """
    if node.shape is not None:
        return node.shape
    two_stacks = config.kind == "encoder-decoder"
    rows = config.max_length if config.image_size else sources if two_stacks and node.stack == "encoder" else tokens
    lengths = _fixed_lengths(config) | {
        "tokens": rows,
        "queries": rows,
        "keys": sources if ".cross_attn." in node.name else rows,
        "classes": _classes(config, node.name),
    }
    if node.name.startswith("probe."):
        lengths |= {"tokens": 1, "queries": 1, "keys": rows}
    return tuple(lengths[axis] for axis in node.axes)


def _classes(config: TransformerConfig, name: str) -> int:
    of_pictures = ("class_logits", "distillation_logits", "image_logits")
    labels = {"text_logits": config.text_labels} | dict.fromkeys(of_pictures, config.image_labels)
    return len(labels.get(name, config.token_labels))


def _vocabulary(config: TransformerConfig) -> int:
    """The tokens that have a score. A decoder alone reads and, with a shared table, scores the first vocabulary."""
    if config.kind == "decoder" and config.shares_output_table:
        return config.vocab_size
    return config.target_vocab_size or config.vocab_size


def _fixed_lengths(config: TransformerConfig) -> dict[str, int]:
    """The axes that no text changes."""
    return {
        "heads": config.n_heads,
        "kv_heads": config.kv_heads,
        "d_head": config.head_width,
        "heads x d_head": config.n_heads * config.head_width,
        "d_model": config.d_model,
        "d_ff": config.d_ff,
        "experts": config.n_experts,
        "taken": config.n_taken,
        "d_shared": config.d_shared,
        "token_width": config.token_width,
        "embedding_width": config.embedding_width,
        "transform_width": config.transform_width,
        "position_width": config.position_width,
        "vocabulary": _vocabulary(config),
        "patches": config.n_patches if config.image_size else 0,
        "patch_width": config.patch_width,
        "one": 1,
        "shared_width": config.shared_width,
    }
