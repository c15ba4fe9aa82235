from dataclasses import dataclass

from viz.learning.broken_parts import comparison_figure, entropy_figure


@dataclass(frozen=True)
class Row:
    measure: str
    whole: float
    without: float


def test_the_shares_are_drawn_and_the_loss_is_not() -> None:
    figure = comparison_figure([Row("loss", 1.0, 9.0), Row("exact_match", 0.9, 0.1)])
    dots = {trace.name: list(trace.x) for trace in figure.data if trace.name}
    assert dots == {"whole": [0.9], "without": [0.1]}
    assert list(figure.layout.yaxis.ticktext) == ["exact match"]


def test_the_entropies_stand_in_order() -> None:
    figure = entropy_figure({"a": 1.0, "b": 2.0}, {"a": 0.5, "b": 3.0})
    dots = {trace.name: list(trace.x) for trace in figure.data if trace.name}
    assert dots == {"whole": [1.0, 2.0], "without": [0.5, 3.0]}
