"""The guided path of Home: six steps through the reader's sentence. Each has one fact of the present run, and a button
that opens its page at the same layer, head and token."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from model.numerals import degrees
from views.head_of_run import tokens_of
from views.map import run_answers
from views.map.look import Look
from views.parts import Action
from views.run import Run
from views.shared import quotes
from views.view import View
from viz.documents.page_parts import Group, Heading, Text
from viz.shared.style import count_noun, isolate, markdown_text, number, percent, score_noun, write_score
from viz.shared.tokens import words

COLUMNS = 3


@dataclass(frozen=True)
class PathStep:
    """One step: its page (URL path), its fact (Markdown), and the keys of the page's view."""

    url: str
    fact: str
    values: dict[str, Any] = field(default_factory=dict)


def find_steps(run: Run, look: Look, usual: int, outcome: str) -> Iterator[PathStep]:
    """The six steps.

    `look`: that of the head that the map frames. `usual`: the token that pages propose. `outcome`: the page of the
    model's answer.
    """
    yield _tokens(run, look, usual)
    yield _positions(run, look)
    yield PathStep("heads", _look_fact(look), {**look.values, "heads_view": "Lines"})
    yield PathStep("scores", _score_fact(look), {**look.values, "scores_part": "steps"})
    yield _block(run, look)
    yield PathStep(outcome, _outcome_fact(run), _outcome_values(run, look))


def _tokens(run: Run, look: Look, usual: int) -> PathStep:
    stack = run.config.stacks[0]
    tokens = tokens_of(run, stack)
    place = look.query if look.stack == stack else usual
    fact = (
        f"Your sentence is **{count_noun(len(tokens), 'token')}**. {quotes.quote(words(tokens)[place], place)} "
        f"has the id {tokens[place].id:,} of {run.model.tokenizer.size:,}."
    )
    return PathStep("tokens", fact, {"tokens_part": "tokeniser"})


def _positions(run: Run, look: Look) -> PathStep:
    config, place = run.config, look.query
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
        case "alibi":
            said = "Nothing is added to it: each head takes its slope times the distance to the key off a score."
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
    before = run_answers.stream_before(run, look.stack, look.layer)[look.query]  # (d_model,)
    after = run_answers.residual_stream(run, look.stack, look.layer)[look.query]
    moved, length = (float(np.linalg.norm(vector)) for vector in (after - before, before))
    cosine = float(before @ after) / max(length * float(np.linalg.norm(after)), 1e-12)
    fact = (
        f"Layer {look.layer} moves the vector of {look.query_chip} by **{number(moved, 1)}**. "
        f"It was {number(length, 1)} long, and turns by {_degrees(math.acos(max(-1.0, min(1.0, cosine))))}."
    )
    values = {"attention": f"{look.stack}.self_attn", "layer": look.layer, "query": look.query}
    return PathStep("block", fact, {**values, "block_part": "stream"})


def _outcome_fact(run: Run) -> str:
    config = run.config
    if config.kind == "encoder-decoder":
        return f"Word by word it writes **{isolate(markdown_text(run_answers.written_text(run)))}**."
    if config.kind == "decoder":
        names, shares = run_answers.rank_next_tokens(run, 1)
        likeliest = quotes.quote(run_answers.bare(names[0]))
        count = len(run.trace.logits_at(-1))
        return f"Of {count:,} tokens {likeliest} is the likeliest to come next: **{percent(shares[0])}**."
    if config.masked_words:
        names, shares = run_answers.rank_words(run, 1)
        likeliest = quotes.quote(run_answers.bare(names[0]))
        place = quotes.quote(run_answers.place_of_word(run))
        return f"At {place} it finds {likeliest} the likeliest word: **{percent(shares[0])}**."
    if config.has_answer:
        names, shares = run_answers.rank_classes(run)
        written = write_score(shares[0], config.label_scores)
        what = quotes.quote(run_answers.place_of_word(run)) if config.answers_places else "The text"
        if config.label_scores == "softmax":
            return f"{what} is taken for {quotes.quote(names[0])}: **{written}**."
        return f"{what} gets the {score_noun(config.label_scores)} **{written}** for {quotes.quote(names[0])}."
    return _closest_words(run)


def _closest_words(run: Run) -> str:
    pair = run_answers.find_closest_words(run)
    if pair is None:
        return f"It makes **{count_noun(len(run.trace.tokens), 'vector')}**, one for each token."
    first, second = (quotes.quote(run_answers.bare(name)) for name in pair[:2])
    return f"The output vectors of {first} and {second} are most alike: cosine **{number(pair[2], 2)}**."


def _outcome_values(run: Run, look: Look) -> dict[str, Any]:
    match run.config.kind:
        case "decoder":
            return {"layer": look.layer, "head": look.head, "predict_view": "attention"}
        case "encoder-decoder":
            return {"translate_view": "steps", "translate_step": -1}
    return {"classify_part": "labels" if run.config.has_answer else "kinds"}


@dataclass(frozen=True)
class GuidedPath(View):
    """The path as cards, three in a row. `usual` and `outcome`: those of `find_steps`. `titles`: of pages, by their
    names."""

    run: Run
    look: Look
    usual: int
    outcome: str
    titles: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def steps(self) -> list[PathStep]:
        return list(find_steps(self.run, self.look, self.usual, self.outcome))

    def picture_parts(self) -> Sequence[Any]:
        cards = [self._card(place, step) for place, step in enumerate(self.steps, 1)]
        rows = [cards[first : first + COLUMNS] for first in range(0, len(cards), COLUMNS)]
        # Row by row, so that a narrow screen keeps the order.
        return [
            Heading("Six steps through your sentence", 3, has_line=True),
            *(Group([Group([card], "column") for card in row], "row") for row in rows),
        ]

    number_parts = formula_parts = code_parts = picture_parts

    def _card(self, place: int, step: PathStep) -> Group:
        title = self.titles.get(step.url, step.url)
        opens = Action(f"Open {title}", step.values, f"path {step.url}", ":material/arrow_forward:", page=step.url)
        parts = [Text(f"**{place}. {title}**"), Text(step.fact), opens]
        return Group(parts, is_framed=True, is_tall=True, gap="xsmall")
