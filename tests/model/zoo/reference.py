"""The reference: `transformers`, reading the same files as our real models, in float32 and eager mode."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import gguf
import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, BertModel

from model import Card
from model.zoo.gguf_file import QuickReader


def minilm(card: Card) -> Any:
    return BertModel.from_pretrained(str(card.require().parent), attn_implementation="eager").eval()


def smollm2(card: Card) -> Any:
    with quicker():
        made = AutoModelForCausalLM.from_pretrained(**_file(card), dtype=torch.float32, attn_implementation="eager")
    return made.eval()


def smollm2_tokenizer(card: Card) -> Any:
    with quicker():
        return AutoTokenizer.from_pretrained(**_file(card))


def _file(card: Card) -> dict[str, str]:
    path = card.require()
    return {"pretrained_model_name_or_path": str(path.parent), "gguf_file": path.name}


@torch.inference_mode()
def outputs(model: Any, ids: torch.Tensor) -> Any:
    """With every layer's hidden state and attention: (1, ...) each."""
    return model(input_ids=ids[None], output_attentions=True, output_hidden_states=True)


@contextmanager
def quicker() -> Iterator[None]:
    """The library parses the file three times and makes one table of names 397 times. The same file and table, sooner;
    `test_the_quick_reader_reads_the_same` holds the two readers equal."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gguf, "GGUFReader", QuickReader)
        patch.setattr(gguf, "get_tensor_name_map", cache(gguf.get_tensor_name_map))
        yield
