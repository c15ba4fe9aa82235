from copy import deepcopy

import pytest
import torch

from model.edits.edit import Change
from model.errors import ModelMismatch
from model.experiments.input_gradients import gradient_times_input
from model.experiments.layerwise_gradient import record_streams
from model.run import ids_of
from model.tape import Tape
from tests.conftest import loaded
from tests.model.networks import inputs, variant


@pytest.mark.parametrize("name", ["Llama", "paper", "GPT-NeoX", "plain decoder"])
def test_it_is_the_slope_of_a_token_that_shrinks(name: str) -> None:
    """The logit's change for an embedding that is a little larger, over that little."""
    network = variant(name).double()
    ids, source = inputs(network)
    with torch.inference_mode():  # as on a page
        found = gradient_times_input(network, record_streams(network, ids, source), 4, 7, 3)

    def lead(embed: str, place: int, factor: float) -> float:
        def stretch(x: torch.Tensor) -> torch.Tensor:
            return torch.cat((x[:place], x[place : place + 1] * factor, x[place + 1 :]))

        tape = Tape(edits=(Change(embed, stretch),))
        logits = network(ids, source, tape)[4]
        tape.check_edits()
        return float(logits[7] - logits[3])

    stacks = {"decoder.embed.out": found.tokens, "encoder.embed.out": found.source}
    for embed, products in stacks.items() if source is not None else {"embed.out": found.tokens}.items():
        for place, product in enumerate(products.tolist()):
            slope = (lead(embed, place, 1 + 1e-4) - lead(embed, place, 1 - 1e-4)) / 2e-4
            assert product == pytest.approx(slope, rel=1e-3, abs=1e-5)
    assert not found.tokens[5:].any(), "no token after the position matters"


def test_an_encoder_without_classes_has_no_logit() -> None:
    network = variant("BERT")
    with pytest.raises(ModelMismatch, match="no"):
        gradient_times_input(network, record_streams(network, *inputs(network)), 0, 0)


def test_of_an_encoder_it_is_the_slope_of_a_class() -> None:
    model = loaded("tiny-encoder")
    network, ids = deepcopy(model.network).double(), ids_of(model.tokens_of("The food is not good"))
    found = gradient_times_input(network, record_streams(network, ids, None), 0, 2, 0)

    def lead(place: int, factor: float) -> float:
        def stretch(x: torch.Tensor) -> torch.Tensor:
            return torch.cat((x[:place], x[place : place + 1] * factor, x[place + 1 :]))

        tape = Tape("text_logits", (Change("embed.out", stretch),))
        network(ids, None, tape)
        return float(tape.records["text_logits"][2] - tape.records["text_logits"][0])

    for place, product in enumerate(found.tokens.tolist()):
        slope = (lead(place, 1 + 1e-5) - lead(place, 1 - 1e-5)) / 2e-5
        assert product == pytest.approx(slope, rel=1e-3, abs=1e-5)
