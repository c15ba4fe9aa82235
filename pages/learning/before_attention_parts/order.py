"""The order of work: the steps that must wait for one another, the length of paths, and the time on this machine."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator

from model.config import TransformerConfig
from model.cost import timing
from model.cost.timing import Timing, measure
from model.experiments.gradient_by_distance import make_untrained
from model.network.attention import MultiHeadAttention
from model.network.transformer import Transformer
from model.recurrent import cells as recurrent
from model.recurrent.config import RecurrentConfig
from model.recurrent.networks import Recurrent, with_torch_cell
from pages.learning.before_attention_parts import told
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import measurements, model_turns, traces
from pages.shared.server.session_values import of_session
from pages.shared.session import bar_notes, state
from views.shared import sums
from viz.shared.lines import lines_figure
from viz.shared.style import markdown_text, number

COUNTED_LENGTHS = tuple(2**n for n in range(11))  # 1 .. 1,024 tokens
MEASURED_LENGTHS = (8, 16, 32, 64, 128, 256, 512)
LAYER_WIDTH, N_HEADS = 128, 4
N_PASSES = 7
QUICK_SECONDS = 0.5  # of the measurement with which the part opens
PROMPTS = (
    layout.Prompt(
        "The formulas",
        "Operations, steps and paths, side by side.",
        {"before_attention_part": "order", "depth": "Formula"},
        at="before attention formulas",
    ),
    layout.Prompt(
        "What arrives",
        "The longer the path, the less arrives: of a far token hardly anything reaches the end of the RNN.",
        {"before_attention_part": "memory", "before_attention_relative": True},
        claim=Claim(told.RNN_LEFT, "under", 0.01),
    ),
)


def show(depth: str) -> None:
    if depth == "Formula":
        _formula()
        _work_out_operations()
    elif depth == "Code":
        layout.code(recurrent.Cell, MultiHeadAttention, timing.measure)
    else:
        bar_notes.say_nothing_taken("It counts the steps of single layers, and times untrained ones.")
        _show_counts(depth == "Numbers")
        _show_measurement(depth == "Numbers")
    layout.try_this(*PROMPTS)


@dataclass
class OrderSession:
    """The times that a session has measured, by network: exactly, and quickly before that."""

    exact: dict[str, list[Timing]] = field(default_factory=dict)
    quick: dict[str, list[Timing]] = field(default_factory=dict)


def _show_counts(numbers: bool) -> None:
    st.markdown("**Counted**: steps of one layer that wait for one another, and the longest way between two tokens")
    claims.tell(told.STEPS, COUNTED_LENGTHS[-1])
    curves = {
        "recurrent: steps in a row, and longest path": (COUNTED_LENGTHS, COUNTED_LENGTHS),
        "self-attention: steps in a row, and longest path": (COUNTED_LENGTHS, [1] * len(COUNTED_LENGTHS)),
        "self-attention: pairs, all at once": (COUNTED_LENGTHS, [t * t for t in COUNTED_LENGTHS]),
    }
    figure = lines_figure(curves, "tokens T", "count", log="xy", theme=state.theme())
    rows = [{"tokens": t} | {name: ys[i] for name, (_, ys) in curves.items()} for i, t in enumerate(COUNTED_LENGTHS)]
    figures.show_or_list(numbers, figure, "Sequential steps, path length and pairs by number of tokens", lambda: rows)
    layout.caption(
        "A recurrent layer takes T steps, each after the one before, and the first token reaches the last through all "
        "of them. Self-attention takes one step, over T² pairs, and every path has length 1."
    )
    figures.export("order-of-work", figure, lambda: rows)


def _show_measurement(numbers: bool) -> None:
    st.markdown(f"**Measured**: one layer of each, {LAYER_WIDTH} wide, reading a text on this machine")
    timings = of_session(OrderSession).exact
    with st.container(horizontal=True):
        label = "Measure again" if timings else "Measure more exactly"
        pressed = measurements.measure_button(label, timings, ":material/timer:")
        stop = st.empty()
    if pressed:
        _measure(timings, stop)
    if not timings:
        _show_times(_quick_timings(), 1, numbers)
        layout.caption("A quick measurement: as many lengths as about half a second allows.")
        return
    _show_times(timings, N_PASSES, numbers)
    if any(len(timings.get(name, ())) < len(MEASURED_LENGTHS) for name in _network_names()):
        layout.caption("Partial: it was stopped before all lengths were measured.")


def _quick_timings() -> dict[str, list[Timing]]:
    """One pass of each network over each length, from the shortest on, while there is time. The session keeps them."""
    session = of_session(OrderSession)
    if not session.quick:
        passes = {
            name: measure(network, MEASURED_LENGTHS, keep=(), repeats=1)  # type: ignore[arg-type]
            for name, network in _networks().items()
        }
        timings: dict[str, list[Timing]] = {name: [] for name in passes}
        end = time.monotonic() + QUICK_SECONDS
        for place in range(len(MEASURED_LENGTHS)):
            if place >= 2 and time.monotonic() > end:  # two lengths make a line
                break
            for name, of_network in passes.items():
                with model_turns.forward_pass():
                    timings[name].append(next(of_network))
        session.quick = timings
    return session.quick


def _network_names() -> tuple[str, ...]:
    return ("LSTM", "LSTM, as PyTorch has it", "Transformer")


def _measure(timings: dict[str, list[Timing]], stop: DeltaGenerator) -> None:
    """Appends each timing to `timings` at once, so that a stop in the middle keeps the finished ones."""
    with measurements.watch(stop, "Measuring") as bar:
        for place, (name, network) in enumerate(_networks().items()):
            passes = measure(network, MEASURED_LENGTHS, keep=(), repeats=N_PASSES)  # type: ignore[arg-type]
            for step, length in enumerate(MEASURED_LENGTHS):
                share = (place + step / len(MEASURED_LENGTHS)) / len(_network_names())
                bar.progress(share, text=f"{name}, {length} tokens")
                with model_turns.forward_pass():
                    timings.setdefault(name, []).append(next(passes))


@st.cache_resource(show_spinner=False, max_entries=1)
def _networks() -> dict[str, Transformer | Recurrent]:
    """Untrained networks of one width. Their weights do not change the time of a pass."""
    longest = max(MEASURED_LENGTHS)
    recurrent = cast(
        "Recurrent", make_untrained(RecurrentConfig("decoder", "lstm", 1000, LAYER_WIDTH, LAYER_WIDTH, longest))
    )
    transformer = TransformerConfig(
        vocab_size=1000,
        d_model=LAYER_WIDTH,
        n_heads=N_HEADS,
        d_ff=2 * LAYER_WIDTH,
        max_length=longest,
        n_decoder_layers=1,
    )
    networks = (recurrent, with_torch_cell(recurrent), make_untrained(transformer))
    return dict(zip(_network_names(), networks, strict=True))


def _show_times(timings: dict[str, list[Timing]], n_passes: int, numbers: bool) -> None:
    curves = {
        name: ([timing.tokens for timing in times], [1000 * timing.seconds for timing in times])
        for name, times in timings.items()
        if times
    }
    if not curves:
        return
    figure = lines_figure(curves, "tokens T", "milliseconds", log="xy", theme=state.theme())
    rows = partial(_rows, curves)
    figures.show_or_list(numbers, figure, "Milliseconds of one pass by number of tokens", rows)
    figures.export("order-of-work-time", figure, rows)
    layout.caption(_describe_times(curves, n_passes))


def _rows(curves: dict[str, tuple[list[int], list[float]]]) -> list[dict[str, Any]]:
    return [
        {"network": name, "tokens": tokens, "milliseconds": milliseconds}
        for name, (xs, ys) in curves.items()
        for tokens, milliseconds in zip(xs, ys, strict=True)
    ]


def _describe_times(curves: dict[str, tuple[list[int], list[float]]], n_passes: int) -> str:
    sentences = []
    for name, (tokens, times) in curves.items():
        growth = times[-1] / times[0]
        sentences.append(
            f"{name}: {number(times[0], 2)} ms at {tokens[0]} tokens, {number(times[-1], 2)} ms at {tokens[-1]}, "
            f"{number(growth, 1)} times as long"
        )
    passes = f"Medians of {n_passes} passes" if n_passes > 1 else "One pass each"
    threads = torch.get_num_threads()
    return (
        "; ".join(sentences) + f". {passes}, with {threads} {'thread' if threads == 1 else 'threads'} for "
        "the products: the fewer there are, the less of the transformer's one step is done at once."
    )


def _formula() -> None:
    with st.container(key="before attention formulas"):
        st.markdown(
            "| layer | operations | steps in a row | longest path |\n|---|---|---|---|\n"
            "| recurrent | $O(T\\,d^2)$ | $O(T)$ | $O(T)$ |\n"
            "| self-attention | $O(T^2\\,d)$ | $O(1)$ | $O(1)$ |"
        )
    layout.cite("Vaswani et al. (2017), table 1; T tokens of width d")
    layout.equation(
        r"h_t = f(x_t, h_{t-1}) \qquad\text{against}\qquad H = A\,V",
        "A loop that cannot be cut into parallel pieces, and a product of matrices that can",
    )


def _work_out_operations() -> None:
    """The operations of the table for the reader's sentence, at the width of the run bar's model."""
    run = traces.current(keep=())
    tokens, width = len(run.trace.source_tokens or run.trace.tokens), run.model.config.d_model
    layout.work_out(
        f"Your sentence has T = {tokens} tokens in {markdown_text(run.model.card.title)}, of width d = {width}. "
        f"Recurrent, in {tokens} steps; then self-attention, in one:",
        rf"T\,d^2 = {tokens} \cdot {width}^2 = {sums.whole(tokens * width**2)}, \qquad "
        rf"T^2\,d = {tokens}^2 \cdot {width} = {sums.whole(tokens**2 * width)}",
    )
