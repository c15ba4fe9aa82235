"""The logits of a run that answer its text, and how the last hidden state gives each of them."""

from __future__ import annotations

import torch
from torch import Tensor

from model.analysis.head_steps import final_name
from model.errors import ModelMismatch
from model.run import Model
from model.tape import Trace


@torch.inference_mode()
def answers(model: Model, trace: Trace, position: int) -> Tensor:
    """The logits at one position, or those of an encoder's classes: (answers,), on the CPU.

    Raises `ModelMismatch` for a model without such an answer.
    """
    _check_has_answer(model)
    recorded = model.config.answer_tensor
    if recorded in trace:
        if recorded == "logits":
            return trace.logits_at(position)
        return trace[recorded][position] if model.config.answers_places else trace[recorded]
    hidden = trace[final_name(model.config, model.config.stacks[-1])]  # (tokens, d_model)
    return model.on_cpu.network.answer(hidden, position)


def output_layer(model: Model) -> tuple[Tensor, Tensor]:
    """The weight (answers, d_model) and the bias (answers,) of what makes logits of the last hidden state.

    Where the logits are scaled, so is the weight.
    """
    _check_has_answer(model)
    network = model.on_cpu.network
    head = network.text_head or network.token_head
    if head is not None and not model.config.answers_words:
        return head.weight, head.bias
    weight = network.output_table
    weight = weight if model.config.logit_factor == 1 else weight * model.config.logit_factor
    return weight, torch.zeros(1).expand(len(weight)) if network.output_bias is None else network.output_bias


def reading_of(model: Model, trace: Trace, position: int, answer: int) -> tuple[Tensor, Tensor]:
    """The direction (d_model,) in which the last hidden state gives an answer's logit, and the constant beside it.

    Where logits are capped, both have the ratio of this logit to its sum before the cap, as it is in this run.
    """
    weight, bias = (each[answer] for each in output_layer(model))
    cap = model.config.logit_cap
    if cap is None:
        return weight, bias
    hidden = trace[final_name(model.config, model.config.stacks[-1])][position]
    u = hidden @ weight + bias
    ratio = torch.where(u == 0, 1.0, cap * torch.tanh(u / cap) / u)
    return ratio * weight, ratio * bias


def _check_has_answer(model: Model) -> None:
    if not model.config.has_answer:
        raise ModelMismatch(f"{model.card.title} gives a text neither a word nor a class: nothing to account for.")
