from __future__ import annotations

import pytest
import torch
from torch import Tensor

from model.analysis.attribution import NORM_OF
from model.analysis.circuits.composition import SIDES, chance, compose
from model.analysis.head_measures import previous_token
from model.analysis.head_steps import Attention, kinds
from model.analysis.induction import induction, repeated_input
from model.run import Model
from tests.conftest import loaded
from tests.model.analysis.circuits import dense
from tests.model.networks import VARIANTS, small_model

NETWORKS = [name for name, (_, values) in VARIANTS.items() if values.get("residual", True)]


def norms_of(model: Model, writer: Attention, reader: Attention, *, of_memory: bool) -> Tensor:
    """The norms between two heads as one matrix, (d_model, d_model)."""
    config, network = model.config, model.network
    made = torch.eye(config.d_model, dtype=torch.float64)
    if not config.norms_sums:
        own = getattr(getattr(network, reader.stack).blocks[reader.layer], NORM_OF[reader.part])
        return dense.of_norm(network.encoder.final_norm if of_memory else own, config.d_model)
    parts = (*config.attentions(writer.stack), "ffn")
    end = (config.n_layers(writer.stack), 0) if of_memory else (reader.layer, parts.index(reader.part))
    for layer, block in enumerate(getattr(network, writer.stack).blocks):
        for number, part in enumerate(parts):
            if (writer.layer, parts.index(writer.part)) <= (layer, number) < end:
                made = made @ dense.of_norm(block.get_submodule(NORM_OF[part]), config.d_model)
    return made


def before(model: Model, at: Attention, *, of_memory: bool) -> Tensor:
    """The norm directly before a head, as a matrix."""
    if model.config.norms_sums:
        return torch.eye(model.config.d_model, dtype=torch.float64)
    return norms_of(model, at, at, of_memory=of_memory)


def dense_ratio(model: Model, writer: tuple[Attention, int], reader: tuple[Attention, int], side: str) -> float:
    """|W_OV W| / (|W_OV| |W|) by whole matrices."""
    (first, one), (at, head) = writer, reader
    _, _, w_v1, w_o1 = dense.matrices(model, first, one)
    w_q, w_k, w_v, w_o = dense.matrices(model, at, head)
    attention = getattr(model.network, at.stack).blocks[at.layer].get_submodule(at.part)
    if attention.query_norm is not None:
        shared, wide = head // model.config.heads_per_kv_head, model.config.head_width
        q_gain, k_gain = (norm.gain.view(-1, wide).double() for norm in (attention.query_norm, attention.key_norm))
        w_q, w_k = w_q * q_gain[head % len(q_gain)], w_k * k_gain[shared % len(k_gain)]
    written = before(model, first, of_memory=first.is_cross) @ w_v1 @ w_o1
    between = norms_of(model, first, at, of_memory=at.is_cross and side != "q")
    queries, keys = before(model, at, of_memory=False) @ w_q, before(model, at, of_memory=at.is_cross) @ w_k
    read = between @ {"q": w_q @ keys.mT, "k": w_k @ queries.mT, "v": w_v @ w_o}[side]
    return float((written @ read).norm() / (written.norm() * read.norm()))


@pytest.mark.parametrize("name", NETWORKS)
def test_scores_are_those_of_whole_matrices(name: str) -> None:
    model = small_model(name)
    for stack, part in kinds(model.config):
        at = Attention(stack, model.config.n_layers(stack) - 1, part)
        for side in SIDES:
            made = compose(model, at, 1, side)
            assert made.scores.shape == (len(made.attentions), model.config.n_heads)
            for row, first in enumerate(made.attentions):
                for one in (0, 3):
                    expected = dense_ratio(model, (first, one), (at, 1), side) - chance(16)
                    assert float(made.scores[row, one]) == pytest.approx(expected, abs=1e-4), (at, side, first, one)


def test_the_earlier_heads_are_those_whose_output_stands_in_the_stream() -> None:
    model = small_model("paper")
    cross = Attention("decoder", 1, "cross_attn")
    paths = [each.path for each in compose(model, cross, 0, "q").attentions]
    assert paths == ["decoder.0.self_attn", "decoder.0.cross_attn", "decoder.1.self_attn"]
    assert [each.path for each in compose(model, cross, 0, "k").attentions] == [
        "encoder.0.self_attn",
        "encoder.1.self_attn",
    ]
    first = compose(model, Attention("encoder", 0, "self_attn"), 0, "v")
    assert first.attentions == ()
    assert first.strongest(3) == []


@pytest.mark.parametrize(("d_model", "d_head"), [(64, 8), (64, 32), (128, 16)])
def test_random_matrices_have_the_level_of_chance(d_model: int, d_head: int) -> None:
    random = torch.Generator().manual_seed(0)
    ratios = []
    for _ in range(30):
        a, c = (torch.randn(d_model, d_head, generator=random) for _ in range(2))
        b, d = (torch.randn(d_head, d_model, generator=random) for _ in range(2))
        ratios.append(float((a @ b @ c @ d).norm() / ((a @ b).norm() * (c @ d).norm())))
    assert sum(ratios) / len(ratios) == pytest.approx(chance(d_model), rel=0.03)


@pytest.mark.slow
def test_induction_heads_of_smollm2_read_the_previous_token_head() -> None:
    """Elhage et al. (2021) and Olsson et al. (2022): an induction head composes by its keys with a head that looks one
    token back."""
    model, layers = loaded("smollm2-135m"), range(30)
    ids, _ = repeated_input(model, "decoder")
    trace = model.trace_tokens(tuple(model.tokenizer.tokens(ids)), keep="*.weights")
    weights = [trace[f"decoder.{layer}.self_attn.weights"] for layer in layers]
    back = torch.stack([previous_token(each) for each in weights])
    repeats = torch.stack([induction(each) for each in weights])
    previous = divmod(int(back.argmax()), 9)
    assert previous == (16, 0)
    inducing = [divmod(place, 9) for place in repeats.flatten().topk(5).indices.tolist()]
    assert sorted(inducing) == [(17, 3), (17, 4), (17, 5), (18, 6), (18, 7)]
    for layer, head in inducing:
        made = compose(model, Attention("decoder", layer, "self_attn"), head, "k")
        assert float(made.scores[previous]) > 2.5 * chance(576)
        assert (made.scores > made.scores[previous]).sum() <= 1, "at most one of 153 to 162 heads is read more"
        assert abs(float(made.scores.mean())) < 0.15 * chance(576), "as a whole, the others are at chance"
