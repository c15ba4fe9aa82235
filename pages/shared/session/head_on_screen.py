"""The head on screen: one attention, layer and head of a run, and the pair of tokens that is singled out in it.

Heads, Scores, Masks and the questions about these pages all choose here, so that they agree.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from model.cached_property import cached_property
from model.edits.parts import Scale
from pages.shared.model_runs import traces
from pages.shared.model_runs.runs import Run
from pages.shared.session import places, stand_ins, state
from pages.shared.session.places import Places
from viz.shared.tokens import words

if TYPE_CHECKING:
    from torch import Tensor

    from model import Edit, Trace
    from model.analysis.head_steps import Attention, HeadSteps
    from model.analysis.weight_story import Story
    from model.config import TransformerConfig
    from model.tokens.tokenizer import Token

KEEP = ("*.weights", "*.q", "*.k", "*.position_bias", "*.mask")
TITLES = {
    ("encoder", "self_attn"): "Self-attention",
    ("decoder", "self_attn"): "Masked self-attention",
    ("decoder", "cross_attn"): "Cross-attention",
}
NO_PAIR = -2  # the value of the key `query` where the reader wants no pair; -1 leaves the pair to the page


@dataclass(frozen=True)
class HeadOnScreen:
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

        patterns = (*keep_for_one(self.config, self.at), *keep)
        run = self.run
        return traces.trace(run.name, run.text, patterns, target=run.target, edits=edits)

    @cached_property
    def steps(self) -> HeadSteps:
        from model.analysis.head_steps import of_head

        return of_head(self.run.model, self.trace(), self.at, self.head)


def keep(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors of a run that these pages need, and those of its outcome. One cached run serves all these pages."""
    from model.analysis.head_steps import final_name

    return (*KEEP, final_name(config, config.stacks[-1]), "text_logits")


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


def first_head(run: Run, stack: str, part: str) -> tuple[int, int]:
    """The (layer, head) that a reader sees first. It may take all layers, so it is kept."""
    from model.analysis import telling

    def make() -> bytes:
        layers = range(run.model.config.n_layers(stack))
        weights = (run.trace[f"{stack}.{layer}.{part}.weights"] for layer in layers)
        return json.dumps(telling.first_head(run.name, weights)).encode()

    layer, head = json.loads(traces.pack(run, f"first head {stack} {part}", make))
    return layer, head


def choose_head(run: Run, at: Attention, head: int, query: int = -1, key: int = -1) -> HeadOnScreen:
    """The head and the pair that the reader asks for. A number that does not exist, such as -1, is chosen for them."""
    config = run.model.config
    layer_exists, head_exists = 0 <= at.layer < config.n_layers(at.stack), 0 <= head < config.n_heads
    if not (layer_exists and head_exists):
        first = first_head(run, at.stack, at.part)
        at, head = at if layer_exists else at.in_layer(first[0]), head if head_exists else first[1]
    if query == NO_PAIR:
        return HeadOnScreen(run, at, head)
    weights = run.trace[f"{at.path}.weights"][head]
    return HeadOnScreen(run, at, head, *_choose_pair(weights, query, key))


def _choose_pair(weights: Tensor, query: int, key: int) -> tuple[int, int]:
    """The (query, key) that the reader asks for. Without a key: the query's strongest one. Without a query, or where
    the sentence has no such pair: the strongest pair. weights: (queries, keys)."""
    from model.analysis.telling import telling_pair

    queries, keys = weights.shape
    if not 0 <= query < queries or key >= keys:
        return telling_pair(weights)
    return query, key if key >= 0 else int(weights[query].argmax())


def read_attention(config: TransformerConfig) -> tuple[str, str]:
    """The (stack, part) of the chosen kind of attention, or the self-attention of the stack that makes the output."""
    stack, part = places.read_attention(tuple(attention_titles(config)), f"{config.stacks[-1]}.self_attn").split(".")
    return stack, part


def read_head(run: Run, stack: str, part: str, *, needs_pair: bool = True) -> HeadOnScreen:
    """The head and the pair of tokens that the reader has chosen for all pages.

    A layer or head that is left open is the one that a reader sees first. The nearest one replaces a layer or head that
    does not exist, and the page says so unless the choice comes from another page. Without `needs_pair`, the reader may
    want none. A pair that is left open is proposed to the next page. The pair is forgotten when the attention changes,
    unless the pair changes with it.
    """
    from model.analysis.head_steps import Attention

    config = run.model.config
    usual = (0, 0)
    if min(state.get("layer"), state.get("head")) < 0:
        usual = first_head(run, stack, part)
    layer = places.read_layer(config.n_layers(stack), usual[0])
    head = places.read_head_number(config.n_heads, usual[1])
    at = Attention(stack, layer, part)
    forget_pair(stack, part)
    places.hide_token_of_other_sentence(stack)
    _mend_pair(HeadOnScreen(run, at, head))
    query = state.get("query")
    screen = choose_head(run, at, head, max(query, -1) if needs_pair else query, state.get("key"))
    if query == state.get("key") == -1:
        stand_ins.propose("query", screen.query)
        stand_ins.propose("key", screen.key)
    places.offer(
        Places(
            *(screen.n_layers, config.n_heads, len(screen.query_tokens)),
            *(screen.query, screen.key),
            *(stack, "encoder" if at.is_cross else "", f"{stack}.{part}"),
        )
    )
    return screen


def forget_pair(stack: str, part: str) -> None:
    """Forgets the pair when the attention changes, unless the pair changes with it."""
    now = (stack, part)
    pair = (stand_ins.choice_of("query"), stand_ins.choice_of("key"))
    before, pair_before = st.session_state.get("_pair_of", (now, pair))
    if before != now and pair == pair_before:
        state.put(query=-1, key=-1)
        pair = (-1, -1)
    st.session_state["_pair_of"] = (now, pair)


def _mend_pair(screen: HeadOnScreen) -> None:
    """Replaces a query or key that the sentence does not have: by its nearest token, or by the page's choice."""
    counts = {"query": len(screen.query_tokens), "key": len(screen.key_tokens)}
    for name, count in counts.items():
        if state.get(name) < 0:
            return
        if state.get(name) >= count and state.came_along(name):
            stand_ins.show_instead(name, -1)
        else:
            state.within(name, 0, count - 1, name.capitalize())
