"""A trail from a word down through the heads: who speaks for it, where that head looks, and who made it look there.

A logit is a sum over parts, and a head's part is a sum over the tokens that it reads. Why it reads one of them is again
a sum: of its query over parts at the token that looks, and of its key over parts at the token that is looked at. What
it brings from there, its value, is one, too. Each of the three leads to earlier heads: composition of queries, of keys
and of values (Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits").
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from model.analysis.attribution import Account, head_directions
from model.analysis.head_side import HeadSide
from model.analysis.head_steps import Attention, module_of
from model.analysis.score_account import SIDES, Against, score_account
from model.analysis.source_tokens import head_sources
from model.edits.edges import DropEdge
from model.errors import EditError, GlassformerError
from model.run import Model
from model.tape import Trace

Way = Literal["", "query", "key", "value"]
WAYS: tuple[Way, ...] = ("query", "key", "value")
MOST_STEPS = 12
LEAST_SHARE = 1 / 8  # of a sum: a trail that is followed by itself ends where no head gives as much


class NoSuchTrail(GlassformerError):
    """A text that names no trail, or one that this run does not have."""


@dataclass(frozen=True)
class Step:
    """A head that reads the token `key` for the token `query`.

    `way`: by which of its sides the head before it in the trail, which runs later, reads it; "" for the first head.
    """

    way: Way
    at: Attention
    head: int
    query: int
    key: int

    @classmethod
    def parse(cls, text: str) -> Step:
        """The step of a text: "decoder.3.self_attn.2@7>9", or after a way "key:decoder.1.self_attn.0@6>7".

        Raises `NoSuchTrail` for another text.
        """
        way, colon, edge = text.rpartition(":")
        try:
            found = DropEdge.parse(edge)
        except EditError as error:
            raise NoSuchTrail(f"{text[:60]} is no step of a trail.") from error
        if found.head < 0 or bool(colon) != (way in WAYS):
            raise NoSuchTrail(f"{text[:60]} is no step of a trail.")
        stack, layer, part = found.path.split(".")
        return cls(way, Attention(stack, int(layer), part), found.head, found.token, found.key)  # type: ignore[arg-type]

    def __str__(self) -> str:
        edge = DropEdge(self.at.path, self.query, self.head, self.key)
        return f"{self.way}:{edge}" if self.way else str(edge)

    @property
    def part(self) -> str:
        """Its name among the parts of an account: "decoder.3.self_attn.heads.2"."""
        return f"{self.at.path}.heads.{self.head}"


@dataclass(frozen=True, eq=False)
class Reached:
    """A step of a run. `account` is the sum that its head is a part of, and `sources` what it gives to that from each
    token that it reads: (keys,)."""

    step: Step
    account: Account
    sources: Tensor

    @property
    def gives(self) -> float:
        """The head's part of the sum."""
        return self.account.parts[self.step.part]


@dataclass(frozen=True, eq=False)
class Reasons:
    """What made a head read: the sum behind one of its sides. `parts` are its parts, for a key over the mean of all
    keys that the query may see; `account` has the directions of what stands below."""

    way: Way
    account: Account
    parts: Mapping[str, float]

    @property
    def heads(self) -> dict[str, float]:
        """The parts that are heads, the largest first."""
        found = {name: part for name, part in self.parts.items() if ".heads." in name}
        return dict(sorted(found.items(), key=lambda each: -each[1]))

    @property
    def share(self) -> float:
        """What the strongest head gives, as a share of the sum; 0 without a head that speaks for it."""
        total = math.fsum(self.parts.values())
        return max(self.heads.values(), default=0.0) / total if total > 0 else 0.0


def parse_trail(text: str) -> tuple[Step, ...]:
    """The steps that a text names, with commas between them. Raises `NoSuchTrail`."""
    return tuple(Step.parse(name) for name in text.split(",") if name)


def write_trail(steps: Sequence[Step]) -> str:
    """Steps as `parse_trail` takes them."""
    return ",".join(map(str, steps))


@torch.inference_mode()
def reach(model: Model, trace: Trace, account: Account, steps: Sequence[Step]) -> list[Reached]:
    """The steps of a trail that begins at the account of a logit. Raises `NoSuchTrail`."""
    found: list[Reached] = []
    for step in steps:
        above = behind(model, trace, found[-1], step.way) if found and step.way else account
        if bool(found) != bool(step.way) or step.part not in above.parts or step.query != above.position:
            raise NoSuchTrail(f"{step} does not follow from the steps before it in this run.")
        mask = trace[f"{step.at.path}.mask"][step.query]  # (keys,)
        if step.key >= len(mask) or not mask[step.key].isfinite():
            raise NoSuchTrail(f"{step} reads a token that its query may not see.")
        found.append(_reached(model, trace, above, step))
    return found


def _reached(model: Model, trace: Trace, account: Account, step: Step) -> Reached:
    return Reached(step, account, head_sources(model, trace, account, step.at)[step.head])


@torch.inference_mode()
def step_to(model: Model, trace: Trace, account: Account, part: str, way: Way = "") -> Step:
    """The step to a head that is a part of an account. It reads the token from which it gives most."""
    stack, layer, kind, _, head = part.split(".")
    at = Attention(stack, int(layer), kind)
    sources = head_sources(model, trace, account, at)[int(head)]
    return Step(way, at, int(head), account.position, int(sources.argmax()))


@torch.inference_mode()
def behind(model: Model, trace: Trace, reached: Reached, way: Way) -> Account:
    """The sum behind one side of a head of a trail, with the directions of all that stands below.

    It is the part of the score that the key has, or that the query has over the mean of all keys that it may see; or
    of the value, what it gives to the sum that the head was reached by.
    """
    step, at = reached.step, reached.step.at
    scale = module_of(model, at).scale
    queries, keys = (HeadSide(model, trace, at, step.head, side) for side in SIDES)
    if way == "key":
        return keys.account(step.key, queries.recorded[step.query] * scale)
    if way == "query":
        seen = trace[f"{at.path}.mask"][step.query].isfinite()  # (keys,)
        return queries.account(step.query, (keys.recorded[step.key] - keys.recorded[seen].mean(0)) * scale)
    out = head_directions(
        module_of(model, at).out, reached.account.directions[at.path], model.config
    )  # (heads, d_head)
    weight = trace[f"{at.path}.weights"][step.head, step.query, step.key]
    return HeadSide(model, trace, at, step.head, "value").account(step.key, weight * out[step.head])


@torch.inference_mode()
def reasons(model: Model, trace: Trace, reached: Reached) -> dict[Way, Reasons]:
    """What made a head of a trail read what it reads, and what it brings from there: by each of its sides."""
    step = reached.step
    # Of a run on demand the score stands alone: a mean would make its layers again for every few keys.
    over: Against = None if trace.is_lazy else "mean"
    score = score_account(model, trace, step.at, step.head, step.query, step.key, over)
    found = {way: behind(model, trace, reached, way) for way in WAYS}
    parts = {"key": score.margin("key")}
    return {way: Reasons(way, account, parts.get(way, account.parts)) for way, account in found.items()}


@torch.inference_mode()
def follow(model: Model, trace: Trace, account: Account, most: int = MOST_STEPS) -> list[Reached]:
    """The trail from the head that speaks most for a logit. It goes on by the head that gives the largest share of the
    sum behind a side, until none gives `LEAST_SHARE`, for `most` steps. Empty where no head speaks for the logit."""
    heads = {name: part for name, part in account.parts.items() if ".heads." in name and part > 0}
    if not heads:
        return []
    step = step_to(model, trace, account, max(heads, key=heads.__getitem__))
    found = [_reached(model, trace, account, step)]
    while len(found) < most:
        best = max(reasons(model, trace, found[-1]).values(), key=lambda each: each.share)
        if best.share < LEAST_SHARE:
            break
        step = step_to(model, trace, best.account, next(iter(best.heads)), best.way)
        found.append(_reached(model, trace, best.account, step))
    return found
