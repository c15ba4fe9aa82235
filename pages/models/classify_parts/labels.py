"""What an encoder says of a text: its class, the class of every token, or a masked word; and where a token looks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
import torch

from model import Card
from model.analysis.asked_place import asked_place
from model.analysis.head_steps import final_name
from model.analysis.telling import largest_other_weight
from model.config import ACTIVATIONS, TransformerConfig
from model.graph.explain import explain
from model.network.answer_scores import answer_scores
from model.network.transformer import Transformer
from model.run import gives_answer
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import model_choice, traces
from pages.shared.session import state
from views.run import Run
from views.shared import quotes, sums
from views.shared.matrix_tables import named_rows
from viz.models.classify import attention_rows_figure, classes_figure, token_classes_figure
from viz.shared.style import markdown_text, percent, score_noun, write_score
from viz.shared.tokens import words

CLASSIFIER = "tiny-encoder"  # the bundled model with classes of texts and of words
KEEP = ("*logits", "*.weights")
LIKELIEST = 8  # answers that are drawn
MAKES = {  # what is made of a logit, by a configuration's `label_scores`
    "softmax": "what the softmax over {count:,} answers makes of it",
    "sigmoid": "what the sigmoid makes of it, whatever the other labels have",
    "none": "that is the number itself",
}
SIGMOID = {"softmax": {}, "sigmoid": {r"\sigma(u)": r"$1 / (1 + e^{-u})$, for each label by itself"}, "none": {}}


def shows_bundled(card: Card) -> bool:
    """Whether this part shows the bundled classifier where the bar has that model."""
    return card.name == CLASSIFIER or not (card.kind == "encoder" and gives_answer(card))


CLASS = "the class of the text"
OF_TOKEN = "the class of the chosen token"
ASKED = "the token that is asked for"
PROMPTS = (
    layout.Prompt(
        "Praise",
        "The class turns positive.",
        {"model": CLASSIFIER, "text": "I love this film", "classify_token": 0},
        shows_bundled,
        Claim(CLASS, "is", "positive"),
        at="classify answers",
    ),
    layout.Prompt(
        "Turned by a word",
        "One “not”, and the class turns.",
        {"model": CLASSIFIER, "text": "The food is not good"},
        shows_bundled,
        Claim(CLASS, "is", "negative"),
        at="classify answers",
    ),
    layout.Prompt(
        "Quick is what?",
        "An adjective, by its own vector; below is where it looks.",
        {"model": CLASSIFIER, "text": "The quick brown fox jumps over the lazy dog", "classify_token": 2},
        shows_bundled,
        Claim(OF_TOKEN, "is", "adjective"),
        at="classify attention",
    ),
)


def show(depth: str) -> None:
    prompts: tuple[layout.Prompt, ...] = PROMPTS
    if depth == "Code":
        layout.code(Transformer.classify)
    elif (run := _run()) is not None:
        prompts = (*_prompts_of(run), *PROMPTS)
        if depth == "Formula":
            _formula(run.model.config)
            _work_out_answers(run)
        else:
            _answers(run, depth == "Numbers")
            _attention(run, depth == "Numbers")
    layout.try_this(*prompts)


def _prompts_of(run: Run) -> tuple[layout.Prompt, ...]:
    """What to try with a model that finds hidden words."""
    tokenizer = run.model.tokenizer
    if not run.model.config.masked_words or tokenizer.mask is None:
        return ()
    text = f"The quick brown {tokenizer.token(tokenizer.mask).text} jumps over the lazy dog"
    see = "The model cannot see this word. It guesses it from both sides."
    claim = Claim(ASKED, "is", tokenizer.token(tokenizer.mask).text)
    return (layout.Prompt("Hide a word", see, {"text": text, "classify_token": 0}, claim=claim),)


def _run() -> Run | None:
    """The reader's sentence in the reader's model, if that is an encoder with an answer; else in the bundled one."""
    card = next((each for each in traces.cards() if each.name == state.get("model")), None)
    name = CLASSIFIER if card is None or shows_bundled(card) else card.name
    try:
        model, text = traces.model(name), traces.fitting_sentence(name)
        run = traces.run(model, text, KEEP)
        model_choice.say_other_models([name], "it has classes of texts and of words")
        return run
    except traces.errors() as error:
        traces.complain(error)
        return None


def _answers(run: Run, numbers: bool) -> None:
    """All answers of the model, side by side."""
    config = run.model.config
    answers = {_word: config.masked_words, _class: config.text_labels, _token_classes: config.token_labels}
    shown = [show for show, is_there in answers.items() if is_there]
    with st.container(key="classify answers"):
        for column, show in zip(st.columns([2, 3], gap="large"), shown, strict=False):
            with column:
                show(run, numbers)


def _word(run: Run, numbers: bool) -> None:
    """The likeliest words at a place."""
    tokens, place = words(run.trace.tokens), _place(run)
    claims.tell(ASKED, tokens[place])
    shares = run.trace.logits_at(place).softmax(-1)
    best = shares.topk(min(LIKELIEST, len(shares)))
    names, found = words(run.model.output_tokenizer.tokens(best.indices.tolist())), best.values.tolist()
    st.subheader(f"The word at {quotes.quote(tokens[place], place)}", anchor=False)
    rows = [{"word": name, "probability": p} for name, p in zip(names, found, strict=True)]
    figure = classes_figure(found, names, state.theme())
    figures.show_or_list(numbers, figure, "Probability of the likeliest words at this place", lambda: rows)
    mask, hint = run.model.tokenizer.mask, ""
    if mask is not None and run.trace.tokens[place].id != mask:
        hint = f" The model sees the word. To hide it, write `{run.model.tokenizer.token(mask).text}` in its place."
    layout.caption(
        f"From the vector at this place, which has seen the words on both sides: **{markdown_text(names[0])}**, "
        f"{percent(found[0])} of {len(shares):,} tokens.{hint}"
    )
    figures.export(f"{run.name}-word", figure, lambda: rows)


def _place(run: Run) -> int:
    """The place that is asked for: the chosen token, or with the first one a mask, or the last word."""
    chosen = state.checked_number("classify_token", 0, len(run.trace.tokens) - 1, "Token")
    return asked_place(run.model, run.trace, chosen or -1)


def _class(run: Run, numbers: bool) -> None:
    """The class of the text."""
    config, tokens = run.model.config, words(run.trace.tokens)
    text, kind = answer_scores(run.trace["text_logits"], config), config.label_scores
    st.subheader("The sentence", anchor=False)
    claims.tell(CLASS, config.text_labels[int(text.argmax())])
    noun = score_noun(kind)
    rows = [{"class": name, noun: p} for name, p in zip(config.text_labels, text.tolist(), strict=True)]
    drawn = sorted(text.topk(min(LIKELIEST, len(text))).indices.tolist())
    figure = classes_figure(text[drawn].tolist(), [config.text_labels[id] for id in drawn], state.theme(), kind)
    figures.show_or_list(numbers, figure, f"{noun.capitalize()} of each class of the sentence", lambda: rows)
    layout.caption(
        f"From the vector of the first token, {quotes.quote(tokens[0], 0)}, alone: "
        f"{say_scores(text.tolist(), config.text_labels, kind)} {run.model.card.details.get('limits', '')}"
    )
    figures.export(f"{run.name}-class", figure, lambda: rows)


def say_scores(scores: list[float], labels: Sequence[str], kind: str) -> str:
    """The scores of a text's or a picture's labels in words, in Markdown: of several the highest."""
    best = max(range(len(scores)), key=scores.__getitem__)
    named = f"**{markdown_text(labels[best])}**, {write_score(scores[best], kind)}."
    if kind == "softmax":
        return named
    if kind == "none":
        return f"{named} The model was trained to give numbers, so its logits are shown as they are."
    likely = sum(score > 0.5 for score in scores)
    apart = f" Each label is judged by itself, so they need not sum to 100%. Above one half: {likely} of {len(scores)}."
    others = apart if len(scores) > 1 else ""
    return f"{named}{others} By the sigmoid, not the softmax: 50% is a logit of 0."


def _token_classes(run: Run, numbers: bool) -> None:
    """The class of each token."""
    config, tokens = run.model.config, words(run.trace.tokens)
    by_token = run.trace["token_logits"].softmax(-1)  # (tokens, classes)
    chosen = state.get("classify_token")
    if chosen < len(by_token):
        claims.tell(OF_TOKEN, config.token_labels[int(by_token[chosen].argmax())])
    st.subheader("Each token", anchor=False)
    table = _table(run).to_dict("records")
    figure = token_classes_figure(by_token[1:].numpy(), tokens[1:], config.token_labels, state.theme())
    figures.show_or_list(numbers, figure, "Probability of each part of speech by token", lambda: table)
    surest = by_token[1:].amax(-1)
    unsure = 1 + int(surest.argmin())
    layout.caption(
        "From each token's own vector, and none is in doubt."
        if surest.min() > 0.995
        else f"From each token's own vector. Least sure: {quotes.quote(tokens[unsure], unsure)}, "
        f"{config.token_labels[int(by_token[unsure].argmax())]} with {percent(float(surest.min()))}."
    )
    figures.export(f"{run.name}-tokens", figure, lambda: table)


def _work_out_answers(run: Run) -> None:
    """The likeliest answers of the sentence and the chosen token: the logit as a product, then the softmax."""
    config = run.model.config
    keep = (final_name(config, "encoder"), "transform.*", "*logits")
    trace = traces.trace(run.model, run.text, keep).with_network(run.model.network)  # cached traces hold no model
    tokens = words(run.trace.tokens)
    asked = _asked(run)
    of_token = quotes.quote(tokens[asked], asked)
    found: list[tuple[str, tuple[int, ...], Sequence[str], str]] = []
    if config.masked_words:
        found.append(("logits", (asked,), (), f"The word at {of_token}"))
    if config.text_labels:
        found.append(("text_logits", (), config.text_labels, "The sentence"))
    if config.token_labels:
        found.append(("token_logits", (asked,), config.token_labels, of_token))
    for name, where, names, subject in found:
        ordered, ids = trace[name][where].sort(descending=True)  # (answers,)
        best = int(ids[0])
        label = names[best] if names else words([run.model.output_tokenizer.token(best)])[0]
        kind = config.label_scores if name == "text_logits" else "softmax"
        layout.work_out(
            f"{subject} {'is' if kind == 'softmax' else 'and'} **{markdown_text(label)}**: its logit, and "
            f"{MAKES[kind].format(count=len(ordered))}:",
            f"u = {sums.explained(explain(trace, name, (*where, best)))}",
            sums.answer(ordered, 0, kind),
        )


def _asked(run: Run) -> int:
    """The token that the reader has chosen."""
    tokens = words(run.trace.tokens)
    first = "a mask, or the last word" if run.model.config.masked_words else "the sentence"
    asked = state.checked_number("classify_token", 0, len(tokens) - 1, "Token")
    describe = partial(_describe_token, tokens, first)
    st.selectbox("Asked", range(len(tokens)), key="classify_token", format_func=describe, width=260)
    return _place(run) if run.model.config.masked_words else asked


def _attention(run: Run, numbers: bool) -> None:
    """Where the chosen token looks, in every head."""
    tokens, config = words(run.trace.tokens), run.model.config
    st.subheader("The attention behind it", anchor=False)
    asked = _asked(run)
    rows = torch.stack(
        [run.trace[f"encoder.{layer}.self_attn.weights"][:, asked] for layer in range(config.n_encoder_layers)]
    )  # (layers, heads, tokens)
    names = [f"{layer}.{head}" for layer in range(rows.shape[0]) for head in range(rows.shape[1])]
    table = pd.DataFrame(rows.flatten(0, 1).numpy(), index=names, columns=_number_tokens(tokens))
    figure = attention_rows_figure(rows.numpy(), tokens, state.theme())
    if numbers:
        st.dataframe(table)
    else:
        with st.container(key="classify attention"):
            figures.show(figure, f"Where {tokens[asked]} looks in every head")
    other_weights = rows.flatten(0, 1).clone()
    other_weights[:, asked] = 0
    place, key = (
        largest_other_weight(other_weights) if len(tokens) > 2 else divmod(int(other_weights.argmax()), len(tokens))
    )
    layer, head = divmod(place, config.n_heads)
    layout.caption(
        f"Where {quotes.quote(tokens[asked], asked)} looks: most at {quotes.quote(tokens[key], key)} in layer {layer}, "
        f"head {head}, {percent(float(rows[layer, head, key]))}. Attention says where values were taken from, not "
        "what was made of them."
    )
    table_rows = partial(named_rows, table, "head")
    figures.export(f"{run.name}-attention", figure, table_rows, weights=rows.numpy())
    link: dict[str, Any] = {"model": run.name, "attention": "encoder.self_attn", "heads_view": "Lines"}
    link |= {"layer": layer, "head": head, "query": asked, "key": key, "heads_shown": ()}
    st.button("See this head on Heads", icon=":material/timeline:", on_click=state.go, args=("heads",), kwargs=link)


def _describe_token(tokens: list[str], first: str, place: int) -> str:
    return f"{place}  {tokens[place]}" + (f"  ({first})" if place == 0 else "")


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


def _formula(config: TransformerConfig) -> None:
    curve = ACTIVATIONS.get(config.transform)
    h = "h" if curve is None else r"\tilde h"
    step = (
        {}
        if curve is None
        else {
            rf"{h} = \text{{{curve}}}(W h + b)": "one more step before the answer"
            + (", and a norm after it" if config.masked_words else "")
        }
    )
    if config.masked_words:
        layout.equation(
            rf"p(x_t) = \mathrm{{softmax}}(W_{{words}}\, {h}_t + b_{{words}})",
            "The word at a place, which stands there or is hidden. Devlin et al. (2019), arXiv:1810.04805, "
            "section 3.1.",
            {"h_t": "the last hidden state of token t"} | step,
        )
    if config.text_labels:
        layout.equation(
            sums.answer_equation(config.label_scores, rf"W_{{text}}\, {h}_0 + b_{{text}}"),
            "Text classification from the first token. Palaskos (2022), section 3.8.",
            {"h_0": "the last hidden state of the first token: it stands for no word and collects from all of them"}
            | SIGMOID[config.label_scores]
            | step,
        )
    if config.token_labels:
        layout.equation(
            r"p(\text{class}_t) = \mathrm{softmax}(W_{token}\, h_t + b_{token})",
            "Token classification: the same matrix at every token. Palaskos (2022), section 3.8.",
            {"h_t": "the last hidden state of token t"},
        )
