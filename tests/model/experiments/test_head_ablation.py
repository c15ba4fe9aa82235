from itertools import islice

import pytest
import torch

from model.config import TransformerConfig
from model.experiments.head_ablation import AblationSweep, TooShort, embedding_change, mean_sweep, next_token_loss
from model.experiments.surgery import without
from model.network.transformer import Transformer
from model.tape import Tape, ablate


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


@pytest.mark.parametrize(("encoder", "decoder", "attentions"), [(2, 0, 2), (0, 3, 3), (2, 2, 6)])
def test_the_sweep_equals_one_run_a_head(encoder: int, decoder: int, attentions: int) -> None:
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


def test_one_token_predicts_nothing() -> None:
    with pytest.raises(TooShort, match="at least two tokens"):
        AblationSweep(make(0, 1), torch.tensor([3]))


def test_a_stopped_sweep_has_done_only_what_was_asked() -> None:
    done = [harm.path for harm in islice(AblationSweep(make(0, 3), torch.tensor([3, 1, 4])).run(), 1)]
    assert done == ["decoder.0.self_attn"]
