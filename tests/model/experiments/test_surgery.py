from dataclasses import replace

import pytest
import torch

from model import load
from model.config import TransformerConfig
from model.edits.edit import Change
from model.edits.parts import ablate
from model.edits.tensors import replace as replace_tensor
from model.errors import EditError
from model.experiments.surgery import (
    PARTS,
    RemovablePart,
    edit_model,
    edits_of,
    keep_heads,
    parts_of,
    with_edits,
    without,
)
from model.network.transformer import Transformer
from model.run import Model
from model.tape import Tape
from tests.model.networks import small_model

DECODER = TransformerConfig(vocab_size=20, d_model=12, n_heads=3, d_ff=16, max_length=32, n_decoder_layers=2)
TRANSLATOR = replace(DECODER, n_encoder_layers=2)
ROTARY = replace(DECODER, positions="rotary", norm="rms", norm_position="pre", gated=True)
IDS, SOURCE = torch.tensor([3, 1, 4, 1, 5]), torch.tensor([2, 7, 1])


def part(name: str) -> RemovablePart:
    return next(each for each in PARTS if each.name == name)


def make(config: TransformerConfig) -> Transformer:
    torch.manual_seed(0)
    return Transformer(config).eval()


@torch.inference_mode()
def run(network: Transformer, keep: str = "*") -> dict[str, torch.Tensor]:
    tape = Tape(keep)
    network(IDS, SOURCE if network.config.kind == "encoder-decoder" else None, tape)
    return tape.records


@pytest.mark.parametrize("config", [DECODER, TRANSLATOR, ROTARY], ids=["decoder", "translator", "rotary"])
def test_every_part_changes_the_output_and_no_weight(config: TransformerConfig) -> None:
    network = make(config)
    before = {name: weights.clone() for name, weights in network.named_parameters()}
    whole = run(network)["logits"]
    for each in parts_of(config):
        operated = without(network, [each])
        assert (run(operated)["logits"] - whole).abs().max() > 1e-4, each.name
        shared = {weights.data_ptr() for weights in network.parameters()}
        assert all(weights.data_ptr() in shared for weights in operated.parameters()), each.name
    assert all(torch.equal(weights, before[name]) for name, weights in network.named_parameters())


def test_taking_nothing_away_gives_the_whole_result() -> None:
    network = make(DECODER)
    assert torch.equal(run(without(network, []))["logits"], run(network)["logits"])


def test_an_edit_that_restores_everything_gives_the_unedited_result() -> None:
    network = make(DECODER)
    kept = run(network)
    restore = Change("decoder.0.ffn.out", lambda x: kept["decoder.0.ffn.out"])
    assert torch.equal(run(without(network, [part("feed-forward")], [restore]))["decoder.0.ffn.out"],
                       kept["decoder.0.ffn.out"])  # fmt: skip


def test_what_each_removal_does() -> None:
    network = make(TRANSLATOR)
    kept = run(network)
    q_k = kept["decoder.0.self_attn.raw_scores"]
    assert torch.equal(run(without(network, [part("scaling")]))["decoder.0.self_attn.scores"], q_k)
    unmasked = run(without(network, [part("causal mask")]))["decoder.0.self_attn.weights"]
    assert (unmasked > 0).all()
    bare = run(without(network, [part("residuals"), part("norms")]))
    assert torch.equal(bare["decoder.1.resid_in"], bare["decoder.0.ffn.out"])
    blind = run(without(network, [part("positions")]))
    assert torch.equal(blind["decoder.embed.out"], blind["decoder.embed.tokens"])
    deaf = run(without(network, [part("cross-attention")]))
    assert torch.equal(deaf["decoder.0.resid_cross"], deaf["decoder.0.attn_norm"])


def test_only_the_chosen_heads_are_left() -> None:
    heads = run(without(make(DECODER), [], [keep_heads(DECODER, "decoder.*.self_attn", [1])]))[
        "decoder.1.self_attn.heads"
    ]
    assert heads[1].abs().max() > 0
    assert heads[[0, 2]].abs().max() == 0


def test_the_parts_of_a_model_are_those_it_has() -> None:
    assert "cross-attention" not in {each.name for each in parts_of(DECODER)}
    assert {"cross-attention", "positions"} <= {each.name for each in parts_of(TRANSLATOR)}
    assert "rotary positions" in {each.name for each in parts_of(ROTARY)}


TEXTS = {"tiny-lm": "the cat sat on the mat", "en-ur": "I am a robot", "tiny-encoder": "I am a robot"}
WRONG = Change("*.99.ffn.out", torch.zeros_like)


@pytest.fixture(params=TEXTS)
def whole(request: pytest.FixtureRequest) -> tuple[Model, str]:
    return load(request.param), TEXTS[request.param]


def test_a_further_edit_of_a_run_is_made_beside_its_own(whole: tuple[Model, str]) -> None:
    model, text = whole
    stack = model.config.stacks[0]
    changed = edit_model(model, edits=[ablate(f"{stack}.0.self_attn", 0)])
    heads = changed.trace(text, edits=[ablate(f"{stack}.0.self_attn", 1)])[f"{stack}.0.self_attn.heads"]
    assert heads[:2].abs().max() == 0
    assert heads[2:].abs().max() > 0


def test_edits_alone_need_no_new_modules(whole: tuple[Model, str]) -> None:
    model, text = whole
    mute = ablate(f"{model.config.stacks[0]}.0.self_attn", 0)
    edited, built = with_edits(model, [mute]), edit_model(model, edits=[mute])
    assert [*edited.network.parameters()] == [*model.network.parameters()]
    expected = model.trace(text, edits=[mute]).tensors
    for changed in (edited, built):
        found = changed.trace(text).tensors
        assert list(found) == list(expected)
        assert all(torch.equal(found[name], expected[name]) for name in expected)
    assert edits_of(model.network) == (), "the whole model stays whole"


def test_edits_of_an_edited_model_stay(whole: tuple[Model, str]) -> None:
    model, text = whole
    path = f"{model.config.stacks[0]}.0.self_attn"
    once = with_edits(model, [ablate(path, 0)])
    for twice in (with_edits(once, [ablate(path, 1)]), edit_model(once, edits=[ablate(path, 1)])):
        assert twice.trace(text)[f"{path}.heads"][:2].abs().max() == 0
        assert len(edits_of(twice.network)) == 2


def test_a_wrong_name_is_an_error_wherever_it_stands(whole: tuple[Model, str]) -> None:
    model, text = whole
    with pytest.raises(EditError, match=r"\*\.99\.ffn\.out"):
        edit_model(model, edits=[WRONG]).trace(text, keep=())
    with pytest.raises(EditError, match=r"\*\.99\.ffn\.out"):
        edit_model(model, parts=[part("feed-forward")]).trace(text, edits=[WRONG])


def test_its_own_edit_of_a_class_head_is_made() -> None:
    changed = edit_model(load("tiny-encoder"), edits=[Change("text_logits", torch.zeros_like)])
    assert changed.trace("I am a robot")["text_logits"].abs().max() == 0


@pytest.mark.parametrize("name", ["tiny-lm", "en-ur"])
def test_its_own_edits_are_checked_while_it_writes(name: str) -> None:
    model = load(name)
    mute = Change(f"{model.config.stacks[0]}.*.ffn.out", torch.zeros_like)
    assert list(edit_model(model, edits=[mute]).generate(TEXTS[name], max_new_tokens=3))
    with pytest.raises(EditError, match="ffn"):
        list(edit_model(model, edits=[mute, WRONG]).generate(TEXTS[name], max_new_tokens=3))


@pytest.mark.parametrize("name", ["Llama", "paper"])
def test_without_its_mask_a_decoder_writes_the_same_with_a_cache(name: str) -> None:
    """A token that sees those behind it is another one when they are written, so its keys are made anew."""
    (mask,) = (part for part in PARTS if part.name == "causal mask")
    model = edit_model(small_model(name), [mask])
    steps = [[step.logits for step in model.generate("I am a robot", max_new_tokens=4, cache=c)] for c in (True, False)]
    torch.testing.assert_close(*map(torch.stack, steps), atol=1e-5, rtol=1e-5)


def test_a_replacement_of_another_shape_is_named() -> None:
    model = small_model("Llama")
    with pytest.raises(EditError, match=r"is \(4, 4\) in this run; \(7, 7\) does not fit"):
        model.trace("I am a robot", edits=[replace_tensor("decoder.0.self_attn.mask", torch.zeros(7, 7))])


def test_its_own_edits_are_checked_at_half_width_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model.generation.half_width.GAINS", True)
    monkeypatch.setattr("model.generation.half_width.is_measured", lambda config: True)
    monkeypatch.setattr(
        "model.generation.half_width.CERTAIN_LEAD", -1.0
    )  # every winner is certain: no step is repeated at full width
    mute = Change("decoder.*.ffn.out", torch.zeros_like)
    model = load("tiny-lm")
    assert len(model.tokens_of("The")) == 1  # so that the first step already is one token
    assert len(list(edit_model(model, edits=[mute]).generate("The", max_new_tokens=3))) > 1
    with pytest.raises(EditError):
        list(edit_model(model, edits=[mute, WRONG]).generate("The", max_new_tokens=3))
