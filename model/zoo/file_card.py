"""The card of a checkpoint that has none: what its files say of it."""

from __future__ import annotations

from model.config import TransformerConfig
from model.device import Placement
from model.numerals import large
from model.zoo.card_values import VISION_KIND
from model.zoo.cards import Card
from model.zoo.checkpoint import Checkpoint

UNKNOWN = "not stated in its files"


def card_of(checkpoint: Checkpoint) -> Card:
    """The card of a folder or GGUF file, named after it."""
    path, config = checkpoint.path, checkpoint.config
    name = path.stem if path.is_file() else path.name
    left = f" Left out: {'; '.join(checkpoint.left_out)}." if checkpoint.left_out else ""
    about = f"A model of the family {checkpoint.family}, from its own files.{left} {checkpoint.written_otherwise}"
    return Card(
        name=name,
        title=name,
        kind=VISION_KIND if config.image_size else config.kind,
        layers=layers_in_words(config),
        heads=config.n_heads,
        positions=config.positions,
        parameters=checkpoint.nbytes // 4,
        max_length=config.max_length,
        licence=UNKNOWN,
        source=f"the files of {name}",
        about=about.rstrip(),
        size=checkpoint.size,
        answers=config.has_answer,
        get="Put its files back where they were.",
        details={"pixels": dict(checkpoint.pixels)} if checkpoint.pixels else {},
    )


def say_shape(config: TransformerConfig) -> str:
    """ "decoder, 30 layers of 9 heads, rotary positions, at most 8,192 tokens"."""
    length = "" if config.image_size else f", at most {config.max_length:,} tokens"
    shape = f"{layers_in_words(config)} layers of {config.n_heads} heads, {config.positions} positions"
    return f"{VISION_KIND if config.image_size else config.kind}, {shape}{length}"


def facts_of(card: Card, config: TransformerConfig, place: Placement) -> list[tuple[str, str]]:
    """What a reader wants to know of a model, as pairs of a name and a value. `place` is where it computes."""
    is_transformer = isinstance(config, TransformerConfig)  # a recurrent network has another configuration
    return [
        ("Kind", say_shape(config) if is_transformer else card.kind),
        ("Gives", say_answer(config) if is_transformer else ""),
        ("Parameters", large(card.parameters)),
        ("Width", f"{config.d_model:,}, of a head {config.head_width}" if is_transformer else ""),
        ("Vocabulary", f"{config.vocab_size:,} tokens" if is_transformer and not config.image_size else ""),
        ("Computes", f"on {place.title} in {place.width}"),
        ("Licence", card.licence),
        ("From", card.source),
    ]


def say_answer(config: TransformerConfig) -> str:
    """What the model gives: "the next word"."""
    if config.answer_span:
        return "where the answer to a question starts and ends"
    if labels := config.classes or config.image_labels:
        each = " for each token" if config.answers_places else ""
        more = f" and {len(labels) - 4} more" if len(labels) > 4 else ""
        return (
            f"one of {len(labels)} classes{each}: {', '.join(labels[:4])}{more}" if len(labels) > 1 else f"{labels[0]}"
        )
    if config.answers_words:
        return "the word at each place" if config.masked_words else "the next word"
    if config.shared_width and config.image_size:
        return "how well each of your sentences fits a picture"
    return "vectors alone"


def layers_in_words(config: TransformerConfig) -> str:
    """ "30", or "3 + 3" for encoder and decoder."""
    return " + ".join(str(config.n_layers(stack)) for stack in config.stacks)
