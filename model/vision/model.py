"""A vision model ready to run: a network and its card. `model.run` does the same for text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from model.config import TransformerConfig
from model.device import PLAIN, Placement, choose, copy_to, to_cpu, within_memory
from model.edits.edit import Edit
from model.errors import ModelMismatch
from model.graph.on_demand import MADE_BYTES, run_on_demand
from model.loading import build_network, open_named
from model.network.answer_scores import answer_scores
from model.network.patches import Patches
from model.network.transformer import Transformer
from model.notebook.model_card import model_card
from model.run import Model
from model.tape import Origin, Tape, Trace
from model.tokens.tokenizer import Token
from model.vision.preparation import Preparation
from model.zoo.build import build
from model.zoo.card_values import VISION_KIND
from model.zoo.cards import Card
from model.zoo.file_card import card_of, facts_of
from model.zoo.files import Progress, no_progress

SPECIAL_TOKENS = {"the class token": "[CLS]", "the distillation token": "[DIST]"}
SENTENCES = "similarity.sentences"  # the weight with a row for each sentence
DIGIT_LABELS = tuple("0123456789")


@dataclass(frozen=True, repr=False)
class VisionModel:
    """A network that reads pictures. It holds no state of any run: many threads can share it."""

    network: Transformer
    card: Card
    saliency: nn.Module | None = None  # turns the last layer's patches into a map; only some checkpoints have it
    texts: Model | None = None  # the tower of texts, where pictures are compared with sentences

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.card.name}>"

    def _repr_html_(self) -> str:
        """For notebooks."""
        facts = facts_of(self.card, self.config, self.place)
        return model_card(self.card.title, self.card.about, facts, "model.trace_picture(rgb)  # (H, W, 3), 0..255")

    @property
    def config(self) -> TransformerConfig:
        """The configuration of the network."""
        return self.network.config

    @cached_property
    def place(self) -> Placement:
        """The device on which the network computes, and the type of its numbers."""
        return Placement.of(self.network)

    @property
    def version(self) -> int:
        """As `Model.version`: its weights are those of a file, and never change."""
        return 0

    @property
    def state(self) -> str:
        """As `Model.state`: where the network is."""
        return str(self.place)

    @property
    def reads_digits(self) -> bool:
        """Whether it names handwritten digits: white ink on black, centred."""
        return self.config.image_labels == DIGIT_LABELS

    @cached_property
    def on_cpu(self) -> VisionModel:
        """The same model on the CPU in float32, like `Model.on_cpu`."""
        if self.place == PLAIN:
            return self
        texts = None if self.texts is None else self.texts.on_cpu
        return replace(self, network=copy_to(self.network, PLAIN), texts=texts)

    @property
    def preparation(self) -> Preparation:
        """The preparation of this model's pictures."""
        return Preparation.of(self.config, self.card.details)

    @property
    def patches(self) -> Patches:
        """The module that cuts pictures into patches and projects them, on the CPU."""
        encoder = self.on_cpu.network.encoder
        assert encoder is not None
        return encoder.embed.patches

    @property
    def position_table(self) -> Tensor | None:
        """The position vectors, those of the learnt tokens first: (S + N, d_model), on the CPU. None without any."""
        encoder = self.on_cpu.network.encoder
        assert encoder is not None
        table = encoder.embed.positions
        return None if table is None else table.weight

    def tokens(self) -> tuple[Token, ...]:
        """The learnt tokens, then a token for each patch, named by its row and column from 1: "r3 c12"."""
        side = self.config.patches_a_side
        names = [f"r{row} c{column}" for row in range(1, side + 1) for column in range(1, side + 1)]
        special = [SPECIAL_TOKENS.get(name, f"[{name.upper()}]") for name in self.config.special_tokens]
        first = [Token(place, name, b"", special=True) for place, name in enumerate(special)]
        return (*first, *(Token(place, name, b"") for place, name in enumerate(names, start=len(first))))

    @property
    def class_scores(self) -> tuple[str, ...]:
        """The names of the tensors with a score of every class: two heads' before their mean. () without any."""
        if not self.config.image_labels:
            return ()
        heads = ("class_logits", "distillation_logits") if self.config.distillation_head else ()
        return (*heads, "image_logits")

    def naming(self, sentences: Iterable[str]) -> VisionModel:
        """The same model, whose answer is which of these sentences its picture is like. Its `image_labels` are they.

        Each sentence becomes one vector, and the vectors are the weights of a classifier: Radford et al. (2021),
        arXiv:2103.00020, section 3.1.2. Raises `ModelMismatch` for a model without a tower of texts, `TextTooLong`.
        """
        if self.texts is None:
            raise ModelMismatch(f"{self.card.title} has no tower of texts to compare its pictures with.")
        sentences = tuple(sentences)
        rows = [self._vector_of(self.texts, sentence) for sentence in sentences]
        weights = self.network.state_dict()
        table = torch.cat(rows) if rows else weights[SENTENCES].new_zeros(0, self.config.shared_width)
        weights[SENTENCES] = table.to(weights[SENTENCES])
        return replace(self, network=build(replace(self.config, image_labels=sentences), weights))

    def _vector_of(self, texts: Model, sentence: str) -> Tensor:
        """The shared vector of a sentence: (1, shared_width)."""
        run = texts.trace(sentence, keep="shared")
        *before, end = (token.id for token in run.tokens)
        if texts.config.causal and end in before:
            raise ModelMismatch(
                f"The tower of texts would end at {run.tokens[-1].text} inside of “{sentence[:60]}”. Leave that out."
            )
        return run["shared"]

    def trace_picture(
        self, rgb: NDArray[np.uint8], *, keep: str | Iterable[str] = "*", edits: Iterable[Edit] = ()
    ) -> Trace:
        """Prepares a picture of any size (H, W, 3), 0..255, and runs `trace_image` over it."""
        return self.trace_image(self.preparation.prepare(rgb), keep=keep, edits=edits)

    @torch.inference_mode()
    def trace_image(self, pixels: Tensor, *, keep: str | Iterable[str] = "*", edits: Iterable[Edit] = ()) -> Trace:
        """Runs the model over prepared pixels (C, H, W). `keep` and `edits` are those of `Model.trace`.

        Raises `PictureError` for pixels of another shape, `EditError`, `DeviceFull`.
        """
        edits, keep = tuple(edits), (keep,) if isinstance(keep, str) else tuple(keep)
        tape = Tape(keep, edits)
        with within_memory():
            self.network(pixels, tape=tape)
            tape.check_edits()
            origin = Origin(self.network, edits, pixels, model=self, keep=keep)
            return Trace(self.tokens(), to_cpu(tape.records), origin=origin)

    def trace_image_on_demand(
        self, pixels: Tensor, *, edits: Iterable[Edit] = (), max_bytes: int = MADE_BYTES
    ) -> Trace:
        """As `trace_image`, with every tensor, in little memory: like `Model.trace_on_demand`."""
        edits = tuple(edits)
        tensors = run_on_demand(self.network, pixels, None, edits, max_bytes)
        return Trace(self.tokens(), tensors, origin=Origin(self.network, edits, pixels, model=self))

    def probabilities(self, trace: Trace) -> Tensor:
        """The classes' probabilities in a run that kept `image_logits`: (classes,), in the order of `image_labels`.

        They sum to 1, or each label has its own share, or they are numbers: `model.network.answer_scores`.
        """
        return answer_scores(trace["image_logits"], self.config)


def random_order(count: int, seed: int) -> list[int]:
    """The numbers 0 to `count` - 1 in an order that depends on the seed alone, for `shuffle_patches`."""
    return np.random.default_rng(seed).permutation(count).tolist()


@torch.inference_mode(False)  # tensors made in inference mode could never take part in training
def load_vision(
    name: str,
    progress: Progress = no_progress,
    snapshot: int | None = None,
    device: str = "auto",
    dtype: str | torch.dtype = "auto",
) -> VisionModel:
    """Loads the vision model of that name or path, like `model.load`.

    A saliency head stays on the CPU in float32, like traces.
    Raises `UnknownModel`, `ModelMismatch` for a model of text, `ModelMissing` (with the command that gets it),
    `DamagedWeights`, `DeviceMissing`, `DeviceFull`.
    """
    place = choose(device, dtype)
    card, checkpoint = open_named(name, (VISION_KIND,), snapshot, progress)
    if checkpoint.tokenizer is not None:
        raise ModelMismatch(f"{checkpoint.path.name} reads text, not pictures. Open it with model.load.")
    texts, found = None, checkpoint.texts
    if found is not None:
        texts = Model(build_network(found, place, progress), found.words(), card_of(found))
    return VisionModel(build_network(checkpoint, place, progress), card, checkpoint.saliency, texts)
