"""What a model could do at one moment of its training: its answer to a sentence, and what each head had become."""

from __future__ import annotations

from functools import cache

import torch
from torch import Tensor

from model.device import to_cpu
from model.run import Model, ids_of
from model.tape import Tape
from model.tokens.padding import pad_rows
from model.train.en_ur import AlignmentCounts, EnglishUrdu
from model.train.registry import make_task
from model.train.samples import held_out_examples, held_out_probes
from model.train.task import Batch

CONTINUATION = 14  # tokens that a language model adds
TRANSLATION = 32  # at most: an untrained translator never writes <EOS>
ALIGNED = 100  # held-out sentences on which the alignment of heads is counted
RETURNING = 150  # held-out questions on which induction is measured


def answer(model: Model, text: str) -> str:
    """The greedy continuation of a text, or its translation. Raises `EmptyText`, `TextTooLong`."""
    limit = TRANSLATION if model.config.kind == "encoder-decoder" else CONTINUATION
    limit = min(limit, model.config.max_length - len(model.tokens_of(text)))
    ids = [step.chosen for step in model.generate(text, max_new_tokens=max(0, limit))]
    return model.output_tokenizer.decode([id for id in ids if id not in model.output_tokenizer.ends])


def head_scores(model: Model) -> Tensor:
    """How far each head does the most telling work of its model, 0..1: (layers, heads).

    Of a language model `induction`, of the translator `alignment`.
    """
    return alignment(model) if model.config.kind == "encoder-decoder" else induction(model)


@torch.inference_mode()
def induction(model: Model) -> Tensor:
    """Where a held-out line is about to repeat a name or a word: the mean weight that its last token gives to the
    earlier places of the token that comes next, (layers, heads). Olsson et al. (2022), arXiv:2209.11895, measure the
    same over random tokens; here it is over lines of the model's own world."""
    asked = held_out_probes("repetition", RETURNING)
    lines = [[token.id for token in model.tokens_of(probe.prefix)] for probe in asked]
    answers = [model.tokenizer.encode(min(probe.right), add_special=False)[0].id for probe in asked]
    tape = Tape(keep="decoder.*.self_attn.weights")
    model.network(pad_rows(lines, 0), tape=tape)
    last = torch.tensor([len(line) - 1 for line in lines])
    earlier = pad_rows(lines, -1) == torch.tensor(answers)[:, None]  # (lines, keys)
    layers = []
    for weights in to_cpu(tape.records).values():  # (lines, heads, queries, keys)
        rows = weights[torch.arange(len(lines)), :, last]  # (lines, heads, keys)
        layers.append((rows * earlier[:, None]).sum(-1).mean(0))
    return torch.stack(layers)


@torch.inference_mode()
def alignment(model: Model) -> Tensor:
    """How often a head's cross-attention is largest on a right English word, over the content words of held-out
    sentences: (layers, heads)."""
    batch, pad_id = _sentences()
    tape = Tape(keep="decoder.*.cross_attn.weights")
    model.network(batch.targets, batch.inputs, tape, source_is_real=batch.inputs != pad_id)
    aligned = AlignmentCounts(model.config)
    aligned.count(tape.records, batch)
    return torch.tensor(aligned.by_head())


@cache
def _sentences() -> tuple[Batch, int]:
    """Held-out sentences with their alignment, the same for every snapshot."""
    task = make_task("en-ur")
    assert isinstance(task, EnglishUrdu)
    return task.encode_batch(held_out_examples(ALIGNED)), task.pad_id


@torch.inference_mode()
def attention(model: Model, text: str, target_ids: tuple[int, ...] = ()) -> Tensor:
    """Every head's weights on a text, (layers, heads, queries, keys): of a language model its self-attention, of a
    translator its cross-attention while it reads `target_ids` after <SOS>, so that all snapshots read the same."""
    source = ids_of(model.tokens_of(text))
    if model.config.kind != "encoder-decoder":
        tape = Tape(keep="decoder.*.self_attn.weights")
        model.network(source, tape=tape)
    else:
        tape = Tape(keep="decoder.*.cross_attn.weights")
        model.network(torch.tensor([model.output_tokenizer.sequence_start, *target_ids]), source, tape)
    return torch.stack(list(to_cpu(tape.records).values()))
