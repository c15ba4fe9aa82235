"""A model in memory: a network of `transformers` as it stands in a notebook or a training script.

    model = adopt(network, tokenizer)
    model.trace("I am a robot")          # of the weights as they are now
    optimiser.step()
    model.trace("I am a robot")          # of the weights after the step

Nothing of `transformers` is imported: the network's configuration and its state are read.
"""

from __future__ import annotations

import copy
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.device import PLAIN, copy_to
from model.edits.edit import Edit
from model.errors import ModelMismatch
from model.generation.kept_cache import KeptCache
from model.generation.steps import GenerationStep, StepsRequest
from model.graph.run_request import RunRequest
from model.loading import IN_MEMORY
from model.network.transformer import Transformer
from model.run import Model
from model.tape import Trace
from model.tokens.tokenizer import Token, Tokenizer
from model.zoo import cards
from model.zoo.build import build
from model.zoo.cards import Card
from model.zoo.checkpoint import Checkpoint
from model.zoo.families import family_of
from model.zoo.family import Family
from model.zoo.file_card import card_of
from model.zoo.files import build_from
from model.zoo.hub_folder import check_writes, tokenizers_of
from model.zoo.stored_names import bare_names
from model.zoo.values.writing_values import GENERATION_CONFIG
from model.zoo.word_tables import places, settle

_CHANGES = count(1)  # of all adopted models, so that two of the same title are told apart
HERE = Path("the model in memory/config.json")  # in the place of a file, for messages
WRAPPERS = ("_orig_mod", "module")  # under which torch.compile and DataParallel have what they wrap


class Saved(Protocol):
    """What saves itself into a folder, as a tokenizer of `transformers` does."""

    def save_pretrained(self, folder: str) -> object: ...


@dataclass(frozen=True, repr=False)
class AdoptedModel(Model):
    """A model whose weights are those of another network. Before each run it takes what has changed there."""

    adopted: Adopted = field(kw_only=True)

    @property
    def version(self) -> int:
        """Another number after each change of the weights. What was changed by now is taken over."""
        return self.adopted.follow()

    @property
    def on_cpu(self) -> Model:
        """As of any model. A copy on the CPU is made anew after each change."""
        if self.place == PLAIN:
            return self
        version = self.version
        if self.adopted.copied is None or self.adopted.copied[0] != version:
            copied = Model(copy_to(self.network, PLAIN), self.tokenizer, self.card, self.target_tokenizer)
            self.adopted.copied = version, copied
        return self.adopted.copied[1].with_begin(self.tokenizer.begins)

    def _record(self, request: RunRequest, edits: tuple[Edit, ...]) -> Mapping[str, Tensor]:
        self.adopted.follow()
        return super()._record(request, edits)

    def _record_together(self, requests: Sequence[RunRequest]) -> Sequence[Mapping[str, Tensor]]:
        self.adopted.follow()
        return super()._record_together(requests)

    def _steps(self, request: StepsRequest, kept: KeptCache | None = None) -> Iterator[GenerationStep]:
        self.adopted.follow()
        return super()._steps(replace(request, half_width=False), kept)  # Those weights would be of an earlier moment.

    def trace_tokens_on_demand(
        self, tokens: tuple[Token, ...], source_tokens: tuple[Token, ...] = (), **how: Any
    ) -> Trace:
        """As of any model. Such a trace makes tensors later: with other weights it raises `ModelMismatch`."""
        made, take_turn = self._origin(), how.pop("take_turn", nullcontext)

        def check_and_take_turn() -> AbstractContextManager[None]:
            made.check_weights()
            turn: AbstractContextManager[None] = take_turn()
            return turn

        return super().trace_tokens_on_demand(tokens, source_tokens, take_turn=check_and_take_turn, **how)

    @torch.inference_mode(False)
    def freeze(self) -> Model:
        """A model with a copy of the weights as they are now: it stays as it is while training goes on."""
        self.adopted.follow()
        return Model(copy.deepcopy(self.network), self.tokenizer, self.card, self.target_tokenizer)


class Adopted:
    """The way from the weights of a network to those of ours. Most are the same memory; some are copies.

    A copy is a weight that our network holds in another order, such as queries and keys of Llama's rotary positions.
    """

    def __init__(self, network: nn.Module, family: Family, config: Any, tables: dict[str, str]) -> None:
        self._network, self._family, self._config, self._tables = network, family, config, tables
        self._weights = list(network.parameters())
        self._seen, self.version, self._lock = self._marks(), next(_CHANGES), Lock()
        self.copied: tuple[int, Model] | None = None  # on the CPU, of a version
        self.ours: dict[str, Tensor] = dict(self.fitted())

    def fitted(self) -> Iterator[tuple[str, Tensor]]:
        """Every weight of our network, as the other one has it now. Raises `DamagedWeights` for another state."""
        state = self._network.state_dict()
        bare = bare_names(self._family, state)
        for stripped, names in places(self._family, self._tables, bare).items():
            for ours in names:
                yield from self._family.fit(ours, state[bare[stripped]], self._config)

    def follow(self) -> int:
        """Take what has changed. Returns another number after each change."""
        with self._lock:
            marks = self._marks()
            if marks != self._seen:
                with torch.inference_mode(False), torch.no_grad():
                    for name, weight in self.fitted():
                        if self.ours[name].data_ptr() != weight.data_ptr():
                            self.ours[name].copy_(weight)
                self._seen, self.version = marks, next(_CHANGES)
            return self.version

    def shared(self) -> int:
        """Bytes of weights that are the same memory in both networks."""
        places = {weight.untyped_storage().data_ptr() for weight in self._network.state_dict().values()}
        return sum(each.nbytes for each in self.ours.values() if each.untyped_storage().data_ptr() in places)

    def _marks(self) -> list[tuple[int, int]]:
        """What differs after each change in place of a weight, as by an optimiser, or of its memory."""
        return [(weight.data_ptr(), weight._version) for weight in self._weights]


@torch.inference_mode(False)
def adopt(network: nn.Module, tokenizer: Tokenizer | Saved, title: str = "Model in memory") -> AdoptedModel:
    """A model of a `transformers` network as it stands, of a supported family (`model.zoo.families`).

    Its weights are those of `network`, without a copy, on its device and in its number type: all those of GPT-2 and
    BERT. Copied are only weights that our network holds in another order: queries and keys where positions are rotary
    (Llama, Mistral, Qwen), and values beside them where one tensor holds all three (GPT-NeoX). Copies follow each
    change in place, as by an optimiser or `load_state_dict`, before the next run; a change through `.data` is not
    noticed. While an optimiser works, do not run the model in another thread.

    `tokenizer` is a tokenizer of `transformers`, or of `model.tokens`. The model is in the list of models as long as
    this process lives (`open_app` shows it), under the name "memory:" and `title`. What torch.compile or DataParallel
    has wrapped is taken out of it. Raises `UnsupportedFamily`, `DamagedWeights` if the state does not fit the
    configuration, `ModelMismatch` for something else than a network.

    >>> from glassformer import adopt, load
    >>> from transformers import GPT2Config, GPT2LMHeadModel
    >>> network = GPT2LMHeadModel(GPT2Config(n_layer=2, n_head=2, n_embd=16, vocab_size=1127))
    >>> model = adopt(network, load("tiny-lm").tokenizer)
    >>> model.trace("the dog")["decoder.1.self_attn.weights"].shape  # (heads, queries, keys)
    torch.Size([2, 3, 3])
    """
    network = unwrap(network)
    values = _values(network)
    family = family_of(values)
    stored = network.state_dict()
    state = {name: stored[theirs] for name, theirs in bare_names(family, stored).items()}
    config = build_from(HERE, family.configure, values)
    config, tables = settle(family, config, state, lambda one, other: state[one].data_ptr() == state[other].data_ptr())
    if config.image_size:
        raise ModelMismatch("adopt takes networks that read text. Save this one, and open its folder with load_vision.")
    words, written = (
        (tokenizer, None) if isinstance(tokenizer, Tokenizer) else _read_tokenizers(tokenizer, network, values)
    )
    adopted = Adopted(network, family, config, tables)
    check_writes(values, config, adopted.ours)
    ours: Transformer = build(config, adopted.ours)
    card = _card(title, adopted, family, config)
    model = AdoptedModel(ours, words, card, written, adopted=adopted)
    cards.IN_MEMORY[card.name], IN_MEMORY[card.name] = card, model
    return model


def _card(title: str, adopted: Adopted, family: Family, config: TransformerConfig) -> Card:
    """The card of a model in memory: what its configuration says of it."""
    nbytes = sum(4 * weight.numel() for weight in adopted.ours.values())  # in float32
    checkpoint = Checkpoint(HERE, family.name, config, (), nbytes, lambda progress, dtype=None: dict(adopted.ours))
    return replace(
        card_of(checkpoint),
        name=f"memory:{title}",
        title=title,
        licence="yours",
        source="the memory of a program; it is gone when that program ends",
        about=f"A model of the family {family.name}, in memory: what is shown is of its weights as they are now.",
        size=sum(weight.nbytes for weight in adopted.ours.values()),
        get="Adopt it again in your program: adopt(network, tokenizer)",
        in_memory=True,
    )


def release(model: Model) -> None:
    """Take a model in memory out of the list of models, so that its memory can be freed."""
    cards.IN_MEMORY.pop(model.card.name, None)
    IN_MEMORY.pop(model.card.name, None)


def unwrap(network: Any) -> Any:
    """The network inside what torch.compile, DataParallel and DistributedDataParallel put around it."""
    while isinstance(network, nn.Module):
        inner = [each for name in WRAPPERS if (each := network._modules.get(name)) is not None]
        if not inner:
            break
        network = inner[0]
    return network


def _values(network: Any) -> dict[str, Any]:
    config: Any = getattr(network, "config", None)
    if not isinstance(network, nn.Module) or not hasattr(config, "to_dict"):
        raise ModelMismatch(
            "adopt takes a network of transformers with its config, such as AutoModel.from_pretrained gives. "
            f"This is a {type(network).__name__}."
        )
    # A network that nobody has saved yet has no name of its architecture in its config.
    values: dict[str, Any] = config.to_dict() | {"architectures": [type(network).__name__]}
    return json.loads(json.dumps(values, default=str))  # as in a file: the numbers of labels are texts there


def _read_tokenizers(tokenizer: Saved, network: Any, values: dict[str, Any]) -> tuple[Tokenizer, Tokenizer | None]:
    """The tokenizer of what is read, from the files that it writes, as any other; and that of what is written."""
    with tempfile.TemporaryDirectory() as folder:
        tokenizer.save_pretrained(folder)
        (Path(folder) / "config.json").write_text(json.dumps(values), encoding="utf-8")
        if (writing := getattr(network, "generation_config", None)) is not None:
            (Path(folder) / GENERATION_CONFIG).write_text(json.dumps(writing.to_dict(), default=str), encoding="utf-8")
        return tokenizers_of(Path(folder))
