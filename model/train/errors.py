"""What can go wrong in training, each with one message that says what to do."""

from __future__ import annotations

from model.errors import GlassformerError


class UnknownTask(GlassformerError):
    """No task of that name."""


class CheckpointError(GlassformerError):
    """A checkpoint that is damaged, of another run, or in the way."""


class CorpusError(GlassformerError):
    """Training text or pictures that could not be fetched."""


class DiskError(GlassformerError):
    """A file could not be written: a full disk, a folder without permission."""
