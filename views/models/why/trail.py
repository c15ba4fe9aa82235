"""The trail from a word down: the head that speaks for it, where that looks, and the heads that made it look there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import pandas as pd

from model.analysis import head_side, trail
from model.analysis.score_account import keep_for_scores
from model.analysis.trail import LEAST_SHARE, WAYS, Reached, Reasons, Step, Way, follow, reach, step_to, write_trail
from model.cached_property import cached_property
from model.config import TransformerConfig
from model.other_names import lens_name, short_name
from views.call import Call
from views.models.why import question
from views.models.why.asked_view import AskedView
from views.models.why.question import Question
from views.parts import Action, Chart, DataTable, Draw, Files
from views.shared import quotes, sums
from views.view import equation, grey, work_out
from viz.documents.page_parts import Group, Text
from viz.models.trail import TrailStep, trail_figure
from viz.models.why import bars_figure, part_title
from viz.shared.style import number, percent, upper_first
from viz.shared.tokens import words

LARGEST = 6  # parts of a side in the pictures
OTHERS = "all others"
TRAIL_END = "the head at which the trail ends"
END_LOOKS = "where that head looks"
ONE_BACK = "one token back"
SIDES = {"query": "its query", "key": "its key", "value": "what it brings"}
DID = {"": "speaks for", "query": "made the query of", "key": "made the key of", "value": "wrote what is brought by"}


def keep(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors of a run that a trail needs."""
    return (*question.keep(config), *keep_for_scores(config), "*.v")


@dataclass(frozen=True)
class Trail(AskedView):
    """The steps of a trail from the answer of a question. `found`: the same with the sums that they are parts of."""

    steps: tuple[Step, ...]
    found: tuple[Reached, ...] = field(compare=False, repr=False)

    needs: ClassVar[Callable[[TransformerConfig], tuple[str, ...]]] = staticmethod(keep)

    def made_by(self) -> Call:
        return Call(find_trail, (self.asked, write_trail(self.steps)))

    @cached_property
    def reasons(self) -> Mapping[Way, Reasons]:
        """What is behind each side of the last head."""
        if not self.found:
            return {}
        return trail.reasons(self.asked.run.model, self.asked.run.trace, self.found[-1])

    def told(self) -> Mapping[str, float | str]:
        if not self.steps:
            return {}
        last = self.steps[-1]
        looks = ONE_BACK if last.query - last.key == 1 else f"{last.query - last.key} tokens back"
        return {TRAIL_END: part_title(last.part), END_LOOKS: looks}

    def words_of(self, step: Step) -> tuple[list[str], list[str]]:
        """The words of the tokens for which a head reads, and of those that it reads."""
        trace = self.asked.run.trace
        own, source = words(trace.tokens), words(trace.source_tokens)
        queries = source if step.at.stack == "encoder" and source else own
        return queries, source if step.at.is_cross else queries

    def title(self, step: Step) -> str:
        """A head in words, after the stack where it is the encoder of a translator."""
        is_encoder = step.at.stack == "encoder" and len(self.asked.config.stacks) > 1
        return f"encoder, {part_title(step.part)}" if is_encoder else part_title(step.part)

    def describe(self, number_: int) -> str:
        """A step in a sentence, in Markdown."""
        reached, step = self.found[number_], self.steps[number_]
        queries, keys = self.words_of(step)
        weight = float(self.asked.run.trace[f"{step.at.path}.weights"][step.head, step.query, step.key])
        did = quotes.quote(self.asked.word(self.asked.token)) if not number_ else self.title(self.steps[number_ - 1])
        return (
            f"{upper_first(self.title(step))} {DID[step.way]} {did}: it gives {number(reached.gives)}, and all parts "
            f"sum to {number(reached.account.value)}. For {quotes.quote(queries[step.query], step.query, 'blue')} it "
            f"reads {quotes.quote(keys[step.key], step.key, 'orange')}, with {percent(weight)} of its attention."
        )

    def picture_parts(self) -> Sequence[Any]:
        return self._parts(self._reasons_as_bars)

    def number_parts(self) -> Sequence[Any]:
        return self._parts(lambda: [self.table()])

    def _parts(self, show: Callable[[], list[Any]]) -> list[Any]:
        if not self.steps:
            return [*grey(self.asked.sentence()), Text("No head speaks for this answer, so no trail begins.", "info")]
        columns = Group([Group([self.picture()], "column", 3), Group(self._links(), "column", 2)], "row", gap="medium")
        ask = f"**What is behind {self.title(self.steps[-1])}?** Click a head to go on with it."
        return [*grey(self.asked.sentence()), Group([columns], key="why trail"), Text(ask), *show(),
                *grey(self.caption()), self.files()]  # fmt: skip

    def _links(self) -> list[Any]:
        """Each step as a link: the trail ends there, and the reader may go on another way."""
        links: list[Any] = []
        for place, step in enumerate(self.steps):
            keys = {"why_trail": write_trail(self.steps[: place + 1])}
            label, icon = upper_first(self.title(step)), ":material/subdirectory_arrow_right:"
            links += [Action(label, keys, f"why step {place}", icon), *grey(self.describe(place))]
        last = self.steps[-1]
        head = {"attention": f"{last.at.stack}.{last.at.part}", "layer": last.at.layer, "head": last.head}
        pair = {"query": last.query, "key": last.key, "heads_view": "Why there", "heads_against": -1}
        whole = Action("Follow to the end", {"why_trail": ""}, "why whole trail", ":material/route:")
        there = Action("Why there?", head | pair, "why there", ":material/account_tree:", page="heads")
        return [*links, Group([whole, there], "row")]

    def picture(self) -> Chart:
        alt = "The heads of the trail, each between the token for which it reads and the one that it reads"
        return Chart(self._draw(), alt, key="why trail figure", pick=self._pick_step)

    def _draw(self) -> Draw:
        shown = []
        for reached in self.found:
            step = reached.step
            weight = float(self.asked.run.trace[f"{step.at.path}.weights"][step.head, step.query, step.key])
            ends = self._column(step.at.stack, step.query), self._column(self._read_stack(step), step.key)
            shown.append(TrailStep(short_name(step.part), self.title(step), step.way, *ends, reached.gives, weight))
        return partial(trail_figure, shown, self.asked.word(self.asked.token), self._columns)

    @cached_property
    def _columns(self) -> list[str]:
        """The tokens across: those of the source first, where a trail leads into them."""
        trace = self.asked.run.trace
        source = words(trace.source_tokens) if any(self._read_stack(step) == "encoder" for step in self.steps) else []
        return [*source, *words(trace.tokens)]

    def _read_stack(self, step: Step) -> str:
        return "encoder" if step.at.is_cross else step.at.stack

    def _column(self, stack: str, token: int) -> int:
        """The column of a token. Those of the last stack stand after the source, where that is shown."""
        is_source = stack == "encoder" and len(self.asked.config.stacks) > 1
        return token if is_source else len(self._columns) - len(self.asked.run.trace.tokens) + token

    def _pick_step(self, point: Mapping[str, Any]) -> dict[str, Any]:
        chosen = point.get("customdata")
        return {} if chosen is None else {"why_trail": write_trail(self.steps[: int(chosen) + 1])}

    def _reasons_as_bars(self) -> list[Any]:
        charts = [Group([self._bars(way)], "column") for way in WAYS]
        return [Group([Group(charts, "row", gap="medium")], key="why reasons")]

    def largest(self, way: Way) -> dict[str, float]:
        """The parts of the largest size behind a side, the largest first."""
        parts = self.reasons[way].parts
        names = sorted(parts, key=lambda name: -abs(parts[name]))[:LARGEST]
        return {name: parts[name] for name in names}

    def _bars(self, way: Way) -> Chart:
        largest, parts = self.largest(way), self.reasons[way].parts
        bars = {part_title(name): value for name, value in largest.items()}
        bars[OTHERS] = sum(parts.values()) - sum(bars.values())
        draw = partial(bars_figure, bars, f"behind {SIDES[way]}", quiet=(OTHERS,))
        pick = partial(self._pick_part, way, list(largest))
        return Chart(draw, f"The largest parts behind {SIDES[way]}", f"why behind {way}", pick)

    def _pick_part(self, way: Way, names: Sequence[str], point: Mapping[str, Any]) -> dict[str, Any]:
        place = int(point["y"])
        return self.go_on(way, names[place]) if place < len(names) else {}

    def go_on(self, way: Way, part: str) -> dict[str, Any]:
        """The keys of the trail with one more step, to a head behind a side of the last one."""
        if ".heads." not in part:
            return {}
        step = step_to(self.asked.run.model, self.asked.run.trace, self.reasons[way].account, part, way)
        return {"why_trail": write_trail((*self.steps, step))}

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()), 3)

    def rows(self) -> list[dict[str, Any]]:
        """One row for each step."""
        rows = []
        for reached in self.found:
            step, (queries, keys) = reached.step, self.words_of(reached.step)
            weight = float(self.asked.run.trace[f"{step.at.path}.weights"][step.head, step.query, step.key])
            rows.append(
                {"head": self.title(step), "reached by": step.way or "the word", "for": queries[step.query]}
                | {"reads": keys[step.key], "weight": weight, "gives": reached.gives, "of": reached.account.value}
                | {"in papers": short_name(step.part), "name": step.part}
                | {"TransformerLens": lens_name(step.part, len(self.asked.config.stacks) > 1)}
            )
        return rows

    def caption(self) -> str:
        """Whether the trail goes on, and by whom."""
        best = max(self.reasons.values(), key=lambda each: each.share)
        last = self.title(self.steps[-1])
        if best.share < LEAST_SHARE:
            return (
                f"Here it ends: no head gives an eighth of what is behind {last}. Embeddings and feed-forwards made it."
            )
        head = part_title(next(iter(best.heads)))
        return f"Most of all heads gives {head}: {percent(best.share)} of what is behind {SIDES[best.way]} of {last}."

    def files(self) -> Files:
        draw = self._draw()
        return Files(f"{self.asked.run.name}-trail", draw, draw, self.rows, focus=("why trail",))

    def formula(self) -> Sequence[Any]:
        whole = equation(
            r"u = \sum_h \sum_k A_{qk}\, v_k W_O \cdot r + \dots, \qquad q_i = \sum_a q_i^a, \quad k_j = \sum_b k_j^b, "
            r"\quad v_j = \sum_c v_j^c",
            "Elhage et al. (2021), “A Mathematical Framework for Transformer Circuits”: composition of queries, of "
            "keys and of values.",
            {
                "u": "the logit, or the sum that the head before is a part of",
                "r": "the direction along which the head's output counts there",
                "q_i^a, k_j^b, v_j^c": "what a part below has written at the token, through norm and projection",
            },
        )
        worked: list[Any] = []
        for way, found in self.reasons.items():
            largest = list(self.largest(way).values())
            rest = sum(found.parts.values()) - sum(largest)
            said = f"Behind {SIDES[way]} of {self.title(self.steps[-1])}: the largest parts, and last all others."
            worked += work_out(said, sums.total([*largest, rest]))
        return [*whole, *worked]

    def code(self) -> Sequence[Any]:
        return [trail.follow, trail.reach, trail.reasons, trail.behind, head_side.HeadSide]


def find_trail(asked: Question, written: str = "") -> Trail:
    """The trail of a question by its steps as text; by default the one that is followed to its end. Of a run on demand
    that is one step, since each makes all layers below again.

    Raises `NoSuchTrail`.
    """
    model, trace = asked.run.model, asked.run.trace
    if written:
        found = reach(model, trace, asked.account, trail.parse_trail(written))
    else:
        found = follow(model, trace, asked.account, most=1 if trace.is_lazy else trail.MOST_STEPS)
    return Trail(asked, tuple(each.step for each in found), tuple(found))
