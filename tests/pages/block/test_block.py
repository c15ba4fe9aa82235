"""The numbers and captions of the Block page agree with the tensors of the run."""

import re
from functools import partial
from typing import Any

import pytest
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest
from torch import Tensor

from model import Model, load
from model.experiments.gradients import gradient_by_depth
from pages.block.block_parts import skips
from tests.pages.conftest import run_page, text
from views.shared import long_text

SENTENCE = "I am a robot"


def open_page(**state: object) -> AppTest:
    return run_page("block/block.py", **({"model": "minilm-l6", "text": SENTENCE} | state))


def test_the_sums_are_checked_on_the_run() -> None:
    words = text(open_page(layer=3))
    assert "residual stream between = residual stream before + output of the self-attention" in words
    assert (
        "residual stream after = norm of the self-attention + output of the feed-forward" in words
    )  # MiniLM is post-norm


def test_the_opened_tensor_is_the_traced_one(minilm: Model) -> None:
    table = open_page(layer=2, block_step="ffn.out", depth="Numbers").dataframe[0].value
    traced = minilm.trace(SENTENCE, keep="encoder.2.ffn.out")["encoder.2.ffn.out"]
    assert list(table["length"]) == pytest.approx(traced.norm(dim=-1).tolist(), rel=1e-5)


def test_layer_norm_undoes_scale_and_shift() -> None:
    app = open_page(block_part="norm", block_factor=3.0, block_shift=2.0)
    assert "LayerNorm undoes both" in text(app)


def test_the_strongest_neuron_is_that_of_the_trace(minilm: Model) -> None:
    table = open_page(block_part="ffn", layer=4, query=2, depth="Numbers").dataframe[0].value
    activated = minilm.trace(SENTENCE, keep="encoder.4.ffn.activated")["encoder.4.ffn.activated"][2].tolist()
    assert table["neuron"][0] == max(range(len(activated)), key=lambda neuron: abs(activated[neuron]))
    assert table["activated"][0] == pytest.approx(float(activated[table["neuron"][0]]), abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("sign", [-1, 1])
def test_a_neuron_is_described_by_the_sign_that_it_has_at_the_token(sign: int) -> None:
    model = load("smollm2-135m")
    name = "decoder.3.ffn.activated"
    activated = model.trace(SENTENCE, keep=name)[name][2]
    neuron = int((activated * sign).argmax())
    app = open_page(model="smollm2-135m", block_part="ffn", layer=3, query=2, block_neuron=neuron, depth="Numbers")
    values = app.dataframe[1].value["activation"]
    assert list(values) == sorted(values, reverse=sign > 0)
    assert values[0] * sign > 0
    assert f"most {'positive' if sign > 0 else 'negative'} at" in text(app)


def test_one_token_has_no_next_token_for_a_gradient() -> None:
    app = open_page(model="tiny-lm", text="a", block_part="skips")
    assert not app.exception


@pytest.mark.slow
def test_the_gradients_of_a_long_text_are_followed_at_a_press(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are those of a short one. The trained network is not measured again with the next depth."""
    state = {"block_part": "skips", "block_depth": 2, "depth": "Numbers"}
    expected = open_page(**state).dataframe[0].value
    monkeypatch.setattr(long_text, "MOST_TOKENS", 3)
    app = open_page(**state)
    assert not app.dataframe
    assert "0 of 5 networks are measured" in text(app)
    next(button for button in app.button if button.label == "Follow the gradients").click().run()
    assert app.dataframe[0].value.equals(expected)
    assert "Partial" not in text(app)
    measured: list[int] = []

    def count(network: Any, *rest: Any) -> Tensor:
        measured.append(len(network.encoder.blocks))
        return gradient_by_depth(network, *rest)

    monkeypatch.setattr(skips, "gradient_by_depth", count)
    app.session_state["block_depth"] = 3
    app.run()
    assert measured == []
    next(button for button in app.button if button.label == "Follow the gradients").click().run()
    assert measured == [3, 3, 3, 3]
    assert app.dataframe[0].value.notna().sum().tolist() == [6, 6, 3, 3, 3, 3]


def test_gradients_that_are_stopped_keep_the_networks_that_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit ends a run with this exception when the reader presses Stop."""
    measured: list[Tensor] = []

    def ends_early(*asked: Any) -> Tensor:
        if len(measured) == 2:
            raise StopException
        measured.append(gradient_by_depth(*asked))
        return measured[-1]

    monkeypatch.setattr(long_text, "MOST_TOKENS", 3)
    monkeypatch.setattr(skips, "gradient_by_depth", ends_early)
    app = open_page(block_part="skips", block_depth=1, depth="Numbers")
    next(button for button in app.button if button.label == "Follow the gradients").click().run()
    next(button for button in app.button if button.label == "Stop").click().run()
    assert not app.exception
    assert "2 of 5 networks are measured" in text(app)
    assert [*app.dataframe[0].value] == ["layer", "MiniLM L6, trained", "untrained"]


def test_a_layer_that_does_not_exist_is_corrected_with_a_message() -> None:
    app = open_page(layer=29)
    assert any("Layer 29 does not exist here" in each.value for each in app.warning)


@pytest.mark.parametrize(("model", "norm"), [("minilm-l6", "attn_norm"), ("smollm2-135m", "ffn_norm")])
def test_the_norm_is_worked_out_with_this_models_numbers(model: str, norm: str) -> None:
    values = open_page(model=model, block_part="norm", block_norm=norm, depth="Numbers").dataframe[0].value
    largest = values.loc[values["what comes in"].abs().idxmax()]
    latex = open_page(model=model, block_part="norm", block_norm=norm, depth="Formula").latex[-1].value
    after = result_of(latex).strip("()").replace("{,}", "")
    assert float(after) == pytest.approx(largest["after gain and bias"], rel=0.01)


@pytest.mark.parametrize("model", ["tiny-lm", "smollm2-135m"])
def test_the_feed_forward_sum_is_worked_out_with_this_models_numbers(model: str) -> None:
    open_feed_forward = partial(open_page, model=model, block_part="ffn", layer=1, query=2)
    strongest = open_feed_forward(depth="Numbers").dataframe[0].value.iloc[0]
    neuron, whole = (latex.value.strip("$\n ") for latex in open_feed_forward(depth="Formula").latex[-2:])
    assert value_of(result_of(neuron)) == pytest.approx(strongest["activated"], rel=0.01)
    terms, out = re.split(r" (?:=|\\approx) ", re.sub(r"\\underbrace{(.*?)}_{\d+}", r"\1", whole))
    assert sum(map(value_of, terms.split(" + "))) == pytest.approx(value_of(out), rel=2e-3, abs=0.005)


@pytest.mark.parametrize("depth", ["Picture", "Formula"])
def test_a_gated_networks_activation_is_called_a_product(depth: str) -> None:
    gated, plain = (
        open_page(model=name, block_step="ffn.activated", depth=depth) for name in ("smollm2-135m", "tiny-lm")
    )
    if depth == "Picture":
        assert "the gate after the nonlinearity, times ffn.up" in text(gated)
        assert "hidden features after the nonlinearity" in text(plain)
    else:
        assert any(r"\odot W_{up}" in each.value for each in gated.latex)
        assert not any("W_{up}" in each.value for each in plain.latex)


def test_a_gated_networks_factors_are_named() -> None:
    words = text(open_page(model="smollm2-135m", block_part="ffn", depth="Formula"))
    assert "`ffn.up`: what the gate multiplies, `ffn.activated`: the activated gate times up" in words
    assert "`ffn.up`" not in text(open_page(model="tiny-lm", block_part="ffn", depth="Formula"))


def result_of(equation: str) -> str:
    """What stands after the last "=" or "≈" of an equation in LaTeX."""
    return re.split(r"(?:=|\\approx) ", equation.strip("$\n "))[-1]


def value_of(tex: str) -> float:
    """The number in LaTeX of `quotes.tex`."""
    mantissa, _, power = tex.strip("()").replace("{,}", "").partition(r" \cdot 10^")
    return float(mantissa) * 10 ** int(power.strip("{}") or 0)
