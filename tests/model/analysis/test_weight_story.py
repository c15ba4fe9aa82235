"""The story of one weight adds up, and its snippet recomputes the weight from the sentence."""

from __future__ import annotations

import contextlib
import io
import math
import random

import pytest
import torch

from model import Model
from model.analysis.weight_story import Story, scores_of, snippet, tell
from model.graph.rows import LARGE
from model.tape import Trace
from model.tokens.tokenizer import Token
from tests.conftest import loaded
from tests.model.networks import config as small
from tests.model.networks import small_model

pytestmark = pytest.mark.usefixtures("loads_once")  # opening SmolLM2 for each snippet would take a second

TEXT = "The quick brown fox jumps over the lazy dog because it is hungry"
HOSTILE = "It's \"quoted\" \\n {braces} ''' میں 😀"


def trace_of(model: Model, text: str = TEXT) -> Trace:
    return model.trace(text, keep=("*.q", "*.k", "*.mask", "*.weights", "*.raw_scores", "*.scores"))


def test_every_number_of_a_story_is_the_recorded_one(smollm2: Model) -> None:
    trace, path = trace_of(smollm2), "decoder.9.self_attn"
    story = tell(smollm2.config, trace, path, head=2, query=10, key=3)
    assert story.raw_score == pytest.approx(float(trace[f"{path}.raw_scores"][2, 10, 3]), abs=1e-3)
    assert story.score == pytest.approx(float(trace[f"{path}.scores"][2, 10, 3]), abs=1e-4)
    assert story.weight == float(trace[f"{path}.weights"][2, 10, 3])
    assert float(story.products.sum()) == pytest.approx(story.raw_score, abs=1e-3)
    assert story.score == pytest.approx(story.raw_score / math.sqrt(story.d_head))
    assert story.exponential / story.total == pytest.approx(story.weight, abs=1e-5)
    assert story.rank == 1


def test_scores_of_a_head_are_the_recorded_ones(smollm2: Model) -> None:
    trace = trace_of(smollm2)
    ours = scores_of(smollm2.config, trace, "decoder.3.self_attn", head=7)
    assert torch.allclose(ours, trace["decoder.3.self_attn.scores"][7], atol=1e-4)


def test_a_hidden_key_gets_nothing(smollm2: Model) -> None:
    story = tell(smollm2.config, trace_of(smollm2), "decoder.0.self_attn", head=0, query=2, key=5)
    assert story.mask == -math.inf
    assert story.exponential == 0
    assert story.weight == 0


def test_a_place_outside_the_matrix_is_an_error(smollm2: Model) -> None:
    with pytest.raises(IndexError):
        tell(smollm2.config, trace_of(smollm2), "decoder.0.self_attn", head=0, query=99, key=0)


def test_large_scores_are_shifted_so_that_exp_stays_in_range() -> None:
    path = "decoder.0.self_attn"
    q, k = torch.full((1, 2, 4), 20.0), torch.tensor([[[20.0] * 4, [19.0] * 4]])
    names = {"q": q, "k": k, "mask": torch.zeros(2, 2), "weights": (q @ k.mT / 2).softmax(-1)}
    trace = Trace((Token(0, "a", b"a"),) * 2, {f"{path}.{name}": tensor for name, tensor in names.items()})
    story = tell(small("decoder", n_heads=1, d_head=4), trace, path, 0, 0, 1)
    assert story.shift > LARGE
    assert math.isfinite(story.total)
    assert story.exponential / story.total == pytest.approx(story.weight, rel=1e-4)


def test_a_model_that_does_not_scale_its_scores_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    model, path, text = small_model("no residual"), "encoder.1.self_attn", "the dog is cool"
    trace = trace_of(model, text)
    assert torch.allclose(scores_of(model.config, trace, path, 1), trace[f"{path}.scores"][1], atol=1e-6)
    story = tell(model.config, trace, path, head=1, query=2, key=0)
    assert story.score == story.raw_score == pytest.approx(float(trace[f"{path}.scores"][1, 2, 0]), abs=1e-6)
    assert story.exponential / story.total == pytest.approx(story.weight, abs=1e-6)
    monkeypatch.setattr("model.load", lambda name: model)
    assert run(snippet(story, "small", text)) == pytest.approx(story.weight, abs=1e-6)


def run(code: str) -> float:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, "snippet", "exec"), {})
    return float(said.getvalue())


@pytest.mark.parametrize(
    ("name", "stack", "text"),
    [
        ("smollm2-135m", "decoder", TEXT),
        ("minilm-l6", "encoder", TEXT),
        ("smollm2-135m", "decoder", HOSTILE),
        ("minilm-l6", "encoder", HOSTILE),
    ],
)
def test_the_snippet_of_a_random_cell_runs_and_its_assertion_holds(name: str, stack: str, text: str) -> None:
    chance = random.Random(f"{name}{text}")
    model = loaded(name)
    trace = trace_of(model, text)
    tokens, config = len(trace.tokens), model.config
    for _ in range(3):
        layer, head = chance.randrange(config.n_layers(stack)), chance.randrange(config.n_heads)
        query, key = chance.randrange(tokens), chance.randrange(tokens)
        story = tell(config, trace, f"{stack}.{layer}.self_attn", head, query, key)
        assert run(snippet(story, name, text)) == pytest.approx(story.weight, abs=1e-5)


def test_the_snippet_fails_where_the_weight_is_another(smollm2: Model) -> None:
    trace = trace_of(smollm2)
    story = tell(smollm2.config, trace, "decoder.9.self_attn", 2, 10, 3)
    wrong = Story(**{**story.__dict__, "weight": story.weight + 0.01})
    with pytest.raises(AssertionError):
        run(snippet(wrong, "smollm2-135m", TEXT))
