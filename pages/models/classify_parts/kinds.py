"""Encoder, decoder, and both: which token may look at which, the input and the output, on the reader's sentence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st
from torch import Tensor

from model.analysis import who_sees_whom as kinds
from model.analysis.asked_place import asked_place
from model.analysis.attribution import answers
from model.analysis.who_sees_whom import mask_names, who_sees_whom
from model.config import TransformerConfig
from model.network import masks
from model.network.answer_scores import answer_scores
from model.network.transformer import Transformer
from pages.models.classify_parts import labels
from pages.models.classify_parts import words as words_part
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import model_choice, traces
from pages.shared.session import state
from views.run import Run
from views.shared import quotes, sums
from views.shared.matrix_tables import named_rows
from viz.models.classify import mask_figure
from viz.shared.style import count_noun, markdown_text, percent, write_score
from viz.shared.tokens import words


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
PICTURES = "the number of kinds that read the sentence"
PROMPTS = (
    layout.Prompt(
        "Is it praise?",
        "The first token's vector becomes a class.",
        {"model": labels.CLASSIFIER, "classify_part": "labels"},
        labels.shows_bundled,
        Claim(labels.CLASS, "is not", ""),
        at="classify answers",
    ),
    layout.Prompt(
        "Two banks",
        "One word, several meanings, several vectors.",
        {"classify_part": "words", "classify_word": "bank", "classify_model": "minilm-l6"}
        | {"classify_sentences": state.KEYS["classify_sentences"].default, "classify_reference": 0},
        claim=Claim(words_part.LEAST, "under", 0.85),
        at="classify cosines",
    ),
    layout.Prompt(
        "A question",
        "The same three pictures for another sentence.",
        {"text": "What time is it?"},
        claim=Claim(PICTURES, "is", 3),
    ),
)


def show(depth: str) -> None:
    if depth == "Formula":
        _formula()
        runs = [_run(kind) for kind in KINDS]
        _say_models(runs)
        for kind, run in zip(KINDS, runs, strict=True):
            if run is not None:
                _work_out_choice(kind, run)
    elif depth == "Code":
        layout.code(
            masks.causal_mask, kinds.who_sees_whom, Transformer.encode, Transformer.decode, Transformer.classify
        )
    else:
        runs = [_run(kind) for kind in KINDS]
        claims.tell(PICTURES, sum(run is not None for run in runs))
        _say_models(runs)
        for column, kind, run in zip(st.columns(3, gap="medium"), KINDS, runs, strict=True):
            with column:
                st.subheader(kind.title, anchor=False)
                with st.container():
                    if run is not None:
                        _picture(kind, run, depth == "Numbers")
                st.markdown(f"**For** {kind.use[0].lower()}{kind.use[1:]}")
                st.markdown(f"**Here** {_models(kind)}")
        layout.caption(
            "Blue: a token (row) may look at another (column). Grey: a mask forbids it. These are the masks that the "
            "models added to their scores on this sentence."
        )
    layout.try_this(*PROMPTS)


def _keep(config: TransformerConfig) -> tuple[str, ...]:
    return (*mask_names(config), "logits" if config.answers_words else "text_logits")


def _say_models(runs: list[Run | None]) -> None:
    """Name the models that could be run, below the run bar."""
    model_choice.say_other_models([run.name for run in runs if run is not None], "one of each kind")


def _run(kind: Kind) -> Run | None:
    """The reader's sentence in a model of this kind. None, after a message, if it cannot be run."""
    cards = {card.name: card for card in traces.cards()}
    chosen = state.get("model")
    name = chosen if chosen in cards and cards[chosen].kind == kind.key else kind.example
    try:
        model = traces.model(name)
        return traces.run(model, traces.fitting_sentence(name), _keep(model.config))
    except traces.errors() as error:
        traces.complain(error)
        return None


def _picture(kind: Kind, run: Run, numbers: bool) -> None:
    visible = who_sees_whom(run.model.config, run.trace)
    source, target = words(run.trace.source_tokens), words(run.trace.tokens)
    n_visible, n_pairs = int(visible.sum()), visible.numel()
    tokens = [*source, *target]
    figure = mask_figure(visible.numpy(), tokens, len(source), state.theme())
    if numbers:
        st.dataframe(
            {"": ["tokens read", "tokens written", "pairs that may look", "pairs in all"],
             "number": [len(source) or len(target), len(target) if source else 0, n_visible, n_pairs]},
            hide_index=True,
        )  # fmt: skip
    else:
        figures.show(figure, f"{kind.title}: {_sees(kind, run)}")
    layout.caption(f"{_sees(kind, run)} That is {percent(n_visible / n_pairs)} of all pairs.")
    st.markdown(f"**In** {count_noun(len(source) or len(target), 'token')} of your sentence")
    with layout.answer(run.name):
        st.markdown(f"**Out** {_out(run)}")
    table = pd.DataFrame(visible.int().numpy(), index=tokens, columns=[f"{i} {each}" for i, each in enumerate(tokens)])
    rows = partial(named_rows, table, "token")
    figures.export(f"{run.name}-who-sees-whom", figure, rows, visible=visible.numpy())


def _sees(kind: Kind, run: Run) -> str:
    """Who sees whom, and how far back in a model whose first layer has a window that ends within the sentence."""
    width = run.model.config.window_of("decoder", 0)
    ends = width is not None and width < len(run.trace.tokens)
    return f"{kind.sees} In its first layer a window of {width} hides those farther back." if ends else kind.sees


def _out(run: Run) -> str:
    """The output in words, as Markdown."""
    config, trace = run.model.config, run.trace
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
    what, logits = _answers(run)
    best = int(logits.argmax())
    if config.masked_words:
        return f"{text}; from one of them {what}: “{markdown_text(_name(run, best))}”"
    if config.label_scores == "softmax":
        return f"{text}; from the first one, the class “{markdown_text(_name(run, best))}”"
    score = write_score(float(answer_scores(logits, config)[best]), config.label_scores)
    return f"{text}; from the first one, “{markdown_text(_name(run, best))}” with {score}"


def _work_out_choice(kind: Kind, run: Run) -> None:
    """The model's likeliest answer, out of all answers that it could give."""
    if not run.model.config.has_answer:
        layout.caption(f"{markdown_text(run.model.card.title)} gives vectors only, so there is no p.")
        return
    answer, logits = _answers(run)
    ordered, ids = logits.sort(descending=True)
    name = _name(run, int(ids[0]))
    layout.work_out(
        f"{kind.title}, {answer}, out of {len(logits):,}: {quotes.quote(name)}",
        sums.answer(ordered, 0, run.model.config.label_scores),
    )


def _answers(run: Run) -> tuple[str, Tensor]:
    """What the model is asked for, in Markdown, and the logits of all answers (answers,). The model must have some."""
    config, trace = run.model.config, run.trace
    if config.kind == "decoder":
        return "the next token", trace.logits_at(-1)
    if config.kind == "encoder-decoder":
        return "the first token of the translation", trace.logits_at(0)
    place = asked_place(run.model, trace)
    at = quotes.quote(words(trace.tokens)[place], place)
    return f"the word at {at}" if config.masked_words else "the class of the text", answers(run.model, trace, place)


def _name(run: Run, id: int) -> str:
    """The label of an answer."""
    if not run.model.config.answers_words:
        return run.model.config.text_labels[id]
    return words([run.model.output_tokenizer.token(id)])[0]


def _models(kind: Kind) -> str:
    names = [
        markdown_text(card.title) + ("" if card.ready else f" ({card.state})")
        for card in traces.cards()
        if card.kind == kind.key
    ]
    return "; ".join(names) or "none"


def _formula() -> None:
    layout.equation(
        r"A = \mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}} + M\right)",
        "One equation for all three, told apart by M. Slides, “Masked Attention”; Palaskos (2022), sections 3.8-3.10.",
        {
            "M": r"encoder: 0 everywhere. Decoder: $M_{ij} = 0$ for $j \le i$, else $-\infty$. Cross-attention: 0 "
            "everywhere, with queries from the decoder, keys and values from the encoder's output"
        },
    )
    layout.equation(
        r"p(c \mid x_1 \dots x_T), \qquad p(x_t \mid x_{<t}), \qquad p(y_t \mid y_{<t}, x_1 \dots x_T)",
        "What each kind gives: a class from the whole text, the next token from those before, the next token of a "
        "translation from what is written and the whole source.",
    )
