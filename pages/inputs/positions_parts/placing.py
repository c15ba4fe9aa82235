"""What the parts of Positions show: the keys of the page, checked, and what is measured of them."""

from __future__ import annotations

from model import Model
from pages.inputs.positions_parts import fields
from pages.shared.model_runs import head_on_screen, traces
from pages.shared.session import places, state
from views.inputs.learned_table import LearnedTable, name_of_learned
from views.inputs.placed_sentence import NEEDS, PlacedSentence
from views.inputs.position_distance import PositionDistance, choose_places, most_places
from views.run import Run
from views.usual_head import usual_token
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text


def sentence() -> PlacedSentence:
    """The run bar's sentence and token. An encoder-decoder model's sentence is what its encoder reads."""
    run = traces.current(keep=NEEDS)
    return PlacedSentence(run, head_on_screen.read_token(run, run.model.config.stacks[0]))


def sentence_alone() -> PlacedSentence:
    """The run bar's sentence, where no token is singled out: the page reads none."""
    return PlacedSentence(traces.current(keep=NEEDS), -1)


def read_rows(labels: list[str], most: int = fields.MAX_POSITIONS) -> int:
    """How many rows: those of the sentence, or as many as the reader wants."""
    return len(labels) if state.get("positions_rows") == "sentence" else int(fields.length(most=most).value)


def most_rows(model: Model) -> int:
    """How many positions of a model can be shown."""
    return min(fields.MAX_POSITIONS, model.config.max_length)


def distance() -> PositionDistance:
    found, scheme = sentence_alone(), state.get("positions_distance")
    of_sentence = state.get("positions_rows") == "sentence"
    table = learned_table(found.run) if scheme == "learned" else None
    count = min(read_rows(found.labels, most_places(table)), most_places(table))
    where = (count - 1, 0) if isinstance(table, Text) else _read_places(found, count)
    formula = fields.width().value, fields.base().value
    return PositionDistance(found, scheme, count, of_sentence, *formula, table, where)


def _read_places(found: PlacedSentence, length: int) -> tuple[int, int]:
    """The two positions, corrected to the length. Of the reader's sentence, t is the place of the run bar's token."""
    chosen, stack = state.get("positions_places"), found.model.config.stacks[0]

    def read_token(usual: int | None) -> int:
        usual = usual_token(found.run, stack) if usual is None else usual
        return places.read_query(len(found.labels), usual, stack)

    of_sentence = state.get("positions_rows") == "sentence"
    t, s = choose_places(chosen, length, read_token if of_sentence else None)
    if chosen and not (len(chosen) == 2 and max(chosen) < length):
        state.put(positions_places=())
        state.say("positions_places", f"Positions must be two, each below {length}. Shown: {t} and {s}.")
    return t, s


def learned_table(run: Run) -> LearnedTable | Text:
    """A trained position table: of the present model, or else of MiniLM. A message, if neither is here."""
    try:
        return LearnedTable.of(traces.model(name_of_learned(run.model)))
    except traces.errors() as error:
        return Text(markdown_text(str(error)), "warning", ":material/download:")
