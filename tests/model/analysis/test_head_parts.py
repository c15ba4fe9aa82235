import pytest
import torch

from model import Model
from model.analysis.head_parts import head_parts
from model.analysis.head_steps import Attention, module_of
from model.experiments.surgery import edit_model
from model.tape import ablate


@pytest.fixture(params=[("smollm2", "decoder", 9), ("minilm", "encoder", 3)], ids=["grouped, no bias", "with bias"])
def place(request: pytest.FixtureRequest) -> tuple[Model, Attention]:
    fixture, stack, layer = request.param
    return request.getfixturevalue(fixture), Attention(stack, layer, "self_attn")


def test_the_parts_of_all_heads_sum_to_the_output(place: tuple[Model, Attention]) -> None:
    model, at = place
    trace = model.trace("I am a robot", keep=f"{at.path}.*")
    parts = head_parts(model, trace, at)
    bias = module_of(model, at).out.bias
    total = parts.sum(0) + (0 if bias is None else bias)
    assert parts.shape == (model.config.n_heads, len(trace.tokens), model.config.d_model)
    torch.testing.assert_close(total, trace[f"{at.path}.out"], atol=1e-4, rtol=1e-4)


def test_a_muted_head_takes_its_part_away(place: tuple[Model, Attention]) -> None:
    model, at = place
    whole = model.trace("I am a robot", keep=f"{at.path}.*")
    muted = model.trace("I am a robot", keep=f"{at.path}.out", edits=[ablate(at.path, (1, 4))])
    gone = head_parts(model, whole, at)[[1, 4]].sum(0)
    torch.testing.assert_close(whole[f"{at.path}.out"] - muted[f"{at.path}.out"], gone, atol=1e-4, rtol=1e-4)


def test_an_edited_model_runs_as_with_the_edit(place: tuple[Model, Attention]) -> None:
    model, at = place
    name = f"{at.stack}.{at.layer}.resid_out"
    edit = ablate(at.path, 2)
    assert torch.equal(
        edit_model(model, edits=[edit]).trace("I am a robot", keep=name)[name],
        model.trace("I am a robot", keep=name, edits=[edit])[name],
    )
