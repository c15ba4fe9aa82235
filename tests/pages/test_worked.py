"""The depth Formula: beneath the equations of each part, the same with the numbers of the run, computed here anew."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from model import load
from model.analysis.rollout import rollout
from model.cost.formulas import count_multiplications, crossing_length
from model.graph.explain import explain
from model.numerals import MINUS, number, split_power
from model.vectors.principal_components import principal_components
from model.vision.digits import held_out
from model.vision.model import load_vision
from tests.pages.conftest import run_page
from tests.pages.printed_digits import assert_digits_hold
from views.shared import sums

TEXT = "The dog is happy"


def opened(page: str, **keys: object) -> list[str]:
    """The equations of a part at the depth Formula, with the tiny language model."""
    app = run_page(f"{page}.py", **{"model": "tiny-lm", "text": TEXT, "depth": "Formula", **keys})
    return equations(app)


def each_of(page: str, name: str, values: Sequence[object], **keys: object) -> list[list[str]]:
    """The equations for several values of the key `name`, one page opened for all."""
    app = run_page(f"{page}.py", **{"model": "tiny-lm", "text": TEXT, "depth": "Formula", **keys, name: values[0]})
    found = [equations(app)]
    for value in values[1:]:
        app.session_state[name] = value
        app.run()
        assert not app.exception
        found.append(equations(app))
    return found


def equations(app: AppTest) -> list[str]:
    """The equations, with = also in the place of ≈."""
    found = [each.value.strip("$\n ") for each in app.latex]
    for latex in found:
        assert_digits_hold(latex)
    return [latex.replace(r"\approx", "=") for latex in found]


def ends(latex: str, value: float, digits: int = 3) -> bool:
    """Whether an equation ends in a value, in brackets where it is negative."""
    mantissa, power = split_power(number(value, digits))
    expected = mantissa.replace(MINUS, "-").replace(",", "") + (f"e{power}" if power else "")
    return written(latex.rpartition("=")[2]) == expected


def written(latex: str) -> str:
    """A number of an equation as plain text: `(-1{,}234.5)` is -1234.5."""
    plain = latex.strip().strip("()").replace("{,}", "")
    return re.sub(r" \\cdot 10\^\{(-?\d+)\}", r"e\1", plain)


def test_an_explained_product_is_written_as_the_product_of_its_vectors() -> None:
    trace = load("tiny-lm").trace(TEXT)
    path = "decoder.1.self_attn"
    score = explain(trace, f"{path}.raw_scores", (2, 3, 1))
    assert sums.explained(score) == sums.product(trace[f"{path}.q"][2, 3], trace[f"{path}.k"][2, 1])
    layer = trace.origin.network.get_submodule("decoder.blocks.1.ffn.contract")
    output = explain(trace, "decoder.1.ffn.out", (3, 5))
    weight, bias = layer.weight[5].detach(), float(layer.bias[5])
    assert sums.explained(output) == sums.product(trace["decoder.1.ffn.activated"][3], weight, bias)


def test_a_softmax_is_written_whole_and_without_overflow() -> None:
    latex = sums.softmax([1.0, 900.0, -math.inf], 1)
    assert latex.startswith(r"\frac{e^{900.0}}{e^{1.000} + e^{900.0} + e^{-\infty}}")
    assert latex.endswith("= 1.000")
    mantissa, power = re.findall(r"\\frac\{([\d.]+) \\cdot 10\^\{(\d+)\}\}", latex)[0]
    assert math.log(float(mantissa)) + int(power) * math.log(10) == pytest.approx(900, abs=1e-3)
    assert sums.softmax([0.0, 0.0, -math.inf], 2).endswith("= 0")


def test_long_sums_name_their_first_terms_and_the_last() -> None:
    assert sums.total([1, 2, 3, -4, 5, 6]) == r"1.000 + 2.000 + 3.000 + \dots + 6.000 = 13.00"
    assert sums.product([1, 2], [3, -4], 0.5) == r"1.000 \cdot 3.000 + 2.000 \cdot (-4.000) + 0.500 = (-4.500)"
    assert sums.cosine([3, 0], [3, 4]) == r"\frac{9.000}{3.000 \cdot 5.000} = 0.600"
    assert sums.share([1, 3], 1) == r"\frac{3.000}{1.000 + 3.000} = \frac{3.000}{4.000} = 0.750"
    assert sums.exponential(2.0) == "7.389"


@pytest.fixture(scope="module")
def run() -> dict[str, torch.Tensor]:
    """Everything of one run of the tiny language model."""
    return dict(load("tiny-lm").trace(TEXT).tensors)


def test_attention_from_similarity_to_the_model_s_own(run: dict[str, torch.Tensor]) -> None:
    keys = {"scores_part": "similarity", "layer": 1, "head": 2, "query": 3, "key": 1}
    shown = opened("attention/scores", **keys)
    x, at = run["decoder.1.attn_norm"], "decoder.1.self_attn"
    q, k = run[f"{at}.q"][2, 3], run[f"{at}.k"][2]
    assert ends(shown[1], float(x[3] @ x[1]))
    assert ends(shown[2], float((x @ x[3]).softmax(0)[1]))
    assert ends(shown[4], float(q @ k[1]))
    assert ends(shown[5], float((k @ q).softmax(0)[1]))
    assert ends(shown[7], float(q @ k[1]) / math.sqrt(32))
    assert ends(shown[8], float(run[f"{at}.weights"][2, 3, 1]))


def test_every_step_of_a_head_ends_in_a_number_of_the_run(run: dict[str, torch.Tensor]) -> None:
    keys = {"layer": 1, "head": 2, "query": 3, "key": 1}
    made = {"project": "q", "scores": "raw_scores", "scale": "scores", "mask": "masked", "softmax": "weights",
            "mix": "heads"}  # fmt: skip
    shown = each_of("attention/scores", "scores_step", list(made), scores_part="steps", **keys)
    for (step, name), latex in zip(made.items(), shown, strict=True):
        row = run[f"decoder.1.self_attn.{name}"][2, 3]
        feature = int(row.abs().argmax()) if step in ("project", "mix") else 1
        assert ends(latex[-1], float(row[feature])), (step, latex[-1])


def test_masks_hide_in_the_sum_itself(run: dict[str, torch.Tensor]) -> None:
    keys = {"layer": 1, "head": 2, "query": 1}
    panels, ways = each_of("attention/masks", "masks_part", ("panels", "ways"), **keys)
    best, hidden = panels[-2:]
    assert ends(best, float(run["decoder.1.self_attn.weights"][2, 1].max()))
    assert r"e^{-\infty}" in best
    assert hidden.endswith("= 0")
    added, scores, weights = ways[-3:]
    row = run["decoder.1.self_attn.scores"][2, 1]
    assert added.endswith("= 0")
    assert ends(scores, float((row * torch.tensor([1, 1, 0, 0])).softmax(0)[3]))
    assert ends(weights, float(row.softmax(0)[3]))
    assert weights.startswith(r"A_{1,3} = 0 \cdot")


def test_the_output_of_attention_is_the_sum_of_its_heads(run: dict[str, torch.Tensor]) -> None:
    out = run["decoder.0.self_attn.out"][2]
    shown = opened("attention/combine", layer=0, query=2)[-1]
    assert ends(shown, float(out[out.abs().argmax()]))


def test_numbers_of_the_next_token() -> None:
    keys = {"predict_path": (), "predict_tokens": 0, "predict_temperature": 1.5, "predict_k": 3}
    shown = opened("models/predict", **keys)
    logits = load("tiny-lm").trace(TEXT).logits[-1]
    p = logits.softmax(-1)
    hot = (logits / 1.5).softmax(-1)
    assert ends(shown[1], float(logits.max()))
    assert ends(shown[3], float(hot.max()))
    assert ends(shown[5], float(hot.max() / hot.topk(3).values.sum()))
    assert ends(shown[7], -math.log2(float(p.max())))
    assert np.isclose(float(re.search(r"\\ln ([\d.]+)", shown[7])[1]), float(p.max()), atol=1e-5)  # type: ignore[index]


def test_a_beam_s_score_is_its_words_over_their_number() -> None:
    app = run_page("models/translate.py", model="en-ur", text="I am a robot", depth="Formula", translate_alpha=0.5)
    shown = equations(app)
    model = load("en-ur")
    logits = model.trace("I am a robot").logits
    gains = logits.log_softmax(-1).amax(-1)  # of greedy search, which finds the same here
    assert ends(shown[1], math.exp(float(gains[3])))
    assert ends(shown[5], float(gains.sum()))
    assert ends(shown[6], float(gains.sum()) / math.sqrt(len(gains)))
    assert ends(shown[8], -float(gains.mean()))


def test_classes_and_sentences_from_their_vectors() -> None:
    trace = load("tiny-encoder").trace(TEXT)
    shown = equations(run_page("models/classify.py", text=TEXT, depth="Formula", classify_part="labels"))
    assert ends(shown[2], float(trace["text_logits"].max()))
    assert ends(shown[3], float(trace["text_logits"].softmax(-1).max()))
    lines = ("The bank of the river", "The bank gave me money")  # in both the word is token 2
    keys = {"classify_word": "bank", "classify_sentences": "\n".join(lines), "classify_model": "tiny-encoder"}
    shown = equations(run_page("models/classify.py", depth="Formula", classify_part="words", **keys))
    a, b = (load("tiny-encoder").trace(line)["encoder.2.ffn_norm"][2] for line in lines)
    assert ends(shown[1], float(torch.cosine_similarity(a, b, dim=0)))
    assert shown[3].endswith("= 1.000")  # two vectors differ in one direction


def test_a_patch_and_a_digit() -> None:
    model = load_vision("digits-vit")
    picture = held_out()[0][153][..., None].repeat(3, -1)  # the page's first example
    trace = model.trace_picture(picture)
    keys = {"see_model": "digits-vit", "see_patch": 5, "see_layer": 1, "see_head": 2}
    names = ("patches", "attention", "answer", "cost", "place")
    parts = dict(zip(names, each_of("models/see", "see_part", names, **keys), strict=True))
    assert "= 49" in parts["patches"][1]
    made = trace["embed.tokens"][6]  # behind the class token
    feature = int(made.abs().argmax())
    assert ends(parts["patches"][3], float(made[feature]))
    assert ends(parts["patches"][4], float(trace["embed.out"][6, feature]))
    assert ends(parts["attention"][2], float(trace["encoder.1.self_attn.weights"][2, 6, 1:].max()))
    layers = [trace[f"encoder.{layer}.self_attn.weights"] for layer in range(4)]
    assert ends(parts["attention"][4], float(rollout(layers)[6, 1:].max()))
    assert ends(parts["answer"][2], float(model.probabilities(trace).max()))
    first, second = model.probabilities(trace).log().topk(2).values  # as far apart as their logits
    assert ends(parts["answer"][4], float(first - second))
    assert ends(parts["answer"][7], float(principal_components(trace["final_norm"][1:], 1)[1]))
    assert r"50^2 = 2{,}500" in parts["cost"][1]
    with_positions, without = parts["place"][-2:]  # shuffled: only without positions nothing changes
    assert float(written(with_positions.rpartition("=")[2])) > 0.01
    assert float(written(without.rpartition("=")[2])) < 1e-6


def test_the_cost_of_a_layer_is_what_torch_counts() -> None:
    config = load("tiny-lm").config
    shown = opened("learning/cost", cost_tokens=48)
    one, two = (count_multiplications(replace(config, n_decoder_layers=layers), 48) for layers in (1, 2))
    assert shown[-2].endswith(f"= {two - one:,}".replace(",", "{,}"))
    assert ends(shown[-1], crossing_length(config), 2)


def test_what_the_scale_does_to_a_score() -> None:
    whole, without = (opened("learning/bench", bench_parts="scaling")[k] for k in (3, 6))
    at = "decoder.3.self_attn"
    trace = load("tiny-lm").trace(TEXT)
    weights = trace[f"{at}.weights"][0, -1]
    assert ends(whole, float(weights.max()))
    score = float(trace[f"{at}.scores"][0, -1, int(weights.argmax())])
    assert f"= {number(score)}," in whole
    raw = re.findall(r"= ([\d.]+),", without)
    assert raw[0] == raw[1]  # not divided


def test_training_in_numbers() -> None:
    names = ("live", "replay", "forcing")
    keys = {"training_warmup": 20, "training_snapshot": 5}
    live, replay, forcing = each_of("learning/training", "training_part", names, **keys)
    assert live[-1].endswith(f"= {0.003 / 20:.5f}")
    trace = load("tiny-lm", snapshot=5).trace(TEXT)
    loss = -trace.logits[:-1].log_softmax(-1)[range(3), [token.id for token in trace.tokens[1:]]].mean()
    assert ends(replay[-1], float(loss))
    p, loss_of_one = re.findall(r"\\ln ([\d.]+) = ([\d.]+)", forcing[-1])[0]
    assert -math.log(float(p)) == pytest.approx(float(loss_of_one), abs=1e-2)


@pytest.mark.slow
def test_before_attention_in_numbers() -> None:
    keys = {"before_attention_blank": "we ___ tired"}
    names = ("both", "memory", "order")
    both, memory, order = each_of("learning/before_attention", "before_attention_part", names, **keys)
    forward = both[-3]
    assert forward.endswith(r"\to 1.000")  # "are" alone stands behind "we"
    share, factor = re.findall(r"= ([^=]+) = ([\d.]+)\^\{32\}", memory[3])[0]
    assert float(factor) ** 32 == pytest.approx(float(written(share)), rel=0.1)
    assert order[-1].endswith(r"= 2{,}048")  # 4 tokens, 128 wide
