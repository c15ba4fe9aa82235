"""The mask that a reader chooses or paints, the layers that it is for, and the batch that their sentence is in."""

from __future__ import annotations

import json

from model import Model
from model.experiments.painted_masks import BadMask, mask_from_text
from pages.shared.model_runs import model_turns, traces
from pages.shared.session import state
from views.attention.masks import kinds, panels
from views.attention.masks.sentence import Sentence, alone, batch_lines, in_batch
from views.attention.masks.two_runs import MaskedRuns, TwoRuns
from views.head_of_run import HeadOfRun
from views.run import Run
from viz.shared.style import markdown_text

MAX_SENTENCES = 8  # of a padded batch


def read_runs(head: HeadOfRun) -> tuple[MaskedRuns, list[str]]:
    """The runs with the chosen mask and without it, and what is left out of the batch and why."""
    kind = state.checked_choice("masks_kind", kinds.possible_kinds(head), "Mask", kinds.own_kind(head))
    others, left_out = _read_batch(head.run.model) if "padding" in kind else ([], [])
    sentence = in_batch(head.run, others) if "padding" in kind else alone(head.run)
    width = int(state.get("masks_width")) or kinds.usual_width(head)
    return MaskedRuns(head, in_every_layer(), sentence, kind, width, _read_paint(head, sentence, kind)), left_out


def in_every_layer() -> bool:
    """Whether the reader wants the mask in every layer."""
    return bool(state.get("masks_where") == "every layer")


def _read_paint(head: HeadOfRun, sentence: Sentence, kind: str) -> str:
    """The text of the painted mask; "" where another one is chosen, before the reader paints, and of a damaged text."""
    text: str = state.get("masks_paint")
    if kind != "painted" or not text:
        return ""
    try:
        rows, columns = mask_from_text(text).shape
    except BadMask as error:
        state.put(masks_paint="")
        state.say("masks_paint", str(error))
        return ""
    queries, keys = (len(sentence.side(head, side)) for side in ("queries", "keys"))
    if (rows, columns) != (queries, keys):
        state.say(
            "masks_paint",
            f"The mask was painted for {rows} × {columns} tokens and this sentence has {queries} × {keys}: "
            "the cells that both have are kept, the others follow the model's own mask.",
        )
    return text


def _read_batch(model: Model) -> tuple[list[Run], list[str]]:
    """The other sentences of the batch. One that cannot be read is left out: which one and why."""
    lines, sentences, left_out = batch_lines(state.get("masks_batch")), [], []
    too_many = len(lines) - (MAX_SENTENCES - 1)
    if too_many > 0:
        left_out.append(f"A batch holds {MAX_SENTENCES} sentences here: the last {too_many} are left out.")
    for number, line in enumerate(lines[: MAX_SENTENCES - 1], 2):
        try:
            sentences.append(traces.run(model, line, keep=()))
        except traces.errors() as error:
            left_out.append(f"Sentence {number} of the batch is left out. {markdown_text(str(error))}")
    return sentences, left_out


def read_position(runs: TwoRuns) -> int:
    """The position whose next token is predicted: at first the last one that is no padding."""
    position: int = state.get("masks_position")
    return position if 0 <= position < len(runs.sentence.written) else runs.sentence.last_real


def compare_with_alone(runs: MaskedRuns) -> tuple[float, float] | None:
    """How far the answers for the sentence of a padded batch are from those for the sentence alone, with the padding
    hidden and without; None where there is no batch. Kept for all readers."""
    run, batch = runs.head.run, runs.sentence.batch
    if batch is None:
        return None

    def measure() -> bytes:
        with model_turns.forward_pass():
            return json.dumps(panels.compare_with_alone(runs)).encode()

    rows = [[token.id for token in row] for row in (*batch.tokens, runs.sentence.source)]
    masked, unmasked = json.loads(traces.pack(run, f"padded batch {rows}", measure))
    return masked, unmasked
