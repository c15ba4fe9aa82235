"""Why this class, or this sentence: the logit of the likeliest one, as a sum over the parts of the model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd

from model.analysis.picture_account import account_of_picture, say_refusal
from model.other_names import short_name
from views.models.see.picture import SeenPicture
from views.parts import Chart, DataTable, Files
from views.plotted import Plotted
from views.shared import sums
from views.view import equation, grey, work_out
from viz.documents.page_parts import Heading
from viz.models.why import account_figure, part_map, part_title
from viz.shared.style import markdown_text, number

SHOWN = 5  # parts in a worked sum


def why_this_answer(seen: SeenPicture) -> list[Any]:
    """The parts by layer; a sentence where the answer is no sum of them; nothing of a model without classes."""
    if not seen.config.image_labels:
        return []
    title = Heading(f"Why this {seen.class_noun}?", 3)
    if refusal := say_refusal(seen.config):
        return [title, *grey(refusal)]
    best, *others = _asked(seen)
    account = account_of_picture(seen.model, seen.run, best, *others)
    names = [f"**{markdown_text(seen.config.image_labels[label])}**" for label in (best, *others)]
    table = part_map(account.parts, seen.layers)
    draw = partial(account_figure, table)
    rows = [{"part": part_title(name), "adds": part, "in papers": short_name(name), "name": name}
            for name, part in account.parts.items()]  # fmt: skip
    largest = ", ".join(f"{part_title(name)} ({number(part)})" for name, part in account.largest(3).items())
    more = f" more than {names[1]}" if others else ""
    shown = Plotted(
        Chart(draw, f"The parts of the logit of {account.asked} by layer, and their running total"),
        DataTable(lambda: pd.DataFrame(rows), height=320),
        f"Why {names[0]}{more}: {number(account.value)} logits, the sum of what the class token began as and what each "
        f"head and feed-forward added to it. Blue speaks for it, orange against it. Most: {largest}.",
        Files("see-why", draw, draw, lambda: rows, lambda: {"parts": table.values}),
    )
    return [title, shown]


def why_equation(seen: SeenPicture) -> Sequence[Any]:
    """The sum, with the largest parts of this picture."""
    if not seen.config.image_labels or say_refusal(seen.config):
        return []
    account = account_of_picture(seen.model, seen.run, *_asked(seen))
    largest = list(account.largest(SHOWN).values())
    whole = equation(
        r"u_a - u_b = \sum_c x_c \cdot r",
        "Elhage et al. (2021), “A Mathematical Framework for Transformer Circuits”: the class token is a sum of what "
        "was added to it, and the scale of the last norm is that of this run.",
        {
            "x_c": "what the class token began as, and what a head or a feed-forward added to it",
            "r": "the direction in which the answer is read",
        },
    )
    asked = markdown_text(account.asked)
    worked = work_out(
        f"Why {asked}: the {len(largest)} largest parts; the last number is the sum of the "
        f"{len(account.parts) - len(largest)} others:",
        sums.total([*largest, account.total - sum(largest)]),
    )
    return [*whole, *worked]


def _asked(seen: SeenPicture) -> list[int]:
    """The likeliest class, and the next one where there are several: where all logits are alike, nothing is told."""
    order: list[int] = seen.run["image_logits"].argsort(descending=True).tolist()
    return order[:2]
