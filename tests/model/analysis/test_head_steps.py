import itertools

import pytest
import torch
from tokenizers import Tokenizer as Backend
from tokenizers import models as backend_models
from tokenizers import pre_tokenizers

from model.analysis.head_steps import Attention, keep_for, kinds, of_head
from model.config import TransformerConfig
from model.network.norms import divide_by_rms
from model.network.transformer import Transformer
from model.run import Model
from model.tokens.tokenizer import Tokenizer
from model.zoo.cards import Card

WORDS = ["[PAD]", "[SOS]", "[EOS]", "the", "quick", "brown", "fox", "jumps", "over", "lazy", "dog", "cat"]
SHAPES = {"encoder": (2, 0), "decoder": (0, 2), "encoder-decoder": (2, 2)}


def tiny(kind: str, **changes: object) -> Model:
    """A model of random weights that reads the words above."""
    torch.manual_seed(0)
    encoder, decoder = SHAPES[kind]
    values = {"vocab_size": len(WORDS), "d_model": 16, "n_heads": 4, "d_ff": 32, "max_length": 32} | changes
    config = TransformerConfig(n_encoder_layers=encoder, n_decoder_layers=decoder, **values)  # type: ignore[arg-type]
    backend = Backend(backend_models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[PAD]"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    backend.add_special_tokens(WORDS[:3])
    tokenizer = Tokenizer(backend, start="[SOS]", end="[EOS]", pad="[PAD]")
    card = Card("tiny", "Tiny", "test", kind, "2", 4, config.positions, 0, 32, "", "", "", 0, "")
    network = Transformer(config).eval().requires_grad_(False)
    return Model(network, tokenizer, card)


def normed(x: torch.Tensor, gain: torch.Tensor | None) -> torch.Tensor:
    return x if gain is None else divide_by_rms(x) * gain


VARIANTS = [
    {},
    {"norm_position": "pre", "norm": "rms"},
    {"positions": "rotary", "n_kv_heads": 2, "bias": False, "norm_position": "pre"},
    {"positions": "rotary", "n_kv_heads": 2, "qk_norm": True, "norm_position": "pre"},
]


@pytest.mark.parametrize(("kind", "changes"), list(itertools.product(SHAPES, VARIANTS)))
def test_every_step_follows_from_the_one_before(kind: str, changes: dict[str, object]) -> None:
    model = tiny(kind, **changes)
    for stack, part in kinds(model.config):
        at = Attention(stack, 1, part)
        trace = model.trace("the quick brown fox", target="the cat", keep=keep_for(model.config, at))
        total = torch.zeros_like(trace[f"{at.path}.out"])
        for head in range(4):
            found = of_head(model, trace, at, head)
            bias = [torch.zeros(1) if b is None else b for b in (found.b_q, found.b_k, found.b_v)]
            close = {
                "q_projected": found.x @ found.w_q + bias[0],
                "k_projected": found.memory @ found.w_k + bias[1],
                "q_unrotated": normed(found.q_projected, found.q_gain),
                "k_unrotated": normed(found.k_projected, found.k_gain),
                "v": found.memory @ found.w_v + bias[2],
                "raw_scores": found.q @ found.k.mT,
                "scores": found.raw_scores / 2,  # d_k = 4
                "masked": found.scores + found.mask,
                "weights": found.masked.softmax(-1),
                "mixed": found.weights @ found.v,
                "part": found.mixed @ found.w_o,
            }
            for name, expected in close.items():
                torch.testing.assert_close(
                    getattr(found, name), expected, atol=1e-5, rtol=1e-5, msg=f"{at.path} {name}"
                )
            assert torch.equal(found.concat[:, head * 4 : head * 4 + 4], found.mixed)
            assert found.rotated == (changes.get("positions") == "rotary" and part == "self_attn")
            total = total + found.part
        out = total if found.b_o is None else total + found.b_o
        torch.testing.assert_close(found.out, out, atol=1e-5, rtol=1e-5)


def test_cross_attention_reads_the_encoders_final_output_in_every_layer() -> None:
    model = tiny("encoder-decoder")
    memories = []
    for layer in (0, 1):
        at = Attention("decoder", layer, "cross_attn")
        trace = model.trace("the quick brown fox", target="the cat", keep=keep_for(model.config, at))
        memories.append(of_head(model, trace, at, 0).memory)
    assert torch.equal(*memories)
    assert memories[0].shape == (4, 16)


def test_the_kinds_of_attention_of_each_architecture() -> None:
    assert kinds(tiny("encoder").config) == (("encoder", "self_attn"),)
    assert kinds(tiny("decoder").config) == (("decoder", "self_attn"),)
    assert kinds(tiny("encoder-decoder").config) == (
        ("encoder", "self_attn"),
        ("decoder", "self_attn"),
        ("decoder", "cross_attn"),
    )
