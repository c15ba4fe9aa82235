"""Tiny random checkpoints of T5 and mT5, made by `transformers`, with a SentencePiece file or a tokenizer.json."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path
from typing import Any

import sentencepiece
import torch
import transformers

from tests.model.networks import SENTENCES
from tests.model.zoo.tiny import randomised

END = 1
EXTRA = 100  # sentinels behind the pieces, `<extra_id_99>` to `<extra_id_0>`
T5: dict[str, Any] = {
    "vocab_size": 320,  # more rows than tokens, as the files of the hub have
    "d_model": 32,
    "num_heads": 4,
    "d_kv": 6,  # 4 heads of 6 features are 24, not 32
    "d_ff": 48,
    "num_layers": 3,
    "num_decoder_layers": 3,
    "n_positions": 32,
    "relative_attention_num_buckets": 8,
    "relative_attention_max_distance": 10,
    "decoder_start_token_id": 0,
}
UNSCALED = {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}
OWN_LAYER = "own layer"  # the output layer is a matrix of its own: the library reads such files, but makes none anew
GATED = {**UNSCALED, OWN_LAYER: True}
MT5 = {**T5, "feed_forward_proj": "gated-gelu"}
# The name of the variation -> its values. `tie_word_embeddings` tells the library only whether logits are scaled.
VARIATIONS: dict[str, dict[str, Any]] = {
    "t5": T5,
    "t5, v1.1": {**T5, **GATED},
    "t5, usual buckets": {**T5, "relative_attention_num_buckets": 32, "relative_attention_max_distance": 128},
    "t5, gated and tied": {**T5, "feed_forward_proj": "gated-silu", "d_kv": 8, "num_decoder_layers": 2},
    "t5, wide heads": {**T5, **GATED, "feed_forward_proj": "gelu", "num_heads": 5, "d_kv": 12, "num_layers": 2},
    "t5, v1.1 with one table": {**T5, **UNSCALED},
    "t5, scaled output layer": {**T5, OWN_LAYER: True},
    "umt5": MT5,
    "umt5, unlike stacks": {**MT5, "num_decoder_layers": 2, "d_kv": 8, "feed_forward_proj": "relu"},
    "umt5, wide heads": {**MT5, "num_heads": 5, "d_kv": 12, "num_layers": 2},
    "mt5": {**MT5, OWN_LAYER: True},
    "mt5 with one table": {**MT5, "tie_word_embeddings": False},
}
TEXTS = (*SENTENCES, *("I am a cat",) * 20)


def make(name: str, folder: Path) -> Any:
    """The reference; its checkpoint is in the folder, with a tokenizer.json."""
    values = dict(VARIATIONS[name])
    own = values.pop(OWN_LAYER, False)
    multilingual = "mt5" in name
    beginning = name.partition(",")[0].partition(" ")[0].upper()
    config = getattr(transformers, f"{beginning}Config")(**values)
    kind = getattr(transformers, f"{beginning}ForConditionalGeneration")
    model = kind._from_config(config, attn_implementation="eager")
    if own:
        model.lm_head.weight = torch.nn.Parameter(torch.empty_like(model.lm_head.weight))
        model.config.tie_word_embeddings = False
    model = randomised(model)
    extra = 0 if multilingual else EXTRA
    tokenizer = tokenizer_of(folder, extra)
    with torch.no_grad():  # or it would end a text at once, or write sentinels, and the pages had nothing to show
        model.lm_head.weight[[END, *range(len(tokenizer) - extra, config.vocab_size)]] = 0
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    (folder / "spiece.model").unlink()
    return model


def tokenizer_of(folder: Path, extra: int = EXTRA) -> Any:
    """The tokenizer of the library, of a SentencePiece file that is written into the folder."""
    write_pieces(folder)
    return transformers.T5Tokenizer.from_pretrained(folder, extra_ids=extra)


def write_pieces(folder: Path) -> None:
    """Writes `spiece.model`, with T5's first three pieces."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "spiece.model").write_bytes(pieces())


@cache
def pieces() -> bytes:
    made = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXTS * 3), model_writer=made, vocab_size=200, hard_vocab_limit=False,
        pad_id=0, eos_id=1, unk_id=2, bos_id=-1, minloglevel=2, num_threads=1,
    )  # fmt: skip
    return made.getvalue()
