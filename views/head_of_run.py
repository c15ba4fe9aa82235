"""One head of one attention of a run, and the pair of tokens that is singled out in it.

The views of Heads, Scores and Masks are about such a head.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from model.cached_property import cached_property
from model.edits.parts import Scale
from views.run import Run
from viz.shared.tokens import words

if TYPE_CHECKING:
    from torch import Tensor

    from model import Edit, Trace
    from model.analysis.head_steps import Attention, HeadSteps
    from model.analysis.weight_story import Story
    from model.config import TransformerConfig
    from model.tokens.tokenizer import Token

NO_PAIR = -2  # the value of the key `query` where the reader wants no pair; -1 leaves the pair to the page
KEEP = ("*.weights", "*.q", "*.k", "*.position_bias", "*.mask")
TITLES = {
    ("encoder", "self_attn"): "Self-attention",
    ("decoder", "self_attn"): "Masked self-attention",
    ("decoder", "cross_attn"): "Cross-attention",
}


@dataclass(frozen=True)
class HeadOfRun:
    """One head of one attention of a run. `query` and `key` are the singled-out pair, or both -1."""

    run: Run
    at: Attention
    head: int
    query: int = -1
    key: int = -1

    @property
    def config(self) -> TransformerConfig:
        return self.run.model.config

    @property
    def n_layers(self) -> int:
        return self.config.n_layers(self.at.stack)

    @property
    def query_tokens(self) -> Sequence[Token]:
        return tokens_of(self.run, self.at.stack)

    @property
    def key_tokens(self) -> Sequence[Token]:
        return self.run.trace.source_tokens if self.at.is_cross else self.query_tokens

    @cached_property
    def queries(self) -> list[str]:
        """The words of the queries."""
        return words(self.query_tokens)

    @cached_property
    def keys(self) -> list[str]:
        """The words of the keys."""
        return words(self.key_tokens)

    def layer_weights(self, layer: int | None = None) -> Tensor:
        """The weights of all heads of a layer, by default of this one: (heads, queries, keys)."""
        at = self.at if layer is None else self.at.in_layer(layer)
        return self.run.trace[f"{at.path}.weights"]

    @property
    def weights(self) -> Tensor:
        """The weights of this head: (queries, keys)."""
        return self.layer_weights()[self.head]

    @cached_property
    def scores(self) -> Tensor:
        """The scores of this head before the mask: (queries, keys)."""
        from model.analysis.weight_story import scores_of

        return scores_of(self.config, self.run.trace, self.at.path, self.head)

    @cached_property
    def hidden(self) -> Tensor:
        """True where the mask forbids a query to look: (queries, keys)."""
        return self.run.trace[f"{self.at.path}.mask"].isneginf()

    @cached_property
    def story(self) -> Story | None:
        """Where the weight of the singled-out pair comes from; None without a pair."""
        from model.analysis.weight_story import tell

        if self.query < 0:
            return None
        return tell(self.config, self.run.trace, self.at.path, self.head, self.query, self.key)

    @property
    def is_muted(self) -> bool:
        """Whether the reader has muted this head: it looks as before, and hands on nothing."""
        return Scale(self.at.path, self.head) in self.run.edits

    @property
    def layer_place(self) -> str:
        """ "layer 9", after the name of the attention where the model has several kinds."""
        return layer_place(self.config, self.at)

    @property
    def place(self) -> str:
        """ "layer 9, head 2", after the name of the attention where the model has several kinds."""
        return f"{self.layer_place}, head {self.head}"

    @property
    def file_name(self) -> str:
        """The first part of a file's name: model, attention and head."""
        return f"{self.run.name}-{self.at.path.replace('.', '-')}-head{self.head}"

    @property
    def identity(self) -> str:
        """A name for this head of this run. A component compares it to learn that it shows another head."""
        return repr((self.run.name, self.run.text, self.run.target, self.at.path, self.head))

    def trace(self, keep: Iterable[str] = (), edits: Sequence[Edit] = ()) -> Trace:
        """The same sentence with what the steps of this attention need, under edits. Raises `GlassformerError`."""
        from model.analysis.head_steps import keep_for_one

        return self.run.again((*keep_for_one(self.config, self.at), *keep), edits)

    @cached_property
    def steps(self) -> HeadSteps:
        from model.analysis.head_steps import of_head

        return of_head(self.run.model, self.trace(), self.at, self.head)


def keep(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors of a run that these pages need, and those of its outcome. One cached run serves all these pages."""
    from model.analysis.head_steps import final_name

    return (*KEEP, final_name(config, config.stacks[-1]), config.answer_tensor)


def tokens_of(run: Run, stack: str) -> Sequence[Token]:
    """The tokens that a stack reads."""
    return run.trace.source_tokens if stack == "encoder" and run.trace.source_tokens else run.trace.tokens


def attention_title(config: TransformerConfig, stack: str, part: str) -> str:
    """The name of a kind of attention, with its stack where the model has two."""
    title = TITLES[stack, part]
    return f"{stack.capitalize()} {title[0].lower()}{title[1:]}" if len(config.stacks) == 2 else title


def attention_titles(config: TransformerConfig) -> dict[str, str]:
    """The titles of all kinds of attention of a model. The keys are written as in a URL: "decoder.cross_attn"."""
    from model.analysis.head_steps import kinds

    return {f"{stack}.{part}": attention_title(config, stack, part) for stack, part in kinds(config)}


def layer_place(config: TransformerConfig, at: Attention) -> str:
    """ "layer 9", after the name of the attention where the model has several kinds."""
    several = len(config.stacks) == 2
    return f"{attention_title(config, at.stack, at.part)}, layer {at.layer}" if several else f"layer {at.layer}"
