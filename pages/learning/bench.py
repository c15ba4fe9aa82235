"""Break a part: switch parts of a bundled model off and measure what is lost."""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model import Edit, Model, ablate
from model.analysis.head_steps import kinds
from model.analysis.scores import entropy
from model.experiments import broken_parts, surgery
from model.experiments.broken_parts import MeasureComparison, attention_entropy, can_be_measured, compare, sample
from model.experiments.surgery import RemovablePart, edit_model, keep_heads, parts_of
from model.generation.surprise import surprise
from pages.learning.kept_measurements import BenchSession
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.elements.model_text import show_text
from pages.shared.model_runs import measurements, model_turns, traces
from pages.shared.server.session_values import of_session
from pages.shared.session import ablation_choice, state
from pages.shared.session.last_made import keep_last
from views.head_of_run import attention_title
from views.shared import quotes, sums
from views.shared.measure_words import say_meanings
from viz.learning.broken_parts import comparison_figure, entropy_figure
from viz.shared.style import markdown_text, number, percent
from viz.shared.tensor_titles import path_title
from viz.shared.tokens import shorten

ITEM_CHOICES = (
    "20",
    "60",
    "200",
    "1000",
)  # held-out items a measure: 60 show a loss of a few per cent, and are soon there

CHANGE = "the largest change of an attention's entropy, in bits,"


def main() -> None:
    depth = layout.begin("Break a part", "To see what a part is for, take it away and measure what is lost.")
    if depth == "Formula":
        _formula()
    name = state.get("model") or traces.default_model()
    try:
        model = traces.model(name)
    except traces.errors() as error:
        traces.complain(error)
        raise traces.NothingToShow from error
    parts, (edits, silenced) = _parts(model), _heads(model)
    if depth == "Code":
        _code()
        return
    if depth == "Formula":
        _work_out_sentence(model, parts, edits)
        return
    _bench(model, parts, edits, silenced, depth == "Numbers")
    layout.try_this(*_prompts(model))


def _prompts(model: Model) -> list[layout.Prompt]:
    lost_order = "Attention no longer knows the order of the words: it spreads otherwise."
    descriptions = {
        "residuals": "What a token was is lost on the way: attention finds nothing of it any more.",
        "positions": lost_order,
        "rotary positions": lost_order,
    }
    names = [part.name for part in parts_of(model.config) if part.name in descriptions]
    one_head = layout.Prompt(
        "Only one head",
        "The attention of the higher layers finds other tokens, since one head of each layer moved so little.",
        {"bench_parts": ablation_choice.NO_PARTS, "bench_heads": "all but one", "bench_place": ""},
        claim=Claim(CHANGE, "over", 0.05),
    )
    without = (
        layout.Prompt(
            f"Without {name}",
            descriptions[name],
            {"bench_parts": name, "bench_heads": "none"},
            claim=Claim(CHANGE, "over", 0.05),
        )
        for name in names
    )
    return [*without, one_head]


def _bench(
    model: Model, parts: tuple[RemovablePart, ...], edits: tuple[Edit, ...], silenced: list[str], numbers: bool
) -> None:
    names = [part.name for part in parts] + silenced
    if not names:
        st.info("Choose what to take away.")
        return
    st.markdown("**Without " + markdown_text(", ".join(names)) + "**: " + "; ".join(part.meaning for part in parts))
    if {"self-attention", "feed-forward"} <= {part.name for part in parts}:
        layout.caption("With both sublayers gone every token stays its own embedding.")
    _samples(model, parts, edits, names, numbers)
    if can_be_measured(model.card.name):
        _show_measures(model, parts, edits, names, numbers)
    else:
        st.info(
            f"Held-out measures are for the bundled models; {markdown_text(model.card.title)} was trained elsewhere."
        )


def _parts(model: Model) -> tuple[RemovablePart, ...]:
    """The parts to switch off. The page names those that the model does not have."""
    available = {part.name: part for part in parts_of(model.config)}
    asked = ablation_choice.read_parts(state.get("bench_parts"), state.get("bench_heads"))
    if absent := [name for name in asked if name not in available]:
        state.put(bench_parts=",".join(name for name in asked if name in available))
        asked = ablation_choice.read_parts(state.get("bench_parts"), state.get("bench_heads"))
        quoted = markdown_text(shorten(", ".join(absent), 60))
        state.say("bench_parts", f"{markdown_text(model.card.title)} has no “{quoted}” that could be taken away.")
    chosen = [name for name in asked if name in available]
    st.session_state["bench parts"] = chosen
    st.pills("Take away", tuple(available), selection_mode="multi", key="bench parts", on_change=_take_parts)
    return tuple(available[name] for name in chosen)


def _take_parts() -> None:
    """Make the parts on screen the reader's choice."""
    state.put(bench_parts=ablation_choice.write_parts(st.session_state["bench parts"]))


def _heads(model: Model) -> tuple[tuple[Edit, ...], list[str]]:
    """The edits that silence heads in every layer of an attention, and their names. One head, all but one, or none."""
    config = model.config
    places = {f"{s}.*.{part}": attention_title(config, s, part) for s, part in kinds(config)}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "Heads to silence", ("none", "one", "all but one"), key="bench_heads", required=True, on_change=_take_parts
        )
        which = state.get("bench_heads")
        if which == "none":
            return (), []
        place = state.checked_choice("bench_place", tuple(places), "Attention", next(iter(places)))
        if len(places) > 1:
            st.selectbox("Of", tuple(places), key="bench_place", format_func=places.__getitem__, width=230)
        head = state.checked_number("bench_head", 0, config.n_heads - 1, "Head")
        st.number_input("Head", 0, config.n_heads - 1, key="bench_head", width=118)
    edit = ablate(place, head) if which == "one" else keep_heads(config, place, [head])
    description = f"head {head}" if which == "one" else f"all heads but {head}"
    return (edit,), [f"{description} of {places[place].lower()} in every layer"]


def _samples(
    model: Model, parts: tuple[RemovablePart, ...], edits: tuple[Edit, ...], names: list[str], numbers: bool
) -> None:
    """The outputs of both models on the reader's sentence, and the entropy of their attention."""
    try:
        outputs, entropies = _run_both(model, parts, edits, names)
    except traces.errors() as error:
        traces.complain(error)
        return
    if any(outputs):
        for column, title, output in zip(st.columns(2), ("Whole", "Without"), outputs, strict=True):
            with column:
                show_text(f"{title}: what it makes of your sentence", output)
    several = len(model.config.stacks) > 1
    whole, without = ({path_title(path, several): bits for path, bits in each.items()} for each in entropies)
    rows = [{"attention": name, "whole": whole[name], "without": without[name]} for name in whole]
    figure = entropy_figure(whole, without, state.theme())
    figures.show_or_list(numbers, figure, "Entropy of each attention, whole and without the parts", lambda: rows)
    figures.export(f"{model.card.name}-entropy", figure, lambda: rows)
    strongest = max(whole, key=lambda name: abs(whole[name] - without[name]))
    claims.tell(CHANGE, abs(whole[strongest] - without[strongest]))
    layout.caption(
        f"Entropy of the attention weights on your sentence, in bits: 0 is one key, more is spread. It changes most in "
        f"{strongest}, from {number(whole[strongest])} to {number(without[strongest])}."
    )


def _run_both(
    model: Model, parts: tuple[RemovablePart, ...], edits: tuple[Edit, ...], names: list[str]
) -> tuple[list[str], list[dict[str, float]]]:
    """What the whole model makes of the reader's sentence and what the edited one, and the entropies of both.

    To write takes seconds of a large model, so the session keeps what was made last. `names`: of what is taken away.
    """
    text = traces.fitting_sentence(model.card.name)

    def make() -> tuple[list[str], list[dict[str, float]]]:
        both = (model, edit_model(model, parts, edits))
        with model_turns.forward_pass():
            outputs = [sample(each, text) for each in both]
            target = outputs[0] if model.config.kind == "encoder-decoder" else None
            return outputs, [attention_entropy(each, text, target) for each in both]

    return keep_last("samples without parts", (model.card.name, model.state, text, *names), make)


def _show_measures(
    model: Model, parts: tuple[RemovablePart, ...], edits: tuple[Edit, ...], names: list[str], numbers: bool
) -> None:
    """The held-out measures. A press of the button makes them, and the session keeps them."""
    items = state.get("bench_items")
    view = (model.card.name, model.state, items, *names)
    kept = of_session(BenchSession)
    comparisons = kept.comparisons.setdefault(view, [])
    _drop_oldest(kept.comparisons)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox("Items a measure", ITEM_CHOICES, key="bench_items", width=140)
        pressed = measurements.measure_button("Measure on held-out sentences", comparisons, ":material/science:")
        stop = st.empty()
    if pressed:
        kept.finished.discard(view)
        _measure(model, parts, edits, comparisons, int(items), stop)
        kept.finished.add(view)
    if not comparisons:
        return
    rows = [{"measure": row.measure, "whole": row.whole, "without": row.without} for row in comparisons]
    figure = comparison_figure(comparisons, state.theme())
    figures.show_or_list(numbers, figure, "Each measure, whole and without the parts", lambda: rows)
    figures.export(f"{model.card.name}-without", figure, lambda: rows)
    if view not in kept.finished:
        layout.caption("Partial: it was stopped before all measures were made.")
    loss = next((row for row in comparisons if row.measure == "loss"), None)
    shares = [row for row in comparisons if row.measure != "loss"]
    text = f"Loss {number(loss.whole)} → {number(loss.without)} nats. " if loss else ""
    if shares:
        lost_most = max(shares, key=lambda row: row.whole - row.without)
        name = lost_most.measure.replace("_", " ")
        text += f"Lost most: {name}, {percent(lost_most.whole)} → {percent(lost_most.without)}. "
    layout.caption(
        f"{text}{items} held-out items a measure. {say_meanings(model.card, [row.measure for row in shares])}"
    )


def _drop_oldest(values: dict[Any, Any], max_values: int = 30) -> None:
    while len(values) > max_values:
        values.pop(next(iter(values)))


def _measure(
    model: Model,
    parts: tuple[RemovablePart, ...],
    edits: tuple[Edit, ...],
    comparisons: list[MeasureComparison],
    items: int,
    stop: DeltaGenerator,
) -> None:
    """Appends each measure to `comparisons` at once, so that a stop in the middle keeps the finished ones."""
    rows = compare(model, edit_model(model, parts, edits), items)
    with measurements.watch(stop, "Preparing held-out sentences") as bar:
        while True:
            with model_turns.forward_pass():
                row = next(rows, None)
            if row is None:
                break
            comparisons.append(row)
            bar.progress(min(len(comparisons) / 8, 1.0), text=f"Measured: {row.measure.replace('_', ' ')}")


def _formula() -> None:
    layout.equation(
        r"\text{loss} = -\frac{1}{T} \sum_t \log p(x_t \mid x_{<t})",
        "Mean surprise of the true next token on sentences that the model was not trained on.",
    )
    layout.equation(r"H(A_i) = -\sum_j A_{ij} \log_2 A_{ij}", "Entropy of a row of attention, in bits.")


def _work_out_sentence(model: Model, parts: tuple[RemovablePart, ...], edits: tuple[Edit, ...]) -> None:
    """The losses of the sentence's tokens and one row of weights, with all parts and without some."""
    without_parts, config = edit_model(model, parts, edits), model.config
    stack, part = kinds(config)[-1]
    path = f"{stack}.{config.n_layers(stack) - 1}.{part}"
    try:
        text = traces.fitting_sentence(model.card.name)
        with model_turns.forward_pass():
            target = sample(model, text) if config.kind == "encoder-decoder" else None
            keep = ("logits", *(f"{path}.{name}" for name in ("raw_scores", "masked", "weights")))
            runs = [each.trace(text, keep=keep, target=target) for each in (model, without_parts)]
    except traces.errors() as error:
        traces.complain(error)
        return
    best = int(runs[0][f"{path}.weights"][0, -1].argmax())
    for title, trace in zip(("Whole", "Without"), runs, strict=True):
        raw, score, weights = (
            trace[f"{path}.{name}"][0, -1] for name in ("raw_scores", "masked", "weights")
        )  # (keys,)
        terms = [weight for weight in weights.tolist() if weight > 0]
        sum_of_row = sums.plus(terms, lambda weight: rf"{quotes.tex(weight)} \log_2 {quotes.tex(weight)}")
        lines = [
            rf"q_i \cdot k_{{{best}}} = {quotes.tex(float(raw[best]))}, \qquad "
            rf"S_{{i,{best}}} + M_{{i,{best}}} = {quotes.tex(float(score[best]))}, \qquad "
            rf"A_{{i,{best}}} = {quotes.tex(float(weights[best]))}",
            rf"H(A_i) = -({sum_of_row}) = {quotes.tex(float(entropy(weights)))}",
        ]
        if config.kind != "encoder" and len(trace.tokens) > 1:
            losses = surprise(trace.logits[:-1], [token.id for token in trace.tokens[1:]]).loss
            mean = quotes.tex(float(losses.mean()))
            lines.insert(
                0, rf"\text{{loss}} = \frac{{{sums.plus(losses.tolist(), quotes.tex)}}}{{{len(losses)}}} = {mean}"
            )
        layout.work_out(
            f"**{title}**: {'your sentence, then ' if len(lines) > 2 else ''}the last row of head 0 in the last layer, "
            f"{path_title(path, len(config.stacks) > 1)}:",
            *lines,
        )


def _code() -> None:
    layout.code(surgery.without, surgery.EditedTransformer, broken_parts.compare)


main()
