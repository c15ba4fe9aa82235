"""The class of a text from its first token, the part of speech of every token, and where a token looks."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
import torch

from model.analysis.head_steps import final_name
from model.analysis.telling import telling_pair
from model.graph.explain import explain
from model.network.transformer import Transformer
from pages.shared.elements import figures, layout, sums
from pages.shared.model_runs import model_choice, traces
from pages.shared.model_runs.runs import Run
from pages.shared.session import state
from viz.models.classify import attention_rows_figure, classes_figure, token_classes_figure
from viz.shared.style import percent
from viz.shared.tokens import words

CLASSIFIER = "tiny-encoder"  # the only model here with classes of texts and of words
KEEP = ("text_logits", "token_logits", "*.weights")
PROMPTS = (
    layout.Prompt("Praise", "The class turns positive.", {"text": "I love this film", "classify_token": 0}),
    layout.Prompt("Turned by a word", "One “not”, and the class turns.", {"text": "The food is not good"}),
    layout.Prompt(
        "Quick is what?",
        "Ask for the part of speech of one word, and see where it looks.",
        {"text": "The quick brown fox jumps over the lazy dog", "classify_token": 2},
    ),
)


def show(depth: str) -> None:
    if depth == "Formula":
        _formula()
        run = _run()
        if run is not None:
            _work_out_classes(run)
    elif depth == "Code":
        layout.code(Transformer.classify)
    else:
        run = _run()
        if run is not None:
            _classes(run, depth == "Numbers")
            _attention(run, depth == "Numbers")
    layout.try_this(*PROMPTS)


def _run() -> Run | None:
    try:
        model, text = traces.model(CLASSIFIER), traces.fitting_sentence(CLASSIFIER)
        run = Run(CLASSIFIER, text, None, model, traces.trace(CLASSIFIER, text, KEEP))
        model_choice.say_other_models([CLASSIFIER], "it alone has classes of texts and of words")
        return run
    except traces.errors() as error:
        traces.complain(error)
        return None


def _classes(run: Run, numbers: bool) -> None:
    config, tokens = run.model.config, words(run.trace.tokens)
    text, by_token = run.trace["text_logits"].softmax(-1), run.trace["token_logits"].softmax(-1)
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.subheader("The sentence", anchor=False)
        rows = [{"class": name, "probability": p} for name, p in zip(config.text_labels, text.tolist(), strict=True)]
        figure = classes_figure(text.tolist(), config.text_labels, state.theme())
        figures.show_or_list(numbers, figure, "Probability of each class of the sentence", lambda: rows)
        best = int(text.argmax())
        layout.caption(
            f"From the vector of the first token, {layout.quote(tokens[0], 0)}, alone: **{config.text_labels[best]}**, "
            f"{percent(float(text[best]))}. {run.model.card.details.get('limits', '')}"
        )
        figures.export(f"{CLASSIFIER}-class", figure, lambda: rows)
    with right:
        st.subheader("Each token", anchor=False)
        table = _table(run).to_dict("records")
        figure = token_classes_figure(by_token[1:].numpy(), tokens[1:], config.token_labels, state.theme())
        figures.show_or_list(numbers, figure, "Probability of each part of speech by token", lambda: table)
        surest = by_token[1:].amax(-1)
        unsure = 1 + int(surest.argmin())
        layout.caption(
            "From each token's own vector, and none is in doubt."
            if surest.min() > 0.995
            else f"From each token's own vector. Least sure: {layout.quote(tokens[unsure], unsure)}, "
            f"{config.token_labels[int(by_token[unsure].argmax())]} with {percent(float(surest.min()))}."
        )
        figures.export(f"{CLASSIFIER}-tokens", figure, lambda: table)


def _work_out_classes(run: Run) -> None:
    """The likeliest class of the sentence and of the chosen token: the logit as a product, then the softmax."""
    config = run.model.config
    keep = (final_name(config, "encoder"), "text_logits", "token_logits")
    trace = traces.trace(run.name, run.text, keep).made_by(run.model.network)  # cached traces hold no model
    tokens = words(run.trace.tokens)
    asked = _asked(tokens)
    for name, place, names, subject in (
        ("text_logits", (), config.text_labels, "The sentence"),
        ("token_logits", (asked,), config.token_labels, layout.quote(tokens[asked], asked)),
    ):
        logits = trace[name][place]  # (classes,)
        best = int(logits.argmax())
        layout.work_out(
            f"{subject} is **{names[best]}**: its logit, and what the softmax over {len(names)} classes makes of it:",
            f"u = {sums.explained(explain(trace, name, (*place, best)))}",
            f"p = {sums.softmax(logits, best)}",
        )


def _asked(tokens: list[str]) -> int:
    """The token that the reader has chosen."""
    asked = state.within("classify_token", 0, len(tokens) - 1, "Token")
    st.selectbox(
        "Asked", range(len(tokens)), key="classify_token", format_func=partial(_describe_token, tokens), width=260
    )
    return asked


def _attention(run: Run, numbers: bool) -> None:
    """Where the chosen token looks, in every head."""
    tokens, config = words(run.trace.tokens), run.model.config
    st.subheader("The attention behind it", anchor=False)
    asked = _asked(tokens)
    rows = torch.stack(
        [run.trace[f"encoder.{layer}.self_attn.weights"][:, asked] for layer in range(config.n_encoder_layers)]
    )  # (layers, heads, tokens)
    names = [f"{layer}.{head}" for layer in range(rows.shape[0]) for head in range(rows.shape[1])]
    table = pd.DataFrame(rows.flatten(0, 1).numpy(), index=names, columns=_number_tokens(tokens))
    figure = attention_rows_figure(rows.numpy(), tokens, state.theme())
    if numbers:
        st.dataframe(table)
    else:
        figures.show(figure, f"Where {tokens[asked]} looks in every head")
    other_weights = rows.flatten(0, 1).clone()
    other_weights[:, asked] = 0
    place, key = telling_pair(other_weights) if len(tokens) > 2 else divmod(int(other_weights.argmax()), len(tokens))
    layer, head = divmod(place, config.n_heads)
    layout.caption(
        f"Where {layout.quote(tokens[asked], asked)} looks: most at {layout.quote(tokens[key], key)} in layer {layer}, "
        f"head {head}, {percent(float(rows[layer, head, key]))}. Attention says where values were taken from, not "
        "what was made of them."
    )
    table_rows = partial(figures.named_rows, table, "head")
    figures.export(f"{CLASSIFIER}-attention", figure, table_rows, weights=rows.numpy())
    link: dict[str, Any] = {"model": CLASSIFIER, "attention": "encoder.self_attn", "heads_view": "Lines"}
    link |= {"layer": layer, "head": head, "query": asked, "key": key, "heads_shown": ()}
    st.button("See this head on Heads", icon=":material/timeline:", on_click=state.go, args=("heads",), kwargs=link)


def _describe_token(tokens: list[str], place: int) -> str:
    return f"{place}  {tokens[place]}" + ("  (the sentence)" if place == 0 else "")


def _number_tokens(tokens: list[str]) -> list[str]:
    return [f"{place} {token}" for place, token in enumerate(tokens)]


def _table(run: Run) -> pd.DataFrame:
    """One row for each token after the first: its likeliest class, and the probability of every class."""
    probabilities = run.trace["token_logits"].softmax(-1)[1:]
    names = run.model.config.token_labels
    table = pd.DataFrame(probabilities.numpy(), columns=names)
    table.insert(0, "token", words(run.trace.tokens)[1:])
    table.insert(1, "taken for", [names[best] for best in probabilities.argmax(-1).tolist()])
    return table


def _formula() -> None:
    layout.equation(
        r"p(\text{class}) = \mathrm{softmax}(W_{text}\, h_0 + b_{text})",
        "Text classification from the first token. Palaskos (2022), section 3.8.",
        {"h_0": "the last hidden state of the first token, <CLS>: it stands for no word and collects from all of them"},
    )
    layout.equation(
        r"p(\text{class}_t) = \mathrm{softmax}(W_{token}\, h_t + b_{token})",
        "Token classification: the same matrix at every token. Palaskos (2022), section 3.8.",
        {"h_t": "the last hidden state of token t"},
    )
