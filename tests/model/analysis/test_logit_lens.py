from __future__ import annotations

import math

import pytest
import torch

from model import Model
from model.analysis.logit_lens import Lens, lens_logits, lens_names, logit_lens
from tests.model.networks import VARIANTS, small_model

DECODERS = [name for name, (kind, _) in VARIANTS.items() if kind == "decoder"]


@pytest.mark.parametrize("name", DECODERS)
def test_the_last_row_is_the_models_own_prediction(name: str) -> None:
    model = small_model(name)
    trace = model.trace("I am a robot", keep=(*lens_names(model.config), "logits"))
    lens = logit_lens(model.network, trace, [1, 3], k=4)
    top = trace.logits[[1, 3]].softmax(-1).topk(4)
    assert lens.ids.shape == (model.config.n_decoder_layers + 1, 2, 4)
    assert torch.equal(lens.ids[-1], top.indices)
    torch.testing.assert_close(lens.probabilities[-1], top.values)
    torch.testing.assert_close(lens.of_final[-1], top.values[:, 0])


def test_the_first_row_reads_the_embedding() -> None:
    model = small_model("Llama")
    trace = model.trace("I am a robot", keep=lens_names(model.config))
    decoder = model.network.decoder
    logits = model.network.logits(decoder.final_norm(trace["decoder.0.resid_in"][2]))  # type: ignore[union-attr,misc]
    assert logit_lens(model.network, trace, [2]).ids[0, 0, 0] == logits.argmax()


@pytest.mark.parametrize("name", DECODERS)
def test_entropy_divergence_and_rank_are_those_of_the_distributions(name: str) -> None:
    model = small_model(name)
    names = lens_names(model.config)
    trace = model.trace("I am a robot", keep=names)
    lens = logit_lens(model.network, trace, [1, 3], k=4)
    output = torch.distributions.Categorical(logits=lens_logits(model.network, trace[names[-1]][[1, 3]]).double())
    for row, layer in enumerate(names):
        found = torch.distributions.Categorical(logits=lens_logits(model.network, trace[layer][[1, 3]]).double())
        bits = math.log(2)
        torch.testing.assert_close(lens.entropy[row].double(), found.entropy() / bits, atol=1e-5, rtol=1e-4)
        distance = torch.distributions.kl_divergence(output, found) / bits
        torch.testing.assert_close(lens.divergence[row].double(), distance, atol=1e-4, rtol=1e-4)
        best = output.probs.argmax(-1)
        ranks = [found.probs[place].argsort(descending=True).tolist().index(best[place]) + 1 for place in range(2)]
        assert lens.ranks[row].tolist() == ranks
    assert lens.ranks[-1].tolist() == [1, 1]
    assert lens.divergence[-1].abs().max() < 1e-6


@pytest.mark.slow
def test_paris_appears_in_the_upper_layers(smollm2: Model) -> None:
    trace = smollm2.trace("The capital of France is", keep=lens_names(smollm2.config))
    lens = logit_lens(smollm2.network, trace, [4])
    assert smollm2.tokenizer.token(int(lens.ids[-1, 0, 0])).text == " Paris"
    assert lens.of_final[0, 0] < 0.01
    assert lens.of_final[-1, 0] > 0.5


def test_the_settled_row_is_the_first_of_an_unbroken_run() -> None:
    ids = torch.tensor([[5, 3, 1], [2, 5, 3], [5, 3, 3], [5, 4, 3]])[..., None]  # (rows, positions, 1)
    lens = Lens((0, 1, 2), ids, torch.zeros(4, 3, 1), *[torch.zeros(4, 3)] * 4)
    assert [lens.settled_row(column) for column in range(3)] == [2, 3, 1]
    same = Lens((0,), torch.full((4, 1, 1), 7), torch.zeros(4, 1, 1), *[torch.zeros(4, 1)] * 4)
    assert same.settled_row(0) == 0
