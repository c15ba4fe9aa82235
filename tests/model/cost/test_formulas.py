from dataclasses import replace

import pytest
import torch

from model import available
from model.config import TransformerConfig
from model.cost.formulas import (
    attention_costs,
    count_multiplications,
    crossing_length,
    layer_costs,
    model_costs,
    patch_entries,
)
from model.network.transformer import Transformer
from model.tape import Tape
from model.vision.model import load_vision
from tests.conftest import loaded

PAPER = TransformerConfig(vocab_size=50, d_model=24, n_heads=4, d_ff=40, max_length=64, n_decoder_layers=2)
VISION = replace(
    PAPER, vocab_size=0, max_length=10, n_encoder_layers=2, n_decoder_layers=0, image_size=12, patch_size=4, channels=3,
    image_labels=("cat", "dog"), positions="learned",
)  # fmt: skip
SHAPES = {
    "decoder": PAPER,
    "encoder": replace(PAPER, n_encoder_layers=3, n_decoder_layers=0),
    "classes": replace(
        PAPER,
        n_encoder_layers=3,
        n_decoder_layers=0,
        text_labels=("good", "bad"),
        token_labels=("noun", "verb", "pronoun"),
    ),
    "encoder-decoder": replace(PAPER, n_encoder_layers=2, target_vocab_size=30),
    "grouped, gated, rotary": replace(PAPER, n_kv_heads=2, gated=True, positions="rotary", norm_position="pre"),
}


@pytest.mark.parametrize("config", SHAPES.values(), ids=SHAPES.keys())
def test_the_formulas_count_what_torch_counts(config: TransformerConfig) -> None:
    source_tokens = 7 if config.kind == "encoder-decoder" else 0
    multiplications = sum(cost.multiplications for cost in model_costs(config, 9, source_tokens))
    assert multiplications == count_multiplications(config, 9, source_tokens)


def test_the_formulas_count_what_torch_counts_of_a_picture() -> None:
    costs = model_costs(VISION, VISION.max_length)
    assert sum(cost.multiplications for cost in costs) == count_multiplications(VISION, VISION.max_length)
    assert [costs[0].part, costs[-1].part] == ["patch projection", "picture classes"]


TEXT, PICTURES = ([card.name for card in available(*kinds) if card.ready] for kinds in ((), ("vision",)))


@pytest.mark.slow
@pytest.mark.parametrize("name", [*TEXT, *PICTURES])
def test_the_formulas_count_what_torch_counts_of_every_model_here(name: str) -> None:
    config = load_vision(name).config if name in PICTURES else loaded(name).config
    tokens = config.max_length if config.image_size else 64
    source_tokens = tokens if config.kind == "encoder-decoder" else 0
    total = sum(cost.multiplications for cost in model_costs(config, tokens, source_tokens))
    assert total == count_multiplications(config, tokens, source_tokens)


def test_attention_memory_is_the_bytes_of_its_tensors() -> None:
    tape = Tape(keep="*.self_attn.*")
    Transformer(PAPER).eval()(torch.arange(9), tape=tape)
    parts = {cost.part: cost.memory for cost in attention_costs(PAPER, 9, 9)}
    assert parts["scores"] == tape.records["decoder.0.self_attn.scores"].nbytes
    q, k, v = (tape.records[f"decoder.0.self_attn.{name}"].nbytes for name in "qkv")
    assert parts["queries, keys, values"] == q + k + v


def test_the_squared_parts_overtake_at_the_crossing() -> None:
    def of(growth: str, tokens: int) -> int:
        return sum(cost.multiplications for cost in layer_costs(PAPER, tokens) if cost.growth == growth)

    tokens = round(crossing_length(PAPER))
    assert of("T² D", tokens - 1) < of("T D²", tokens - 1)
    assert of("T² D", tokens + 1) > of("T D²", tokens + 1)


def test_without_kept_weights_no_whole_matrix_is_stored() -> None:
    kept = sum(cost.memory for cost in layer_costs(PAPER, 64))
    unkept = sum(cost.memory for cost in layer_costs(PAPER, 64, keep_weights=False))
    assert kept - unkept == 2 * 4 * PAPER.n_heads * 64 * 64  # scores and weights, float32


def test_patches_save_entries_with_the_fourth_power_of_their_side() -> None:
    assert patch_entries(224, 224, 14) == 257**2
    assert patch_entries(28, 28, 1) == 785**2
