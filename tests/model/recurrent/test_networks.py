"""The recurrent networks have the interface of a transformer: forced, step by step, in batches and on the tape."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from model.edits.edit import Change
from model.errors import ConfigError
from model.generation.steps import generate
from model.generation.teacher_forcing import run_teacher_forced
from model.names import describe_recurrent
from model.recurrent.config import RecurrentConfig
from model.recurrent.networks import RecurrentLM, Seq2Seq, make_recurrent, with_torch_cell
from model.tape import Tape

pytestmark = pytest.mark.usefixtures("inference")

TRANSLATOR = RecurrentConfig("encoder-decoder", "gru", vocab_size=20, d_embed=6, width=4, max_length=16)
CONFIGS = {
    "seq2seq": TRANSLATOR,
    "seq2seq lstm": replace(TRANSLATOR, cell="lstm"),
    "seq2seq rnn": replace(TRANSLATOR, cell="rnn"),
    "bahdanau": replace(TRANSLATOR, attention=True),
    "lm rnn": replace(TRANSLATOR, kind="decoder", cell="rnn"),
    "lm lstm": replace(TRANSLATOR, kind="decoder", cell="lstm"),
    "lm gru": replace(TRANSLATOR, kind="decoder", cell="gru"),
}
TRANSLATORS = [name for name, config in CONFIGS.items() if config.kind == "encoder-decoder"]
SOURCE, TARGET = torch.tensor([3, 7, 5, 9]), torch.tensor([1, 4, 8])


def made(name: str) -> Seq2Seq | RecurrentLM:
    torch.manual_seed(0)
    return make_recurrent(CONFIGS[name]).eval()


def source_of(name: str) -> Tensor | None:
    return SOURCE if name in TRANSLATORS else None


@pytest.mark.parametrize("name", CONFIGS)
def test_forced_logits_are_those_of_the_steps(name: str) -> None:
    network, source = made(name), source_of(name)
    forced = network(TARGET, source)
    for cache in (True, False):
        steps = list(generate(network, TARGET[:1], 12, source=source, cache=cache))
        ids = [1, *(step.chosen for step in steps[:-1])]
        again = network(torch.tensor(ids), source)
        torch.testing.assert_close(torch.stack([step.logits for step in steps]), again, atol=1e-5, rtol=1e-4)
    assert forced.shape == (3, 20)


@pytest.mark.parametrize("name", TRANSLATORS)
def test_padding_in_a_batch_changes_nothing(name: str) -> None:
    network = made(name)
    sources = torch.tensor([[3, 7, 5, 9], [6, 2, 0, 0]])
    targets = torch.tensor([[1, 4, 8], [1, 5, 0]])
    batch = network(targets, sources, source_is_real=sources != 0)
    torch.testing.assert_close(batch[0], network(targets[0], sources[0]), atol=1e-6, rtol=1e-5)
    torch.testing.assert_close(batch[1, :2], network(targets[1, :2], sources[1, :2]), atol=1e-6, rtol=1e-5)


@pytest.mark.parametrize("name", TRANSLATORS)
def test_what_is_recorded(name: str) -> None:
    network, tape = made(name), Tape("*")
    network(TARGET, SOURCE, tape)
    states = tape.records["encoder.states"]  # (sources, 2 width)
    assert states.shape == (4, 8)
    assert torch.equal(tape.records["bottleneck"], torch.cat((states[-1, :4], states[0, 4:])))
    steps = {step for step in range(3) if f"decoder.{step}.state" in tape.records}
    assert steps == {0, 1, 2}
    if CONFIGS[name].attention:
        weights = torch.stack([tape.records[f"decoder.{step}.attention.weights"] for step in range(3)])
        torch.testing.assert_close(weights.sum(-1), torch.ones(3))
        contexts = torch.stack([tape.records[f"decoder.{step}.attention.context"] for step in range(3)])
        torch.testing.assert_close(contexts, weights @ states)
        for step in range(1, 3):
            z, old = tape.records[f"decoder.{step}.update"], tape.records[f"decoder.{step - 1}.state"]
            new = (1 - z) * old + z * tape.records[f"decoder.{step}.candidate"]
            torch.testing.assert_close(tape.records[f"decoder.{step}.state"], new)


@pytest.mark.parametrize("name", CONFIGS)
def test_every_recorded_tensor_is_in_the_table_with_its_axes(name: str) -> None:
    network, tape = made(name), Tape("*")
    network(TARGET, source_of(name), tape)
    sizes = {"sources": 4, "tokens": 3, "d_embed": 6, "width": 4, "memory": 8, "vocabulary": 20}
    for recorded, tensor in tape.records.items():
        assert tensor.shape == tuple(sizes[axis] for axis in describe_recurrent(recorded).axes), recorded
    with pytest.raises(KeyError):
        describe_recurrent("decoder.1.self_attn.weights")


def test_without_attention_the_bottleneck_is_all_that_the_decoder_gets() -> None:
    network = made("seq2seq")
    empty = Change("bottleneck", torch.zeros_like)
    one = network(TARGET, SOURCE, Tape(edits=(empty,)))
    other = network(TARGET, torch.tensor([11, 12]), Tape(edits=(empty,)))
    assert torch.equal(one, other)
    assert not torch.allclose(network(TARGET, SOURCE), network(TARGET, torch.tensor([11, 12])))
    attending = made("bahdanau")
    one = attending(TARGET, SOURCE, Tape(edits=(empty,)))
    assert not torch.allclose(one, attending(TARGET, torch.tensor([11, 12]), Tape(edits=(empty,))))


def test_an_edited_alignment_changes_what_follows() -> None:
    network = made("bahdanau")
    first = Change("decoder.1.attention.weights", lambda weights: torch.eye(len(weights))[0])
    changed, plain = network(TARGET, SOURCE, Tape(edits=(first,))), network(TARGET, SOURCE)
    assert torch.equal(changed[0], plain[0])
    assert not torch.allclose(changed[1], plain[1])


@pytest.mark.parametrize("name", ["lm rnn", "lm lstm", "lm gru"])
def test_torchs_own_layer_gives_the_same_logits(name: str) -> None:
    network = made(name)
    quick = with_torch_cell(network)
    torch.testing.assert_close(quick(TARGET), network(TARGET), atol=1e-6, rtol=1e-5)
    assert network.cell is not quick.cell


def test_teacher_forcing_takes_a_recurrent_network() -> None:
    forced = run_teacher_forced(made("bahdanau"), SOURCE.tolist(), [4, 8], start=1, end=2)
    assert forced.inputs == (1, 4, 8)
    assert forced.labels == (4, 8, 2)
    logits = made("bahdanau")(TARGET, SOURCE).log_softmax(-1)
    assert forced.losses[0] == pytest.approx(-float(logits[0, 4]), abs=1e-5)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"width": 0}, "width is 0"),
        ({"cell": "transformer"}, "one of rnn, lstm, gru"),
        ({"attention": True, "cell": "lstm"}, "like a GRU"),
        ({"attention": True, "kind": "decoder"}, "between an encoder"),
    ],
)
def test_values_that_describe_no_model_are_named(changes: dict, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        replace(TRANSLATOR, **changes)


def test_a_configuration_survives_json() -> None:
    assert RecurrentConfig.from_dict(TRANSLATOR.to_dict()) == TRANSLATOR
    with pytest.raises(ConfigError, match="heads"):
        RecurrentConfig.from_dict(TRANSLATOR.to_dict() | {"heads": 2})
    with pytest.raises(ConfigError, match="cannot be used"):
        RecurrentConfig.from_dict({"kind": "decoder"})
