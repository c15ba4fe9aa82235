"""The errors of training. The message of each says what to do."""

from __future__ import annotations

from model.errors import GlassformerError


class UnknownTask(GlassformerError):
    """No task of that name."""


class CheckpointError(GlassformerError):
    """A checkpoint that is damaged, of another run, or unexpected."""


class CorpusError(GlassformerError):
    """Training text or pictures that could not be fetched."""


class DiskError(GlassformerError):
    """A file that could not be written: the disk is full, or permission is missing."""


class ListError(GlassformerError):
    """A list of sentences cannot be read."""
