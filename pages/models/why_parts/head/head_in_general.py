"""Why this word, Head in general: what a head looks for and what it writes, whatever the sentence."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from model.analysis.circuits import composition, distance, looked_for, written
from model.analysis.circuits.composition import Composition
from model.analysis.circuits.distance import Kernel
from model.analysis.head_steps import Attention
from pages.models.why_parts.head import head_circuits
from pages.models.why_parts.head.head_circuits import GeneralHead
from pages.shared.elements import claims, figures, layout
from pages.shared.session import state, token_window
from views.models.why.question import Question
from views.shared import quotes, score_formula, sums
from views.shared.quotes import tex
from viz.models.circuits import Curve, Earlier, composition_figure, kernel_figure
from viz.models.why import sources_figure
from viz.shared.labels import BESIDE_WORDS_WIDTH
from viz.shared.style import count_noun, number, percent, upper_first

READ = 6  # tokens of the sentence whose writing is listed
STRONGEST = 3  # earlier heads that are named on each side
READ_BY_KEYS = "the head that it reads most by its keys"
SIDES = {"q": "queries", "k": "keys", "v": "values"}
LEFT_OUT = "Left out: positions, and everything that lower layers write. A head of a high layer meets much of that."


def show(asked: Question, depth: str) -> None:
    shown = head_circuits.choose(asked)
    if depth == "Code":
        layout.code(
            looked_for.looked_for, written.written, written.copying, distance.positional_scores, composition.compose
        )
        return
    if depth == "Formula":
        _formula(shown)
        return
    numbers = depth == "Numbers"
    layout.caption(
        f"{upper_first(shown.place)}, read from its weights: each token stands alone, as its embedding. {LEFT_OUT}"
    )
    left, right = st.columns(2, gap="medium")
    with left:
        _show_looked_for(shown, numbers)
    with right:
        _show_written(shown, numbers)
    left, right = st.columns(2, gap="medium")
    with left:
        _show_kernel(shown, numbers)
    with right:
        _show_composition(shown, numbers)


def _show_looked_for(shown: GeneralHead, numbers: bool) -> None:
    """The QK circuit: the tokens of the sentence, then the ends of the vocabulary."""
    query = quotes.quote(shown.queries[shown.query], shown.query)
    st.markdown(f"**Which tokens it looks for** at {query}")
    scores = shown.scores.numpy()
    window = token_window.choose_if_long("why looked for", len(scores), at=int(scores.argmax()))
    figure = sources_figure(scores[window], shown.keys[window], state.theme(), axis="score", room=BESIDE_WORDS_WIDTH)
    rows = partial(_looked_for_rows, shown)
    with st.container(key="why looked for"):
        figures.show_or_list(numbers, figure, "How much the head looks for each token of the sentence", rows)
    ends = shown.circuits.looked_for.ends
    most = _listed(shown.key_words(ends.most_ids[0]), ends.most[0].tolist())
    least = _listed(shown.key_words(ends.least_ids[0]), ends.least[0].tolist())
    layout.caption(f"Of the whole vocabulary it looks most for {most}; least for {least}.")
    figures.export(f"{shown.file_name}-looks-for", figure, rows, ("why looked for",), scores=scores)


def _looked_for_rows(shown: GeneralHead) -> list[dict[str, Any]]:
    """The tokens of the sentence, then the ends of the vocabulary."""
    ends = shown.circuits.looked_for.ends
    sentence = [
        {"token": key, "of": "the sentence", "score": score}
        for key, score in zip(shown.keys, shown.scores.tolist(), strict=True)
    ]
    for of, ids, scores in (("most", ends.most_ids[0], ends.most[0]), ("least", ends.least_ids[0], ends.least[0])):
        labels = zip(shown.key_words(ids), scores.tolist(), strict=True)
        sentence += [{"token": label, "of": f"the vocabulary, {of}", "score": score} for label, score in labels]
    return sentence


def _show_written(shown: GeneralHead, numbers: bool) -> None:
    """The OV circuit: the tokens that it reads most here, and what reading them makes likelier."""
    st.markdown("**What reading a token makes likelier**")
    if shown.circuits.written is None:
        between = (
            "Between it and the answer stand steps that depend on the sentence"
            if shown.asked.of_encoder
            else "It writes no next token"
        )
        layout.caption(f"This head is in the encoder. {between}, so nothing becomes likelier by it alone.")
        return
    rows = partial(_written_rows, shown)
    with st.container(key="why written"):
        if numbers:
            st.dataframe(rows(), hide_index=True)
        else:
            st.markdown("\n".join(_written_line(shown, place) for place in shown.most_read(READ)))
    layout.caption(
        f"The tokens that it reads most here. Of the whole vocabulary, rank 1 rises most. {_copying(shown)} "
        "The numbers leave out the scale of the norms, so they compare with each other, but are no logits."
    )
    figures.export_table(f"{shown.file_name}-writes", rows)


def _written_line(shown: GeneralHead, place: int) -> str:
    made = shown.circuits.written
    assert made is not None
    rises = _listed(shown.output_words(made.ends.most_ids[place]), made.ends.most[place].tolist())
    own = "" if made.ranks is None else f" · rank of the token itself: {int(made.ranks[place]):,}"
    read = percent(float(shown.weights[place]))
    return f"- {quotes.quote(shown.keys[place], place)} :gray[read {read}] → {rises}:gray[{own}]"


def _written_rows(shown: GeneralHead) -> list[dict[str, Any]]:
    """One row for each token that it can read in the sentence."""
    made = shown.circuits.written
    assert made is not None
    rows = []
    for place, key in enumerate(shown.keys):
        row: dict[str, Any] = {"token": key, "weight here": float(shown.weights[place])}
        if made.own is not None and made.ranks is not None:
            row |= {
                "rise of the token itself": float(made.own[place]),
                "rank of the token itself": int(made.ranks[place]),
            }
        row["makes likelier"] = " ".join(shown.output_words(made.ends.most_ids[place]))
        row["makes less likely"] = " ".join(shown.output_words(made.ends.least_ids[place]))
        rows.append(row)
    return rows


def _copying(shown: GeneralHead) -> str:
    found = shown.circuits.copying
    if found is None:
        return "It reads one vocabulary and writes another, so there is no copying score."
    return (
        f"Its copying score is {number(found.score)}: 1 for a head that makes each token that it reads likelier as the "
        "next word, −1 for one that makes it less likely."
    )


def _listed(labels: list[str], values: list[float]) -> str:
    pairs = zip(labels, values, strict=True)
    return ", ".join(f"{quotes.quote(label)} :gray[{number(value, 2)}]" for label, value in pairs)


def _show_kernel(shown: GeneralHead, numbers: bool) -> None:
    positional, measured = shown.circuits.positional, shown.circuits.measured
    st.markdown("**How far it looks**")
    figure = kernel_figure(None if positional is None else _curve(positional), _curve(measured), state.theme())
    rows = partial(_kernel_rows, shown)
    with st.container(key="why kernel"):
        figures.show_or_list(numbers, figure, "The score and the weight by distance", rows)
    layout.caption(_describe_kernel(shown))
    figures.export(f"{shown.file_name}-distance", figure, rows, ("why kernel",), measured=measured.values.numpy())


def _curve(kernel: Kernel) -> Curve:
    return Curve(kernel.distances.numpy(), kernel.values.numpy())


def _kernel_rows(shown: GeneralHead) -> list[dict[str, Any]]:
    measured, positional = shown.circuits.measured, shown.circuits.positional
    table: dict[int, dict[str, Any]] = {}
    for name, kernel in (("score by position", positional), ("weight in this run", measured)):
        for distance_back, value in () if kernel is None else zip(*_lists(kernel), strict=True):
            table.setdefault(int(distance_back), {"tokens back": int(distance_back)})[name] = value
    return [table[each] for each in sorted(table)]


def _lists(kernel: Kernel) -> tuple[list[float], list[float]]:
    return kernel.distances.tolist(), kernel.values.tolist()


def _describe_kernel(shown: GeneralHead) -> str:
    config, measured, positional = shown.asked.config, shown.circuits.measured, shown.circuits.positional
    best = int(measured.distances[measured.values.argmax()])
    here = f"In this run its weight is largest {_back(best)}, {percent(float(measured.values.max()))} on average."
    if not shown.at.is_cross and len(shown.keys) > 1:
        here += " The first token is left out: heads park there what they do not use."
    if shown.at.is_cross:
        return f"{here} The distance is that between a place here and a place in the other sentence."
    if positional is None:
        return f"{here} This model has no positions: distance alone changes no score."
    most = _back(int(positional.distances[positional.values.argmax()]))
    if config.positions == "relative":
        return f"Its bias of relative positions is largest {most}. {here}"
    if config.positions == "rotary":
        return f"Turned to each distance, all pairs of tokens of this run score most {most}. {here}"
    return f"The vectors of positions alone, without tokens, score most {most}. {here}"


def _back(distance_back: int) -> str:
    if distance_back == 0:
        return "at the token itself"
    return f"{count_noun(abs(distance_back), 'token')} {'back' if distance_back > 0 else 'ahead'}"


def _show_composition(shown: GeneralHead, numbers: bool) -> None:
    st.markdown("**Which earlier heads it reads**")
    sides = earlier_of(shown)
    if not any(side.scores.size for side in sides):
        layout.caption("No head stands before it: it reads embeddings alone.")
        return
    figure = composition_figure(sides, state.theme())
    rows = partial(_composition_rows, shown)
    with st.container(key="why composition"):
        figures.show_or_list(numbers, figure, "How strongly the head reads each earlier head", rows)
    layout.caption(
        " ".join(_describe_side(each) for each in shown.circuits.compositions if each.scores.numel())
        + " 0 is the level of random matrices."
    )
    for each in shown.circuits.compositions:
        if each.side == "k" and each.scores.numel():
            at, head, _ = each.strongest(1)[0]
            claims.tell(READ_BY_KEYS, f"{_row_name(at)} head {head}")
    arrays = {each.side: each.scores.numpy() for each in shown.circuits.compositions}
    figures.export(f"{shown.file_name}-composition", figure, rows, ("why composition",), **arrays)


def earlier_of(shown: GeneralHead) -> list[Earlier]:
    """The scores of earlier heads by side, with names for their rows."""
    return [
        Earlier(each.side, [_row_name(at) for at in each.attentions], each.scores.numpy())
        for each in shown.circuits.compositions
    ]


def _row_name(at: Attention) -> str:
    """A short name for an attention: "layer 3", "cross 3", "encoder 3"."""
    return f"{'cross' if at.is_cross else 'encoder' if at.stack == 'encoder' else 'layer'} {at.layer}"


def _composition_rows(shown: GeneralHead) -> list[dict[str, Any]]:
    return [
        {"side": SIDES[each.side], "earlier": _row_name(at), "head": head, "above chance": value}
        for each in shown.circuits.compositions
        for at, values in zip(each.attentions, each.scores.tolist(), strict=True)
        for head, value in enumerate(values)
    ]


def _describe_side(found: Composition) -> str:
    named = ", ".join(
        f"{_row_name(at)} head {head} ({number(value)})" for at, head, value in found.strongest(STRONGEST)
    )
    return f"By its {SIDES[found.side]} it reads most what {named} write."


def _formula(shown: GeneralHead) -> None:
    _formula_of_scores(shown)
    _formula_of_writing(shown)
    _formula_of_distance(shown)
    _formula_of_composition(shown)


def _formula_of_scores(shown: GeneralHead) -> None:
    layout.equation(
        "s_{qk} = " + score_formula.in_latex(shown.asked.config, True, r"(x_q W_Q)(x_k W_K)^\top"),
        "Elhage et al. (2021): the QK circuit, from token to token.",
        {
            "x_q": "the embedding of the token at which the head stands, through the norms before the head",
            "x_k": "the same of a token that it can read",
            "W_Q, W_K": "the head's own; with the biases and norms of queries and keys, where the model has them",
        },
    )
    made, best = shown.circuits.looked_for, int(shown.scores.argmax())
    query, key = quotes.quote(shown.queries[shown.query], shown.query), quotes.quote(shown.keys[best], best)
    layout.work_out(
        f"{query} looks for {key} most of all tokens of the sentence, by their embeddings alone:",
        sums.product(made.scale * made.queries[0].numpy(), made.keys[best].numpy()),
    )


def _formula_of_writing(shown: GeneralHead) -> None:
    made, copies = shown.circuits.written, shown.circuits.copying
    if made is None:
        return
    layout.equation(
        r"\Delta u = x_k W_V W_O N W_U",
        "Elhage et al. (2021): the OV circuit, from token to token.",
        {
            "N": "the norms between the head and the output layer: gains, and the mean if they subtract it, no scale",
            "W_U": "the output layer",
        },
    )
    place = shown.most_read(1)[0]
    id = int(made.ends.most_ids[place, 0])
    (rising,) = shown.output_words(made.ends.most_ids[place, :1])
    layout.work_out(
        f"Reading {quotes.quote(shown.keys[place], place)} raises {quotes.quote(rising)} most:",
        sums.product(made.added[place].numpy(), written.output_table(shown.asked.run.model)[id].numpy()),
    )
    if copies is None:
        return
    layout.equation(
        r"c = \frac{\sum_i \lambda_i}{\sum_i |\lambda_i|}",
        "Elhage et al. (2021): copying, by the eigenvalues of the OV circuit over the whole vocabulary.",
        {r"\lambda_i": f"its {len(copies.eigenvalues)} eigenvalues that can be other than 0, one a feature"},
    )
    real, size = float(copies.eigenvalues.real.sum()), float(copies.eigenvalues.abs().sum())
    layout.work_out("The copying score:", rf"\frac{{{tex(real)}}}{{{tex(size)}}} = {tex(copies.score)}")


def _formula_of_distance(shown: GeneralHead) -> None:
    if shown.circuits.positional is None:
        return
    if shown.asked.config.positions == "rotary":
        layout.equation(
            r"s(\delta) = \frac{\bar q\, R_\delta\, \bar k^\top}{\sqrt{d_k}}",
            "Su et al. (2021), eq. 34: a score depends on the distance alone.",
            {r"\bar q, \bar k": "the mean query and key of this run, before any turn, without the first token"},
        )
    elif shown.asked.config.positions == "relative":
        layout.equation(
            r"s(\delta) = \mathrm{table}[\,b(-\delta)\,]",
            "Raffel et al. (2020), section 2.1: the bias that this head adds to a score.",
            {"b": "the bucket of a distance"},
        )
    else:
        layout.equation(
            r"s(\delta) = \frac{1}{n} \sum_t \frac{(p_t W_Q)(p_{t-\delta} W_K)^\top}{\sqrt{d_k}}",
            "Elhage et al. (2021): the QK circuit of positions.",
            {"p_t": "the vector of position t alone, through the norms before the head"},
        )
    kernel = shown.circuits.positional
    best = int(kernel.values.argmax())
    layout.work_out(
        "It is largest at this distance:", rf"s({int(kernel.distances[best])}) = {tex(float(kernel.values[best]))}"
    )


def _formula_of_composition(shown: GeneralHead) -> None:
    strongest = [(each.side, *each.strongest(1)[0]) for each in shown.circuits.compositions if each.scores.numel()]
    if not strongest:
        return
    layout.equation(
        r"\frac{\lVert W_V' W_O'\, W \rVert_F}{\lVert W_V' W_O' \rVert_F \lVert W \rVert_F} - \frac{1}{\sqrt{d}}",
        "Elhage et al. (2021): composition, with the level of chance subtracted.",
        {
            "W_V' W_O'": "the OV circuit of the earlier head",
            "W": r"$W_Q W_K^\top$ for the queries, $W_K W_Q^\top$ for the keys, $W_V W_O$ for the values",
            r"\frac{1}{\sqrt{d}}": "the ratio of random matrices: the root of its mean square",
        },
    )
    chance = composition.chance(shown.asked.config.d_model)
    for side, at, head, value in strongest:
        layout.work_out(
            f"By its {SIDES[side]}, {_row_name(at)} head {head}:",
            f"{tex(value + chance)} - {tex(chance)} = {tex(value)}",
        )
