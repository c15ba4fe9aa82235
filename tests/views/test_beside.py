"""Two models beside each other as a value: one frame and one scale, differences, keys of their own, and what a choice
on the second side means for the first one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from matplotlib.text import Text as PrintedText

from model import load
from model.analysis.head_steps import Attention
from model.generation.sampling import Sampling
from views.attention.matrix import HeadMatrix
from views.beside import Beside
from views.both_files import files_of_both
from views.head_of_run import HeadOfRun
from views.message import Message
from views.models.predict.attention import LooksOfToken
from views.models.predict.continuation import Playhead, continue_run
from views.parts import Canvas, Chart, Controls, Files
from views.run import Run, make_run
from views.shared import windows
from views.shown_page import walk
from views.view import DEPTHS
from viz.documents.page_parts import Group, Text
from viz.shared.payload import unpack

TEXT = "The dog is hungry because it"
SPLIT = "The dog is unhappy"  # one word falls into five tokens of the small model


def matrix(run: Run, kind: str = "weights", layer: int = 1, head: int = 3, **pair: int) -> HeadMatrix:
    at = HeadOfRun(run, Attention("decoder", layer, "self_attn"), head, **pair)
    whole = slice(0, len(run.trace.tokens))
    return HeadMatrix(at, kind, (whole, whole))


def run_of(name: str, text: str = TEXT) -> Run:
    return make_run(load(name), text)


@pytest.fixture(scope="module")
def base_and_tuned() -> tuple[Run, Run]:
    """One model, and what it was after 300 steps of its training."""
    return run_of("tiny-lm"), run_of("tiny-lm@300")


def parts(view: Beside, kind: type, depth: Any = "Picture") -> list[Any]:
    return [each for each in walk(view.at(depth), depth) if isinstance(each, kind)]


def test_both_scores_are_on_one_scale(base_and_tuned: tuple[Run, Run]) -> None:
    first, second = (matrix(run, "scores") for run in base_and_tuned)
    drawn = [each.draw(theme="light") for each in parts(Beside(first, second), Chart)][:2]
    reach = max(float(np.abs(each.values).max()) for each in (first, second))
    assert [(figure.data[0].zmin, figure.data[0].zmax) for figure in drawn] == [(-reach, reach)] * 2
    assert np.nanmax(np.abs(drawn[0].data[0].z)) != pytest.approx(np.nanmax(np.abs(drawn[1].data[0].z)))


def test_the_difference_of_base_and_tuned(base_and_tuned: tuple[Run, Run]) -> None:
    first, second = (matrix(run) for run in base_and_tuned)
    difference = first.minus(second)
    assert difference is not None
    name = "decoder.1.self_attn.weights"
    expected = base_and_tuned[0].trace[name][3] - base_and_tuned[1].trace[name][3]
    assert np.allclose(difference.matrices()[-1].values, expected)
    i, j = divmod(int(expected.abs().argmax()), expected.shape[1])
    assert f"**{first.head.queries[i]}** → **{first.head.keys[j]}**" in difference.caption()
    shown = parts(Beside(first, second), Chart)
    assert [each.key for each in shown] == ["heads matrix", "heads matrix beside", "heads difference"]


def test_two_tokenizers_have_no_difference_but_characters_in_common() -> None:
    first, second = matrix(run_of("tiny-lm", SPLIT)), matrix(run_of("tiny-encoder", SPLIT), layer=0, head=0)
    second = HeadMatrix(HeadOfRun(second.head.run, Attention("encoder", 0, "self_attn"), 0), "weights", second.part)
    view = Beside(first, second)
    assert first.minus(second) is None
    assert not view.is_of_one_shape
    (link,) = (each for each in parts(view, Canvas) if each.key == "beside link")
    sent = unpack(link.data())[0]
    assert sent == {"there": [list(each) for each in view.link.there], "back": [list(each) for each in view.link.back]}
    dogs = [[token.text.strip() for token in run.trace.tokens].index("dog") for run in view.runs or ()]
    assert view.link.find_there(dogs[0]) == dogs[1]
    assert view.link.find_back(dogs[1]) == dogs[0]


def test_a_pick_on_the_second_side_is_one_of_the_first(base_and_tuned: tuple[Run, Run]) -> None:
    same = Beside(*(matrix(run) for run in base_and_tuned))
    _, second = (each for each in parts(same, Chart)[:2])
    assert second.pick({"x": 2, "y": 5}) == {"query": 5, "key": 2}

    encoder = run_of("tiny-encoder")  # its first token is one that stands nowhere in the text
    at = HeadOfRun(encoder, Attention("encoder", 0, "self_attn"), 0)
    whole = slice(0, len(encoder.trace.tokens))
    other = Beside(matrix(base_and_tuned[0]), HeadMatrix(at, "weights", (whole, whole)))
    _, second = (each for each in parts(other, Chart)[:2])
    words = [[token.text.strip().lower() for token in run.trace.tokens] for run in (base_and_tuned[0], encoder)]
    picked = second.pick({"x": words[1].index("dog"), "y": words[1].index("y")})  # the end of “hungry”
    assert picked == {"query": words[0].index("hungry"), "key": words[0].index("dog")}
    assert second.pick({"x": 0, "y": 0}) == {}


def keys_of(group: Any) -> Iterator[str]:
    for part in group:
        if getattr(part, "key", ""):
            yield part.key
        if isinstance(part, Group):
            yield from keys_of(part.parts)


@pytest.mark.parametrize("depth", DEPTHS)
def test_no_two_elements_have_one_key_and_controls_stand_once(base_and_tuned: tuple[Run, Run], depth: Any) -> None:
    view = Beside(*(matrix(run, query=5, key=3) for run in base_and_tuned))
    keys = list(keys_of(view.at(depth)))
    assert len(keys) == len(set(keys))
    controls = [each.name for each in parts(view, Controls, depth)]
    assert len(controls) == len(set(controls))


def test_a_long_text_has_one_below_the_other() -> None:
    long = "the dog is happy. " * 12
    view = Beside(*(matrix(run_of(name, long)) for name in ("tiny-lm", "tiny-lm@300")))
    (frame,) = (each for each in view.at("Picture") if isinstance(each, Group) and each.key == "beside")
    assert len(view.link.there) > windows.MAX_READABLE_TOKENS
    assert not any(isinstance(each, Group) and each.kind == "row" for each in frame.parts)


def playhead(run: Run, path: tuple[int, ...] = (), step: int = 0) -> LooksOfToken:
    now = Playhead(continue_run(run, path), step, Sampling(), 1, 0)
    whole = slice(0, len(now.written.trace.tokens))
    return LooksOfToken(now, (whole, whole))


def test_two_predictions_of_the_next_token(base_and_tuned: tuple[Run, Run]) -> None:
    first, second = (playhead(run) for run in base_and_tuned)
    found = first.minus(second)
    assert found is not None
    shares = [run.trace.logits[-1].double().softmax(-1) for run in base_and_tuned]
    change = (shares[0] - shares[1]).abs()
    assert [row["id"] for row in found.rows()] == change.topk(10).indices.tolist()
    assert all(row["first"] == pytest.approx(float(shares[0][row["id"]])) for row in found.rows())
    assert torch.equal(found.shares()[1], shares[1])
    bars = [unpack(each.data())[0] for each in parts(Beside(first, second), Canvas) if "player" in each.key]
    assert [each["whole"] for each in bars] == [True, True]
    assert unpack(parts_of_one(first)[0].data())[0]["whole"] is False


def parts_of_one(view: LooksOfToken) -> list[Canvas]:
    return [each for each in walk(view.at("Picture"), "Picture") if isinstance(each, Canvas)]


def test_texts_that_have_parted_have_no_difference(base_and_tuned: tuple[Run, Run]) -> None:
    first, second = playhead(base_and_tuned[0], (85,), 1), playhead(base_and_tuned[1], (86,), 1)
    assert first.minus(second) is None
    assert playhead(base_and_tuned[0], (85,), 0).minus(playhead(base_and_tuned[1], (86,), 0)) is not None


def test_a_model_that_has_nothing_to_show_says_why(base_and_tuned: tuple[Run, Run]) -> None:
    view = Beside(matrix(base_and_tuned[0]), Message(Text("It cannot read this.", "error")))
    assert [each.text for each in parts(view, Text) if each.kind == "error"] == ["It cannot read this."]
    assert [each.key for each in parts(view, Chart)] == ["heads matrix"]


def test_one_file_holds_both(base_and_tuned: tuple[Run, Run]) -> None:
    """One picture for print, one table with the model of each row, and the arrays of each."""
    first, second = (matrix(run, "scores") for run in base_and_tuned)
    view = Beside(first, second)
    both, difference = parts(view, Files)
    assert both.name == f"{first.files().name}-beside"
    arrays = both.arrays()
    for side, each in (("first", first), ("second", second)):
        own: Any = each.files().arrays
        for name, values in own().items():
            assert np.array_equal(arrays[f"{side}_{name}"], values)
    assert [label for label in both.others if "CSV" in label] == [f"CSV of {title}" for title in view.titles]
    words = [text.get_text().strip() for text in both.figure().findobj(PrintedText)]
    assert set(view.titles) <= set(words)
    assert difference.print is not None


def test_rows_of_both_say_whose_they_are() -> None:
    first, second = Files("lengths", rows=lambda: [{"length": 1}]), Files("lengths", rows=lambda: [{"length": 2}])
    both = files_of_both(first, second, ("One", "Another"))
    assert both.rows is not None
    assert both.rows() == [{"model": "One", "length": 1}, {"model": "Another", "length": 2}]
    assert (both.print, both.arrays) == (None, None)
