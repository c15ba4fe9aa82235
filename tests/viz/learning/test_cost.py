from viz.learning.cost import growth_figure, parts_figure, time_figure


def test_the_bars_are_the_parts_in_order() -> None:
    bar = parts_figure({"scores": 5, "feed-forward": 7000}, "multiplications").data[0]
    assert list(bar.y) == ["scores", "feed-forward"]
    assert list(bar.x) == [5, 7000]
    assert list(bar.text) == ["5", "7 thousand"]


def test_the_growth_lines_hold_their_data_and_the_marks_their_places() -> None:
    figure = growth_figure([1, 10, 100], {"a": [1, 2, 3], "b": [4, 5, 6]}, "bytes", crossing=50.0, here=10)
    assert [list(line.y) for line in figure.data] == [[1, 2, 3], [4, 5, 6]]
    assert [line.x0 for line in figure.layout.shapes] == [50.0, 10]
    assert [note.text for note in figure.layout.annotations] == ["cross at T = 50", "now: T = 10"]
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"


def test_the_line_of_times_holds_what_is_expected() -> None:
    line, points = time_figure([10, 20], [0.001, 0.002], {10: 0.0005, 15: 0.001, 20: 0.002}).data
    assert list(points.y) == [1.0, 2.0]  # milliseconds
    assert list(line.x) == [10, 15, 20]
    assert list(line.y) == [0.5, 1.0, 2.0]
