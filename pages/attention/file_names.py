"""Names of the files of the Scores and Masks pages."""

from __future__ import annotations

from pages.shared.one_head import OneHead


def name_of(shown: OneHead) -> str:
    """The first part of a file's name: model, attention and head."""
    return f"{shown.run.name}-{shown.at.path.replace('.', '-')}-head{shown.head}"
