"""The three translators of this page on the reader's sentence, and its true translation if there is one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from model.train.samples import hand_made_examples, held_out_examples
from pages.shared.elements import renderer
from pages.shared.model_runs import model_choice, traces
from pages.shared.session import bar_notes
from views.models.translate import unknown_words
from views.models.translate.pair import Pair, of_run

# name -> (its title on this page, the tensors for its figures)
TRANSLATORS = {
    "en-ur-seq2seq": ("seq2seq", ("bottleneck", "logits")),
    "en-ur-bahdanau": ("Bahdanau", ("decoder.*.attention.scores", "decoder.*.attention.weights", "logits")),
    "en-ur": ("Transformer", ("decoder.*.cross_attn.weights", "logits")),
}


@dataclass(frozen=True)
class Answer:
    """The translation of one model. `right` says whether it is the true one, and is None if no true one is known."""

    title: str
    pair: Pair
    right: bool | None

    @property
    def text(self) -> str:
        return self.pair.text(self.pair.written_ids)


def say_translators() -> None:
    """Say below the run bar who reads the reader's sentence. All three cut it into the same tokens."""
    names = [title for title, _ in TRANSLATORS.values()]
    bar_notes.name_models(names)
    bar_notes.add(
        f"This part gives your sentence to three translators, {model_choice.describe_fit('en-ur')}: "
        f"{', '.join(names[:-1])} and {names[-1]}."
    )


def answers() -> list[Answer]:
    """The reader's sentence in all three. Shows one message and raises `NothingToShow` if it cannot be run."""
    try:
        translations = translate_all(traces.fitting_sentence("en-ur"))
    except traces.errors() as error:
        traces.complain(error)
        raise traces.NothingToShow from error
    renderer.draw(unknown_words.notes(translations[-1].pair.run), "Picture", {})
    return translations


def translate_all(text: str) -> list[Answer]:
    """A sentence in all three. Raises the errors of `traces.errors`."""
    return [
        _judge(title, of_run(traces.run(traces.model(name), text, keep))) for name, (title, keep) in TRANSLATORS.items()
    ]


def _judge(title: str, pair: Pair) -> Answer:
    truth = reference(pair.run.text)
    return Answer(title, pair, None if truth is None else pair.text(pair.written_ids).rstrip("۔؟!") == truth)


def reference(text: str) -> str | None:
    """The translation of a sentence by hand, or by the grammar that generated it. None for any other sentence."""
    return _references().get(_normalise(text))


def _normalise(text: str) -> str:
    return " ".join(text.lower().rstrip(" .?!").split())


@cache
def _references() -> dict[str, str]:
    examples = [*held_out_examples(400), *hand_made_examples()]
    return {_normalise(each.source_text): each.target_text.rstrip("۔؟!") for each in examples}
