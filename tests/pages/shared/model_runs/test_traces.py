"""Models and runs shared by sessions: made once, bounded, right for each asker, wrong input named."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from streamlit.testing.v1 import AppTest

from model import Model, ablate, load
from model.edits.text import parse
from model.errors import EmptyText, TextTooLong, UnknownModel
from model.experiments.surgery import with_edits
from model.shared_cache import SharedCache
from model.tokens.tokenizer import Tokenizer
from pages.shared.model_runs import model_turns, trace_cache, traces
from pages.shared.server import limits
from pages.shared.server.rate_limits import LimitReached
from pages.shared.session.view_session import ViewSession
from tests.pages.conftest import run_page, session_of
from views.run_spec import RunSpec

NAME = "minilm-l6"


def test_a_run_is_made_once_and_shared() -> None:
    first = traces.trace(traces.model(NAME), "I am a robot", "encoder.0.self_attn.weights")
    assert traces.trace(traces.model(NAME), "I am a robot", "encoder.0.self_attn.weights") is first
    assert traces.trace(traces.model(NAME), "I am a dog", "encoder.0.self_attn.weights") is not first
    assert traces.model(NAME) is traces.model(NAME)


def test_a_run_of_a_page_knows_its_model_and_the_cache_keeps_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traces, "default_model", lambda: "tiny-lm")
    run = traces.current("*.weights")
    assert run.trace.origin is not None
    assert run.trace.origin.network is run.model.network
    assert traces.trace(run.model, run.text, "*.weights").origin is None


def test_an_edited_run_is_kept_apart_from_the_plain_one() -> None:
    keep = ("encoder.0.self_attn.out",)
    plain = traces.trace(traces.model(NAME), "I am a robot", keep)
    edits = [ablate("encoder.0.self_attn", head=0)]
    edited = traces.trace(traces.model(NAME), "I am a robot", keep, edits=edits)
    name = "encoder.0.self_attn.out"
    assert not torch.equal(plain[name], edited[name])
    same, other = ([ablate("encoder.0.self_attn", head)] for head in (0, 1))
    assert traces.trace(traces.model(NAME), "I am a robot", keep, edits=same) is edited, "equal edits make the same run"
    assert not torch.equal(traces.trace(traces.model(NAME), "I am a robot", keep, edits=other)[name], edited[name])


def test_a_translation_is_written_once_for_all_that_is_kept_of_its_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []
    write = Model.translate_ids
    monkeypatch.setattr(Model, "translate_ids", lambda model, source: written.append(0) or write(model, source))
    text, keep = "The doctor writes a letter", ("decoder.0.cross_attn.weights", "encoder.1.self_attn.out")
    first, second = (traces.trace(traces.model("en-ur"), text, name) for name in keep)
    assert len(written) == 1
    alone = load("en-ur").trace(text, keep=keep)
    assert first.tokens == second.tokens == alone.tokens
    assert first.source_tokens == second.source_tokens == alone.source_tokens
    assert torch.equal(first[keep[0]], alone[keep[0]])
    assert torch.equal(second[keep[1]], alone[keep[1]])


def test_beyond_the_limit_of_runs_no_translation_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise LimitReached("Too many runs.", 60)

    written: list[int] = []
    monkeypatch.setattr(Model, "translate_ids", lambda model, source: written.append(0) or iter(()))
    monkeypatch.setattr(model_turns.rate_limits, "spend", refuse)
    with pytest.raises(LimitReached):
        traces.trace(traces.model("en-ur"), "The cat sees a bird by the river")
    assert written == []


def test_bytes_that_take_runs_are_made_once_within_the_limit_of_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    run, spent = traces.run(traces.model("tiny-lm"), "the dog sees the cat"), list[int]()
    monkeypatch.setattr(
        model_turns.rate_limits, "spend", lambda limit, count: spent.append(count) if limit is limits.RUNS else None
    )
    packed = [run.pack("of other texts", lambda: b"made", runs=20) for _ in range(2)]
    assert packed == [b"made"] * 2
    assert run.pack("of this run", lambda: b"read") == b"read"
    assert spent == [20], "what is read of a run that is there counts as none"


@pytest.mark.slow
def test_a_translator_with_muted_parts_writes_its_own_translation() -> None:
    whole, muted = (
        run_page("attention/heads.py", model="en-ur", text="The teacher reads a book", edits=edits)
        for edits in ("", "decoder.0.ffn,decoder.1.ffn,decoder.0.cross_attn.1")
    )
    first, second = (session_of(app, traces.RunsOfSession).shown for app in (whole, muted))
    assert first.source_tokens == second.source_tokens
    assert first.tokens != second.tokens


def test_a_text_is_cut_once_in_a_run_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    cut: list[str] = []
    encode = Tokenizer.encode
    app = run_page("attention/heads.py", model="tiny-lm", text="The girl eats the apple")
    monkeypatch.setattr(Tokenizer, "encode", lambda self, text, *how: cut.append(text) or encode(self, text, *how))
    app.run()
    assert cut == ["The girl eats the apple"]


def _ask() -> None:
    import streamlit as st

    from model import load
    from pages.shared.model_runs import traces

    st.session_state["made"] = traces.run(load("minilm-l6"), "I am a robot")


@pytest.mark.slow
def test_a_run_is_a_function_of_its_spec_and_of_no_page() -> None:
    apps = [AppTest.from_function(_ask, default_timeout=60) for _ in range(2)]
    for app, page in zip(apps, ("heads", "cost"), strict=True):
        session_of(app, ViewSession).page = page
    for app in apps:
        app.session_state["edits"], app.session_state["model"] = "encoder.0.self_attn.1", NAME
    first, second = (app.run().session_state["made"] for app in apps)
    assert first.spec == second.spec
    assert first.trace.tensors == second.trace.tensors, "the same tensors of the same cache"
    edited = with_edits(load(NAME), parse("encoder.0.self_attn.1"))
    assert RunSpec.of(edited, first.spec.tokens) != first.spec


@pytest.mark.slow
def test_eight_askers_at_once_each_get_their_own_sentence() -> None:
    sentences = [f"robot {'very ' * i}cool" for i in range(8)]
    keep = "encoder.5.self_attn.weights"
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda text: traces.trace(traces.model(NAME), text, keep), sentences))
    alone = load(NAME)
    for text, trace in zip(sentences, made, strict=True):
        expected = alone.trace(text, keep=keep)
        assert [token.text for token in trace.tokens] == [token.text for token in expected.tokens]
        assert torch.equal(trace[keep], expected[keep])


@pytest.mark.slow
def test_opening_a_model_moves_nothing_on_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the next run would make the page's components anew, and the focus of the keyboard in them were lost."""
    nothing_open = SharedCache(traces.MAX_MODEL_BYTES, lambda model: 0)
    monkeypatch.setattr(traces, "_models", lambda: nothing_open)
    app = run_page("block/block.py", model="tiny-lm")
    opening = [child.type for child in app.main.children.values()]
    assert [child.type for child in app.run().main.children.values()] == opening


@pytest.mark.parametrize(
    ("page", "view"),
    [("models/predict.py", {"predict_tokens": 2}), ("attention/masks.py", {"masks_part": "passes"})],
)
def test_what_is_done_once_moves_nothing_on_its_page(page: str, view: dict[str, object]) -> None:
    app = run_page(page, model="tiny-lm", text="I am a robot", **view)
    doing = [child.type for child in app.main.children.values()]
    assert [child.type for child in app.run().main.children.values()] == doing


@pytest.mark.slow
def test_the_cache_of_runs_stays_within_its_bytes() -> None:
    for i in range(5):
        traces.trace(traces.model(NAME), f"{i} " + "word " * 150, "*.weights")
    assert 0 < trace_cache._traces().nbytes <= trace_cache.MAX_TRACE_BYTES


@pytest.mark.parametrize(
    ("name", "text", "error"),
    [
        (NAME, "  ", EmptyText),
        (NAME, "word " * 600, TextTooLong),
        ("gpt-99", "Hello", UnknownModel),
    ],
)
def test_what_cannot_be_run_is_named(name: str, text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        traces.trace(traces.model(name), text)


def test_the_limit_of_the_pages_is_told_with_both_numbers() -> None:
    with pytest.raises(TextTooLong, match=r"1,\d\d\d tokens.*at most 1,024"):
        traces.trace(traces.model("smollm2-135m"), "word " * 1100)
