"""A view of one run in a notebook: `views.block.Flow(model.trace("the dog sees the cat"), layer=1)`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, ClassVar, Literal, TypeVar

from model import GlassformerError, Trace
from views.by_page.live_view import LiveView
from views.head_of_run import TITLES, attention_titles, tokens_of
from views.run import Run, run_of
from views.usual_head import usual_layer, usual_token
from views.view import Needs

Value = TypeVar("Value")
EXAMPLES = {"decoder": "smollm2-135m", "encoder": "minilm-l6", "encoder-decoder": "en-ur"}  # a model of each kind
ATTENTIONS = ("", *map(".".join, TITLES))  # "": that of the stack that makes the output


class LiveViewOfRun(LiveView):
    """A view of a run, with which it is made.

    `needs`: the tensors that the view takes of the run. One that the trace lacks is made by running the model again.
    `kinds`: those of the models that it can show; () for all.
    """

    takes: ClassVar[Literal["", "run", "model", "picture"]] = "run"
    needs: ClassVar[Needs] = ()
    kinds: ClassVar[tuple[str, ...]] = ()

    def __init__(self, run: Trace, **choices: Any) -> None:
        """`run`: a trace of `Model.trace`. Raises `GlassformerError` for a trace of another kind, and the errors of
        `LiveView`."""
        super().__init__(**choices)
        self._kept: dict[str, tuple[Hashable, Any]] = {}
        name = f"views.{self.page}.{type(self).__name__}"
        if not isinstance(run, Trace):
            raise GlassformerError(f'{name} takes a run: load("tiny-lm").trace("the dog sees the cat").')
        self.run: Run = run_of(run, type(self).needs)
        kind = self.run.config.kind
        if self.kinds and kind not in self.kinds:
            takes = " or ".join(f"{each}, such as {EXAMPLES[each]}" for each in self.kinds)
            raise GlassformerError(f"{name} takes a run of a model of the kind {takes}. {self.run.name} is {kind}.")

    def kept(self, what: str, key: Hashable, make: Callable[[], Value]) -> Value:
        """What was made last under a name, if it had this key; else it is made now. So a choice of something else costs
        nothing."""
        last = self._kept.get(what)
        if last is None or last[0] != key:
            last = self._kept[what] = key, make()
        value: Value = last[1]
        return value

    def chosen(self, name: str, count: int, usual: int) -> int:
        """The number under the trait `name`, or `usual` where it is open. Raises `GlassformerError` for one that is not
        there: there are `count`."""
        value: int = getattr(self, name)
        if value < 0:
            return min(usual, count - 1)
        if value >= count:
            raise GlassformerError(f"There is no {name} {value} in this run: it has {count}, from 0 to {count - 1}.")
        return value

    def chosen_name(self, name: str, possible: Sequence[str], usual: str) -> str:
        """The name under the trait `name`, or `usual` where it is open. Raises `GlassformerError` for one that is not
        `possible` in this run."""
        value: str = getattr(self, name)
        if value and value not in possible:
            raise GlassformerError(f"There is no {name} {value} in this run. It has {', '.join(possible)}.")
        return value or usual

    def chosen_attention(self) -> tuple[str, str]:
        """The (stack, part) of the trait `attention`, or the self-attention of the stack that makes the output. Raises
        `GlassformerError` for one that the model lacks."""
        config = self.run.config
        usual = f"{config.stacks[-1]}.self_attn"
        stack, part = self.chosen_name("attention", tuple(attention_titles(config)), usual).split(".")
        return stack, part

    def chosen_layer(self, stack: str) -> int:
        """The trait `layer`, or the usual layer."""
        return self.chosen("layer", self.run.config.n_layers(stack), usual_layer(self.run.config))

    def chosen_token(self, stack: str) -> int:
        """The trait `query`, or the usual token of the text that a stack reads."""
        return self.chosen("query", len(tokens_of(self.run, stack)), usual_token(self.run, stack))
