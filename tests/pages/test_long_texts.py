"""Texts of up to 1,024 tokens: every page opens, what travels is bounded, and numbers are those of a run that kept all.

The model is a tiny checkpoint that reads so many.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest
from torch import Tensor

from model.analysis import attribution, flow_routes
from model.analysis.attribution import Account, attribute
from model.analysis.rollout import rollout
from model.analysis.stage_sum import STREAM, Importances, StageSum
from model.experiments import causality
from model.experiments.head_ablation import AblationSweep
from model.network.transformer import Transformer
from model.run import ids_of
from pages.models.why_parts import question
from pages.models.why_parts.paths import path_search
from pages.shared.model_runs import recorded_run
from pages.shared.session.last_made import LastMade
from pages.shared.sharing import share
from tests.pages.conftest import components, figures, messages, open_link, run_page, session_of, shown_page
from tests.pages.conftest import text as shown_text
from tests.pages.long_model import COUNT, NAME, installed, model, text
from tests.pages.views import VIEWS, View
from tests.views.opened import complaints, opened
from views.models.why import route_map
from views.parts import Canvas
from views.shared import long_text, windows
from views.shown_page import walk
from viz.attention.heads import TILE, TILE_LEVELS
from viz.shared.payload import codes, pool, printed_codes
from viz.shared.tokens import words

MOST_BYTES = 700_000  # of all that the components of a page get
LENGTHS = (8, 54, 199, COUNT)  # in tokens: short, a paragraph, longer than a window, as long as the model reads
MOST_SAVED_BYTES = 6_000_000  # of a saved page; two million are its scripts and fonts
BOUND = re.compile(r"more than 500,000,000 bytes")  # a run that is refused says so
# One view of each page that shows the reader's text by the model of the run bar.
PAGES = ("home", "tokens", "positions", "combine", "block", "predict", "why", "cost")


@pytest.fixture(scope="module", autouse=True)
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with installed(tmp_path_factory.mktemp("models")):
        yield


def of_attention() -> list[View]:
    return [each for each in VIEWS if each.page in ("heads", "scores", "masks") and each.state.get("model") is None]


@pytest.mark.slow
@pytest.mark.parametrize("each", of_attention(), ids=str)
def test_every_view_of_attention_is_made_and_sends_little(each: View) -> None:
    state = each.state | {"model": NAME, "layer": min(each.values.get("layer", -1), 1)}
    for count in LENGTHS:
        with opened(View(each.page, state | {"text": text(count)})) as page:
            assert complaints(page) == []
        canvases = (part for part in walk(page.view.at("Picture"), "Picture") if isinstance(part, Canvas))
        assert sum(len(canvas.data()) for canvas in canvases) < MOST_BYTES


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_every_other_page_opens_and_can_be_saved(page: str) -> None:
    each = next(each for each in VIEWS if each.page == page)
    app = run_page(each.file, **{**each.values, "model": NAME, "text": text()})
    assert [said for said in messages(app) if not BOUND.search(said)] == []
    assert sum(len(element.proto.bytes) for element in app.get("bidi_component")) < MOST_BYTES
    saved = share.make_html(shown_page(app).parts, page, {"Sentence": text()}, "", "light", "naskh")
    assert len(saved) < MOST_SAVED_BYTES


def test_the_parts_of_a_long_text_are_taken_away() -> None:
    """Each in a run of one token."""
    app = run_page("models/why.py", model=NAME, text=text(1001), why_part="cause", depth="Numbers")
    assert messages(app) == []
    assert "Partial" not in shown_text(app)
    config = model().config
    assert len(app.dataframe[0].value) == config.n_decoder_layers * (config.n_heads + 1) + 1


@pytest.mark.slow
def test_value_paths_and_rollout_make_each_layer_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded_run, "MADE_BYTES", 20_000_000)  # for the weights of one layer
    made, run_layer = list[int](), Transformer.run_layer

    def count(network: Transformer, stack: str, layer: int, *rest: Any) -> Tensor:
        made.append(layer)
        return run_layer(network, stack, layer, *rest)

    monkeypatch.setattr(Transformer, "run_layer", count)
    app = run_page("models/why.py", model=NAME, text=text(1004), why_part="tokens", depth="Numbers")
    assert made == [2, 1, 0]
    trace = model().trace(text(1004), keep="*.weights")
    rolled = rollout(trace.tensors.values())[-1]
    assert list(app.dataframe[0].value["attention rollout"]) == pytest.approx(rolled.tolist(), abs=1e-6)


@pytest.mark.slow
def test_gradients_go_back_through_all_layers_when_it_is_asked_for() -> None:
    app = run_page("models/why.py", model=NAME, text=text(1002), why_part="tokens", depth="Numbers")
    next(button for button in app.button if button.label == "Measure gradient × input").click().run()
    assert len(app.dataframe[0].value["gradient × input"]) == 1002
    state = {"model": NAME, "text": text(1002), "block_part": "skips", "block_depth": 1, "depth": "Numbers"}
    app = run_page("block/block.py", **state)
    next(button for button in app.button if button.label == "Follow the gradients").click().run()
    assert messages(app) == []
    assert app.dataframe[0].value.notna().sum().tolist() == [3, 3, 1, 1, 1, 1]


def test_lines_have_the_numbers_of_the_window() -> None:
    state = {"model": NAME, "text": text(), "heads_view": "Lines", "layer": 1, "head": 2, "query": 700, "key": 3}
    app = run_page("attention/heads.py", **state)
    header, arrays = components(app)["attention_lines"]
    assert header["first"] == {"query": 640, "key": 0}, "each window holds its token of the pair"
    assert (header["view"]["query"], header["view"]["key"]) == (60, 3)
    kept = model().trace(text(), keep="decoder.1.self_attn.weights")["decoder.1.self_attn.weights"]
    np.testing.assert_array_equal(arrays["weights"], printed_codes(kept[:, 640:704, :64].numpy()))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "state"), [("heads", {"heads_view": "All heads"}), ("predict", {"predict_tokens": 0})]
)
def test_the_pictures_of_all_heads_are_made_while_the_text_is_run(
    page: str, state: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, made = next(each.file for each in VIEWS if each.page == page), list[tuple[str, int]]()
    run_layer = Transformer.run_layer

    def count(network: Transformer, stack: str, layer: int, *rest: Any) -> Tensor:
        made.append((stack, layer))
        return run_layer(network, stack, layer, *rest)

    monkeypatch.setattr(Transformer, "run_layer", count)
    app = run_page(file, model=NAME, text=text(1010) + f" {page}", layer=1, head=0, **state)
    assert set(made) <= {("decoder", 1)}, "the layer on screen is made again, and no other"
    _, arrays = components(app)["heads_atlas"]
    kept = model().trace(text(1010) + f" {page}", keep="*.weights")
    weights = np.stack([tensor.numpy() for tensor in kept.tensors.values()])  # (layers, heads, queries, keys)
    np.testing.assert_array_equal(arrays["tiles"], codes(pool(weights, TILE), TILE_LEVELS, root=True))


@pytest.mark.slow
def test_the_account_of_a_logit_makes_no_layer_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made, run_layer = list[str](), Transformer.run_layer

    def count(network: Transformer, stack: str, layer: int, *rest: Any) -> Tensor:
        made.append(f"{stack}.{layer}")
        return run_layer(network, stack, layer, *rest)

    def account_of(*asked: Any) -> Account:
        made.clear()
        account = attribution.account_of(*asked)
        taken.append(len(set(made)))
        return account

    taken: list[int] = []  # layers, by each account
    monkeypatch.setattr(Transformer, "run_layer", count)
    monkeypatch.setattr(question, "account_of", account_of)
    long = text(1000) + " the fox"
    app = run_page("models/why.py", model=NAME, text=long, why_part="account")
    assert taken == [0]
    account, whole = session_of(app, LastMade).by_name["account of a word"][1], attribute(model(), long)
    assert (account.token, account.position) == (whole.token, whole.position)
    assert account.value == pytest.approx(whole.value, abs=1e-4)
    assert dict(account.parts) == pytest.approx(dict(whole.parts), abs=1e-4)
    app.session_state["query"] = 40
    app.run()
    app.run()
    assert len(taken) == 2, "the session keeps an account"
    app.session_state["why_against"] = 5
    app.run()
    assert taken[2:] == [0], "of another answer nothing is made again"
    app.session_state["why_against"] = -1
    app.run()
    account, whole = session_of(app, LastMade).by_name["account of a word"][1], attribute(model(), long, position=40)
    assert dict(account.parts) == pytest.approx(dict(whole.parts), abs=1e-4)


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


@pytest.mark.slow
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


def test_a_link_with_100_000_words_says_how_many_characters_are_read() -> None:
    app = open_link("attention/heads.py", model=NAME, text="fox " * 100_000)
    (said,) = messages(app)
    assert len(said) < 400
    assert "400,000 characters and at most 10,000 are read" in said
    assert components(app)["run_bar"][0]["text"] == "The quick brown fox jumps over the lazy"


def test_of_a_text_with_too_many_tokens_the_rest_stays_in_the_bar() -> None:
    whole = "fox " * 2_400
    app = run_page("attention/heads.py", model=NAME, text=whole.strip(), heads_view="Lines", layer=0, head=0)
    header = components(app)["run_bar"][0]
    assert messages(app) == []
    assert (header["text"], header["limit"]) == (whole.strip(), COUNT)
    assert whole.strip().endswith(header["unread"])
    assert len(header["unread"]) > 1_000


@pytest.mark.slow
def test_what_leaks_in_a_long_text_is_compared_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    state = {"model": NAME, "text": text(), "masks_part": "cheat", "masks_place": 700, "masks_word": "cat"}
    app = run_page("attention/masks.py", **state)
    assert "compared when you ask for it" in shown_text(app)
    next(button for button in app.button if button.label == "Compare the four runs").click().run()
    assert "the 700 predictions before it change by exactly 0" in shown_text(app)
    labels = figures(app)[0]["layout"]["xaxis"]["ticktext"]
    assert any("→" in label for label in labels), "the picture opens on the changed token"
    app.session_state["depth"] = "Numbers"
    app.run()
    compared = app.dataframe[0].value
    monkeypatch.setattr(long_text, "MOST_TOKENS", COUNT)
    monkeypatch.setattr(causality, "AT_ONCE", COUNT)
    at_once = run_page("attention/masks.py", **state, depth="Numbers").dataframe[0].value
    assert len(at_once) == COUNT
    np.testing.assert_allclose(compared, at_once, atol=1e-5)


def find_routes(long: str, **state: Any) -> AppTest:
    app = run_page("models/why.py", model=NAME, text=long, why_part="paths", **state)
    assert "are looked for when you ask for it" in shown_text(app)
    return next(button for button in app.button if button.label == "Find the routes").click().run()


def test_the_routes_of_a_long_text_are_found_when_they_are_asked_for() -> None:
    long = text(400)
    app = find_routes(long, depth="Numbers", why_least=0.02)
    kept = model().trace(long, keep=flow_routes.keep_for_routes(model().config))
    routes = flow_routes.flow_routes(model(), kept, least=0.02)
    table = app.dataframe[0].value
    assert set(table["name"]) == set(routes.names)
    shares = dict(zip(routes.names, routes.importance.tolist(), strict=True))
    assert table["importance"].tolist() == pytest.approx([shares[name] for name in table["name"]], abs=1e-4)
    app.session_state["why_least"] = 0.01
    app.run()
    assert "Edges of at least 2.0% were looked for" in shown_text(app)


@pytest.mark.slow
def test_of_many_routes_those_into_a_window_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each head reads two tokens before its own, so that after three layers the routes touch many."""
    steps = torch.tensor([[1, 300], [2, 160], [5, 90], [11, 40]])  # (heads, 2)

    def importances(summed: StageSum, tokens: Tensor) -> Importances:
        heads = torch.zeros(len(steps), len(tokens), len(summed.whole))
        for head, node in itertools.product(range(len(steps)), range(len(tokens))):
            heads[head, node, (tokens[node] - steps[head]).clamp_min(0)] = 0.05 + 0.01 * head
        return Importances({STREAM: torch.full((len(tokens),), 0.4)}, None if summed.part == "ffn" else heads)

    monkeypatch.setattr(StageSum, "importances", importances)
    long = text(1012)
    app = find_routes(long)
    kept = model().trace(long, keep=flow_routes.keep_for_routes(model().config))
    graph = route_map.graph_of(flow_routes.flow_routes(model(), kept, least=0.04), words(kept.tokens), [], 0.04)
    assert len(graph.touched) > windows.MAX_READABLE_TOKENS
    last = graph.part(slice(948, 1012))  # the window of 64 tokens that holds the last one
    assert f"Shown: {len(last.edges)} edges into the tokens of the window" in shown_text(app)
    figure = figures(app)[0]
    drawn = {each for trace in figure["data"] for each in trace.get("customdata", ()) if ">" in each}
    assert drawn == {name for name in last.names if ">" in name}
    seen = [token for token in last.touched if token >= 948]
    low, high = figure["layout"]["xaxis"]["range"]
    assert high - low == pytest.approx(len(seen) + 0.2), "a column for each of its tokens on the routes"
    app.session_state["window"], app.session_state["depth"] = (600, 855), "Numbers"
    app.run()
    assert set(app.dataframe[0].value["name"]) == set(graph.part(slice(600, 856)).names)
    assert f"{len(graph.edges):,} edges lead to the last vector. Shown: " in shown_text(app)
    monkeypatch.setattr(route_map, "MOST_EDGES", 7)
    app.run()
    assert len(app.dataframe[0].value) == 7
    assert "Shown: the 7 most important edges" in shown_text(app)


def test_a_search_that_is_stopped_keeps_the_upper_stages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit ends a run with this exception when the reader presses Stop."""

    def stops(*asked: Any) -> Iterator[flow_routes.StageEdges]:
        found = flow_routes.edges_by_stage(*asked)
        yield next(found)
        yield next(found)
        raise StopException

    monkeypatch.setattr(path_search, "edges_by_stage", stops)
    app = run_page("models/why.py", model=NAME, text=text(1013), why_part="paths", depth="Numbers")
    next(button for button in app.button if button.label == "Find the routes").click().run()
    next(button for button in app.button if button.label == "Stop").click().run()
    assert "the search came down to 2 of" in shown_text(app)
    assert {name.split(".")[1] for name in app.dataframe[0].value["name"]} == {str(model().config.n_decoder_layers - 1)}


def test_the_heads_of_a_long_text_are_taken_away_when_it_is_asked_for() -> None:
    state = {"heads_view": "What they do", "heads_work": "sweep", "depth": "Numbers"}
    long = text(400)
    app = run_page("attention/heads.py", model=NAME, text=long, **state)
    assert "it waits until you ask for it" in shown_text(app)
    assert not app.dataframe
    next(button for button in app.button if button.label == "Take each head away").click().run()
    found = app.dataframe[0].value["rise of the loss, in nats"]
    sweep = AblationSweep(model().network, ids_of(model().tokens_of(long)))
    assert found.tolist() == pytest.approx(torch.cat([harm.rise for harm in sweep.run()]).tolist(), abs=1e-5)
