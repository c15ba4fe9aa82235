"""The views that test_families.py opens: which checkpoint of a family meets which view, depth and notebook.

A checkpoint opens every part of a page, and every second view, by turns: its neighbour in the list opens the others. A
view is opened at one depth. The depths turn from view to view and from checkpoint to checkpoint, so each view that the
decoders open is met at each depth. The notebook of a part runs for one checkpoint of each kind, another one for each
part. `--thorough` takes all of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from pages.catalogue import BY_URL
from pages.shared.session.keys import DEPTHS, SCORE_STEPS
from tests.pages.views import STARTS, VIEWS, View, view

# One checkpoint for each way in which a family differs from the models that are bundled.
DECODERS = (
    *("gpt2", "gpt_neox", "qwen2, tied", "gemma2, logits alone", "smollm3, window", "olmo3", "granite"),
    "mpt, three heads",
    "qwen2_moe",
)
ENCODERS = ("roberta", "distilbert")
TRANSLATORS = ("marian",)
TEXT_TO_TEXT = ("t5", "t5, v1.1")
ANSWERING = (
    "masked albert",
    "masked roberta",
    "distilbert of answers",
    "roberta of one label",
    "modernbert of classes",
)  # encoders with an answer, most of them behind a transform
KINDS = (DECODERS, ENCODERS, TRANSLATORS, TEXT_TO_TEXT, ANSWERING)
CHECKPOINTS = tuple(name for kind in KINDS for name in kind)
OF_EACH_KIND = ("gpt2", "roberta", "marian")
# Pages that show what a network computes.
OF_NETWORKS = ("home", "scores", "positions", "heads", "masks", "combine", "block", "predict", "why", "bench")
# Pages and parts that show the same whichever model the run bar has: its network is not in them.
WITHOUT_NETWORK = ("see", "training")
PARTS_WITHOUT_NETWORK = {
    *(f"before_attention part={part}" for part in ("sentence", "length", "memory", "both", "shapes")),
    *(f"tokens part=ladder rung={rung}"
      for rung in ("one-hot", "presence", "tf-idf", "factorisation", "glove", "context")),
    *(f"positions part={part}" for part in ("heatmap", "table", "circles", "distance", "distance distance=rotary")),
    "scores part=scale", "scores part=table",
    "classify part=words", "classify part=sentences",
}  # fmt: skip
# Pages of some kinds of models, which show more than one of these.
OF_THEIR_OWN = (*product(("translate",), TEXT_TO_TEXT), *product(("classify",), ANSWERING))
EVERY_SECOND = 2
TEXT = "I am a robot"
# Translators write their own translation on these pages. On the others it is given: to write it takes longer than all
# else, for the page and for its notebook.
PAGES_OF_TRANSLATIONS = ("home", "translate", "bench")
TARGET = "robot I am"
TINY = "tiny "  # begins the names of these models
STEPS = "scores: steps"  # the part whose code repeats a step of a head
OF_STEPS = {"project": "qkv", "normalise": "qk", "rotate": "qk"}  # the other steps show the same for all three
# What rests on the values in which these models differ, beside the parts of the pages.
MORE_VIEWS = [
    *(view("scores", scores_part="steps", scores_step=step, scores_of=of)
      for step in SCORE_STEPS for of in OF_STEPS.get(step, "q")),
    *(view("positions", positions_part=part, positions_source="model") for part in ("heatmap", "rotary")),
    view("bench", bench_parts="norms"),
    view("bench", bench_parts="query and key norms"),
    view("bench", bench_parts="rotary positions"),
    view("bench", bench_parts="relative positions"),
]  # fmt: skip
ALL_VIEWS = [*VIEWS, *(each for each in MORE_VIEWS if each not in VIEWS)]
OF_OTHER_MODELS = ("model", "text", "see_model", "classify_model")  # keys of views that show no model of the bar
OF_THE_BAR = [each for each in ALL_VIEWS if not each.state.keys() & set(OF_OTHER_MODELS)]


class Visit(NamedTuple):
    """A view that a checkpoint opens."""

    view: View
    depths: tuple[str, ...]
    with_notebook: bool


def name_of(variation: str) -> str:
    """The name of a checkpoint's folder, and so of its model."""
    return TINY + variation.replace(",", "")


def shows_network(each: View) -> bool:
    return each.page not in WITHOUT_NETWORK and str(each) not in PARTS_WITHOUT_NETWORK


def values_of(each: View, name: str) -> dict[str, Any]:
    is_given = name in (*TRANSLATORS, *TEXT_TO_TEXT) and each.page not in PAGES_OF_TRANSLATIONS
    target = {"target": TARGET} if is_given else {}
    return {**STARTS.get(each.page, {}), **each.state, **target, "text": TEXT, "model": name_of(name)}


OF_NETWORK = [each for each in OF_THE_BAR if shows_network(each)]
PARTS = list(dict.fromkeys(each.part for each in OF_NETWORK))
OPENED = [
    (name, page)
    for name in CHECKPOINTS
    for page in dict.fromkeys(each.page for each in OF_NETWORK)
    if page in OF_NETWORKS or name in OF_EACH_KIND or (page, name) in OF_THEIR_OWN
]


def can_show(page: str, name: str) -> bool:
    """Whether a page shows this checkpoint. Otherwise another model stands in for it."""
    entry = BY_URL[page]
    kind = "decoder" if name in DECODERS else "encoder-decoder" if name in (*TRANSLATORS, *TEXT_TO_TEXT) else "encoder"
    return not entry.model_kinds or kind in entry.model_kinds or (entry.takes_answers and name in ANSWERING)


def visits(name: str, page: str, thorough: bool = False) -> Iterator[Visit]:
    """What a checkpoint opens of a page. Of a page that cannot show it, one view."""
    turn = CHECKPOINTS.index(name)
    views = views_of(name, page) if can_show(page, name) else views_of(name, page)[:1]
    for place, each in enumerate(views):
        first = each == next(other for other in views if other.part == each.part)
        if thorough or first or (place + turn) % EVERY_SECOND == 0:
            depth = DEPTHS[(place + turn // EVERY_SECOND) % len(DEPTHS)]
            yield Visit(each, DEPTHS if thorough else (depth,), first and (thorough or runs_notebook(name, each)))


def views_of(name: str, page: str) -> list[View]:
    """The views of a page that a checkpoint can open."""
    return [each for each in OF_NETWORK if each.page == page and (name in DECODERS or "edits" not in each.state)]


def runs_notebook(name: str, each: View) -> bool:
    """Whether it is the turn of this checkpoint, among those of its kind, to run the notebook of a part."""
    kind = next(kind for kind in KINDS if name in kind)
    shown = [other for other in kind if (other, each.page) in OPENED]
    return can_show(each.page, name) and shown[PARTS.index(each.part) % len(shown)] == name
