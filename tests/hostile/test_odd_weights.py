"""Networks whose weights are huge, zero, or no numbers: a run says where its numbers end, and nothing raises a riddle.

Files with such weights are refused (test_model_files.py), apart from huge and zero ones. These stand in memory, as a
network whose training has diverged does (`model.adopted`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
import torch

from model import attribute, load
from model.analysis.circuits.written import copying
from model.analysis.head_steps import Attention
from model.analysis.logit_lens import lens_names, logit_lens
from model.analysis.not_finite import find_origin, first_not_finite
from model.errors import NumbersNotFinite
from model.generation.beam import beam_search
from model.loading import IN_MEMORY
from model.run import Model
from model.vectors.principal_components import component_variances, principal_components
from model.zoo import cards
from tests.pages.conftest import messages, run_page
from views.map.run_answers import describe_tensors
from viz.models.patch_heads import pack_heads
from viz.models.see import filters_figure
from viz.print.files import file_of
from viz.print.from_plotly import to_matplotlib
from viz.print.head_pictures import lines_picture
from viz.shared.lines import lines_figure
from viz.shared.payload import unpack

TEXT = "the dog sees the cat"
Change = Callable[[torch.Tensor], object]
# What is done to the weights whose names begin so: "" for all of them.
ODD: dict[str, tuple[str, Change]] = {
    "huge": ("", lambda weight: weight.mul_(1e30)),
    "not a number": ("decoder.blocks.1.ffn", lambda weight: weight[0].fill_(math.nan)),
    "infinite": ("decoder.blocks.1.ffn", lambda weight: weight[0].fill_(math.inf)),
    "zero": ("", lambda weight: weight.zero_()),
    "minus zero": ("", lambda weight: weight.fill_(-0.0)),
    "denormal": ("", lambda weight: weight.fill_(1e-42)),
}
NOT_FINITE = ("huge", "not a number", "infinite")
NAME = "memory:odd"


def odd(kind: str, name: str = "tiny-lm") -> Model:
    whole = load(name)
    network = deepcopy(whole.network)
    begin, change = ODD[kind]
    with torch.no_grad():
        for place, weight in network.named_parameters():
            if place.startswith(begin):
                change(weight)
    return replace(whole, network=network, card=replace(whole.card, name=NAME, title="Odd", in_memory=True))


@pytest.fixture
def offered() -> Iterator[Callable[[Model], None]]:
    """Puts a model among those that the app offers."""

    def offer(model: Model) -> None:
        cards.IN_MEMORY[NAME], IN_MEMORY[NAME] = model.card, model

    yield offer
    cards.IN_MEMORY.pop(NAME, None)
    IN_MEMORY.pop(NAME, None)


# The library


@pytest.mark.parametrize("kind", ODD)
def test_a_run_says_where_its_numbers_end(kind: str) -> None:
    model = odd(kind)
    trace = model.trace(TEXT)
    origin = find_origin(model.network, [token.id for token in trace.tokens])
    if kind in NOT_FINITE:
        assert origin is not None
        assert origin.tensor == first_not_finite(trace.tensors)
        assert origin.weight.startswith("decoder.blocks.1.ffn") == (kind != "huge")
    else:
        assert origin is None
        assert trace.logits.isfinite().all()


@pytest.mark.parametrize("name", ["tiny-lm", "tiny-encoder", "en-ur"])
def test_a_mask_is_no_fault(name: str) -> None:
    trace = load(name).trace(TEXT)
    assert not first_not_finite(trace.tensors)


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("kind", NOT_FINITE)
def test_what_prefers_no_token_writes_none_and_says_why(kind: str, temperature: float) -> None:
    with pytest.raises(NumbersNotFinite, match="not finite numbers"):
        next(odd(kind).generate(TEXT, temperature=temperature))


def test_equal_scores_are_scores() -> None:
    assert [step.chosen for step in odd("zero").generate(TEXT, max_new_tokens=2)]


def test_a_translator_without_numbers_writes_nothing_and_its_run_is_shown() -> None:
    model = odd("not a number", "en-ur")
    trace = model.trace(TEXT)
    assert len(trace.tokens) == 1
    assert trace.logits.isnan().all()
    source = torch.tensor([token.id for token in trace.source_tokens])
    with pytest.raises(NumbersNotFinite):
        beam_search(model.network, torch.tensor([trace.tokens[0].id]), 3, (), source=source)


@pytest.mark.parametrize("kind", ODD)
def test_what_reads_a_run_carries_such_numbers_or_says_what_is_wrong(kind: str) -> None:
    """Nothing else than numbers and errors of ours comes out."""
    model = odd(kind)
    trace = model.trace(TEXT)
    lens = logit_lens(model.network, model.trace(TEXT, keep=lens_names(model.config)), range(len(trace.tokens)))
    account = attribute(model, TEXT)
    for found in (lens.probabilities[-1].sum(), account.value, sum(account.parts.values())):
        assert math.isfinite(found) == (kind not in NOT_FINITE)
    try:
        assert copying(model, Attention("decoder", 0, "self_attn"), 0).eigenvalues.isfinite().all()
    except NumbersNotFinite:
        assert kind in NOT_FINITE


def test_vectors_without_numbers_have_no_components() -> None:
    vectors = torch.ones(4, 3).index_fill(0, torch.tensor([1]), math.nan)
    places, shares = principal_components(vectors, 2)
    assert places.shape == (4, 2)
    assert places.isnan().all()
    assert shares.isnan().all()
    assert component_variances(vectors).shape == component_variances(torch.randn(4, 3)).shape


# What a page makes of it


def test_a_table_of_tensors_says_what_is_no_number() -> None:
    rows = describe_tensors([("logits", torch.full((2, 3), math.nan))], load("tiny-lm").config)
    assert rows[0]["Mean"] == "not a number"


@pytest.mark.parametrize("least", [0.5, 0.0])
def test_files_of_pictures_without_a_number_are_made(least: float) -> None:
    """Without a line that is strong enough, too: a reader may ask for more than any weight has."""
    empty = lines_picture(np.full((1, 3, 3), math.nan), [0], list("abc"), list("abc"), "t", least=least)
    assert file_of(empty, "svg")
    figure = lines_figure({"a": (np.arange(3.0), np.full(3, math.nan))}, "x", "y", height=200, theme="light")
    figure.update_yaxes(range=[math.nan, math.nan])
    assert file_of(to_matplotlib(figure), "svg")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", [0.0, math.nan, math.inf, 1e30])
def test_pictures_of_see_are_drawn_from_any_numbers(value: float) -> None:
    odd_heads = np.full((1, 2, 5, 4), value, np.float32)
    weights = np.full((1, 2, 5, 5), math.nan, np.float32)
    square = np.zeros((8, 8, 3), np.uint8)
    header, arrays = unpack(pack_heads(square, odd_heads, odd_heads, weights, 2, {"layer": 0}))
    assert np.isfinite(header["steps"]).all()
    assert not arrays["queries"].any()
    for channels in (1, 3):
        assert filters_figure(np.full((2, channels, 4, 4), value, np.float32), 2).data


VIEWS = [
    ("home/home.py", {"depth": "Numbers"}),
    ("models/predict.py", {"predict_view": "lens", "predict_tokens": 2}),
    ("attention/scores.py", {"scores_part": "geometry"}),
    ("attention/heads.py", {"heads_view": "Lines"}),
    ("block/block.py", {"block_part": "stream"}),
]


@pytest.mark.parametrize(("page", "state"), VIEWS, ids=[page for page, _ in VIEWS])
def test_a_page_says_once_where_the_numbers_end(
    page: str, state: dict[str, object], offered: Callable[[Model], None]
) -> None:
    """`run_page` fails where the page raises."""
    offered(odd("not a number"))
    (said,) = messages(run_page(page, model=NAME, text=TEXT, query=4, **state))
    assert ("cannot choose one" if page == "models/predict.py" else "decoder\\.blocks\\.1\\.ffn") in said


def test_what_a_page_cannot_show_ends_it_with_a_sentence(
    offered: Callable[[Model], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mistake on a run of usual numbers is shown as one."""
    offered(odd("huge"))
    broken = lambda *_: 1 / 0  # noqa: E731
    monkeypatch.setattr("views.map.run_answers.tensor_rows", broken)
    said = messages(run_page("home/home.py", model=NAME, text=TEXT, depth="Numbers"))
    assert len(said) == 2
    assert "cannot be shown" in said[1]
    with pytest.raises(AssertionError):
        run_page("home/home.py", model="tiny-lm", text=TEXT, depth="Numbers")
