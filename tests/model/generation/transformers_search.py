"""The search of `transformers` over the logits of one of our networks."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from transformers import GenerationConfig, GenerationMixin, PreTrainedConfig, PreTrainedModel
from transformers.modeling_outputs import CausalLMOutput

from model.network.transformer import Transformer


class Searched(PreTrainedModel, GenerationMixin):
    """A decoder alone, as `generate` takes it: the source of a translator is read once."""

    config_class = PreTrainedConfig
    main_input_name = "input_ids"

    def __init__(self, network: Transformer, source: Tensor | None) -> None:
        vocabulary = network.config.target_vocab_size or network.config.vocab_size
        super().__init__(PreTrainedConfig(vocab_size=vocabulary))
        self.network = network
        self.memory = None if source is None else network.encode(source)

    def forward(self, input_ids: Tensor, **_: Any) -> CausalLMOutput:
        memory = None if self.memory is None else self.memory.expand(len(input_ids), *self.memory.shape)
        return CausalLMOutput(logits=self.network.logits(self.network.decode(input_ids, memory)))


def search(
    network: Transformer, start: Tensor, limit: int, ends: list[int], source: Tensor | None, width: int, alpha: float
) -> list[tuple[list[int], float]]:
    """The `width` best hypotheses and their scores, the best first."""
    how = GenerationConfig(
        num_beams=width, num_return_sequences=width, length_penalty=alpha, early_stopping=False, do_sample=False,
        max_new_tokens=limit, eos_token_id=ends, pad_token_id=ends[0], use_cache=False, return_dict_in_generate=True,
        output_scores=True,
    )  # fmt: skip
    found: Any = Searched(network, source).generate(
        start[None], attention_mask=torch.ones_like(start)[None], generation_config=how
    )
    rows = [row[len(start) :].tolist() for row in found.sequences]
    return [(_until_end(row, ends), float(score)) for row, score in zip(rows, found.sequences_scores, strict=True)]


def _until_end(ids: list[int], ends: list[int]) -> list[int]:
    place = next((place for place, id in enumerate(ids) if id in ends), len(ids) - 1)
    return ids[: place + 1]
