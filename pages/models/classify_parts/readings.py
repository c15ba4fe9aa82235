"""What Classify reads: the reader's sentence in the models that can judge it, and the sentences of its fields."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from model import Model
from model.errors import GlassformerError
from pages.shared.model_runs import model_choice, traces
from pages.shared.session import state
from views.models.classify import kinds, labels
from views.models.classify.kinds import KINDS, Kind
from views.models.classify.labels import CLASSIFIER, shows_bundled
from views.run import Run


def read_kinds() -> tuple[Run | None, ...]:
    """The reader's sentence in a model of each kind. None, after a message, where it cannot be run."""
    runs = tuple(map(_read_kind, KINDS))
    model_choice.say_other_models([run.name for run in runs if run is not None], "one of each kind")
    return runs


def _read_kind(kind: Kind) -> Run | None:
    cards = {card.name: card for card in traces.cards()}
    chosen = state.get("model")
    name = chosen if chosen in cards and cards[chosen].kind == kind.key else kind.example
    try:
        model = traces.model(name)
        return traces.run(model, traces.fitting_sentence(name), kinds.keep(model.config))
    except traces.errors() as error:
        traces.complain(error)
        return None


def models_of(kind: Kind) -> tuple[str, ...]:
    """All models of a kind by their titles, each with its state where it is not ready."""
    return kinds.models_of(kind, traces.cards())


def read_classes() -> Run | None:
    """The reader's sentence in the reader's model, if that is an encoder with an answer; else in the bundled one."""
    card = next((each for each in traces.cards() if each.name == state.get("model")), None)
    name = CLASSIFIER if card is None or shows_bundled(card) else card.name
    try:
        run = traces.run(traces.model(name), traces.fitting_sentence(name), labels.KEEP)
        model_choice.say_other_models([name], "it has classes of texts and of words")
        return run
    except traces.errors() as error:
        traces.complain(error)
        return None


def title_of(name: str) -> str:
    """The title of a model by its name."""
    return next((card.title for card in traces.cards() if card.name == name), name)


def read_model(name: str) -> Model | None:
    """A model. None, after a message, if it cannot be had."""
    try:
        return traces.model(name)
    except traces.errors() as error:
        traces.complain(error)
        return None


def run_all(model: Model, lines: Sequence[str], keep: Iterable[str]) -> tuple[Run, ...]:
    """A run of each sentence. None of them, after a message that names it, if a sentence cannot be run."""
    names, runs = tuple(keep), list[Run]()
    for number, line in enumerate(lines, 1):
        try:
            runs.append(traces.run(model, line, names))
        except GlassformerError as error:
            traces.complain(GlassformerError(f"Sentence {number}: {error}"))
            return ()
        except OSError as error:
            traces.complain(error)
            return ()
    return tuple(runs)
