"""What a decoder does with a pair beside its run: search with a beam, read a true translation,
write its own, and write without a word of the sentence."""

from __future__ import annotations

import torch

from model.generation.beam import Tree, beam_search
from model.generation.teacher_forcing import TeacherForcedRun, run_teacher_forced
from model.generation.trust import try_without
from views.models.translate.pair import Pair

MAX_TOKENS = 40  # of a hypothesis


class Decoder:
    """Makes everything anew. The app's own one keeps what it has searched, and takes turns."""

    def search(self, pair: Pair, width: int, alpha: float) -> Tree:
        """The beam search of a pair."""
        return beam_search(
            pair.run.model.network,
            torch.tensor([pair.start]),
            limit_of(pair),
            pair.run.model.output_tokenizer.ends,
            source=torch.tensor(pair.source_ids),
            width=width,
            alpha=alpha,
        )

    def force(self, pair: Pair, ids: tuple[int, ...], shifted: bool = True) -> TeacherForcedRun:
        """The run over a true translation."""
        network = pair.run.model.network
        return run_teacher_forced(network, pair.source_ids, ids, pair.start, pair.end, shifted)

    def write(self, pair: Pair) -> tuple[int, ...]:
        """The ids that the model writes when it reads its own words."""
        return tuple(pair.run.model.translate_ids(pair.source)) if pair.given else pair.written_ids

    def try_without(self, pair: Pair) -> tuple[tuple[str, bool], ...]:
        """Each word of the sentence, and whether the model writes the same without it. It takes a run for each."""
        return try_without(pair.run.model.network, pair.run.trace, pair.end)


def limit_of(pair: Pair) -> int:
    """The most tokens of a hypothesis."""
    return min(MAX_TOKENS, pair.config.max_length - 1)
