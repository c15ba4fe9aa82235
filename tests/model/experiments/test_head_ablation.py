from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

import pytest
import torch

from model.config import TransformerConfig
from model.edits.parts import ablate
from model.experiments import row_batches
from model.experiments.head_ablation import AblationSweep, TooShort, embedding_change, mean_sweep, next_token_loss
from model.experiments.surgery import without
from model.generation import surprise
from model.network.transformer import Transformer
from model.tape import Tape


def make(n_encoder_layers: int, n_decoder_layers: int) -> Transformer:
    torch.manual_seed(0)
    config = TransformerConfig(
        vocab_size=20,
        d_model=12,
        n_heads=3,
        d_ff=16,
        max_length=32,
        n_encoder_layers=n_encoder_layers,
        n_decoder_layers=n_decoder_layers,
    )
    return Transformer(config).eval()


@torch.inference_mode()
def one_by_one(network: Transformer, ids: torch.Tensor, source: torch.Tensor | None, attention: str) -> torch.Tensor:
    """The same measure by one full run a head."""

    def hidden(tape: Tape) -> torch.Tensor:
        if network.decoder is None:
            return network.encode(ids, tape)
        memory = None if source is None else network.encode(source, tape)
        return network.decode(ids, memory, tape)

    whole = hidden(Tape())
    found = []
    for head in range(3):
        edited = hidden(Tape(edits=(ablate(attention, head),)))
        if network.decoder is None:
            found.append(embedding_change(edited, whole))
        else:
            found.append(next_token_loss(network, edited, ids) - next_token_loss(network, whole, ids))
    return torch.stack(found)


@pytest.mark.parametrize("numbers", [1, 2_000, row_batches.MOST_NUMBERS])
@pytest.mark.parametrize(("encoder", "decoder", "attentions"), [(2, 0, 2), (0, 3, 3), (2, 2, 6)])
def test_the_sweep_equals_one_run_a_head(
    encoder: int, decoder: int, attentions: int, numbers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether a batch has one head, two of the three, or all."""
    monkeypatch.setattr(row_batches, "MOST_NUMBERS", numbers)
    network = make(encoder, decoder)
    ids = torch.tensor([3, 1, 4, 1, 5, 9])
    source = torch.tensor([2, 7, 1, 8]) if encoder and decoder else None
    harms = list(AblationSweep(network, ids, source).run())
    assert len(harms) == attentions
    for harm in harms:
        torch.testing.assert_close(harm.rise, one_by_one(network, ids, source, harm.path), atol=1e-5, rtol=1e-4)
        assert harm.rise.abs().max() > 1e-6  # removing a head does something


@pytest.mark.parametrize(("encoder", "decoder"), [(2, 0), (0, 3), (2, 2)])
def test_the_sweep_of_an_edited_network_keeps_its_edits(encoder: int, decoder: int) -> None:
    stack = "decoder" if decoder else "encoder"
    network = without(make(encoder, decoder), (), [ablate(f"{stack}.1.self_attn", 2)])
    ids = torch.tensor([3, 1, 4, 1, 5, 9])
    source = torch.tensor([2, 7, 1, 8]) if encoder and decoder else None
    harms = {harm.path: harm.rise for harm in AblationSweep(network, ids, source).run()}
    assert harms[f"{stack}.1.self_attn"][2].abs() < 1e-6, "this head is silent already"
    for path, rise in harms.items():
        torch.testing.assert_close(rise, one_by_one(network, ids, source, path), atol=1e-5, rtol=1e-4)


def test_the_mean_over_sentences_is_the_mean_of_their_sweeps() -> None:
    network = make(0, 2)
    sweeps = [AblationSweep(network, torch.tensor(ids)) for ids in ([3, 1, 4, 1], [5, 9, 2])]
    each = [list(sweep.run()) for sweep in sweeps]
    for together, first, second in zip(mean_sweep(sweeps), *each, strict=True):
        torch.testing.assert_close(together.rise, (first.rise + second.rise) / 2)


def test_a_sweep_goes_on_behind_those_that_are_known() -> None:
    sweep = AblationSweep(make(0, 3), torch.tensor([3, 1, 4]))
    whole, rest = list(sweep.run()), list(mean_sweep([sweep], first=2))
    assert [harm.path for harm in rest] == sweep.attentions[2:]
    assert torch.stack([harm.rise for harm in rest]).equal(torch.stack([harm.rise for harm in whole[2:]]))


@pytest.mark.parametrize(("numbers", "turns"), [(1, 1 + 3 * 2), (row_batches.MOST_NUMBERS, 1 + 2)])
def test_each_batch_waits_for_its_turn(numbers: int, turns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """So does the run of the whole network before all."""
    taken = list[None]()

    @contextmanager
    def take_turn() -> Iterator[None]:
        taken.append(None)
        yield

    monkeypatch.setattr(row_batches, "MOST_NUMBERS", numbers)
    list(AblationSweep(make(0, 2), torch.tensor([3, 1, 4, 1]), take_turn=take_turn).run())
    assert len(taken) == turns


def test_the_loss_of_a_few_positions_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    network, ids = make(0, 1), torch.tensor([3, 1, 4, 1, 5])
    hidden = torch.randn(2, 5, 12, generator=torch.Generator().manual_seed(0))
    logits = network.logits(hidden[:, :-1])  # (rows, tokens - 1, vocabulary)
    expected = -logits.log_softmax(-1)[:, torch.arange(4), ids[1:]].mean(-1)
    monkeypatch.setattr(surprise, "AT_ONCE", 3)
    torch.testing.assert_close(next_token_loss(network, hidden, ids), expected)


def test_one_token_predicts_nothing() -> None:
    with pytest.raises(TooShort, match="at least two tokens"):
        AblationSweep(make(0, 1), torch.tensor([3]))


def test_a_stopped_sweep_has_done_only_what_was_asked() -> None:
    done = [harm.path for harm in islice(AblationSweep(make(0, 3), torch.tensor([3, 1, 4])).run(), 1)]
    assert done == ["decoder.0.self_attn"]
