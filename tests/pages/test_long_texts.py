"""A text of 1,024 tokens: every page opens, what travels is bounded, and the numbers are those of a run that kept all.

The model is a tiny checkpoint that reads so many. Its tensors are made on demand, as those of a larger model are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from model import Model, load
from model.zoo import cards
from model.zoo.file_card import card_of_files
from pages.shared.model_runs import recorded_run
from tests.model.zoo import tiny_families
from tests.pages.conftest import components, messages, run_page
from tests.pages.conftest import text as shown_text
from tests.pages.views import VIEWS, View
from viz.shared.payload import printed_codes

NAME = "long"
COUNT = 1024
MOST_BYTES = 700_000  # of all that the components of a page get
BOUND = re.compile(r"more than 500,000,000 bytes")  # a run that is refused says so
# One view of each page that shows the reader's text by the model of the run bar.
PAGES = ("home", "tokens", "positions", "combine", "block", "predict", "why", "cost")


@pytest.fixture(scope="module", autouse=True)
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("models")
    for bundled in cards.ASSETS.iterdir():
        (folder / bundled.name).symlink_to(bundled)
    tiny_families.make("llama", folder / NAME, max_position_embeddings=4096)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cards, "ASSETS", Path(folder))
        patch.setattr(cards, "REAL", (*cards.REAL, card_of_files(folder / NAME)))
        patch.setattr(recorded_run, "MAX_KEPT_BYTES", 1_000_000)
        yield


def model() -> Model:
    return load(NAME)


def text(count: int = COUNT) -> str:
    """A text of exactly so many tokens."""
    tokenizer = model().tokenizer
    ids = [token.id for token in tokenizer.encode("the dog sees the cat and the fox jumps over it " * 400)]
    found = tokenizer.decode(ids[:count])
    assert len(tokenizer.encode(found)) == count
    return found


def of_attention() -> list[View]:
    return [each for each in VIEWS if each.page in ("heads", "scores", "masks") and each.state.get("model") is None]


@pytest.mark.parametrize("each", of_attention(), ids=str)
def test_every_view_of_attention_opens_and_sends_little(each: View) -> None:
    values = {**each.values, "model": NAME, "text": text()}
    app = run_page(each.file, **values | {"layer": min(values.get("layer", -1), 1)})
    assert messages(app) == []
    assert sum(len(element.proto.bytes) for element in app.get("bidi_component")) < MOST_BYTES


@pytest.mark.parametrize("page", PAGES)
def test_every_other_page_opens(page: str) -> None:
    each = next(each for each in VIEWS if each.page == page)
    app = run_page(each.file, **{**each.values, "model": NAME, "text": text()})
    assert [said for said in messages(app) if not BOUND.search(said)] == []


def test_lines_have_the_numbers_of_the_window() -> None:
    state = {"model": NAME, "text": text(), "heads_view": "Lines", "layer": 1, "head": 2, "query": 700, "key": 3}
    app = run_page("attention/heads.py", **state)
    header, arrays = components(app)["attention_lines"]
    assert header["first"] == {"query": 640, "key": 0}, "each window holds its token of the pair"
    assert (header["view"]["query"], header["view"]["key"]) == (60, 3)
    kept = model().trace(text(), keep="decoder.1.self_attn.weights")["decoder.1.self_attn.weights"]
    np.testing.assert_array_equal(arrays["weights"], printed_codes(kept[:, 640:704, :64].numpy()))


def test_the_window_moves_by_its_width_and_follows_a_new_query() -> None:
    state = {"model": NAME, "text": text(), "heads_view": "Lines", "layer": 0, "head": 0, "query": 10}
    app = run_page("attention/heads.py", **state)
    later = next(button for button in app.button if button.label == "Later")
    app = later.click().run()
    assert app.query_params["window"] == "64,127"
    assert components(app)["attention_lines"][0]["first"]["query"] == 64
    app.session_state["query"] = 900
    app.run()
    assert components(app)["attention_lines"][0]["first"]["query"] == 896


def test_a_matrix_reads_twice_as_many_tokens() -> None:
    app = run_page("attention/heads.py", model=NAME, text=text(1500), heads_view="Matrix", layer=0, head=1)
    assert components(app)["run_bar"][0]["limit"] == 2048
    assert "All 1,500 × 1,500 weights" in shown_text(app)
    app.session_state["heads_view"] = "Lines"
    app.run()
    (note,) = components(app)["run_bar"][0]["notes"]
    assert "reads 1,024 tokens here" in note


def test_a_row_of_a_step_has_the_sums_of_all_keys() -> None:
    state = {"model": NAME, "text": text(), "layer": 0, "head": 0, "query": 800, "key": 100}
    app = run_page("attention/scores.py", scores_part="steps", scores_step="softmax", **state)
    header, arrays = components(app)["matrix_steps"]
    shown, first = arrays["c"].view("<f4"), header["first"]["query"]
    scores, largest, total = (arrays[name].view("<f4") for name in ("a", "largest", "total"))
    np.testing.assert_allclose(shown, np.exp(scores - largest[:, None]) / total[:, None], atol=1e-6)
    kept = model().trace(text(), keep="decoder.0.self_attn.weights")["decoder.0.self_attn.weights"]
    np.testing.assert_allclose(shown, kept[0, first : first + len(shown), 64:128].numpy(), atol=1e-6)


def test_what_takes_too_long_says_so() -> None:
    app = run_page("attention/heads.py", model=NAME, text=text(), heads_view="What they do", heads_work="sweep")
    assert any("your text has 1,024" in each.value for each in app.info)
