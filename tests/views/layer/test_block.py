"""The parts of Block agree with the tensors of the run."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest
import torch

from model.analysis.written_by_experts import written_at
from model.errors import GlassformerError
from model.network.attention import AttentionContext
from model.tape import SILENT
from tests.conftest import loaded
from tests.views.shown import ends, equations, files, messages, said, tables
from views.layer.depth_lines import UNTRAINED, WIDTH, measure_all, names_of
from views.layer.excited_tokens import excite
from views.layer.experts import TakenExperts, feed_forward_view
from views.layer.feed_forward import HiddenFeatures
from views.layer.layer_flow import LayerFlow
from views.layer.layer_of_run import LayerOfRun
from views.layer.norm_of_token import NormOfToken
from views.layer.norm_orders import NormOrders, stream_lengths
from views.layer.residual_stream import ResidualStream
from views.layer.skip_connections import NetworksByDepth, SkipConnections
from views.plain import plain_view
from views.run import make_run
from views.view import DEPTHS, View

SENTENCE = "I am a robot"
MODELS = ("minilm-l6", "tiny-lm", "smollm2-135m", "en-ur")


def place(model: str = "minilm-l6", layer: int = 1, token: int = 2) -> LayerOfRun:
    run = make_run(loaded(model), SENTENCE)
    return LayerOfRun(run, run.config.stacks[0], layer, token)


def hidden(at: LayerOfRun, neuron: int = 7) -> HiddenFeatures:
    return HiddenFeatures(at, excite(at, neuron, ("The dog sees a cat", "A small world")))


def experts(token: int = 2, expert: int = 5) -> TakenExperts:
    at = LayerOfRun(make_run(loaded("tiny-lm-moe"), SENTENCE), "decoder", 0, token)
    view = feed_forward_view(at, excite(at, expert, ("The dog sees the cat", "the bank")))
    assert isinstance(view, TakenExperts)
    return view


def skips(at: LayerOfRun, layers: int = 1) -> SkipConnections:
    return SkipConnections(at, NetworksByDepth(at.run, layers))


def orders(at: LayerOfRun) -> NormOrders:
    return NormOrders(at, {"Post-norm": [8.0, 8.0], "Pre-norm": [8.0, 11.5]})


def test_the_experts_of_a_token_write_what_its_feed_forward_adds() -> None:
    view = experts()
    chosen = [row for row in view.rows() if row["token"] == view.place.tokens[2]]
    assert [row["choice"] for row in chosen] == [1, 2]
    assert sum(row["weight"] for row in chosen) == pytest.approx(1.0)
    assert [row["writes, length"] for row in chosen] == pytest.approx(list(view.written.values()))
    vectors = written_at(view.place.config, view.place.run.trace, "decoder.0.ffn", 2).values()
    torch.testing.assert_close(torch.stack(list(vectors)).sum(0), view.place.tensor("ffn.out")[2])
    assert float(view.load.share.sum()) == pytest.approx(1.0)
    assert int(view.load.taken.sum()) == 2 * len(view.place.tokens)


def test_the_places_of_a_word_that_take_an_expert_are_counted() -> None:
    view = experts(token=2)
    word = view.place.run.trace.tokens[2].text
    gates = [
        trace["decoder.0.ffn.gates"][place, 5] > 0
        for trace in view.excited.examples
        for place, token in enumerate(trace.tokens)
        if token.text == word
    ]
    assert view.places == (len(gates), sum(map(int, gates)))
    for depth in DEPTHS:
        assert plain_view(view, depth)


@pytest.mark.parametrize("model", MODELS)
def test_each_part_shows_each_kind_of_model(model: str) -> None:
    at = place(model)
    parts: list[View] = [
        LayerFlow(at, "ffn.out"), ResidualStream(at, slice(0, 3)), NormOfToken(at, "attn_norm", 3.0, 2.0),
        hidden(at), orders(at), *([] if model == "smollm2-135m" else [skips(at)]),
    ]  # fmt: skip
    for view in parts:
        for depth in DEPTHS:
            assert plain_view(view, depth), view


def test_the_sums_are_checked_on_the_run() -> None:
    words = said(LayerFlow(place(layer=3), "ffn.out"))
    assert "residual stream between = residual stream before + output of the self-attention" in words
    post = "residual stream after = norm of the self-attention + output of the feed-forward"  # MiniLM is post-norm
    assert post in words


def test_the_opened_tensor_is_the_traced_one() -> None:
    at = place(layer=2)
    (table,) = tables(LayerFlow(at, "ffn.out"))
    assert list(table["length"]) == pytest.approx(at.tensor("ffn.out").norm(dim=-1).tolist(), rel=1e-5)


def test_a_click_opens_a_step_and_the_archive_has_the_whole_layer() -> None:
    at = LayerOfRun(make_run(loaded("en-ur"), SENTENCE), "decoder", 1)
    view = LayerFlow(at, "ffn.out")
    assert view.picture().picks["pick"]("resid_mid") == {"block_step": "resid_mid"}
    saved: Any = files(view)["en-ur-decoder-1"]
    arrays = saved.arrays()
    assert arrays["resid_in"] + arrays["self_attn.out"] == pytest.approx(arrays["resid_mid"], abs=1e-5)
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(saved.others["CSV"]().decode("utf-8-sig")))}
    assert float(rows["ffn.hidden"]["greatest"]) == pytest.approx(arrays["ffn.hidden"].max())
    assert float(rows["ffn.activated"]["least"]) == 0, "after ReLU"


@pytest.mark.parametrize(
    ("model", "keeps"), [("minilm-l6", "both a scale and a shift"), ("smollm2-135m", "not a shift")]
)
def test_a_norm_undoes_what_it_can(model: str, keeps: str) -> None:
    norm = NormOfToken(place(model), "attn_norm", 3.0, 2.0)
    assert keeps in said(norm)
    assert (norm.change < 0.05) == (model == "minilm-l6")


@pytest.mark.parametrize(("model", "norm"), [("minilm-l6", "attn_norm"), ("smollm2-135m", "ffn_norm")])
def test_the_norm_is_worked_out_with_this_models_numbers(model: str, norm: str) -> None:
    view = NormOfToken(place(model), norm)
    values = tables(view)[0]
    largest = values.loc[values["what comes in"].abs().idxmax()]
    assert ends(equations(view)[-1], largest["after gain and bias"])


def test_the_strongest_neuron_is_that_of_the_trace() -> None:
    at = place(layer=4)
    activated = at.tensor("ffn.activated")[2].tolist()
    table = tables(hidden(at))[0]
    assert table["neuron"][0] == max(range(len(activated)), key=lambda neuron: abs(activated[neuron]))
    assert table["activated"][0] == pytest.approx(activated[table["neuron"][0]], abs=1e-5)


@pytest.mark.parametrize("sign", [-1, 1])
def test_a_neuron_is_described_by_the_sign_that_it_has_at_the_token(sign: int) -> None:
    at = place("smollm2-135m", layer=3)
    view = hidden(at, int((at.tensor("ffn.activated")[2] * sign).argmax()))
    values = tables(view)[1]["activation"]
    assert list(values) == sorted(values, reverse=sign > 0)
    assert values[0] * sign > 0
    assert f"most {'positive' if sign > 0 else 'negative'} at" in said(view)


def test_a_model_that_reads_no_example_says_so() -> None:
    assert "shorter than every example" in messages(excite(place(), 7, ("word " * 600,)))[0][1]


@pytest.mark.parametrize("model", ["tiny-lm", "smollm2-135m"])
def test_the_feed_forward_sum_is_worked_out_with_this_models_numbers(model: str) -> None:
    view = hidden(place(model))
    neuron, whole = equations(view)[-2:]
    assert ends(neuron, tables(view)[0]["activated"][0])
    terms, out = re.sub(r"\\underbrace{(.*?)}_{\d+}", r"\1", whole).split(" = ")
    assert sum(map(value_of, terms.split(" + "))) == pytest.approx(value_of(out), rel=2e-3, abs=0.005)


def test_a_gated_networks_activation_is_called_a_product_and_its_factors_are_named() -> None:
    gated, plain = place("smollm2-135m"), place("tiny-lm")
    opened = [LayerFlow(at, "ffn.activated") for at in (gated, plain)]
    assert "the gate after the nonlinearity, times ffn.up" in said(opened[0])
    assert "hidden features after the nonlinearity" in said(opened[1])
    assert [any(r"\odot W_{up}" in latex for latex in equations(each)) for each in opened] == [True, False]
    named = "`ffn.up`: what the gate multiplies, `ffn.activated`: the activated gate times up"
    assert [named in said(hidden(at), "Formula") for at in (gated, plain)] == [True, False]


def test_one_layer_in_numbers() -> None:
    at = place("tiny-lm")
    x, out, between = (at.tensor(name)[2] for name in ("resid_in", "resid_out", "resid_mid"))
    feature = int(x.abs().argmax())
    first, second, cosine = equations(ResidualStream(at, slice(0, 4)))[-3:]
    assert ends(first, float(between[feature]))
    assert ends(second, float(out[feature]))
    assert ends(cosine, float(torch.cosine_similarity(x, out, dim=0)))
    assert ends(equations(orders(at))[-1], float(between.norm()))


def test_the_skip_adds_one_to_the_derivative() -> None:
    """The derivative of the layer's attention by one feature, from a small change of that feature."""
    at = place("tiny-lm")
    stream = at.tensor("resid_in")
    *_, shown, _, difference = equations(skips(at))
    assert ends(difference, float((stream - stream.mean(0)).norm() / stream.norm()))
    inner, outer = (value_of(part) for part in re.findall(r"\(?-?[\d.]+\)?", shown.split("=", 1)[1])[::2])
    assert outer == pytest.approx(inner + 1, abs=1e-4)
    feature, step, moved = int(stream[2].abs().argmax()), 1e-2, []
    block: Any = at.run.model.network.get_submodule("decoder.blocks.1")
    for sign in (-1, 1):
        changed = stream.clone()
        changed[2, feature] += sign * step
        context = AttentionContext(at.tensor("self_attn.mask"))
        with torch.inference_mode():
            moved.append(float(block.self_attn(block.attn_norm(changed), SILENT, context)[2, feature]))
    assert inner == pytest.approx((moved[1] - moved[0]) / (2 * step), abs=2e-3)


def test_networks_that_are_not_measured_yet_are_counted() -> None:
    run = place("tiny-lm").run
    whole = measure_all(run, 1)
    assert [*whole] == [*names_of(run)] == ["Tiny language model, trained", *UNTRAINED]
    part = NetworksByDepth(run, 1, lambda run, layers: dict(list(whole.items())[:2]))
    assert "2 of 5 networks are measured" in said(part)
    assert [*tables(part)[0]] == ["layer", *names_of(run)[:2]]
    assert "Partial" not in said(NetworksByDepth(run, 1))
    none = NetworksByDepth(run, 1, lambda run, layers: {})
    assert "0 of 5 networks" in said(none)
    assert not tables(none)


def test_a_text_that_cannot_be_measured_says_why() -> None:
    def refuse(run: object, layers: int) -> Any:
        raise GlassformerError("Type more *words*.")

    ((kind, why),) = messages(NetworksByDepth(place().run, 1, refuse))
    assert kind == "warning"
    assert why.startswith(r"Type more \*words\*")


def value_of(tex: str) -> float:
    """The number in LaTeX of `quotes.tex`."""
    mantissa, _, power = tex.strip("() ").replace("{,}", "").partition(r" \cdot 10^")
    return float(mantissa) * 10 ** int(power.strip("{}") or 0)


def test_post_norm_keeps_the_length_of_the_stream_and_pre_norm_lets_it_grow() -> None:
    lengths = stream_lengths(place("tiny-lm").run, 6)
    assert lengths["Post-norm"][1:] == pytest.approx([WIDTH**0.5] * 5, rel=1e-3)  # a norm's output has variance 1
    assert lengths["Pre-norm"] == sorted(lengths["Pre-norm"])
    assert len(lengths["Pre-norm"]) == 6
