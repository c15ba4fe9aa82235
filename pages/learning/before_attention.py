"""Before attention: the reasons for it, on the same sentences, words and measures. Only the open part computes."""

from __future__ import annotations

from contextlib import suppress

from pages.learning.before_attention_parts import (
    blank_work,
    memory_work,
    order_work,
    sentence_steps,
    things_to_try,
    translators,
)
from pages.shared.elements.page import Page, Part
from pages.shared.model_runs import fitting_text, model_choice, traces
from pages.shared.session import bar_notes, state
from views.learning.before_attention import memory as memory_view
from views.learning.before_attention.both import FilledBlank
from views.learning.before_attention.lengths import Lengths, compare_lengths
from views.learning.before_attention.memory import Reach
from views.learning.before_attention.order import OrderOfWork, SentenceSize
from views.learning.before_attention.shapes import CLASSIFIER, ClassOfText, Shapes
from views.learning.before_attention.translators import TITLES
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text


def length() -> Lengths:
    bar_notes.say_nothing_taken("It shows measures of three translators on held-out sentences.", models=TITLES)
    return compare_lengths()


def memory() -> Reach:
    models = list(memory_view.MODELS.values())
    bar_notes.say_nothing_taken("It compares three small language models on held-out texts.", models=models)
    return memory_work.measured()


def order() -> OrderOfWork:
    """Only the equations take the reader's sentence."""
    times = order_work.measured()
    try:
        model = traces.model(state.get("model") or traces.default_model())
        tokens = fitting_text.fit(model, state.get("text")).tokens
    except traces.errors() as error:
        return OrderOfWork(times, None, Text(markdown_text(str(error)), "error", ":material/error:"))
    return OrderOfWork(times, SentenceSize(model.card.title, len(tokens), model.config.d_model))


def say_nothing_taken(view: OrderOfWork) -> None:
    bar_notes.say_nothing_taken("It counts the steps of single layers, and times untrained ones.")


def both() -> FilledBlank:
    bar_notes.say_nothing_taken("Three small readers fill the blank in the sentence below.")
    return blank_work.filled()


def shapes() -> Shapes:
    answer = translators.answers()[0]
    with suppress(*traces.errors()):  # of the classifier, whose column says why it is missing
        model_choice.say_other_models([answer.pair.run.name, CLASSIFIER], "a translator and a classifier")
    try:
        run = traces.run(traces.model(CLASSIFIER), traces.fitting_sentence(CLASSIFIER), "text_logits")
    except traces.errors() as error:
        return Shapes(answer, None, str(error))
    return Shapes(answer, ClassOfText(run))


STEPS = {"step": sentence_steps.choose_step, "layer": sentence_steps.choose_layer}
MEASURE = {"nothing taken": say_nothing_taken, "measure": order_work.measure_more}
PARTS = {
    "sentence": Part("One sentence", sentence_steps.read, STEPS, things_to_try.OF_SENTENCE, sentence_steps.alone),
    "length": Part("Length", length, prompts=things_to_try.OF_LENGTH),
    "memory": Part("Memory", memory, {"networks": memory_work.choose}, things_to_try.OF_MEMORY),
    "order": Part("Order of work", order, MEASURE, things_to_try.OF_ORDER),
    "both": Part("Both directions", both, {"sentence": blank_work.choose_sentence}, things_to_try.OF_BOTH),
    "shapes": Part("Three shapes", shapes, prompts=things_to_try.OF_SHAPES),
}
PAGE = Page(
    "Before attention",
    "A recurrent network reads word by word and keeps what it read in one vector. That was the limit.",
    "before_attention_part",
    PARTS,
)
