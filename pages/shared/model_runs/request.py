"""The reader's request for a run."""

from __future__ import annotations

from dataclasses import dataclass

from model.edits.text import WrittenEdit


@dataclass(frozen=True)
class Request:
    """The reader's choices in the run bar, before anything is loaded or cut: they may be impossible, so they are no
    `RunSpec`. The bar undoes them, and a page tells by them what it shows.

    `target` is a translation of the sentence, or None. `edits` are those of the model on this page
    (`pages.shared.model_runs.edited_parts`). `begin` is the choice of its begin token
    (`pages.shared.model_runs.begin_token`).
    """

    name: str
    text: str
    target: str | None
    edits: tuple[WrittenEdit, ...] = ()
    begin: str = ""
