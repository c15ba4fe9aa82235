"""The library's errors. The message of each says what to do."""


class GlassformerError(ValueError):
    """Any mistake that a reader can mend. The app shows its text to the reader unchanged.

    `instead` are names that the reader may have meant, each of which can be asked for as it stands.

    >>> from glassformer import GlassformerError, load
    >>> try:
    ...     load("tiny-lm").trace("  ")
    ... except GlassformerError as error:
    ...     print(error)
    Type a sentence: there is nothing to look at yet.
    """

    instead: tuple[str, ...] = ()


class ConfigError(GlassformerError):
    """A configuration that describes no transformer."""


class EmptyText(GlassformerError):
    """A text without a token."""


class UnreadableText(GlassformerError):
    """A text that a tokenizer cannot cut into tokens, or with a token that the model cannot read; or tokens that give
    no text."""


class ConversationError(GlassformerError):
    """Turns that are none, a model without a chat template, or a template that fails, or never ends."""


class TextsError(GlassformerError):
    """Texts of a reader that cannot be read: their encoding, their size, or which column has them."""


class RuleError(GlassformerError):
    """Words that make no rule of where a head looks."""


class TextTooLong(GlassformerError):
    """A text with more tokens than the model, or the page, takes."""


class EditError(GlassformerError):
    """An edit of a run that names no tensor, or that changes its shape."""


class UnknownModel(GlassformerError):
    """No model of that name is known here."""


class ModelMissing(GlassformerError):
    """The model is known, but its files are not installed."""


class DamagedWeights(GlassformerError):
    """A weight file is truncated, has another hash, or does not fit its configuration."""


class UnsupportedFamily(DamagedWeights):
    """A checkpoint of a family that cannot be read here."""


class SamplingError(GlassformerError):
    """A temperature, top-k, top-p, limit or beam width outside its range."""


class ModelMismatch(GlassformerError):
    """This kind of model cannot do it."""


class DeviceMissing(GlassformerError):
    """This machine does not have the device."""


class NumbersNotFinite(GlassformerError):
    """A model whose scores are not numbers, or infinite: it prefers no token, and nothing can be drawn from it."""


class TooMuchWork(GlassformerError):
    """A run took longer, or kept more bytes, than its bound allows."""


class EngineGone(GlassformerError):
    """The machines that run the models do not answer."""


class EngineSettingError(GlassformerError):
    """`GLASSFORMER_ENGINE`, or a setting of it, names no engine."""


class DeviceFull(GlassformerError):
    """A GPU has not enough memory left for a run, or for a model."""


class PictureError(GlassformerError):
    """A picture that cannot be read, or whose shape the model does not take."""


class HubError(GlassformerError):
    """The hub does not answer, does not know a model, or does not give it."""


class UnusableFiles(DamagedWeights):
    """A repository or a folder holds no model in a format that is read here."""


class DiskFull(GlassformerError):
    """The disk has too little room for the files of a model."""


class NotEnoughMemory(GlassformerError):
    """A model takes more memory than is free."""
