"""The heads that Break a part silences: one of an attention, or all but one, in every layer."""

from __future__ import annotations

from model import Edit, ablate
from model.analysis.head_steps import kinds
from model.config import TransformerConfig
from model.experiments.surgery import RemovablePart, keep_heads
from views.head_of_run import attention_title
from views.learning.bench.both_models import Removal


def places_of(config: TransformerConfig) -> dict[str, str]:
    """The title of each kind of attention, by the pattern of its layers."""
    return {f"{stack}.*.{part}": attention_title(config, stack, part) for stack, part in kinds(config)}


def silence(config: TransformerConfig, parts: tuple[RemovablePart, ...], which: str, place: str, head: int) -> Removal:
    """The removal of parts and of heads. `which`: "one" head of the attention of `place`, or "all but one"."""
    edit: Edit = ablate(place, head) if which == "one" else keep_heads(config, place, [head])
    description = f"head {head}" if which == "one" else f"all heads but {head}"
    return Removal(parts, (edit,), (f"{description} of {places_of(config)[place].lower()} in every layer",))
