"""A map with its numbers: what a page shows of it, and the map of a run that needs no server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from views.map import run_answers, token_predictions
from views.map.look import Look
from views.map.map_facts import model_facts
from views.map.map_files import FindNumbers
from views.parts import Canvas, Pick
from views.run import Run
from viz.documents.page_parts import Group
from viz.home.answers import MAX_OUTCOMES
from viz.home.layout.facts import ModelFacts
from viz.home.layout.layout import make_layout
from viz.home.layout.places import MapPlace, find_place, head_id, name_place
from viz.home.model_map import Frozen, ModelMap, pack_map_place, pack_model_map

if TYPE_CHECKING:
    from model import Trace
    from views.map.tiles.difference import AnyRun
    from views.map.tiles.run import TiledRun


@dataclass(frozen=True)
class MapOnScreen:
    """A map with the place at which it was `opened`, and where it looks `now`. So a move sends few bytes.

    `title`: of its files. `find`: what finds its numbers. `freeze` takes what is in sight, for a page without a server.
    `continued`: the text with its next token; "" for none.
    """

    opened: ModelMap
    now: ModelMap
    place: MapPlace | None
    title: str
    find: FindNumbers = field(compare=False)
    freeze: Callable[[], Frozen | None] = field(compare=False)
    continued: str = ""

    @property
    def layout(self) -> Mapping[str, Any]:
        return self.now.layout

    def picture(self, key: str, picks: Mapping[str, Pick]) -> Group:
        """The map, and the component of few bytes that tells it where to look since it was opened."""
        opened = partial(pack_model_map, self.opened)
        frozen, answers = self._pack_frozen, self._answer
        shown = Canvas("home/model_map", opened, key=key, picks=picks, saved=frozen, answers=answers)
        place = Canvas("home/map_place", partial(pack_map_place, self.now), key=f"{key} place")
        return Group([shown, place], gap=None)

    def _answer(self, address: str) -> bytes | None:
        from views.map.tiles.answers import answer_of  # torch is not loaded before a run is made

        return answer_of(cast("AnyRun", self.find()), address)

    def _pack_frozen(self) -> bytes:
        """The map as it looks now, with the numbers that are in sight."""
        return pack_model_map(replace(self.now, frozen=self.freeze()))


def map_run(run: Run, look: Look, at: str = "") -> MapOnScreen:
    """The map of a run at a place of it, "" for the whole model. It frames the head of `look`, and needs no server."""
    facts = facts_of(run)
    layout = make_layout(facts)
    now = ModelMap(
        layout=layout,
        title=run.model.card.title,
        summary=summary_of(run),
        root="",
        handle="",
        at="",
        framed=head_id(look.stack, look.layer, look.part, look.head),
        outcome=run_answers.build_outcome(run, MAX_OUTCOMES),
        predictions=token_predictions.predict_each_token(run),
    )
    spec = run.spec
    trace = run.model.trace_tokens_on_demand(spec.tokens, spec.source_tokens, edits=spec.edits)
    return with_numbers(now, find_place(at, facts, layout) if at else None, f"“{run.text}”", trace)


def with_numbers(now: ModelMap, place: MapPlace | None, read: str, trace: Trace) -> MapOnScreen:
    """A map at a place, with the numbers of a trace that has all of them. `read`: what the model reads, in words."""
    from views.map.tiles.run import TiledRun  # torch is not loaded before a run is made
    from views.map.tiles.sight import freeze

    run, now = TiledRun(trace), replace(now, at="" if place is None else str(place))
    in_sight = partial(freeze, run, now.layout, place)
    return MapOnScreen(now, now, place, title_of(now, read, place), lambda: run, in_sight)


def subtract(first: MapOnScreen, second: MapOnScreen, titles: tuple[str, str]) -> MapOnScreen:
    """The map of what a run has more than another one of its shape, which needs no server. `titles`: of both."""
    from views.map.tiles.difference import DifferenceRun  # torch is not loaded before a run is made
    from views.map.tiles.sight import freeze

    def find() -> DifferenceRun:
        return DifferenceRun(cast("TiledRun", first.find()), cast("TiledRun", second.find()))

    def in_sight() -> Frozen:
        return freeze(find(), first.layout, first.place, is_difference=True)

    now = replace(first.now, root="", handle="", can_go_on=False, predictions=None, compared=titles)
    return replace(first, opened=now, now=now, title=" − ".join(titles), find=find, freeze=in_sight, continued="")


def title_of(shown: ModelMap, read: str, place: MapPlace | None) -> str:
    """The title of the files of a map."""
    return f"{shown.title}: {read}" + (f" · {name_place(place, shown.layout)}" if place else "")


def facts_of(run: Run) -> ModelFacts:
    """What the layout knows of a run."""
    first, last = run.config.stacks[0], run.config.stacks[-1]
    read = run_answers.token_labels(run, first) if first != last else []
    return model_facts(run.config, run_answers.token_labels(run, last), read)


def summary_of(run: Run) -> str:
    """The size of the model, for the first line of the map."""
    config = run.config
    layers = sum(config.n_layers(stack) for stack in config.stacks)
    heads = sum(config.n_layers(stack) * len(config.attentions(stack)) for stack in config.stacks) * config.n_heads
    weights = sum(weight.numel() for weight in run.model.network.parameters())
    return f"{layers} layers, {heads} heads, {weights:,} weights"
