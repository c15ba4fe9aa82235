"""The three shapes of a recurrent network, each with an example from this app."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import streamlit as st
from torch import Tensor

from model.recurrent import networks
from pages.learning.before_attention_parts import told
from pages.learning.before_attention_parts.translators import Answer, answers
from pages.shared.elements import figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import model_choice, traces
from pages.shared.session import state
from views.shared import quotes, sums
from viz.learning.before_attention import shape_figure, shapes_figure
from viz.shared.style import isolate, markdown_text, percent


@dataclass(frozen=True)
class Shape:
    """One shape: the unrolled steps that read, and those that write."""

    title: str
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    steps: int
    use: str


CLASSIFIER = "tiny-encoder"
SHAPES = (
    Shape("One to many", (0,), (0, 1, 2, 3), 4, "One vector becomes a sequence: a caption for a picture, a melody."),
    Shape("Many to one", (0, 1, 2, 3), (3,), 4, "A sequence becomes one vector or class: the mood of a text."),
    Shape("Many to many", (0, 1, 2), (3, 4, 5), 6, "A sequence becomes another one: translation."),
)
PROMPTS = (
    layout.Prompt(
        "Many to many",
        "The sentence through three translators.",
        {"before_attention_part": "sentence", "before_attention_step": -1},
        claim=Claim(told.TRANSLATORS, "is", 3),
        at="before attention outputs",
    ),
    layout.Prompt(
        "One by one",
        "A blank filled from either side, and surer from both.",
        {"before_attention_part": "both", "before_attention_blank": state.KEYS["before_attention_blank"].default},
        claim=Claim(told.FROM_BOTH, "over", 0.9),
    ),
)


def show(depth: str) -> None:
    if depth == "Formula":
        _formula()
    elif depth == "Code":
        layout.code(networks.Seq2Seq.encode, networks.Seq2Seq.bottleneck, networks.Seq2Seq.decode)
    else:
        _shapes(depth == "Numbers")
    layout.try_this(*PROMPTS)


def _shapes(numbers: bool) -> None:
    answer = answers()[0]
    with suppress(*traces.errors()):  # of the classifier, whose column says why it is missing
        model_choice.say_other_models([answer.pair.run.name, CLASSIFIER], "a translator and a classifier")
    examples = (_one_to_many(answer), _many_to_one(), _many_to_many(answer))
    if numbers:
        st.dataframe(_counts(answer), hide_index=True)
    for column, shape, example in zip(st.columns(3, gap="medium"), SHAPES, examples, strict=True):
        with column:
            st.subheader(shape.title, anchor=False)
            if not numbers:
                figure = shape_figure(shape.reads, shape.writes, shape.steps, state.theme())
                alt = f"{shape.title}: {len(shape.reads)} inputs, {len(shape.writes)} outputs"
                figures.chart(figure, theme=None, config={"displayModeBar": False}, alt=alt, key=shape.title)
            st.markdown(shape.use)
            st.markdown(f"**Here** {example}")
    layout.caption("Orange reads, purple is the state that is carried on, blue writes.")
    rows = [(shape.title, shape.reads, shape.writes, shape.steps) for shape in SHAPES]
    figures.export("three-shapes", partial(shapes_figure, rows), partial(_counts, answer))
    links = {"classify": "Classify: many to one, without a recurrence", "translate": "Translate: many to many"}
    for path, label in links.items():
        st.page_link(state.pages()[path], label=label, icon=":material/arrow_forward:")


def _one_to_many(answer: Answer) -> str:
    width = len(answer.pair.run.trace["bottleneck"])
    return (
        f"the decoder of seq2seq: from one vector of {width} numbers it writes {len(answer.pair.written) - 1} tokens: "
        f"{isolate(markdown_text(answer.text))}"
    )


def _many_to_one() -> str:
    try:
        title, label, logits = _class_of_the_text()
    except traces.errors() as error:
        return markdown_text(str(error))
    share = percent(float(logits.softmax(-1).max()))
    return (
        f"the encoder of seq2seq ends in one vector; and {markdown_text(title)} makes of your sentence one class: "
        f"“{markdown_text(label)}”, {share}"
    )


def _class_of_the_text() -> tuple[str, str, Tensor]:
    """The title of the model that reads the whole sentence, the class that it gives, and its logits (C,)."""
    model = traces.model(CLASSIFIER)
    trace = traces.trace(model, traces.fitting_sentence(CLASSIFIER), ("text_logits",))
    logits = trace["text_logits"]  # (C,)
    return model.card.title, model.config.text_labels[int(logits.argmax())], logits


def _many_to_many(answer: Answer) -> str:
    return (
        f"seq2seq whole: {len(answer.pair.source)} tokens of your sentence in, {len(answer.pair.written) - 1} out. "
        "It first reads all, then writes."
    )


def _counts(answer: Answer) -> list[dict[str, object]]:
    source, written = len(answer.pair.source), len(answer.pair.written) - 1
    return [
        {"shape": "One to many", "here": "seq2seq's decoder", "inputs": 1, "outputs": written},
        {"shape": "Many to one", "here": "seq2seq's encoder", "inputs": source, "outputs": 1},
        {"shape": "Many to many", "here": "seq2seq", "inputs": source, "outputs": written},
    ]


def _formula() -> None:
    layout.equation(
        r"h_t = f(h_{t-1}),\; y_t = g(h_t) \qquad\quad h_t = f(x_t, h_{t-1}),\; y = g(h_T) \qquad\quad "
        r"h_t = f(x_t, h_{t-1}),\; s_t = f'(y_{t-1}, s_{t-1}),\; s_0 = h_T",
        "One to many, many to one, many to many. Shamsi (2024), section 1.1",
    )
    try:
        _, label, logits = _class_of_the_text()
        model_choice.say_other_models([CLASSIFIER], "it classifies a text")
    except traces.errors() as error:
        st.info(str(error))
        return
    text = f"Many to one, your sentence: the share of its class {quotes.quote(label)}, of {len(logits)} logits:"
    layout.work_out(text, f"y = {sums.softmax(logits, int(logits.argmax()))}")
