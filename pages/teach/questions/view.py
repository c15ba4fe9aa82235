"""A view that a question is asked of: a page and its state, and the run and the head that it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import streamlit as st
import torch

from model.analysis.head_measures import telling_head, telling_pair
from model.questions import NoQuestion
from pages.attention.heads_parts.heads_view import FIRST_HEADS, attentions, name_of, tokens_of
from pages.shared import state, traces
from pages.shared.one_head import WEIGHTS
from pages.shared.traces import Run
from viz.shared.style import isolate
from viz.shared.tokens import TokenLike, words

if TYPE_CHECKING:
    from torch import Tensor

    from model.config import TransformerConfig

    Keep = Iterable[str] | Callable[[TransformerConfig], Iterable[str]]

LONGEST = 80  # characters of the end of a text


@dataclass(frozen=True)
class View:
    """A page by its URL path, and the values of its keys; a key that is not there has its default."""

    page: str
    values: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.values.get(name, state.KEYS[name].default)

    def within(self, name: str, high: int, usual: int) -> int:
        """A number key where it lies in 0..high; `usual` where it does not, as for "the page chooses"."""
        return self[name] if 0 <= self[name] <= high else usual

    def at(self, page: str, **values: Any) -> View:
        """The same model and sentence on another page."""
        common = {name: self[name] for name in ("model", "text", "target")}
        return View(page, common | values)

    def of(self, **values: Any) -> View:
        return replace(self, values={**self.values, **values})


def present() -> View:
    """What this session shows."""
    return View(st.session_state["_page"], {name: state.get(name) for name in state.KEYS})


def run_of(view: View, keep: Keep = WEIGHTS) -> Run:
    """The run that the view shows. Raises what `traces.errors` lists."""
    name, text, target = view["model"] or traces.default_model(), view["text"], view["target"] or None
    model = traces.model(name)
    patterns = keep(model.config) if callable(keep) else keep
    return Run(name, text, target, model, traces.trace(name, text, patterns, target=target))


def labels_of(tokens: Sequence[TokenLike]) -> list[str]:
    return [isolate(word) for word in words(tokens)]


def end_of(text: str, most: int = 6) -> str:
    """The last words of a text, as a question names it."""
    found = text.split()
    end = " ".join(found[-most:])
    return ("… " if len(found) > most or len(end) > LONGEST else "") + isolate(end[-LONGEST:])


@dataclass(frozen=True)
class Head:
    """One head of a run, or, where `layer` or `head` is -1, the mean of all."""

    run: Run
    stack: str
    part: str
    layer: int
    head: int
    query: int
    key: int

    @property
    def path(self) -> str:
        return f"{self.stack}.{self.layer}.{self.part}"

    @property
    def of_layer(self) -> Tensor:
        """(heads, queries, keys)."""
        return self.run.trace[f"{self.path}.weights"]

    @property
    def queries(self) -> list[str]:
        return labels_of(tokens_of(self.run, self.stack))

    @property
    def keys(self) -> list[str]:
        return labels_of(self.run.trace.source_tokens) if self.part == "cross_attn" else self.queries

    @property
    def where(self) -> str:
        return f"{self.layer_named}, head {self.head}"

    @property
    def layer_named(self) -> str:
        return layer_named(self.run.model.config, self.stack, self.part, self.layer)


def layer_named(config: TransformerConfig, stack: str, part: str, layer: int) -> str:
    """ "layer 9", with the name of the attention where the model has several."""
    several = len(attentions(config)) > 1
    return f"{name_of(stack, part, config)}, layer {layer}" if several else f"layer {layer}"


def head_of(view: View) -> Head:
    """The head that Heads, Scores or Masks shows, chosen as those pages choose where the view leaves it open."""
    run = run_of(view)
    config = run.model.config
    stack, part = _attention(view, config)
    found = FIRST_HEADS.get(run.name)
    page, layers = view.page, range(config.n_layers(stack))
    if found is None:
        found = telling_head(torch.stack([run.trace[f"{stack}.{layer}.{part}.weights"] for layer in layers]))
    layer = view.within(f"{page}_layer", len(layers) - 1, found[0])
    head = view.within(f"{page}_head", config.n_heads - 1, found[1])
    weights = run.trace[f"{stack}.{layer}.{part}.weights"][head]
    query, key = telling_pair(weights)
    if 0 <= view[f"{page}_query"] < len(weights):
        query = view[f"{page}_query"]
        key = int(weights[query].argmax())
    return Head(run, stack, part, layer, head, query, view.within(f"{page}_key", weights.shape[1] - 1, key))


def _attention(view: View, config: TransformerConfig) -> tuple[str, str]:
    allowed = attentions(config)
    if view.page == "heads":
        stack = view["heads_stack"] if view["heads_stack"] in config.stacks else config.stacks[-1]
        wanted = (stack, view["heads_attention"])
        return wanted if wanted in allowed else (stack, "self_attn")
    stack, _, part = view[f"{view.page}_attention"].partition(".")
    return (stack, part) if (stack, part) in allowed else (config.stacks[-1], "self_attn")


def step_of(view: View, steps: int) -> int:
    """The step of Translate, from 1; where the view leaves it open, the last word's, as the page does."""
    step = view["translate_step"] if view["translate_step"] >= 0 else steps - 1
    return min(max(step, 1), steps)


def needs(run: Run, kind: str, what: str) -> None:
    """Raises `NoQuestion` for a model of another kind than `kind`."""
    if run.model.config.kind != kind:
        raise NoQuestion(f"{run.model.card.title} {what}")
