"""The pairs of a rotary query and key, against the run of a real model and against numbers worked by hand."""

import math

import pytest
import torch

from model import load
from model.analysis.rotary_pairs import RotaryPairs
from model.network.positions import frequencies, rotary_gains, rotary_speeds
from tests.model.networks import small_model


@pytest.fixture(scope="module")
def pairs() -> RotaryPairs:
    model = load("tiny-lm-rotary")
    trace, path = model.trace("the dog sees the cat"), "decoder.1.self_attn"
    head, t, s = 2, 4, 1
    return RotaryPairs(
        t=t,
        s=s,
        q=trace[f"{path}.q_unrotated"][head, t],
        k=trace[f"{path}.k_unrotated"][head, s],
        turned_q=trace[f"{path}.q"][head, t],
        turned_k=trace[f"{path}.k"][head, s],
        score=float(trace[f"{path}.scores"][head, t, s]),
        speeds=rotary_speeds(model.config),
        scale=1 / math.sqrt(model.config.head_width),
        gains=rotary_gains(model.config),
    )


def test_the_contributions_sum_to_the_score_of_the_run(pairs: RotaryPairs) -> None:
    assert float(pairs.contributions().sum()) == pytest.approx(pairs.score, abs=1e-4)
    assert torch.allclose(pairs.products() * pairs.scale, pairs.contributions())
    assert float(pairs.scores_by_distance(8)[pairs.distance]) == pytest.approx(pairs.score, abs=1e-4)


def test_a_turn_keeps_lengths_and_adds_the_angle_of_the_place(pairs: RotaryPairs) -> None:
    for pair, speed in enumerate(pairs.speeds.tolist()):
        before, after = pairs.pair_before(pair), pairs.pair_after(pair)
        assert torch.allclose(before.norm(dim=-1), after.norm(dim=-1), atol=1e-5)
        for row, place in enumerate((pairs.t, pairs.s)):
            x, y = before[row].double().tolist()
            cos, sin = math.cos(speed * place), math.sin(speed * place)
            assert after[row].tolist() == pytest.approx([x * cos - y * sin, x * sin + y * cos], abs=1e-4)
    q, k = pairs.lengths()
    assert q.tolist() == pytest.approx([float(pairs.pair_before(i)[0].norm()) for i in range(len(q))])
    assert k.tolist() == pytest.approx([float(pairs.pair_before(i)[1].norm()) for i in range(len(k))])


def test_without_rotation_by_hand() -> None:
    q, k = torch.tensor([1.0, 2.0, 3.0, 4.0]), torch.tensor([1.0, 0.0, 2.0, 1.0])
    pairs = RotaryPairs(
        t=3, s=3, q=q, k=k, turned_q=q, turned_k=k, score=5.5, speeds=frequencies(4), scale=0.5, gains=torch.ones(2)
    )
    assert pairs.unturned_contributions().tolist() == pytest.approx([0.5, 5.0])  # 1 / 2 and (6 + 4) / 2
    assert pairs.contributions().tolist() == pytest.approx([0.5, 5.0])  # the same place: no turn between them


@pytest.mark.parametrize("name", ["YaRN", "YaRN, a part of the head"])
def test_the_contributions_have_the_gain_of_a_model_that_has_one(name: str) -> None:
    model, path = small_model(name), "decoder.1.self_attn"
    trace = model.trace("I am a robot you like")
    pairs = RotaryPairs(
        t=5,
        s=1,
        q=trace[f"{path}.q_unrotated"][2, 5],
        k=trace[f"{path}.k_unrotated"][model.config.kv_head_of(2), 1],
        turned_q=trace[f"{path}.q"][2, 5],
        turned_k=trace[f"{path}.k"][model.config.kv_head_of(2), 1],
        score=float(trace[f"{path}.scores"][2, 5, 1]),
        speeds=rotary_speeds(model.config),
        scale=1 / math.sqrt(model.config.head_width),
        gains=rotary_gains(model.config),
    )
    assert float(pairs.contributions().sum()) == pytest.approx(pairs.score, abs=1e-4)
    before = pairs.q.view(-1, 2).norm(dim=-1)
    torch.testing.assert_close(pairs.lengths()[0], before * pairs.gains.float())
