"""What one head does in general: its circuits for the tokens of a sentence."""

from __future__ import annotations

from dataclasses import dataclass, field

from torch import Tensor

from model.analysis.circuits import composition, distance
from model.analysis.circuits.composition import Composition
from model.analysis.circuits.distance import Kernel
from model.analysis.circuits.looked_for import LookedFor, looked_for
from model.analysis.circuits.written import Copying, Written, copying, written
from model.analysis.head_steps import Attention
from model.cached_property import cached_property
from model.config import TransformerConfig
from model.errors import ModelMismatch
from model.run import ids_of
from model.tokens.tokenizer import Tokenizer
from views.call import Call
from views.head_of_run import layer_place, tokens_of
from views.models.why import question
from views.models.why.question import Question
from viz.shared.tokens import words

NAMED = 6  # tokens of each end of the vocabulary
REACH = 64  # distances of the score by position


@dataclass(frozen=True)
class Circuits:
    """What one head does in general. `written` is None in an encoder, `copying` also where a head reads another
    vocabulary than the model writes, `positional` where positions alone decide nothing.

    The rows of `written` are the tokens that it can read, the keys.
    """

    looked_for: LookedFor
    written: Written | None
    copying: Copying | None
    positional: Kernel | None
    measured: Kernel
    compositions: tuple[Composition, ...]


@dataclass(frozen=True)
class GeneralHead:
    """One head, the token that it stands at (`query`, counted in its sentence), and its circuits."""

    asked: Question
    at: Attention
    head: int
    query: int
    circuits: Circuits = field(compare=False, repr=False)

    def made_by(self) -> Call:
        return Call(study_head, (self.asked, self.at, self.head), {"query": self.query})

    @property
    def place(self) -> str:
        """ "layer 9, head 2", after the name of the attention where the model has several kinds."""
        return f"{layer_place(self.asked.config, self.at)}, head {self.head}"

    @cached_property
    def queries(self) -> list[str]:
        """The words of the sentence in which it asks."""
        return words(tokens_of(self.asked.run, self.at.stack))

    @cached_property
    def keys(self) -> list[str]:
        """The words of the sentence that it reads."""
        return words(self.asked.run.trace.source_tokens) if self.at.is_cross else self.queries

    @property
    def weights(self) -> Tensor:
        """Its weights in this run at the query: (keys,)."""
        return self.asked.run.trace[f"{self.at.path}.weights"][self.head, self.query]

    @property
    def scores(self) -> Tensor:
        """How much it looks for each token of the sentence, from the embeddings alone: (keys,)."""
        return self.circuits.looked_for.scores[0]

    def most_read(self, count: int) -> list[int]:
        """The places of the tokens that it reads most at the query, each token of the vocabulary once."""
        seen: dict[str, int] = {}
        for place in self.weights.argsort(descending=True).tolist():
            seen.setdefault(self.keys[place], place)
        return list(seen.values())[:count]

    def key_words(self, ids: Tensor) -> list[str]:
        """The labels of tokens that it can read."""
        return _labels(self._reader, ids)

    def output_words(self, ids: Tensor) -> list[str]:
        """The labels of tokens that the model writes."""
        return _labels(self.asked.run.model.output_tokenizer, ids)

    @property
    def _reader(self) -> Tokenizer:
        model = self.asked.run.model
        return model.tokenizer if self.at.stack == "encoder" or self.at.is_cross else model.output_tokenizer

    @property
    def file_name(self) -> str:
        """The first part of a file's name."""
        return f"{self.asked.run.name}-{self.at.path.replace('.', '-')}-head{self.head}"


def keep(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors of a run that this part needs."""
    return (*question.keep(config), *distance.keep_for_distance(config))


def strongest_head(asked: Question, stack: str, part: str) -> tuple[int, int] | None:
    """The layer and the head of a kind of attention that speaks most for the answer; None where none is in its sum."""
    heads = {
        name: value
        for name, value in asked.account.parts.items()
        if name.startswith(f"{stack}.") and f".{part}.heads." in name
    }
    if not heads:
        return None
    _, layer, _, _, head = max(heads, key=heads.__getitem__).split(".")
    return int(layer), int(head)


def study_head(asked: Question, at: Attention, head: int, query: int | None = None) -> GeneralHead:
    """A head in general. `query`: the token that it stands at; by default that of the question."""
    last = len(tokens_of(asked.run, at.stack)) - 1
    query = min(asked.position, last) if query is None else query
    return GeneralHead(asked, at, head, query, find_circuits(asked, at, head, query))


def find_circuits(asked: Question, at: Attention, head: int, query: int) -> Circuits:
    """The circuits of a head that stands at a token of its sentence, the `query`."""
    model, run = asked.run.model, asked.run
    queries = ids_of(tokens_of(run, at.stack)).tolist()
    keys = ids_of(run.trace.source_tokens).tolist() if at.is_cross else queries
    try:
        writes = written(model, at, head, keys, NAMED)
    except ModelMismatch:
        writes = None
    try:
        copies = copying(model, at, head)
    except ModelMismatch:
        copies = None
    return Circuits(
        looked_for(model, at, head, queries[query : query + 1], keys, NAMED),
        writes,
        copies,
        distance.positional_scores(model, run.trace, at, head, REACH),
        distance.measured_weights(run.trace, at, head),
        tuple(composition.compose(model, at, head, side) for side in composition.SIDES),
    )


def _labels(tokenizer: Tokenizer, ids: Tensor) -> list[str]:
    return words(tokenizer.tokens(ids.tolist()))
