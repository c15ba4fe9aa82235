"""The KV cache race: the same tokens with and without the cache, counted by formula and timed on a machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Protocol

import pandas as pd

from model.cost.cache_race import race_steps, time_steps
from model.generation.steps import generate
from model.network.kv_cache import KVCache
from model.numerals import milliseconds
from views.call import Call
from views.models.predict.continuation import Continuation
from views.models.predict.prediction import Prediction
from views.parts import Canvas, Controls, DataTable, Files
from viz.documents.page_parts import Text
from viz.models.predict import pack_race, race_figure
from viz.shared.style import number
from viz.shared.tokens import words

TITLES = {True: "With the KV cache", False: "Without"}
NOTHING = "Write at least one token first: the race repeats what was written."


Steps = Iterator[tuple[int, float]]  # the token of each step, and its seconds


@dataclass(frozen=True)
class RaceTimes:
    """What both generations of a continuation took. `seconds`: of each step with the cache and without.

    `is_same_text`: both wrote the same tokens.
    """

    written: Continuation
    seconds: Mapping[bool, Sequence[float]]
    is_same_text: bool

    def made_by(self) -> Call:
        return Call(time_race, (self.written,))


class Watch(Protocol):
    """Passes the steps of one generation on, and may say how far it is."""

    def __call__(self, steps: Steps, cache: bool) -> Steps: ...


def _pass_on(steps: Steps, cache: bool) -> Steps:
    return steps


def time_race(written: Continuation, watch: Watch = _pass_on) -> RaceTimes:
    """Time each step of both generations on this machine, one generation after the other."""
    network, prompt = written.run.model.network, [token.id for token in written.prompt]
    races = {cache: list(watch(time_steps(network, prompt, len(written.path), cache), cache)) for cache in TITLES}
    texts, seconds = ({cache: [step[each] for step in race] for cache, race in races.items()} for each in (0, 1))
    return RaceTimes(written, seconds, texts[True] == texts[False])


@dataclass(frozen=True)
class CacheRace(Prediction):
    """Both generations. `times`: what they took, where that was measured."""

    times: RaceTimes | None = None

    is_timed: ClassVar[bool] = True

    def below_in_picture(self) -> Sequence[Any]:
        return [Controls("race"), *super().below_in_picture()] if self.now.written.path else [Text(NOTHING, "info")]

    def below_in_numbers(self) -> Sequence[Any]:
        return [Controls("race"), *super().below_in_numbers()] if self.now.written.path else [Text(NOTHING, "info")]

    @property
    def sides(self) -> list[dict[str, Any]]:
        """What each step costs with the cache, and without it."""
        return [{"title": title, "steps": self._steps(cache)} for cache, title in TITLES.items()]

    def _steps(self, cache: bool) -> list[dict[str, Any]]:
        written = self.now.written
        rows: list[dict[str, Any]] = [
            {
                "computed": step.computed,
                "reused": step.reused,
                "multiplications": step.multiplications,
                "bytes": step.cache_bytes,
            }
            for step in race_steps(written.config, len(written.prompt), len(written.path), cache)
        ]
        if self.times:
            for row, duration in zip(rows, self.times.seconds[cache], strict=True):
                row["seconds"] = duration
        return rows

    def picture(self) -> Canvas:
        return Canvas("models/kv_race", self._pack, key="predict race")

    def _pack(self) -> bytes:
        written = self.now.written
        identity = repr(((written.run.name, written.ids), bool(self.times)))
        return pack_race(words(written.trace.tokens), len(written.prompt), self.sides, identity=identity)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        sides = self.sides
        return [
            {"step": i + 1}
            | {f"{name}, {side['title'].lower()}": value for side in sides for name, value in side["steps"][i].items()}
            for i in range(len(self.now.written.path))
        ]

    def caption(self) -> str:
        products = [sum(row["multiplications"] for row in side["steps"]) for side in self.sides]
        text = (
            f"Without the cache the same tokens cost {number(products[1] / products[0], 1)} times the multiplications"
        )
        if self.times:
            slow, fast = (sum(self.times.seconds[cache]) for cache in (False, True))
            took = f"({milliseconds(slow)} against {milliseconds(fast)})"
            text += f" and took {number(slow / fast, 1)} times as long {took}"
        return (
            text + ". Both take the likeliest token at full width, step by step; the first step reads the whole text."
        )

    def files(self) -> Files:
        draw = partial(race_figure, self.sides)
        return Files("cache-race", draw, draw, self._rows)

    def code(self) -> Sequence[Any]:
        return (generate, KVCache)
