"""The configuration of a recurrent model."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal, get_args

from model.config_checks import check_choices, check_types, make_config
from model.errors import ConfigError

Cell = Literal["rnn", "lstm", "gru"]
Shape = Literal["decoder", "encoder-decoder"]


@dataclass(frozen=True)
class RecurrentConfig:
    """A language model ("decoder") or a translator ("encoder-decoder"). Names are those of `TransformerConfig`.

    Raises `ConfigError` if the values describe no model.
    """

    kind: Shape
    cell: Cell
    vocab_size: int
    d_embed: int
    width: int  # features of a language model's state, or of each direction of a translator's encoder
    max_length: int
    attention: bool = False  # Bahdanau's attention, from the decoder to the encoder
    unplaced_token: ClassVar[None] = None  # every token has its place, since they are read one after another

    def __post_init__(self) -> None:
        check_types(self)
        for name in ("vocab_size", "d_embed", "width", "max_length"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}; it must be at least 1.")
        check_choices(self, {"kind": get_args(Shape), "cell": get_args(Cell)})
        if self.attention and (self.kind != "encoder-decoder" or self.cell != "gru"):
            raise ConfigError("Bahdanau's attention stands between an encoder and a decoder that is like a GRU.")

    @property
    def memory_width(self) -> int:
        """Features of one state of the encoder: both directions."""
        return 2 * self.width

    def to_dict(self) -> dict[str, Any]:
        """The values by name, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> RecurrentConfig:
        """The inverse of `to_dict`. Raises `ConfigError`."""
        return make_config(cls, values)
