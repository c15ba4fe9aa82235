"""The depth Formula: beneath the equations of each part, the same with the numbers of the run, computed here anew."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from model import load
from model.tape import SILENT
from pages.shared import sums
from tests.pages.conftest import run_page
from viz.style import MINUS, number

TEXT = "The dog is happy"


def opened(page: str, **keys: object) -> list[str]:
    """The equations of a part at the depth Formula, with the tiny language model."""
    app = run_page(f"{page}.py", **{"model": "tiny-lm", "text": TEXT, "depth": "Formula", **keys})
    return equations(app)


def equations(app: AppTest) -> list[str]:
    return [each.value.strip("$\n ") for each in app.latex]


def ends(latex: str, value: float, digits: int = 3) -> bool:
    """Whether an equation ends in a value, in brackets where it is negative."""
    return written(latex.rpartition("=")[2]) == number(value, digits).replace(MINUS, "-").replace(",", "")


def written(latex: str) -> str:
    """A number of an equation as plain text: `(-1{,}234.5)` is -1234.5."""
    plain = latex.strip().strip("()").replace("{,}", "")
    return re.sub(r" \\cdot 10\^\{(-?)(\d+)\}", lambda found: f"e{found[1]}{int(found[2]):02d}", plain)


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
    keys = {"scores_part": "similarity", "scores_layer": 1, "scores_head": 2, "scores_query": 3, "scores_key": 1}
    shown = opened("attention/scores", **keys)
    x, at = run["decoder.1.attn_norm"], "decoder.1.self_attn"
    q, k = run[f"{at}.q"][2, 3], run[f"{at}.k"][2]
    assert ends(shown[1], float(x[3] @ x[1]))
    assert ends(shown[2], float((x @ x[3]).softmax(0)[1]))
    assert ends(shown[4], float(q @ k[1]))
    assert ends(shown[5], float((k @ q).softmax(0)[1]))
    assert ends(shown[7], float(q @ k[1]) / math.sqrt(32))
    assert ends(shown[8], float(run[f"{at}.weights"][2, 3, 1]))


@pytest.mark.parametrize(
    ("step", "of", "name", "row"),
    [
        ("project", "q", "q", 3),
        ("project", "v", "v", 1),
        ("scores", "q", "raw_scores", (3, 1)),
        ("scale", "q", "scores", (3, 1)),
        ("mask", "q", "masked", (3, 1)),
        ("softmax", "q", "weights", (3, 1)),
        ("mix", "q", "heads", 3),
    ],
)
def test_every_step_of_a_head_ends_in_a_number_of_the_run(
    run: dict[str, torch.Tensor], step: str, of: str, name: str, row: int | tuple[int, int]
) -> None:
    keys = {"scores_layer": 1, "scores_head": 2, "scores_query": 3, "scores_key": 1}
    shown = opened("attention/scores", scores_part="steps", scores_step=step, scores_of=of, **keys)[-1]
    found = run[f"decoder.1.self_attn.{name}"][2][row]
    value = float(found if found.dim() == 0 else found[found.abs().argmax()])
    assert ends(shown, value), (shown, value)


def test_masks_hide_in_the_sum_itself(run: dict[str, torch.Tensor]) -> None:
    keys = {"masks_layer": 1, "masks_head": 2, "masks_query": 1}
    best, hidden = opened("attention/masks", masks_part="panels", **keys)[-2:]
    assert ends(best, float(run["decoder.1.self_attn.weights"][2, 1].max()))
    assert r"e^{-\infty}" in best
    assert hidden.endswith("= 0")
    added, scores, weights = opened("attention/masks", masks_part="ways", **keys)[-3:]
    row = run["decoder.1.self_attn.scores"][2, 1]
    assert added.endswith("= 0")
    assert ends(scores, float((row * torch.tensor([1, 1, 0, 0])).softmax(0)[3]))
    assert ends(weights, float(row.softmax(0)[3]))
    assert weights.startswith(r"A_{1,3} = 0 \cdot")


def test_the_output_of_attention_is_the_sum_of_its_heads(run: dict[str, torch.Tensor]) -> None:
    out = run["decoder.0.self_attn.out"][2]
    shown = opened("attention/combine", combine_token=2)[-1]
    assert ends(shown, float(out[out.abs().argmax()]))


def test_one_layer_in_numbers(run: dict[str, torch.Tensor]) -> None:
    keys = {"block_layer": 1, "block_token": 2}
    x, out = run["decoder.1.resid_in"][2], run["decoder.1.resid_out"][2]
    feature = int(x.abs().argmax())
    first, second, cosine = opened("block/block", block_part="stream", **keys)[-3:]
    assert ends(first, float(run["decoder.1.resid_mid"][2, feature]))
    assert ends(second, float(out[feature]))
    assert ends(cosine, float(torch.cosine_similarity(x, out, dim=0)))
    length = opened("block/block", block_part="orders", block_depth=1, **keys)[-1]
    assert ends(length, float(run["decoder.1.resid_mid"][2].norm()))


def test_the_skip_adds_one_to_the_derivative(run: dict[str, torch.Tensor]) -> None:
    """The derivative of the layer's attention by one feature, from a small change of that feature."""
    shown = opened("block/block", block_part="skips", block_layer=1, block_token=2)[-1]
    inner, outer = (float(written(part)) for part in re.findall(r"\(?-?[\d.]+\)?", shown.split("=", 1)[1])[::2])
    assert outer == pytest.approx(inner + 1, abs=1e-4)
    model, x = load("tiny-lm"), run["decoder.1.resid_in"]
    feature, step = int(x[2].abs().argmax()), 1e-2
    moved = []
    for sign in (-1, 1):
        changed = x.clone()
        changed[2, feature] += sign * step
        block = model.network.get_submodule("decoder.blocks.1")
        mask = run["decoder.1.self_attn.mask"][0]
        with torch.inference_mode():
            moved.append(float(block.self_attn(block.attn_norm(changed), SILENT, mask)[2, feature]))
    assert inner == pytest.approx((moved[1] - moved[0]) / (2 * step), abs=2e-3)


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
