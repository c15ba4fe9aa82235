"""The logit lens: what every layer would predict at each position of a window."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from model.analysis.logit_lens import Lens, lens_names, logit_lens
from pages.models.predict_parts import drift
from pages.models.predict_parts.writing import Continuation
from pages.shared.elements import claims, figures, layout
from pages.shared.model_runs import model_turns, traces
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.shared.session.last_made import keep_last
from views.shared import quotes
from viz.models.predict import layer_name, lens_figure, lens_measures_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import markdown_text, number, percent
from viz.shared.tokens import words

CHART = {"displayModeBar": False}
READABLE_POSITIONS = 12  # columns that have room for their tokens
MAX_PRODUCTS = 2e10  # of a lens, whose every column runs the whole output layer once for each layer
WINDOW = "predict lens window"  # the reader's choice of positions

OUTPUT = "the output at the chosen place"


def show(written: Continuation, depth: str) -> None:
    lens = _lens(written, _choose_positions(written))
    tokenizer = written.run.model.tokenizer
    rows = lens.ids.shape[0]
    best = [words(tokenizer.tokens(row)) for row in lens.ids[:, :, 0].tolist()]
    read = words([written.trace.tokens[place] for place in lens.positions])
    row, column = _cell(lens, written)
    table = [
        {"after": layer_name(l, rows)}
        | {f"{place} {word}": best[l][i] for i, (place, word) in enumerate(zip(lens.positions, read, strict=True))}
        for l in reversed(range(rows))
    ]
    top = lens.probabilities[:, :, 0].numpy()
    figure = lens_figure(best, top, read, selected=(row, column), theme=state.theme())
    if depth == "Numbers":
        st.dataframe(table, hide_index=True)
    else:
        picture, side = st.columns([4, 1], gap="medium")
        with picture, st.container(key="wide lens"):
            figures.chart(
                figure,
                key="predict lens",
                on_select=_take_cell,
                selection_mode="points",
                theme=None,
                config=CHART,
                alt=describe_figure("The likeliest next token after every layer, at each position", figure),
            )
        with side:
            st.markdown(f"**{layer_name(row, rows)}**, after {quotes.quote(read[column], lens.positions[column])}")
            names = words(tokenizer.tokens(lens.ids[row, column].tolist()))
            lines = [
                f"{i + 1}. {markdown_text(name)} :gray[{percent(float(p))}]"
                for i, (name, p) in enumerate(zip(names, lens.probabilities[row, column], strict=True))
            ]
            st.markdown("\n".join(lines))
            st.caption("Click a cell for its five likeliest tokens.")
    claims.tell(OUTPUT, best[-1][column])
    first = lens.settled_row(column)
    final = markdown_text(best[-1][column])
    layout.caption(
        f"After {quotes.quote(read[column], lens.positions[column])} the output is **{final}**. It is first in line "
        f"{'only at the output' if first == rows - 1 else f'from {layer_name(first, rows)} on'}, and has "
        f"{percent(float(lens.of_final[rows // 2, column]))} half way up."
    )
    figures.export("logit-lens", figure, lambda: table, probabilities=lens.probabilities, ids=lens.ids)
    _show_measures(lens, row, column, read[column], depth == "Numbers")
    drift.show(written, row, lens.positions[column], read[column], depth == "Numbers")


def _show_measures(lens: Lens, row: int, column: int, read: str, numbers: bool) -> None:
    """Entropy, divergence from the output and the rank of its token, layer by layer, at the chosen position."""
    measures = {"entropy": lens.entropy, "divergence": lens.divergence, "ranks": lens.ranks}
    values = {name: each[:, column].numpy() for name, each in measures.items()}
    count = len(lens.ranks)
    rows = [
        {"after": layer_name(each, count)} | {name: value[each].item() for name, value in values.items()}
        for each in range(count)
    ]
    figure = lens_measures_figure(**values, row=row, theme=state.theme())
    alt = "Entropy, divergence from the output and rank of its token, by layer"
    figures.show_or_list(numbers, figure, alt, lambda: rows)
    steepest = int((lens.divergence[:-1, column] - lens.divergence[1:, column]).argmax())
    layout.caption(
        f"After {quotes.quote(read, lens.positions[column])} the divergence from the output falls most in "
        f"layer {steepest}: from {number(float(values['divergence'][steepest]), 2)} to "
        f"{number(float(values['divergence'][steepest + 1]), 2)} bits. The output's token is number "
        f"{values['ranks'][0]:,} in the embedding, and number {values['ranks'][count // 2]:,} half way up."
    )
    figures.export("logit-lens-measures", figure, lambda: rows, **values)


@dataclass
class LensSession:
    """The text and the playhead for which the window of positions was opened last."""

    opened_at: tuple[tuple[int, ...], int] | None = None


def _choose_positions(written: Continuation) -> tuple[int, ...]:
    """Draws the choice of a window of positions, unless all have room. It opens on those up to the playhead."""
    count, last = len(written.trace.tokens), written.query(state.get("predict_step"))
    if count <= READABLE_POSITIONS:
        return tuple(range(count))
    session = of_session(LensSession)
    if session.opened_at != (written.ids, last):
        session.opened_at = (written.ids, last)
        st.session_state[WINDOW] = (max(0, last + 1 - READABLE_POSITIONS), last)
    st.session_state.setdefault(WINDOW, (max(0, last + 1 - READABLE_POSITIONS), last))
    st.slider(f"Positions of {count}, counted from 0", 0, count - 1, key=WINDOW, on_change=_forget_cell)
    first, last = st.session_state[WINDOW]
    config = written.run.model.config
    products = (config.n_decoder_layers + 1) * config.d_model * config.vocab_size  # for each position
    most = max(READABLE_POSITIONS, int(MAX_PRODUCTS / products))
    if last + 1 - first > most:
        first = last + 1 - most
        layout.caption(f"This model is large: the picture shows {most} positions at once, {first} to {last}.")
    return tuple(range(first, last + 1))


def _lens(written: Continuation, positions: tuple[int, ...]) -> Lens:
    """The lens over some positions. The session keeps the last lens."""

    def make() -> Lens:
        config = written.run.model.config
        with st.spinner("Asking every layer"):
            trace = traces.trace_ids(written.run.model, written.ids, lens_names(config))
            with model_turns.forward_pass():
                return logit_lens(written.run.model.network, trace, positions)

    return keep_last("logit lens", (written.run.spec.model, written.ids, positions), make)


def _cell(lens: Lens, written: Continuation) -> tuple[int, int]:
    """The chosen (row, column), or else the output at the playhead or, where that is not shown, at the last column."""
    rows, columns, _ = lens.ids.shape
    cell = state.get("predict_cell")
    if len(cell) == 2 and cell[0] < rows and cell[1] < columns:
        return cell[0], cell[1]
    playhead = written.query(state.get("predict_step")) - lens.positions[0]
    return rows - 1, playhead if 0 <= playhead < columns else columns - 1


def _forget_cell() -> None:
    """A chosen cell counts its column from the first position shown, so another window has none."""
    state.put(predict_cell=())


def _take_cell() -> None:
    points = st.session_state["predict lens"]["selection"]["points"]
    if points:
        state.put(predict_cell=(int(points[0]["y"]), int(points[0]["x"])))
