"""Cost: the multiplications, time and memory of a run, and the growth of each with the length of the text."""

from __future__ import annotations

from pages.learning.cost_parts import shape_choice, time_work
from pages.shared.elements.claims import Claim
from pages.shared.elements.page import Page, Part
from pages.shared.elements.prompts import Prompt
from pages.shared.model_runs import traces
from views.learning.cost.cost_view import CROSSING, CostView, Shape
from views.learning.cost.growth import Growth, Memory
from views.learning.cost.parts import LARGEST, CostParts
from views.learning.cost.times import GROWTH, Times


def prompts(view: CostView) -> tuple[Prompt, ...]:
    """The wider model is twice as wide as the model itself."""
    own: dict[str, object] = {"cost_width": 0, "cost_heads": 0, "cost_layers": 0}
    return (
        Prompt(
            "A long document",
            "At 16,384 tokens the scores dominate.",
            own | {"cost_view": "Parts", "cost_tokens": 16384},
            claim=Claim(LARGEST, "is", "scores"),
        ),
        Prompt(
            "A wider model",
            "Twice as wide: width moves the crossing up.",
            own | {"cost_view": "Growth", "cost_width": 2 * view.shape.own.d_model},
            claim=Claim(CROSSING, "over", 1.5),
        ),
        Prompt(
            "Measure it",
            "The time grows with the text, beside the multiplications.",
            {"cost_view": "Time"},
            claim=Claim(GROWTH, "over", 1),
        ),
    )


def shape() -> Shape:
    return shape_choice.read(traces.current_model())


def parts() -> CostParts:
    return CostParts(shape())


def growth() -> Growth:
    return Growth(shape())


def times() -> Times:
    return time_work.measured(traces.current_model(), shape())


def memory() -> Memory:
    return Memory(shape())


SHAPE = {"shape": shape_choice.choose}
PARTS = {
    "Parts": Part("Parts", parts, SHAPE),
    "Growth": Part("Growth", growth, SHAPE),
    "Time": Part("Time", times, SHAPE | {"measure": time_work.measure_more}),
    "Memory": Part("Memory", memory, SHAPE),
}
PAGE = Page(
    "Cost",
    "Attention compares every token with every other, so its cost grows with the square.",
    "cost_view",
    PARTS,
    prompts,
)
