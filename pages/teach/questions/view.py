"""The view that a question is about: a page, the values of its keys, and the run and the head that it shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from model.analysis.head_steps import Attention
from model.questions import NoQuestion
from pages.shared.model_runs import traces
from pages.shared.session import state
from views.head_of_run import HeadOfRun, keep
from views.run import Run
from views.usual_head import choose_head
from viz.shared.style import isolate
from viz.shared.tokens import TokenLike, words

if TYPE_CHECKING:
    from model.config import TransformerConfig

    Keep = Iterable[str] | Callable[[TransformerConfig], Iterable[str]]

MAX_QUOTED_CHARACTERS = 240  # of a text that a question quotes
SENTENCE_END = re.compile(r"[.!?…۔؟][”’\"')]*\s")


@dataclass(frozen=True)
class View:
    """A page by its URL path, and the values of its keys. A key that is missing has its default."""

    page: str
    values: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.values.get(name, state.KEYS[name].default)

    def within(self, name: str, high: int, usual: int) -> int:
        """The number of a key if it lies in 0..high, else `usual`. A page leaves a number open by -1."""
        return self[name] if 0 <= self[name] <= high else usual

    def at(self, page: str, **values: Any) -> View:
        """The same model and sentence on another page."""
        common = {name: self[name] for name in ("model", "text", "target")}
        return View(page, common | values)


def present() -> View:
    """The view that this session shows."""
    return View(state.page(), {name: state.get(name) for name in state.KEYS})


def run_of(view: View, keep: Keep = keep) -> Run:
    """The run that the view shows. Raises what `traces.errors` lists."""
    name, text, target = view["model"] or traces.default_model(), view["text"], view["target"] or None
    model = traces.model(name)
    return traces.run(model, text, keep(model.config) if callable(keep) else keep, target=target)


def labels_of(tokens: Sequence[TokenLike]) -> list[str]:
    """The words of tokens, each in its own direction of writing."""
    return [isolate(word) for word in words(tokens)]


def pair_labels(screen: HeadOfRun) -> tuple[list[str], list[str]]:
    """The words of the queries and of the keys."""
    return labels_of(screen.query_tokens), labels_of(screen.key_tokens)


def quote(text: str) -> str:
    """A text as every question quotes it, between “ ”: whole, so that the question can be answered from it.

    Of a long text the last `MAX_QUOTED_CHARACTERS` are left, from the beginning of a sentence in their first half, or
    else from the beginning of a word. The quotation is one line.
    """
    whole = " ".join(text.split())
    if len(whole) <= MAX_QUOTED_CHARACTERS:
        return f"“{isolate(whole)}”"
    end = whole[-MAX_QUOTED_CHARACTERS:]
    begins = (match.end() for match in SENTENCE_END.finditer(end, 0, MAX_QUOTED_CHARACTERS // 2))
    return f"“… {isolate(end[next(begins, end.find(' ') + 1) :])}”"


def head_of(view: View) -> HeadOfRun:
    """The head that Heads, Scores or Masks shows, with a pair: a question needs one even where the page shows none."""
    run = run_of(view)
    layer, head, query, key = (view[name] for name in ("layer", "head", "query", "key"))
    stack, part = _attention_of(view, run.model.config)
    return choose_head(run, Attention(stack, layer, part), head, max(query, -1), key)


def _attention_of(view: View, config: TransformerConfig) -> tuple[str, str]:
    """The kind of attention that the page shows, as (stack, part)."""
    stack, _, part = view["attention"].partition(".")
    stack = stack if stack in config.stacks else config.stacks[-1]
    return stack, part if part in config.attentions(stack) else "self_attn"


def step_of(view: View, steps: int) -> int:
    """The step of Translate, counted from 1. Where the view leaves it open, the last one, as on the page."""
    step = view["translate_step"] if view["translate_step"] >= 0 else steps - 1
    return min(max(step, 1), steps)


def needs(run: Run, kind: str, lack: str) -> None:
    """Raises `NoQuestion` where the model is not of that kind. `lack` ends the sentence that its title begins."""
    if run.model.config.kind != kind:
        raise NoQuestion(f"{run.model.card.title} {lack}")
