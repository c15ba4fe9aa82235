"""What the reader has chosen on Translate: the keys of the page, checked."""

from __future__ import annotations

from dataclasses import dataclass

from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.models.translate.pair import Pair
from views.models.translate.steps import aligned_layer
from views.models.translate.translation import Choice


def read(pair: Pair) -> Choice:
    """The choice as it stands in the keys."""
    return Choice(
        step=state.get("translate_step"),
        layer=state.get("translate_layer"),
        head=state.get("translate_head"),
        order=state.get("translate_order"),
        width=state.get("translate_width"),
        alpha=state.get("translate_alpha"),
        has_pruned=state.get("translate_pruned"),
        truth=state.get("translate_truth").strip(),
    )


def read_of_steps(pair: Pair) -> Choice:
    """The choice, with impossible steps, layers and heads mended."""
    config = pair.config
    _mend_step(pair)
    if state.get("translate_layer") < -1:
        state.put(translate_layer=aligned_layer(pair))
    state.checked_number("translate_layer", -1, config.n_decoder_layers - 1, "Layer")
    state.checked_number("translate_head", -1, config.n_heads - 1, "Head")
    return read(pair)


@dataclass
class TranslationSession:
    """The two sentences of the last run, and its step."""

    sentences: tuple[str, str | None] | None = None
    step: int = -1


def _mend_step(pair: Pair) -> None:
    """Mends the step. A new sentence is shown to its end, unless its step changed at the same time."""
    now, step = (pair.run.text, pair.run.target), state.get("translate_step")
    session = of_session(TranslationSession)
    if step < 0 or (session.sentences not in (None, now) and step == session.step):
        step = max(len(pair.written) - 1, 1)
    step = min(step, len(pair.written))
    state.put(translate_step=step)
    session.sentences, session.step = now, step
