import pytest
import torch

from model import Model
from model.analysis.head_parts import OutputSum, head_parts, output_sum
from model.analysis.head_steps import Attention, module_of
from model.edits.parts import ablate
from model.experiments.surgery import edit_model


@pytest.fixture(params=[("smollm2", "decoder", 9), ("minilm", "encoder", 3)], ids=["grouped, no bias", "with bias"])
def place(request: pytest.FixtureRequest) -> tuple[Model, Attention]:
    fixture, stack, layer = request.param
    return request.getfixturevalue(fixture), Attention(stack, layer, "self_attn")


def test_the_parts_of_all_heads_sum_to_the_output(place: tuple[Model, Attention]) -> None:
    model, at = place
    trace = model.trace("I am a robot", keep=f"{at.path}.*")
    output = output_sum(model, trace, at)
    bias = module_of(model, at).out.bias
    total = output.parts.sum(0) + (0 if bias is None else bias)
    assert output.parts.shape == (model.config.n_heads, len(trace.tokens), model.config.d_model)
    torch.testing.assert_close(total, trace[f"{at.path}.out"], atol=1e-4, rtol=1e-4)
    assert output.difference == float((total - trace[f"{at.path}.out"]).abs().max())
    terms = output.terms(query=1, feature=5)
    assert len(terms) == model.config.n_heads + (bias is not None)
    assert sum(terms) == pytest.approx(float(trace[f"{at.path}.out"][1, 5]), abs=1e-4)


def test_the_difference_grows_with_what_is_missing() -> None:
    parts, bias = torch.tensor([[[3.0, 4.0]], [[1.0, 0.0]]]), torch.tensor([0.5, 0.0])  # (heads, queries, d_model)
    output = OutputSum(parts, bias, torch.tensor([[4.5, 4.0]]))
    assert output.difference == 0
    assert output.sizes.tolist() == [[5.0], [1.0]]
    assert output.terms(0, 0) == [3.0, 1.0, 0.5]
    assert OutputSum(parts, None, output.out).difference == 0.5


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
