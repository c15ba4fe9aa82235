"""Masks: what a query may look at, and what happens when that changes."""

from __future__ import annotations

from pages.attention.masks_parts import chosen_mask, controls, leak_work, painter, pass_work, prompts
from pages.shared.elements import head_controls
from pages.shared.elements.page import ABOVE, Page, Part
from pages.shared.model_runs import traces
from pages.shared.session import state, token_window
from views.attention.masks.cheat import CheatingDecoder
from views.attention.masks.panels import MaskPanels
from views.attention.masks.passes import Passes
from views.attention.masks.row import HiddenRow
from views.attention.masks.two_runs import HiddenRowRuns
from views.attention.masks.ways import WaysToHide


def panels() -> MaskPanels:
    head = head_controls.read(MaskPanels)
    runs, left_out = chosen_mask.read_runs(head)
    part = token_window.read_part(tuple(runs.visible.shape), (head.query, head.key))
    position, beside_alone = chosen_mask.read_position(runs), chosen_mask.compare_with_alone(runs)
    return MaskPanels(head, runs, part, position, beside_alone, tuple(left_out))


def ways() -> WaysToHide:
    head = head_controls.read(WaysToHide)
    return WaysToHide(head, token_window.read_part(tuple(head.hidden.shape), (head.query, head.key)))


def cheat() -> CheatingDecoder:
    return leak_work.read(traces.current(keep=CheatingDecoder.needs))


def row() -> HiddenRow:
    head = head_controls.read(HiddenRow)
    place = state.get("masks_row")
    place = place if 0 <= place < len(head.queries) else len(head.queries) // 2
    runs = HiddenRowRuns(head, chosen_mask.in_every_layer(), place)
    part = token_window.read_part(tuple(head.hidden.shape), (place, head.key))
    return HiddenRow(head, runs, part, chosen_mask.read_position(runs))


def passes() -> Passes:
    run = traces.current(keep=Passes.needs)
    return Passes(run, pass_work.measured(run))


ATTENTION = {ABOVE: head_controls.choose_attention_of}
POSITION = {"position": controls.choose_position}
PARTS = {
    "panels": Part(
        "Choose or paint",
        panels,
        {
            **ATTENTION,
            **POSITION,
            "mask": controls.choose_mask,
            "window": controls.choose_part,
            "painter": painter.paint,
        },
        prompts.PANELS,
    ),
    "ways": Part("Three ways", ways, ATTENTION | {"window": head_controls.choose_part_of("mask ways")}, prompts.WAYS),
    "cheat": Part(
        "The cheating decoder",
        cheat,
        {
            "change": controls.choose_change,
            "compare": leak_work.compare,
            "window": controls.choose_tokens,
            "window of numbers": controls.choose_tokens_if_long,
        },
        prompts.CHEAT,
    ),
    "row": Part(
        "A hidden row",
        row,
        {**ATTENTION, **POSITION, "row": controls.choose_row, "window": controls.choose_part_of_row},
        prompts.ROW,
    ),
    "passes": Part(
        "One pass or T", passes, {"measure": pass_work.measure, "more": pass_work.offer_more}, prompts.PASSES
    ),
}
PAGE = Page(
    "Masks",
    "A mask hides keys from queries: minus infinity before the softmax, weight 0 after it.",
    "masks_part",
    PARTS,
)
