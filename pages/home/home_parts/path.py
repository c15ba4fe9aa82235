"""The guided path of Home: six steps through the reader's sentence. Each has one fact of the present run, and a button
that opens its page at the same layer, head and token."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import streamlit as st

from model.numerals import degrees
from pages.catalogue import BY_URL, map_pages
from pages.home.home_parts import map_data
from pages.home.home_parts.look import Look
from pages.shared.model_runs.head_on_screen import usual_token
from pages.shared.session import state
from views.head_of_run import tokens_of
from views.run import Run
from views.shared import quotes
from viz.shared.style import count_noun, isolate, markdown_text, number, percent, score_noun, write_score
from viz.shared.tokens import words

COLUMNS = 3


@dataclass(frozen=True)
class PathStep:
    """One step: its page (URL path), its fact (Markdown), and the keys of the page's view."""

    url: str
    fact: str
    values: dict[str, Any] = field(default_factory=dict)


def find_steps(run: Run, look: Look) -> Iterator[PathStep]:
    """The six steps. `look`: that of the head that the map frames."""
    outcome = map_pages(run.model.config.kind)["outcome"].url
    yield _tokens(run, look)
    yield _positions(run, look)
    yield PathStep("heads", _look_fact(look), {**look.values, "heads_view": "Lines"})
    yield PathStep("scores", _score_fact(look), {**look.values, "scores_part": "steps"})
    yield _block(run, look)
    yield PathStep(outcome, _outcome_fact(run), _outcome_values(run, look))


def _tokens(run: Run, look: Look) -> PathStep:
    stack = run.model.config.stacks[0]
    tokens = tokens_of(run, stack)
    place = look.query if look.stack == stack else usual_token(run, stack)
    fact = (
        f"Your sentence is **{count_noun(len(tokens), 'token')}**. {quotes.quote(words(tokens)[place], place)} "
        f"has the id {tokens[place].id:,} of {run.model.tokenizer.size:,}."
    )
    return PathStep("tokens", fact, {"tokens_part": "tokeniser"})


def _positions(run: Run, look: Look) -> PathStep:
    config, place = run.model.config, look.query
    token = look.query_chip
    match config.positions:
        case "rotary":
            turn = f"Its queries and keys are turned by its place, the fastest pair by {place} rad = {_degrees(place)}."
            return PathStep("positions", f"{token} stands at place **{place}**. {turn}", _rotary_values(look))
        case "sinusoidal":
            verb = "joined" if config.position_mix == "concat" else "added"
            wave = f"The waves of this place are {verb}, the fastest at sin {place} = {number(math.sin(place))}."
            return PathStep("positions", f"{token} stands at place **{place}**. {wave}", _table_values())
        case "learned":
            row = f"Row {place} of a learned table of {count_noun(config.max_length, 'place')} is added."
            return PathStep("positions", f"{token} stands at place **{place}**. {row}", _table_values())
        case "relative":
            said = "Nothing is added to it: each head adds a number to a score, for the distance to the key."
            return PathStep("positions", f"{token} stands at place **{place}**. {said}", _table_values())
    return PathStep("positions", f"{token} stands at place **{place}**, and nothing tells the model so but its mask.")


def _degrees(radians: float) -> str:
    return degrees(math.degrees(radians))


def _rotary_values(look: Look) -> dict[str, Any]:
    return {"positions_part": "rotary"} | {name: look.values[name] for name in ("layer", "head", "query", "key")}


def _table_values() -> dict[str, Any]:
    return {"positions_part": "heatmap", "positions_source": "model", "positions_rows": "sentence"}


def _look_fact(look: Look) -> str:
    return (
        f"In layer {look.layer}, head {look.head}, {look.query_chip} gives {look.target} "
        f"**{percent(float(look.row[look.key]))}** of its attention."
    )


def _score_fact(look: Look) -> str:
    """The ratio of two weights of a row is e to the difference of their scores."""
    others = look.row.clone()
    others[look.key] = 0
    other = int(others.argmax())
    weight, next_weight = float(look.row[look.key]), float(others[other])
    if not weight or not next_weight:
        return f"{look.query_chip} puts **100%** of its weight on one key: no other score comes near."
    difference = math.log(weight / next_weight)
    side = "above" if difference >= 0 else "below"
    return (
        f"For {look.query_chip} the score of {look.key_chip} is **{number(abs(difference), 2)}** {side} that of "
        f"{quotes.quote(look.keys[other], other)}, so the softmax makes its weight {number(weight / next_weight, 2)} "
        "times as large."
    )


def _block(run: Run, look: Look) -> PathStep:
    before = map_data.stream_before(run, look.stack, look.layer)[look.query]  # (d_model,)
    after = map_data.residual_stream(run, look.stack, look.layer)[look.query]
    moved, length = (float(np.linalg.norm(vector)) for vector in (after - before, before))
    cosine = float(before @ after) / max(length * float(np.linalg.norm(after)), 1e-12)
    fact = (
        f"Layer {look.layer} moves the vector of {look.query_chip} by **{number(moved, 1)}**. "
        f"It was {number(length, 1)} long, and turns by {_degrees(math.acos(max(-1.0, min(1.0, cosine))))}."
    )
    values = {"attention": f"{look.stack}.self_attn", "layer": look.layer, "query": look.query}
    return PathStep("block", fact, {**values, "block_part": "stream"})


def _outcome_fact(run: Run) -> str:
    config = run.model.config
    if config.kind == "encoder-decoder":
        return f"Word by word it writes **{isolate(markdown_text(map_data.written_text(run)))}**."
    if config.kind == "decoder":
        names, shares = map_data.rank_next_tokens(run, 1)
        likeliest = quotes.quote(map_data.bare(names[0]))
        count = len(run.trace.logits_at(-1))
        return f"Of {count:,} tokens {likeliest} is the likeliest to come next: **{percent(shares[0])}**."
    if config.masked_words:
        names, shares = map_data.rank_words(run, 1)
        likeliest = quotes.quote(map_data.bare(names[0]))
        place = quotes.quote(map_data.place_of_word(run))
        return f"At {place} it finds {likeliest} the likeliest word: **{percent(shares[0])}**."
    if config.text_labels:
        names, shares = map_data.rank_classes(run)
        written = write_score(shares[0], config.label_scores)
        if config.label_scores == "softmax":
            return f"The text is taken for {quotes.quote(names[0])}: **{written}**."
        return f"The text gets the {score_noun(config.label_scores)} **{written}** for {quotes.quote(names[0])}."
    return _closest_words(run)


def _closest_words(run: Run) -> str:
    pair = map_data.find_closest_words(run)
    if pair is None:
        return f"It makes **{count_noun(len(run.trace.tokens), 'vector')}**, one for each token."
    first, second = (quotes.quote(map_data.bare(name)) for name in pair[:2])
    return f"The output vectors of {first} and {second} are most alike: cosine **{number(pair[2], 2)}**."


def _outcome_values(run: Run, look: Look) -> dict[str, Any]:
    match run.model.config.kind:
        case "decoder":
            return {"layer": look.layer, "head": look.head, "predict_view": "attention"}
        case "encoder-decoder":
            return {"translate_view": "steps", "translate_step": -1}
    return {"classify_part": "labels" if run.model.config.has_answer else "kinds"}


def show(run: Run, look: Look) -> None:
    """The path as cards, three in a row."""
    st.subheader("Six steps through your sentence", anchor=False, divider="gray")
    steps = list(find_steps(run, look))
    for first in range(0, len(steps), COLUMNS):  # row by row, so that a narrow screen keeps the order
        row = enumerate(steps[first : first + COLUMNS], first + 1)
        for column, (place, step) in zip(st.columns(COLUMNS), row, strict=True):
            with column, st.container(border=True, height="stretch", gap="xsmall"):
                _card(place, step)


def _card(place: int, step: PathStep) -> None:
    title = BY_URL[step.url].title
    st.markdown(f"**{place}. {title}**")
    st.markdown(step.fact)
    st.button(
        f"Open {title}",
        key=f"path {step.url}",
        icon=":material/arrow_forward:",
        type="tertiary",
        on_click=state.go,
        args=(step.url,),
        kwargs=step.values,
    )
