"""Three translators of one vocabulary, and what each makes of a sentence, beside its true translation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from model.train.samples import hand_made_examples, held_out_examples
from views.call import Call
from views.models.translate.pair import Pair, of_run
from views.run import Run

# name -> (its title on this page, the tensors for its figures)
TRANSLATORS = {
    "en-ur-seq2seq": ("seq2seq", ("bottleneck", "logits")),
    "en-ur-bahdanau": ("Bahdanau", ("decoder.*.attention.scores", "decoder.*.attention.weights", "logits")),
    "en-ur": ("Transformer", ("decoder.*.cross_attn.weights", "logits")),
}
TITLES = tuple(title for title, _ in TRANSLATORS.values())


@dataclass(frozen=True)
class Answer:
    """The translation of one model. `right` says whether it is the true one, and is None if no true one is known."""

    title: str
    pair: Pair
    right: bool | None

    @property
    def text(self) -> str:
        return self.pair.text(self.pair.written_ids)

    def made_by(self) -> Call:
        return Call(judge, (self.pair.run,))


def translate_all(text: str, run: Callable[[str, str, tuple[str, ...]], Run]) -> tuple[Answer, Answer, Answer]:
    """A sentence in all three. `run` makes the run of a model, by its name, over a text."""
    seq2seq, bahdanau, transformer = (judge(run(name, text, keep)) for name, (_, keep) in TRANSLATORS.items())
    return seq2seq, bahdanau, transformer


def judge(run: Run) -> Answer:
    """The translation that a run of one of the three has written."""
    pair, truth = of_run(run), reference(run.text)
    right = None if truth is None else pair.text(pair.written_ids).rstrip("۔؟!") == truth
    return Answer(TRANSLATORS[run.name][0], pair, right)


def reference(text: str) -> str | None:
    """The translation of a sentence by hand, or by the grammar that generated it. None for any other sentence."""
    return _references().get(_normalise(text))


def _normalise(text: str) -> str:
    return " ".join(text.lower().rstrip(" .?!").split())


@cache
def _references() -> dict[str, str]:
    examples = [*held_out_examples(400), *hand_made_examples()]
    return {_normalise(each.source_text): each.target_text.rstrip("۔؟!") for each in examples}
