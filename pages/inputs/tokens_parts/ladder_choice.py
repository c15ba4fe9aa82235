"""What the Ladder compares: the keys of the state, and what is measured for the open rung."""

from __future__ import annotations

from pages.inputs.tokens_parts import glove_training, ratings_editor
from pages.inputs.tokens_parts.kept_world import WORLD
from pages.shared.model_runs import traces
from pages.shared.session import state
from views.inputs import word_in_context
from views.inputs.glove import TrainedWords
from views.inputs.ladder import MODEL, Ladder
from views.inputs.ratings import Ratings
from views.inputs.word_in_context import RungInContext
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text


def read() -> Ladder:
    rung, words = state.get("tokens_rung"), (_read_word("tokens_word1"), _read_word("tokens_word2"))
    ratings = Ratings(state.get("tokens_k"), ratings_editor.latest_table())
    in_context = _measure_in_context(words) if rung == "context" else None
    return Ladder(words, rung, ratings, _read_glove(words, rung == "glove"), in_context, WORLD)


def _read_word(key: str) -> str:
    return str(state.get(key)).strip().lower()


def _read_glove(words: tuple[str, str], is_open: bool) -> TrainedWords | None:
    """The words as GloVe has placed them: it is trained where its rung is open."""
    window, at = state.get("tokens_window"), WORLD.places(words)
    if at is None:
        return None
    trained = glove_training.train_at_once(window) if is_open else glove_training.last_training()
    return TrainedWords(at, window, trained, WORLD)


def _measure_in_context(words: tuple[str, str]) -> RungInContext | Text:
    """The rung In context, or why it has none."""
    try:
        model = traces.model(MODEL)
        sentences = state.get("tokens_sentence1"), state.get("tokens_sentence2")
        return word_in_context.measure(model, words, sentences, traces.trace)
    except traces.errors() as error:
        return Text(markdown_text(str(error)), "error", ":material/error:")
