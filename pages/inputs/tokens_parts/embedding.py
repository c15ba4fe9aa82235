"""From id to vector: a token's row of the table, its position, their sum, its neighbours, and the map of all rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st
from torch import Tensor

from model.arrays import Array
from model.network.embedding import Embedding
from model.tokens.tokenizer import Token
from model.vectors import vocabulary_map
from model.vectors.cosines import cosines
from model.vectors.principal_components import principal_components
from model.vectors.vocabulary_map import nearest_tokens, plane
from pages.shared.elements import claims, control_tokens, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import head_on_screen, model_turns, traces
from pages.shared.session import state
from views.run import Run
from views.run_spec import ModelSpec
from views.shared import quotes, sums
from viz.block.layer import tensor_figure
from viz.inputs.vocabulary import vocabulary_figure
from viz.shared.style import isolate, markdown_text, number, percent
from viz.shared.tokens import labels

NEIGHBOURS = 8
MAX_MAP_TOKENS = 1200  # of the vocabulary; a map of all 49,152 of SmolLM2 would be a megabyte
MAX_ROUNDING = 1e-4  # a larger difference between the sum and the recorded vector is the work of a norm
PARTS = {"tokens": "row of the table", "positions": "position", "segments": "segment", "out": "what layer 0 reads"}
INSTEAD = {  # of position vectors
    "rotary": "turns its queries and keys instead",
    "relative": "adds a bias for each distance to its scores instead",
    "none": "knows no positions",
}
NEAREST = "the cosine of the nearest token"
ADDED = "what is added"
PROMPTS = (
    layout.Prompt(
        "Neighbours",
        "Words of one kind lie close.",
        {"text": "The dog is happy", "query": 1},
        claim=Claim(NEAREST, "over", 0.3),
        at="tokens nearest",
    ),
    layout.Prompt(
        "Added positions",
        "The waves are the position.",
        {"model": "tiny-lm", "query": 3},
        suits=lambda card: card.positions == "sinusoidal",
        claim=Claim(ADDED, "is", "a position"),
    ),
    layout.Prompt(
        "Rotated instead",
        "Here nothing is added.",
        {"model": "smollm2-135m"},
        suits=lambda card: card.positions == "rotary",
        claim=Claim(ADDED, "is", "nothing"),
    ),
)


def show(depth: str) -> None:
    run = traces.current(keep=("*embed.*",))
    at = _read_token(run)
    if depth == "Formula":
        _show_formula(run, at)
    elif depth == "Code":
        layout.code(Embedding, vocabulary_map.nearest_tokens, cosines, vocabulary_map.plane, principal_components)
    else:
        _show_vectors(run, at, depth == "Numbers")
    layout.try_this(*PROMPTS)


def _show_vectors(run: Run, at: int, numbers: bool) -> None:
    tokens = _tokens(run)
    names = labels(tokens)
    tensors = _embedding_tensors(run)
    rows = {PARTS[part]: tensor[at].float().numpy() for part, tensor in tensors.items()}
    _show_picture(run, rows, names[at], numbers)
    layout.caption(_explain(run, tensors, at, names[at]))
    control_tokens.explain([tokens[at]])
    claims.tell(ADDED, "a position" if "positions" in tensors else "nothing")
    table = _embedding_table(run)
    near = _find_nearest(run.spec.model, tokens[at].id, table)
    tokenizer = run.model.tokenizer
    words = labels([tokenizer.token(id) for id, _ in near])
    neighbours = ", ".join(
        f"{isolate(markdown_text(word))} {number(cosine, 2)}" for word, (_, cosine) in zip(words, near, strict=True)
    )
    claims.tell(NEAREST, near[0][1])
    with st.container(key="tokens nearest"):
        st.markdown(f"**Nearest in the table**, by cosine: {neighbours}")
    _show_map(run, table, [token.id for token in tokens], names, at, [id for id, _ in near], words)


def _tokens(run: Run) -> tuple[Token, ...]:
    """All tokens that the first stack reads."""
    return run.trace.source_tokens or run.trace.tokens


def _read_token(run: Run) -> int:
    """The index of the token that the run bar chooses."""
    return head_on_screen.read_token(run, run.model.config.stacks[0])


def _embedding_tensors(run: Run) -> dict[str, Tensor]:
    """The recorded tensors of the first stack's embedding, by the names of `PARTS`: (tokens, features) each."""
    stack = "encoder." if run.trace.source_tokens else ""
    return {part: run.trace[f"{stack}embed.{part}"] for part in PARTS if f"{stack}embed.{part}" in run.trace}


def _embedding_table(run: Run) -> Tensor:
    """The table of embeddings of the first stack: (V, features)."""
    stack = "encoder" if run.trace.source_tokens else run.model.config.kind
    return run.model.on_cpu.network.get_parameter(f"{stack}.embed.tokens.weight")


def _show_picture(run: Run, rows: dict[str, Array], name: str, numbers: bool) -> None:
    width = max(len(row) for row in rows.values())
    sheet = np.zeros((len(rows), width), np.float32)
    for place, row in enumerate(rows.values()):
        sheet[place, : len(row)] = row
    figure = tensor_figure(sheet, list(rows), theme=state.theme())

    def feature_rows() -> list[dict[str, Any]]:
        return [{"feature": j, **dict(zip(rows, map(float, sheet[:, j]), strict=True))} for j in range(width)]

    figures.show_or_list(
        numbers, figure, f"The vectors of {name} before the first layer, feature by feature", feature_rows
    )
    figures.export(f"{run.name}-embedding", figure, feature_rows, vectors=sheet)


def _explain(run: Run, tensors: dict[str, Tensor], at: int, name: str) -> str:
    """The caption: the length of each vector of the token, and how the model joins them. Markdown."""
    out, token = tensors["out"][at], tensors["tokens"][at]
    text = f"{quotes.quote(name, at)}: a vector of {len(token)} numbers, length {number(float(token.norm()), 2)}"
    if "positions" not in tensors:
        later = INSTEAD[run.model.config.positions]
        return f"{text}. Nothing is added here: this model {later}."
    position = tensors["positions"][at]
    text += f"; its position's has length {number(float(position.norm()), 2)}"
    if not run.model.config.adds_positions:
        return f"{text}. They stand side by side and make {len(out)} numbers."
    total = token + position + (tensors["segments"][at] if "segments" in tensors else 0)
    sum_name = "Their sum with the segment's vector" if "segments" in tensors else "Their sum"
    difference = float((total - out).abs().max())
    if difference < MAX_ROUNDING:
        return f"{text}. {sum_name} is what the first layer reads; the largest difference is {number(difference, 6)}."
    return f"{text}. {sum_name}, after a LayerNorm, is what the first layer reads."


@st.cache_data(max_entries=200, show_spinner=False)
def _find_nearest(spec: ModelSpec, id: int, _table: Tensor) -> list[tuple[int, float]]:
    """The tokens whose rows have the largest cosine with the row of `id`, and the cosine. The search is slow."""
    return nearest_tokens(_table.detach().float(), id, NEIGHBOURS)


@st.cache_data(max_entries=8, show_spinner="Finding the plane of the vocabulary")
def _find_plane(spec: ModelSpec, _table: Tensor) -> tuple[Array, float]:
    """Each row's place in the plane of the first two principal components (V, 2), and its share of the variance."""
    with model_turns.take_turn():
        places, share = plane(_table.detach().float())
    return places.numpy(), share


def _show_map(
    run: Run, table: Tensor, ids: list[int], names: list[str], at: int, near: list[int], words: list[str]
) -> None:
    places, share = _find_plane(run.spec.model, table)
    tokenizer = run.model.tokenizer
    sample = np.unique(np.linspace(0, len(places) - 1, min(MAX_MAP_TOKENS, len(places))).astype(int))
    others = labels([tokenizer.token(int(id)) for id in sample])
    figure = vocabulary_figure(
        (places[sample], others), (places[near], words), (places[ids], names), at, theme=state.theme()
    )
    st.subheader("The map of the vocabulary", anchor=False)
    with st.container(key="tokens map"):
        figures.show(
            figure, "Tokens in the plane of largest variance; those of the sentence in blue, neighbours in orange"
        )
    number_drawn = "all" if len(sample) == len(places) else f"{len(sample):,} of the"
    layout.caption(
        f"Grey: {number_drawn} {len(places):,} tokens. Blue: your sentence. Orange: the nearest to the chosen token in "
        f"all {table.shape[1]} dimensions. The two dimensions of the map hold {percent(share)} of the variance."
    )

    def rows() -> list[dict[str, Any]]:
        return [
            {"token": name, "x": float(x), "y": float(y)}
            for name, (x, y) in zip(others + names, [*places[sample], *places[ids]], strict=True)
        ]

    figures.export(f"{run.name}-vocabulary", figure, rows, ("tokens map",))


def _show_formula(run: Run, at: int) -> None:
    """Show each equation with the numbers of the chosen token: its largest feature, and its nearest neighbour."""
    layout.equation(
        r"x_t = \sqrt{d}\,E_{w_t} + p_t",
        "The row of the token's id in the table, scaled, plus the position. Vaswani et al. (2017), section "
        "3.4; models differ in the scale, and whether a position is added, joined or rotated in later.",
        {"E": r"the embedding table, $V \times d$", "w_t": "the id of token t", "p_t": "the vector of position t"},
    )
    config, tensors, table = run.model.config, _embedding_tensors(run), _embedding_table(run).detach().float()
    tokens = _tokens(run)
    row, id, name = tensors["tokens"][at], tokens[at].id, quotes.quote(labels(tokens)[at], at)
    feature = int(row.abs().argmax())
    entry = quotes.tex(float(table[id, feature]))
    scaled = rf"\sqrt{{{config.d_model}}} \cdot {entry}" if config.embed_scale else entry
    parts = [part for part in ("positions", "segments") if part in tensors and config.position_mix == "add"]
    terms = [float(tensors[part][at, feature]) for part in parts]
    more = ", plus its position's" + (" and its segment's" if "segments" in parts else "") if parts else ""
    layout.work_out(
        f"Feature {feature} of {name}, its row's largest{more}"
        + (", before the LayerNorm:" if config.embed_norm else ":"),
        f"{' + '.join([scaled, *map(quotes.tex, terms)])} = {quotes.tex(float(row[feature]) + sum(terms))}",
    )
    layout.equation(
        r"\cos(a, b) = \frac{a \cdot b}{|a|\,|b|}, \qquad (E - \bar E)^\top (E - \bar E) = A \Lambda A^\top",
        "Neighbours by cosine. The map shows the two columns of A with the largest variance.",
    )
    near, _ = _find_nearest(run.spec.model, id, table)[0]
    other = quotes.quote(labels([run.model.tokenizer.token(near)])[0])
    layout.work_out(
        f"{name} and its nearest neighbour in the table, {other}:",
        rf"\cos(a, b) = {sums.cosine(table[id], table[near])}",
    )
