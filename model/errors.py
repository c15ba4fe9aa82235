"""What can go wrong, each with one message that says what to do."""


class GlassformerError(ValueError):
    """Any mistake that a reader can mend. Its text is shown to the reader as it stands."""


class ConfigError(GlassformerError):
    """A configuration that describes no transformer."""


class EmptyText(GlassformerError):
    """There is no token to look at."""


class TextTooLong(GlassformerError):
    """More tokens than the model, or the page, takes."""


class EditError(GlassformerError):
    """An edit of a run that names no tensor, or that changes its shape."""


class UnknownModel(GlassformerError):
    """No model of that name is known here."""


class ModelMissing(GlassformerError):
    """The model is known, but its files are not installed."""


class DamagedWeights(GlassformerError):
    """A weight file is truncated, has another hash, or does not fit its configuration."""


class SamplingError(GlassformerError):
    """A temperature, top-k, top-p, limit or beam width outside its range."""


class ModelMismatch(GlassformerError):
    """The model is of another kind than what is asked of it."""


class DeviceMissing(GlassformerError):
    """The device that was asked for is not here."""


class DeviceFull(GlassformerError):
    """A GPU has not enough memory left for a run, or for a model."""


class PictureError(GlassformerError):
    """A picture that cannot be read, or of another shape than the model takes."""
