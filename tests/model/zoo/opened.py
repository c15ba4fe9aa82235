"""What tests ask of files, opened as the app opens them."""

from __future__ import annotations

from pathlib import Path

from torch import Tensor

from model.config import TransformerConfig
from model.network.transformer import Transformer
from model.tokens.tokenizer import Tokenizer
from model.zoo.build import build
from model.zoo.cards import Card
from model.zoo.checkpoint import Checkpoint
from model.zoo.file_card import card_of
from model.zoo.files import build_from, no_progress
from model.zoo.gguf_file import GgufFile
from model.zoo.hub_folder import tokenizers_of
from model.zoo.opening import open_checkpoint
from model.zoo.tokenizers.gguf_tokenizer import gguf_tokenizer


def read(path: Path) -> tuple[TransformerConfig, dict[str, Tensor]]:
    """Configuration and weights of a folder or GGUF file."""
    checkpoint = open_checkpoint(path)
    return checkpoint.config, checkpoint.weights(no_progress)


def built(checkpoint: Checkpoint) -> Transformer:
    """The network of opened files."""
    return build(checkpoint.config, checkpoint.weights(no_progress), checkpoint.make)


def card_of_files(path: Path) -> Card:
    """The card of a folder or GGUF file."""
    return card_of(open_checkpoint(path))


def read_tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer of what is read, of a folder whose weights need not be there."""
    return tokenizers_of(folder)[0]


def read_gguf_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer of a GGUF file, which need not hold a tensor."""
    return build_from(path, gguf_tokenizer, GgufFile(path).values)
