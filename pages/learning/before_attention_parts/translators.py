"""The reader's sentence in the three translators of this page."""

from __future__ import annotations

from pages.shared.model_runs import model_choice, traces
from pages.shared.session import bar_notes
from views.learning.before_attention import translators
from views.learning.before_attention.translators import TITLES, Answer


def say_translators() -> None:
    """Say below the run bar who reads the reader's sentence. All three cut it into the same tokens."""
    bar_notes.name_models(TITLES)
    bar_notes.add(
        f"This part gives your sentence to three translators, {model_choice.describe_fit('en-ur')}: "
        f"{', '.join(TITLES[:-1])} and {TITLES[-1]}."
    )


def answers() -> tuple[Answer, Answer, Answer]:
    """The reader's sentence in all three. Shows one message and raises `NothingToShow` if it cannot be run."""
    try:
        return translate_all(traces.fitting_sentence("en-ur"))
    except traces.errors() as error:
        traces.complain(error)
        raise traces.NothingToShow from error


def translate_all(text: str) -> tuple[Answer, Answer, Answer]:
    """A sentence in all three. Raises the errors of `traces.errors`."""
    return translators.translate_all(text, lambda name, text, keep: traces.run(traces.model(name), text, keep))
