"""What the decoder does with a pair, in turns with other readers. The session keeps its last searches."""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import dataclass, field

from model.generation.beam import Tree
from model.generation.teacher_forcing import TeacherForcedRun
from pages.shared.model_runs import model_turns
from pages.shared.server.session_values import of_session
from views.models.translate.decoder import Decoder, limit_of
from views.models.translate.pair import Pair

MAX_KEPT_TREES = 8  # in a session


@dataclass
class SearchSession:
    """The last searches by what was asked for."""

    trees: dict[Hashable, Tree] = field(default_factory=dict)


class DecoderInTurns(Decoder):
    """A decoder that waits for its turn. The session keeps the last `MAX_KEPT_TREES` searches."""

    def search(self, pair: Pair, width: int, alpha: float) -> Tree:
        trees = of_session(SearchSession).trees
        key = (pair.run.spec.model, pair.source_ids, width, alpha)
        if key not in trees:
            with model_turns.forward_pass(runs=0, tokens=width * limit_of(pair)):
                trees[key] = super().search(pair, width, alpha)
            while len(trees) > MAX_KEPT_TREES:
                del trees[next(iter(trees))]
        return trees[key]

    def force(self, pair: Pair, ids: tuple[int, ...], shifted: bool = True) -> TeacherForcedRun:
        with model_turns.forward_pass():
            return super().force(pair, ids, shifted)

    def write(self, pair: Pair) -> tuple[int, ...]:
        if not pair.given:
            return pair.written_ids
        with model_turns.forward_pass():
            return super().write(pair)

    def try_without(self, pair: Pair) -> tuple[tuple[str, bool], ...]:
        def make() -> bytes:
            with model_turns.forward_pass(runs=len(pair.source)):
                return json.dumps(super(DecoderInTurns, self).try_without(pair)).encode()

        return tuple((word, same) for word, same in json.loads(pair.run.pack("translation without a word", make)))
