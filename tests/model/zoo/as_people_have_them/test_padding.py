"""A typed `<pad>` has no position in RoBERTa and XLM-R: the text is refused. Elsewhere it is a token like others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
import transformers

from model.errors import UnreadableText
from model.loading import read_checkpoint
from model.run import ids_of
from tests.model.zoo import tiny_readers

CLOSE = {"atol": 1e-4, "rtol": 1e-4}
KINDS: dict[str, Any] = {"roberta": transformers.RobertaForMaskedLM, "xlm-roberta": transformers.XLMRobertaForMaskedLM}


def checkpoint(kind: str, folder: Path) -> Any:
    """XLM-R has the tensors of RoBERTa."""
    theirs = tiny_readers.make("masked roberta", folder)
    if kind == "roberta":
        return theirs
    config = transformers.XLMRobertaConfig(**{k: v for k, v in theirs.config.to_dict().items() if k != "model_type"})
    other = transformers.XLMRobertaForMaskedLM._from_config(config, attn_implementation="eager").eval()
    other.load_state_dict(theirs.state_dict())
    other.save_pretrained(folder)
    return other


@pytest.mark.parametrize("kind", KINDS)
def test_a_typed_padding_is_refused_by_its_name(kind: str, tmp_path: Path) -> None:
    checkpoint(kind, tmp_path)
    model = read_checkpoint(tmp_path)
    with pytest.raises(UnreadableText, match=r"^<pad> fills up short texts .+ no position"):
        model.trace("I am <pad> a robot")


@pytest.mark.parametrize("kind", KINDS)
def test_padding_behind_a_text_changes_none_of_its_numbers(kind: str, tmp_path: Path) -> None:
    theirs = checkpoint(kind, tmp_path)
    model = read_checkpoint(tmp_path)
    trace = model.trace("I am a robot")
    ids = ids_of(trace.tokens)
    assert model.config.unplaced_token == theirs.config.pad_token_id
    padded = torch.cat((ids, torch.full((3,), theirs.config.pad_token_id)))
    with torch.inference_mode():
        wanted = theirs(padded[None], attention_mask=(padded != theirs.config.pad_token_id)[None]).logits[0, : len(ids)]
    torch.testing.assert_close(trace.logits, wanted, **CLOSE)


def test_a_typed_padding_of_a_bert_is_a_token_like_others(tmp_path: Path) -> None:
    theirs = tiny_readers.make("masked bert", tmp_path)
    trace = read_checkpoint(tmp_path).trace("I am [PAD] a robot")
    with torch.inference_mode():
        torch.testing.assert_close(trace.logits, theirs(ids_of(trace.tokens)[None]).logits[0], **CLOSE)
