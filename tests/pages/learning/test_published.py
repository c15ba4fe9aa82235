"""Training, A real model: published checkpoints of a model of the hub, by AppTest with the real client."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
import torch
from huggingface_hub import constants
from streamlit.testing.v1 import AppTest

from model.adding import download
from model.adding.add import add
from model.adding.revisions import folder_of_checkpoints, list_revisions
from pages.adding import rights
from pages.learning.training_parts import published_run, published_steps
from pages.learning.training_parts.published_run import PublishedSession
from pages.shared.elements import layout
from pages.shared.model_runs import job_pool
from pages.shared.session.keys import DEPTHS
from tests.model.adding.hub_server import HubServer, Repository
from tests.model.adding.tiny_training import NAME, STEPS, commit_of, make_steps, publish
from tests.pages.adding.conftest import empty_machine, hub, hub_of_session
from tests.pages.conftest import components, figures, messages, open_link, run_page, session_of, text
from tests.pages.executed_notebooks import executed, written

__all__ = ["empty_machine", "hub", "hub_of_session"]

pytestmark = pytest.mark.slow  # each test downloads the steps of a training
PAGE = "learning/training.py"
TEXT = "I am a robot and I am a cat"
Made = dict[int, tuple[Any, Path]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return make_steps(tmp_path_factory.mktemp("neox"))


@pytest.fixture
def repository(hub: HubServer, made: Made, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """On the hub and added here; the reader's browser is local."""
    monkeypatch.setattr(rights, "is_local", lambda: True)
    found = publish(hub, made)
    add(NAME)
    list_revisions(NAME)  # a reader has looked before
    return found


@pytest.fixture
def pool() -> Iterator[job_pool.JobPool]:
    yield job_pool.pool()
    assert job_pool.pool().join(30)


def opened(**state: Any) -> AppTest:
    return run_page(PAGE, **{"model": f"{NAME}@c0ffee00", "text": TEXT, "training_part": "published"} | state)


def labels(app: AppTest) -> list[str]:
    return [each.label for each in app.button]


def press(app: AppTest, label: str) -> AppTest:
    next(each for each in app.button if each.label.startswith(label)).click().run()
    assert not app.exception
    return app


def finish(app: AppTest) -> AppTest:
    """The page after its work has ended."""
    _, replay = session_of(app, PublishedSession).replay
    while job_pool.pool().count_ahead(replay) is not None:
        job_pool.pool().keep_alive(replay)
        job_pool.pool().join(5)
    app.run()
    assert not app.exception
    return app


def weights_here(machine: Path) -> set[str]:
    """The commits whose weights are on the disk."""
    return {path.parent.name for path in (machine / "hub").rglob("snapshots/*/*.safetensors")}


def curves(app: AppTest) -> list[dict[str, Any]]:
    return [figure for figure in figures(app) if figure["layout"]["xaxis"].get("type") == "log"]


@torch.no_grad()
def test_the_pictures_have_the_numbers_of_transformers(repository: Repository, made: Made, pool: object) -> None:
    app = opened()
    assert "6 step" in next(label for label in labels(app) if label.startswith("Fetch"))
    assert not figures(app)
    finish(press(app, "Fetch and measure 6 steps"))
    assert not messages(app)
    assert app.session_state["training_checkpoint"] == len(STEPS) - 1
    induction, loss = curves(app)
    assert [trace["name"] for trace in loss["data"]] == ["an even guess", "your sentence", "shown"]
    _, replay = session_of(app, PublishedSession).replay
    ids = torch.tensor([[token.id for token in replay.tokens]])
    expected = [float(reference(ids, labels=ids).loss) for reference, _ in made.values()]
    assert np.allclose(values(loss["data"][1]["y"]), expected, atol=1e-4)
    assert values(loss["data"][1]["x"]) == [0.5, *STEPS[1:]]
    assert len(induction["data"]) == 3 * 4
    for place, step in enumerate(STEPS):
        app.session_state["training_checkpoint"] = place
        app.run()
        assert f"at step {step:,}" in text(app)
        shares = made[step][0](ids).logits[0, -1].softmax(-1).topk(5).values
        bars = next(figure for figure in figures(app) if figure["data"][0].get("orientation") == "h")
        assert np.allclose(values(bars["data"][0]["x"]), shares, atol=1e-5)


def values(packed: Any) -> list[float]:
    """The numbers of a trace, as Plotly sends them."""
    if isinstance(packed, dict):
        import base64

        return np.frombuffer(base64.b64decode(packed["bdata"]), packed["dtype"]).tolist()
    return list(packed)


def test_every_depth(repository: Repository, pool: object, monkeypatch: pytest.MonkeyPatch) -> None:
    offered: dict[str, Any] = {}
    monkeypatch.setattr(layout, "export", lambda name, pictures=None, **files: offered.update({name: files}))
    monkeypatch.setattr(go.Figure, "show", lambda figure: None)
    app = finish(press(opened(), "Fetch"))
    again = executed(written(app))["view"]
    assert again.steps == tuple(STEPS)
    assert sorted(offered) == [f"tiny-neox-{name}" for name in ("heads-1000", "induction", "loss", "next-1000")]
    assert all(files["CSV"]() for files in offered.values())
    for depth in DEPTHS[1:]:
        app.session_state["depth"] = depth
        app.run()
        assert not app.exception
        assert not messages(app)
        assert bool(app.dataframe) == (depth == "Numbers")
        assert bool(app.code) == (depth == "Code")
        assert bool(app.latex) == (depth == "Formula")
    app.session_state["depth"] = "Formula"
    app.run()
    assert any(each.value.count("+") > 3 for each in app.latex), "the loss is worked out"


def test_a_link_restores_the_view_without_a_download(repository: Repository, pool: object) -> None:
    first = finish(press(opened(training_checkpoints=(0, 4, 1000)), "Fetch and measure 3 steps"))
    first.session_state["training_checkpoint"] = 1
    first.run()
    asked = [list(each.asked) for each in repository.revisions.values()]
    link = {name: str(first.query_params[name]) for name in first.query_params}
    assert (link["training_checkpoints"], link["training_checkpoint"]) == ("0,4,1000", "1")
    second = open_link(PAGE, **link)
    assert figures(second) == figures(first)
    assert [list(each.asked) for each in repository.revisions.values()] == asked


def test_a_link_to_a_step_that_is_not_measured_here(repository: Repository, pool: object) -> None:
    finish(press(opened(training_checkpoints=(0, 4)), "Fetch"))
    app = opened(training_checkpoints=(0, 4, 8, 1000), training_checkpoint=3)
    assert not messages(app)
    assert "at step 4" in text(app)
    finish(press(app, "Fetch and measure 2 steps"))
    assert app.session_state["training_checkpoint"] == 3
    assert "at step 1,000" in text(app)


def test_a_step_that_was_never_published_is_left_out(repository: Repository) -> None:
    app = opened(training_checkpoints=(0, 3, 8))
    assert any("No checkpoint of step 3 was published" in each for each in messages(app))
    assert app.session_state["training_checkpoints"] == (0, 8)
    assert "Fetch and measure 2 steps" in labels(app)


def test_it_stops_and_goes_on(repository: Repository, empty_machine: Path, pool: object) -> None:
    held = repository.revisions["step2"]
    held.gate = Event()
    app = press(opened(), "Fetch")
    assert held.is_held.wait(30)
    app.run()
    assert [each.label for each in app.button if each.label == "Stop"]
    assert "2 of 6 steps" in app.get("progress")[0].proto.text
    press(app, "Stop")
    held.gate.set()
    finish(app)
    assert "Fetch and measure 4 steps" in labels(app)
    assert not messages(app)
    assert curves(app), "what was measured is shown"
    assert [each.label for each in app.select_slider] == ["Step of training"]
    finish(press(app, "Fetch"))
    assert not [label for label in labels(app) if label.startswith("Fetch")]
    assert {path.parent.name for path in (empty_machine / "hub").rglob("snapshots/*/*.safetensors")} == {
        "c0ffee" + "0" * 34
    }


def test_kept_files(repository: Repository, empty_machine: Path, pool: object) -> None:
    app = opened(training_checkpoints=(1, 2))
    app.toggle(key=published_run.KEEP).set_value(True).run()
    finish(press(app, "Fetch"))
    assert weights_here(empty_machine) == {commit_of(1), commit_of(2), repository.commit}
    app.session_state["text"] = "I am a cat"
    app.run()
    assert "nothing is downloaded" in text(app)
    press(app, "Remove the kept files of 2 steps")
    assert weights_here(empty_machine) == {repository.commit}
    assert not [label for label in labels(app) if label.startswith("Remove")]


def test_another_choice_of_steps(repository: Repository) -> None:
    app = opened()
    app.multiselect(key=published_steps.STEPS).set_value([8, 0]).run()
    assert app.session_state["training_checkpoints"] == (0, 8)
    app.multiselect(key=published_steps.STEPS).set_value(list(STEPS)).run()
    assert app.session_state["training_checkpoints"] == (), "the usual choice"


@pytest.mark.parametrize("name", ["tiny-lm", "tiny-encoder", "en-ur"])
def test_without_a_model_of_the_hub_it_says_what_to_do(
    name: str, empty_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rights, "is_local", lambda: True)
    app = opened(model=name)
    assert "EleutherAI/pythia-14m" in app.info[0].value
    press(app, "Add a model")
    assert [each for each in app.text_input if each.key == "adding_name"]


def test_a_model_without_published_steps(repository: Repository) -> None:
    repository.revisions.clear()
    list_revisions(NAME)
    app = opened()
    assert repository.refs_asked == 2, "the page asks for nothing by itself"
    press(app, "Look for published steps")
    assert "no branches named step0" in app.info[0].value
    repository.revisions["step5"] = repository
    press(app, "Ask the hub again")
    assert "Fetch and measure 1 step" in labels(app)


def forget_list() -> None:
    """Nobody has looked for the steps yet."""
    for path in folder_of_checkpoints().glob("*.json"):
        path.unlink()


def test_no_network(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    forget_list()
    url = constants.ENDPOINT
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    app = press(opened(), "Look for published steps")
    assert any("does not answer" in each for each in messages(app))
    monkeypatch.setattr(constants, "ENDPOINT", url)
    press(app, "Ask the hub again")
    assert not messages(app)
    assert "Fetch and measure 6 steps" in labels(app)


def test_gated(repository: Repository) -> None:
    forget_list()
    repository.gated = True
    assert any("is gated" in each for each in messages(press(opened(), "Look")))


def test_a_full_disk(repository: Repository, pool: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "SPARE_BYTES", 1 << 60)
    app = finish(press(opened(), "Fetch"))
    assert any("Make room there" in each for each in messages(app))


def test_where_adding_is_off_what_was_measured_is_still_shown(
    repository: Repository, pool: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_list()
    monkeypatch.setenv(rights.ALLOWED, "")
    assert any("switched off" in each for each in messages(press(opened(), "Look"))), "nothing is known of it here"
    monkeypatch.delenv(rights.ALLOWED)
    list_revisions(NAME)
    finish(press(opened(training_checkpoints=(0, 1)), "Fetch"))
    monkeypatch.setenv(rights.ALLOWED, "")
    app = opened(training_checkpoints=(0, 1))
    assert not messages(app)
    assert len(curves(app)) == 2
    refused = press(opened(training_checkpoints=(0, 1, 2)), "Fetch and measure 1 step")
    assert any("switched off" in each for each in messages(refused))


def test_the_run_bar_says_what_reads_the_sentence(repository: Repository) -> None:
    app = opened(model="tiny-lm")
    assert any("tiny-neox" in line for line in components(app)["run_bar"][0]["notes"])
