"""Questions about training, about the time before attention, and about the use of each part."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import streamlit as st
import torch

from model import questions
from model.experiments import broken_parts, surgery
from model.numerals import number
from model.questions import NoQuestion, Question
from model.recurrent.networks import stack_steps
from pages.learning.before_attention_parts.translators import translate_all
from pages.learning.training_parts.course_steps import TITLES
from pages.shared.model_runs import model_turns, traces
from pages.teach.questions.view import View, labels_of, needs, quote, run_of
from views.learning.before_attention.translators import Answer
from views.learning.training.course import shares
from views.shared import ablation_choice
from viz.shared.style import isolate, measure_name

# Training


def loss(view: View) -> Question:
    snapshots, shown = _snapshots(view)
    last = len(snapshots) - 1
    losses = [each["metrics"]["loss"] for each in snapshots]
    return questions.first_below([each["step"] for each in snapshots], losses, 0 if shown == last else shown)


def best_measure(view: View) -> Question:
    snapshots, shown = _snapshots(view)
    now = {measure_name(name): value for name, value in shares(snapshots[shown]["metrics"]).items()}
    step = f"{snapshots[shown]['step']:,}"
    return questions.largest(
        "measure",
        f"After {step} steps, which of these held-out measures is highest?",
        torch.tensor(list(now.values()), dtype=torch.float64),
        list(now),
        lambda best, value: f"“{best}” is at {value} after {step} steps, the others are below.",
    )


def _snapshots(view: View) -> tuple[list[dict[str, Any]], int]:
    """The details of each snapshot of the replay, and the number of the one on screen."""
    if view["training_part"] != "replay":
        raise NoQuestion("The questions are about the shipped snapshots. Choose Replay.")
    name = next((name for name in (view["training_of"], view["model"]) if name in TITLES), next(iter(TITLES)))
    snapshots = traces.model(name).card.details["snapshots"]
    return snapshots, view.within("training_snapshot", len(snapshots) - 1, len(snapshots) - 1)


def draw_snapshot(view: View, rng: Random) -> View:
    name = rng.choice(tuple(TITLES))
    count = len(traces.model(name).card.details["snapshots"])
    return view.at("training", training_part="replay", training_of=name, training_snapshot=rng.randrange(count - 3))


# Before attention


def translators(view: View) -> Question:
    answers = _answers(view)
    known = {answer.title: answer.right for answer in answers if answer.right is not None}
    if len(known) < len(answers):
        raise NoQuestion("No translation of this sentence is stored, so none can be called right.")
    return questions.right_translators(
        quote(view["text"]), known, {answer.title: isolate(answer.text) for answer in answers}
    )


def alignment(view: View) -> Question:
    pair = next(answer.pair for answer in _answers(view) if answer.title == "Bahdanau")
    weights = stack_steps(pair.run.trace, "attention.weights")  # (targets, sources)
    step = view["before_attention_step"] if view["before_attention_step"] > 0 else len(weights)
    step = min(step, len(weights))
    return questions.most_attended(
        weights,
        step - 1,
        labels_of(pair.written),
        labels_of(pair.source),
        f"step {step}",
        text=f"Which token does Bahdanau's decoder weigh most while it writes “{labels_of(pair.written)[step - 1]}”?",
        who="The decoder",
    )


def steps_in_a_row(view: View) -> Question:
    pair = _answers(view)[0].pair
    return questions.steps_in_a_row(len(pair.source), len(pair.written))


def _answers(view: View) -> tuple[Answer, ...]:
    return translate_all(view["text"])


def draw_before(view: View, rng: Random) -> View:
    needs(run_of(view, ("logits",)), "encoder-decoder", "is no translator.")
    written = len(_answers(view)[1].pair.written)
    step = rng.randrange(1, max(2, written))  # not the end mark
    return view.at("before_attention", before_attention_part="sentence", before_attention_step=step)


def draw_order(view: View, _: Random) -> View:
    return view.at("before_attention", before_attention_part="order")


# Break a part


def without_parts(view: View) -> Question:
    """The next token without the parts that are taken away."""
    run = run_of(view, ("logits",))
    needs(run, "decoder", "predicts no next token that a part's loss could change.")
    if view["bench_heads"] != "none":
        raise NoQuestion("The question is about parts. Set the heads back to “none”.")
    names = ablation_choice.read_parts(view["bench_parts"], view["bench_heads"])
    parts = tuple(part for part in surgery.parts_of(run.model.config) if part.name in names)
    if not parts:
        raise NoQuestion("Nothing is taken away. Choose a part.")
    with model_turns.forward_pass():
        logits = surgery.edit_model(run.model, parts).trace(run.text, keep="logits").logits[-1]
    writer = run.model.output_tokenizer
    whole = labels_of([writer.token(int(run.trace.logits_at(-1).argmax()))])[0]
    return questions.next_token(
        logits,
        lambda id: labels_of([writer.token(id)])[0],
        f"After {quote(run.text)} the model expects “{whole}”. What will it expect without "
        f"{' and '.join(part.name for part in parts)}?",
        "without parts",
    )


def draw_parts(view: View, rng: Random) -> View:
    run = run_of(view, ("logits",))
    return view.at("bench", bench_parts=rng.choice(surgery.parts_of(run.model.config)).name)


def missed_part(view: View) -> Question:
    """The part without which the model does worst on the reader's sentence."""
    model = run_of(view, ("logits",)).model
    losses = _losses(model.card.name, model.state, view["text"])
    if any(math.isnan(loss) for loss in losses.values()):
        raise NoQuestion("One token is followed by none, so it has no loss. Write a longer sentence.")
    return questions.largest(
        "missed part",
        f"Without which of these parts does the model do worst on {quote(view['text'])}?",
        torch.tensor(list(losses.values()), dtype=torch.float64),
        list(losses),
        lambda best, value: (
            f"Without {best} the loss on this text is {value}, more than without any other part. "
            "The loss is large where the model finds what is right unlikely."
        ),
        lambda value: f"{number(value)} nats",
    )


@st.cache_data(show_spinner=False, max_entries=32)
def _losses(name: str, model_state: str, text: str) -> dict[str, float]:
    """By part: the loss on a text without it. The right translation or class is the whole model's answer.

    `model_state` is read by Streamlit's cache.
    """
    model = traces.model(name)
    config = model.config
    if config.kind == "encoder" and not config.text_labels:
        raise NoQuestion(f"{model.card.title} gives a sentence no class, so there is no loss.")
    if config.label_scores != "softmax":
        raise NoQuestion(f"{model.card.title} does not choose one of its labels, so there is no loss.")
    with model_turns.forward_pass():
        answer = broken_parts.whole_answer(model, text)
        parts = surgery.parts_of(config)
        return {part.name: broken_parts.text_loss(surgery.edit_model(model, (part,)), text, answer) for part in parts}


def draw_bench(view: View, _: Random) -> View:
    return view.at("bench", bench_parts=ablation_choice.NO_PARTS)
