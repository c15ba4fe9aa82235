"""Encoder, decoder, and both: which token may look at which, the input and the output, on the reader's sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import pandas as pd
from torch import Tensor

from model import Card
from model.analysis import who_sees_whom as kinds
from model.analysis.answers import answers
from model.analysis.asked_place import asked_place
from model.analysis.who_sees_whom import mask_names, who_sees_whom
from model.config import TransformerConfig
from model.network import masks
from model.network.answer_scores import answer_scores
from model.network.transformer import Transformer
from views.models.classify.found_answer import FoundAnswer
from views.parts import Chart, DataTable, Files
from views.plotted import Plotted
from views.run import Run
from views.shared import quotes, sums
from views.shared.matrix_tables import named_rows, number_words
from views.view import Needs, View, equation, grey, work_out
from viz.documents.page_parts import Group, Heading, Text
from viz.models.classify import mask_figure
from viz.shared.style import count_noun, markdown_text, percent, write_score
from viz.shared.tokens import words

PICTURES = "the number of kinds that read the sentence"


@dataclass(frozen=True)
class Kind:
    """One kind of transformer. `example` is the bundled model for it, unless the run bar has one of this kind."""

    key: str
    title: str
    sees: str
    use: str
    example: str


KINDS = (
    Kind(
        "encoder",
        "Encoder only",
        "Every token sees every token, before and after it.",
        "To understand text that is there: its class, the class of each word, a hidden word, how alike two texts are.",
        "tiny-encoder",
    ),
    Kind(
        "decoder",
        "Decoder only",
        "Every token sees itself and the tokens before it.",
        "To write on: the next token, then the one after it.",
        "tiny-lm",
    ),
    Kind(
        "encoder-decoder",
        "Encoder and decoder",
        "The source (before the orange line) sees all of itself. Each written token sees the source and the tokens "
        "written before it.",
        "To turn one sequence into another: translate, summarise.",
        "en-ur",
    ),
)


def models_of(kind: Kind, cards: Iterable[Card]) -> tuple[str, ...]:
    """All models of a kind by their titles, each with its state where it is not ready."""
    return tuple(card.title + ("" if card.ready else f" ({card.state})") for card in cards if card.kind == kind.key)


def keep(config: TransformerConfig) -> Iterable[str]:
    """The masks of a model and its answer."""
    return (*mask_names(config), config.answer_tensor)


@dataclass(frozen=True)
class ThreeKinds(View):
    """The sentence in a model of each kind. `runs`: None where it cannot be run. `models`: all that there are."""

    runs: tuple[Run | None, ...]
    models: tuple[tuple[str, ...], ...]

    needs: ClassVar[Needs] = staticmethod(keep)

    def told(self) -> Mapping[str, float | str]:
        return {PICTURES: sum(run is not None for run in self.runs)}

    def picture_parts(self) -> Sequence[Any]:
        columns = [
            Group(_column(kind, run, models), "column")
            for kind, run, models in zip(KINDS, self.runs, self.models, strict=True)
        ]
        return [Group(columns, "row", gap="medium"), *grey(self.caption())]

    number_parts = picture_parts

    def caption(self) -> str:
        return (
            "Blue: a token (row) may look at another (column). Grey: a mask forbids it. These are the masks that the "
            "models added to their scores on this sentence."
        )

    def formula(self) -> Sequence[Any]:
        worked = [
            part
            for kind, run in zip(KINDS, self.runs, strict=True)
            if run is not None
            for part in _work_out_choice(kind, run)
        ]
        return [*_equations(), *worked]

    def code(self) -> Sequence[Any]:
        return (masks.causal_mask, kinds.who_sees_whom, Transformer.encode, Transformer.decode, Transformer.classify)


def _column(kind: Kind, run: Run | None, models: Sequence[str]) -> list[Any]:
    shown = [] if run is None else [Group(_show(kind, run), key=f"classify {kind.key}")]
    listed = "; ".join(map(markdown_text, models)) or "none"
    use = Text(f"**For** {kind.use[0].lower()}{kind.use[1:]}")
    return [Heading(kind.title, 3), *shown, use, Text(f"**Here** {listed}")]


def _show(kind: Kind, run: Run) -> list[Any]:
    """Who sees whom, the input and the output."""
    visible = who_sees_whom(run.config, run.trace)
    source, target = words(run.trace.source_tokens), words(run.trace.tokens)
    n_visible, n_pairs, sees = int(visible.sum()), visible.numel(), _sees(kind, run)
    counts = {
        "": ["tokens read", "tokens written", "pairs that may look", "pairs in all"],
        "number": [len(source) or len(target), len(target) if source else 0, n_visible, n_pairs],
    }
    tokens = [*source, *target]
    draw = partial(mask_figure, visible.numpy(), tokens, len(source))
    table = pd.DataFrame(visible.int().numpy(), index=tokens, columns=number_words(tokens))
    return [
        Plotted(
            Chart(draw, f"{kind.title}: {sees}"),
            DataTable(lambda: pd.DataFrame(counts)),
            f"{sees} That is {percent(n_visible / n_pairs)} of all pairs.",
        ),
        Text(f"**In** {count_noun(len(source) or len(target), 'token')} of your sentence"),
        Group([Text(f"**Out** {_out(run)}")], key=f"answer {run.name}"),
        Files(
            f"{run.name}-who-sees-whom",
            draw,
            draw,
            partial(named_rows, table, "token"),
            lambda: {"visible": visible.numpy()},
        ),
    ]


def _sees(kind: Kind, run: Run) -> str:
    """Who sees whom, and how far back in a model whose first layer has a window that ends within the sentence."""
    width = run.config.window_of(run.config.stacks[-1], 0)
    ends = width is not None and width < len(run.trace.tokens)
    return f"{kind.sees} In its first layer a window of {width} hides those farther away." if ends else kind.sees


def _out(run: Run) -> str:
    """The output in words, as Markdown."""
    config, trace = run.config, run.trace
    if config.kind == "encoder-decoder":
        sentence = run.model.output_tokenizer.decode([token.id for token in trace.tokens[1:]])
        return f"a sentence, token by token: {markdown_text(sentence)}"
    if config.kind == "decoder":
        shares = trace["logits"][-1].softmax(-1)
        best = int(shares.argmax())
        word = words([run.model.tokenizer.token(best)])[0]
        return f"a probability for every next token; likeliest: “{markdown_text(word)}”, {percent(float(shares[best]))}"
    text = f"a vector of {config.d_model} numbers for each of {count_noun(len(trace.tokens), 'token')}"
    if not config.has_answer:
        return text
    if config.answer_span:
        return f"{text}; from each of them, whether an answer starts or ends there: {FoundAnswer(run).named}"
    what, logits = _answers(run)
    best = int(logits.argmax())
    if config.answers_places:
        return f"{text}; from one of them {what}: “{markdown_text(_name(run, best))}”"
    if config.label_scores == "softmax":
        return f"{text}; from the first one, the class “{markdown_text(_name(run, best))}”"
    score = write_score(float(answer_scores(logits, config)[best]), config.label_scores)
    return f"{text}; from the first one, “{markdown_text(_name(run, best))}” with {score}"


def _work_out_choice(kind: Kind, run: Run) -> list[Any]:
    """The model's likeliest answer, out of all answers that it could give."""
    if not run.config.has_answer:
        return grey(f"{markdown_text(run.model.card.title)} gives vectors only, so there is no p.")
    answer, logits = _answers(run)
    ordered, ids = logits.sort(descending=True)
    return work_out(
        f"{kind.title}, {answer}, out of {len(logits):,}: {quotes.quote(_name(run, int(ids[0])))}",
        sums.answer(ordered, 0, run.config.label_scores),
    )


def _answers(run: Run) -> tuple[str, Tensor]:
    """What the model is asked for, in Markdown, and the logits of all answers (answers,). The model must have some."""
    config, trace = run.config, run.trace
    if config.kind == "decoder":
        return "the next token", trace.logits_at(-1)
    if config.kind == "encoder-decoder":
        return "the first token of the translation", trace.logits_at(0)
    place = asked_place(run.model, trace)
    at = quotes.quote(words(trace.tokens)[place], place)
    of_class = f"the class of {at}" if config.answers_places else "the class of the text"
    of_class = f"start or end at {at}" if config.answer_span else of_class
    return f"the word at {at}" if config.masked_words else of_class, answers(run.model, trace, place)


def _name(run: Run, id: int) -> str:
    """The label of an answer."""
    if not run.config.answers_words:
        return run.config.classes[id]
    return words([run.model.output_tokenizer.token(id)])[0]


def _equations() -> list[Any]:
    one_for_all = equation(
        r"A = \mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}} + M\right)",
        "One equation for all three, told apart by M. Slides, “Masked Attention”; Palaskos (2022), sections 3.8-3.10.",
        {
            "M": r"encoder: 0 everywhere. Decoder: $M_{ij} = 0$ for $j \le i$, else $-\infty$. Cross-attention: 0 "
            "everywhere, with queries from the decoder, keys and values from the encoder's output"
        },
    )
    given = equation(
        r"p(c \mid x_1 \dots x_T), \qquad p(x_t \mid x_{<t}), \qquad p(y_t \mid y_{<t}, x_1 \dots x_T)",
        "What each kind gives: a class from the whole text, the next token from those before, the next token of a "
        "translation from what is written and the whole source.",
    )
    return [*one_for_all, *given]
