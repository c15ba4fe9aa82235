"""Cost: the multiplications, time and memory of a run, and the growth of each with the length of the text."""

from __future__ import annotations

import time

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model import Model
from model.config import TransformerConfig
from model.cost import formulas as cost
from model.cost import timing
from model.cost.formulas import Cost, attention_memory, crossing_length, layer_costs, model_costs
from model.cost.formulas import count_multiplications as counted_by_torch
from model.cost.shape import layers_of, reshape
from model.cost.timing import Timing, measure
from model.errors import ConfigError
from model.numerals import file_size, fixed, large
from pages.learning.kept_measurements import CostSession
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import measurements, model_turns, traces
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.shared.session.text_length import token_limit
from views.shared import quotes, sums
from viz.learning.cost import growth_figure, parts_figure, time_figure
from viz.shared.style import count_noun, markdown_text, number, percent

VIEWS = ("Parts", "Growth", "Time", "Memory")
LENGTHS = tuple(2**n for n in range(15))  # 1 .. 16,384 tokens
MEASURED_LENGTHS = (8, 16, 32, 64, 96, 128, 192, 256)
QUICK_LENGTHS = 3  # at least
QUICK_SECONDS = 0.5  # of the measurement with which the view opens
SHORT_TEXTS = " Short texts lie above it: each operation has a beginning that takes the same time at any length."
LARGEST = "the part with the most multiplications"
CROSSING = "the crossing, over that of the model itself,"
GROWTH = "how many times the multiplications grow"


def main() -> None:
    depth = layout.begin("Cost", "Attention compares every token with every other, so its cost grows with the square.")
    name = state.get("model") or traces.default_model()
    try:
        model = traces.model(name)
    except traces.errors() as error:
        traces.complain(error)
        raise traces.NothingToShow from error
    if depth == "Formula":
        _formula()
        config = _chosen_shape(model)
        if config is not None:
            _work_out_terms(config, state.get("cost_tokens"))
    elif depth == "Code":
        _chosen_shape(model)
        _code()
    else:
        _views(model, depth)
    layout.try_this(*_prompts(model))


def _prompts(model: Model) -> list[layout.Prompt]:
    own: dict[str, object] = {"cost_width": 0, "cost_heads": 0, "cost_layers": 0}
    return [
        layout.Prompt(
            "A long document",
            "At 16,384 tokens the scores dominate.",
            own | {"cost_view": "Parts", "cost_tokens": 16384},
            claim=Claim(LARGEST, "is", "scores"),
        ),
        layout.Prompt(
            "A wider model",
            "Twice as wide: width moves the crossing up.",
            own | {"cost_view": "Growth", "cost_width": 2 * model.config.d_model},
            claim=Claim(CROSSING, "over", 1.5),
        ),
        layout.Prompt(
            "Measure it",
            "The time grows with the text, beside the multiplications.",
            {"cost_view": "Time"},
            claim=Claim(GROWTH, "over", 1),
        ),
    ]


def _views(model: Model, depth: str) -> None:
    st.segmented_control("View", VIEWS, key="cost_view", required=True, label_visibility="collapsed")
    view = state.get("cost_view")
    layout.name_part(view)
    if view == "Time":
        _time(model, depth)
        return
    config = _chosen_shape(model)
    if config is None:
        return
    claims.tell(CROSSING, crossing_length(config) / crossing_length(model.config))
    {"Parts": _parts, "Growth": _growth, "Memory": _memory}[view](config, state.get("cost_tokens"), depth)


def _chosen_shape(model: Model) -> TransformerConfig | None:
    """The model's configuration with the reader's numbers. None, after a message, if there is no such configuration."""
    config = model.config
    shape = {"cost_width": config.d_model, "cost_heads": config.n_heads, "cost_layers": layers_of(config)}
    session = of_session(CostSession)
    before = session.shape  # of the model that was here: its numbers are no choice
    for key, value in shape.items():
        if state.get(key) in (0, before.get(key)):
            state.put(**{key: value})
    session.shape = shape
    columns = st.columns(4)
    labels = ("Tokens T", "Width D", "Heads h", "Layers")
    for column, label, key in zip(columns, labels, ("cost_tokens", *shape), strict=True):
        highest = int(state.KEYS[key].high)
        column.number_input(label, 1, highest, key=key)
    try:
        chosen = reshape(config, *(state.get(key) for key in shape))
    except ConfigError as error:
        st.error(markdown_text(str(error)), icon=":material/error:")
        return None
    if chosen != config:
        layout.caption(
            f"Not {markdown_text(model.card.title)}, but its like with {count_noun(chosen.n_heads, 'head')} of "
            f"{chosen.head_width} features and {chosen.d_ff:,} hidden features."
        )
    return chosen


def _source_tokens(config: TransformerConfig, tokens: int) -> int:
    return tokens if config.kind == "encoder-decoder" else 0


def _parts(config: TransformerConfig, tokens: int, depth: str) -> None:
    costs, length = model_costs(config, tokens, _source_tokens(config, tokens)), count_noun(tokens, "token")
    total = sum(cost.multiplications for cost in costs)
    rows = [
        {"part": c.part, "grows with": c.growth, "multiplications": c.multiplications,
         "share": c.multiplications / total, "bytes made": c.memory}
        for c in costs
    ]  # fmt: skip
    figure = parts_figure({c.part: c.multiplications for c in costs}, "multiplications", state.theme())
    figures.show_or_list(depth == "Numbers", figure, f"Multiplications of {length} by part", lambda: rows)
    if depth == "Numbers":
        by_torch = counted_by_torch(config, tokens, _source_tokens(config, tokens))
        layout.caption(
            f"By formula: {total:,} multiplications. Counted by torch, operator by operator: {by_torch:,}. "
            f"The difference is {abs(total - by_torch):,}."
        )
    largest = max(costs, key=lambda cost: cost.multiplications)
    claims.tell(LARGEST, largest.part)
    layout.caption(
        f"One pass over {length} takes {large(total)} multiplications. The largest part is "
        f"**{largest.part}**, {percent(largest.multiplications / total)}."
    )
    figures.export("cost-parts", figure, lambda: rows)


def _growth(config: TransformerConfig, tokens: int, depth: str) -> None:
    lines = {
        "grows with T D²: projections and feed-forward": [
            _count_by_growth(layer_costs(config, t), "T D²") for t in LENGTHS
        ],
        "grows with T² D: scores and mix": [_count_by_growth(layer_costs(config, t), "T² D") for t in LENGTHS],
    }
    crossing = crossing_length(config)
    figure = growth_figure(LENGTHS, lines, "multiplications", crossing=crossing, here=tokens, theme=state.theme())
    _by_length(depth, figure, lines, "multiplications")
    layout.caption(
        f"In one layer the two meet at T = {fixed(crossing, 0)} tokens. Below it the weight matrices cost most, above "
        "it the comparison of every token with every other."
    )


def _by_length(depth: str, figure: go.Figure, lines: dict[str, list[int]], unit: str) -> None:
    rows = [{"tokens": t, **{name: values[i] for name, values in lines.items()}} for i, t in enumerate(LENGTHS)]
    figures.show_or_list(depth == "Numbers", figure, f"{unit.capitalize()} against the number of tokens", lambda: rows)
    figures.export(f"cost-{unit}", figure, lambda: rows)


def _count_by_growth(costs: list[Cost], growth: str) -> int:
    return sum(cost.multiplications for cost in costs if cost.growth == growth)


def _memory(config: TransformerConfig, tokens: int, depth: str) -> None:
    lines = {
        "every head's scores and weights kept": [attention_memory(config, t, True) for t in LENGTHS],
        "not kept: made a tile at a time": [attention_memory(config, t, False) for t in LENGTHS],
    }
    figure = growth_figure(LENGTHS, lines, "bytes", here=tokens, theme=state.theme())
    _by_length(depth, figure, lines, "bytes")
    kept, unkept = (file_size(attention_memory(config, tokens, keep)) for keep in (True, False))
    layout.caption(
        f"At {count_noun(tokens, 'token')} attention makes {kept} in all layers with the matrices that these pages "
        f"show, {unkept} without them."
    )


def _time(model: Model, depth: str) -> None:
    timings = of_session(CostSession).exact.setdefault(model.card.name, [])
    lengths = [length for length in MEASURED_LENGTHS if length <= token_limit(model)]
    place = st.container()
    with st.container(horizontal=True):
        label = "Measure again" if timings else "Measure more exactly"
        pressed = measurements.measure_button(label, timings, ":material/timer:")
        stop = st.empty()
    if pressed:
        _measure(model, lengths, timings, stop)
    with place:
        if timings:
            _show_times(model.config, timings, depth)
            if len(timings) < len(lengths):
                layout.caption(f"Partial: stopped after {len(timings)} of {len(lengths)} lengths.")
            else:
                layout.caption("Medians of three passes on this machine, all heads' weights kept.")
        else:
            quick = _quick_timings(model, lengths)
            _show_times(model.config, quick, depth)
            layout.caption(
                f"A quick measurement on this machine: one pass of each length, {len(quick)} of {len(lengths)} lengths "
                "in about half a second. The times scatter; all heads' weights are kept."
            )


def _quick_timings(model: Model, lengths: list[int]) -> list[Timing]:
    """One pass of each length, as many lengths as are soon done. The session keeps them."""
    kept = of_session(CostSession).quick
    if model.card.name not in kept:
        passes, timings = measure(model.network, lengths, repeats=1), list[Timing]()
        end = time.monotonic() + QUICK_SECONDS
        while len(timings) < len(lengths) and (time.monotonic() < end or len(timings) < QUICK_LENGTHS):
            with model_turns.forward_pass():
                timings.append(next(passes))
        kept[model.card.name] = timings
    return kept[model.card.name]


def _measure(model: Model, lengths: list[int], timings: list[Timing], stop: DeltaGenerator) -> None:
    """Appends each timing to `timings` at once, so that a stop in the middle keeps the finished ones."""
    passes = measure(model.network, lengths)
    with measurements.watch(stop, "Measuring") as bar:
        for place, length in enumerate(lengths):
            bar.progress(place / len(lengths), text=f"{length} tokens")
            with model_turns.forward_pass():
                timings.append(next(passes))


def _show_times(config: TransformerConfig, timings: list[Timing], depth: str) -> None:
    rows = [
        {"tokens": t.tokens, "milliseconds": 1000 * t.seconds, "bytes of all weights": t.kept_bytes} for t in timings
    ]
    first, last = timings[0], timings[-1]
    counts = {length: _count_all(config, length) for length in range(first.tokens, last.tokens + 1)}
    expected = {length: last.seconds * count / counts[last.tokens] for length, count in counts.items()}
    seconds = [timing.seconds for timing in timings]
    figure = time_figure([timing.tokens for timing in timings], seconds, expected, state.theme())
    figures.show_or_list(depth == "Numbers", figure, "Time of one pass by number of tokens", lambda: rows)
    figures.export("cost-time", figure, lambda: rows)
    claims.tell(GROWTH, counts[last.tokens] / counts[first.tokens])
    more, longer = counts[last.tokens] / counts[first.tokens], last.seconds / first.seconds
    layout.caption(
        f"From {first.tokens} to {count_noun(last.tokens, 'token')} the multiplications grow {number(more)} times, and "
        f"the time {number(longer)} times. The line grows as the multiplications do, and passes through the last point."
        + (SHORT_TEXTS if longer < more else "")
    )


def _count_all(config: TransformerConfig, tokens: int) -> int:
    """The multiplications of one pass."""
    return sum(each.multiplications for each in model_costs(config, tokens, _source_tokens(config, tokens)))


def _formula() -> None:
    layout.equation(
        r"\underbrace{4\,T D^2}_{Q,K,V,W_O} + \underbrace{2\,T^2 D}_{\text{scores, mix}}"
        r" + \underbrace{2\,T D\,d_{ff}}_{\text{feed-forward}}",
        "Multiplications of one layer. Bishop, ch. 12 slides, “Computational complexity”.",
        {"T": "tokens", "D": "the width $d_{model}$", "d_{ff}": "hidden features of the feed-forward network"},
    )
    layout.equation(
        r"2\,T^2 D = 4\,T D^2 + 2\,T D\,d_{ff} \iff T = 2D + d_{ff}",
        "Where the two meet, for as many key heads as query heads. With $d_{ff} = 4D$ that is $T = 6D$.",
    )


def _work_out_terms(config: TransformerConfig, tokens: int) -> None:
    """The three terms with the shape's own numbers. Fewer key heads or a gate change the first and the last."""
    t, d, hidden = (sums.whole(count) for count in (tokens, config.d_model, config.d_ff))
    query_features, key_features = (
        sums.whole(heads * config.head_width) for heads in (config.n_heads, config.kv_heads)
    )
    matrices = 3 if config.gated else 2
    costs = {cost.part: cost.multiplications for cost in layer_costs(config, tokens)}
    pairs = costs["scores"] + costs["weighted mean of values"]
    projections = costs["queries, keys, values"] + costs["output projection"]
    layout.work_out(
        f"With T = {tokens:,}, D = {config.d_model:,} and h = {config.n_heads} heads of {config.head_width}"
        + (f", {config.kv_heads} of them for keys and values" if config.kv_heads != config.n_heads else "")
        + ("; gated, so three matrices feed forward:" if config.gated else ":"),
        rf"\underbrace{{{t} \cdot {d} \cdot (2 \cdot {query_features} + 2 \cdot {key_features})}}_{{Q,K,V,W_O}} = "
        f"{sums.whole(projections)}",
        rf"\underbrace{{2 \cdot {config.n_heads} \cdot {t}^2 \cdot {config.head_width}}}_{{\text{{scores, mix}}}} = "
        f"{sums.whole(pairs)}",
        rf"\underbrace{{{matrices} \cdot {t} \cdot {d} \cdot {hidden}}}_{{\text{{feed-forward}}}} = "
        f"{sums.whole(costs['feed-forward'])}",
    )
    layout.work_out(
        "All three together, and the T at which the middle one is as large as the other two:",
        f"{sums.whole(projections)} + {sums.whole(pairs)} + {sums.whole(costs['feed-forward'])} = "
        f"{sums.whole(sum(costs.values()))}",
        rf"T = \frac{{{d} \cdot (2 \cdot {query_features} + 2 \cdot {key_features})"
        rf" + {matrices} \cdot {d} \cdot {hidden}}}{{2 \cdot {config.n_heads} \cdot {config.head_width}}} = "
        f"{quotes.tex(crossing_length(config), 2)}",
    )


def _code() -> None:
    layout.code(
        cost.attention_costs,
        cost.feed_forward_cost,
        cost.transform_cost,
        cost.output_cost,
        cost.class_costs,
        cost.crossing_length,
        cost.count_multiplications,
        timing.measure,
    )


main()
