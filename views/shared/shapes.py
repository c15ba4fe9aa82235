"""Whether the tensors of two runs have the same shapes: then their numbers can be subtracted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from views.shared.token_link import same_tokens

if TYPE_CHECKING:
    from model.config import TransformerConfig
    from views.run import Run


def has_same_places(first: TransformerConfig, second: TransformerConfig) -> bool:
    """Whether each layer and head of one is a layer and head of the other."""
    alike = first.stacks == second.stacks and first.n_heads == second.n_heads
    return alike and all(first.n_layers(stack) == second.n_layers(stack) for stack in first.stacks)


def of_one_shape(first: Run, second: Run) -> bool:
    """Whether two runs have as many layers, heads and features, over the same tokens."""
    mine, other = ((*each.trace.source_tokens, *each.trace.tokens) for each in (first, second))
    is_as_wide = first.config.d_model == second.config.d_model
    return is_as_wide and has_same_places(first.config, second.config) and same_tokens(mine, other)
