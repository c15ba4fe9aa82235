"""The head of the part Rotary, its query and its key: of the present model if it is rotary, else of another."""

from __future__ import annotations

from torch import Tensor

from model.analysis.telling import telling_key
from pages.shared.model_runs import traces
from pages.shared.model_runs.head_on_screen import forget_pair, read_layer_and_head
from pages.shared.session import places, state
from views.inputs.placed_sentence import NEEDS
from views.inputs.rotary_turn import OTHER_MODELS, RotaryHead, RotaryTurn, other_model, say_unturned
from views.run import Run
from views.usual_head import usual_layer, usual_token
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text


def read() -> RotaryTurn:
    """The view of the chosen head; or the message that says which models are missing."""
    current = traces.current(keep=NEEDS)
    try:
        head = _read_head(current)
    except traces.errors() as error:
        return RotaryTurn(Text(markdown_text(str(error)), "warning", ":material/download:"))
    if isinstance(head, Text):
        return RotaryTurn(head)
    pair = state.checked_number("positions_turned", 0, head.run.model.config.head_width // 2 - 1, "Pair")
    if head.shown_for:
        places.offer(places.Places())  # the run bar chooses in the reader's own model
    return RotaryTurn(head, pair)


def _read_head(current: Run) -> RotaryHead | Text:
    """The head, or why its layer turns nothing. Raises one of `traces.errors()` if no rotary model is here."""
    rotary = current.model.config.positions == "rotary"
    ready = [card.name for card in traces.cards() if card.ready]
    name = current.name if rotary else other_model(ready)
    model = traces.model(name)
    config, stack = model.config, model.config.stacks[0]
    if rotary:
        forget_pair(stack, "self_attn")
    else:
        for place, usual in OTHER_MODELS[name].items():
            places.borrow(place, usual)
    layer = places.read_layer(config.n_layers(stack), usual_layer(config))
    if said := say_unturned(current, layer) if rotary else "":
        return Text(markdown_text(said), "warning")
    run = traces.run(model, current.text, f"{stack}.{layer}.self_attn.*")
    _, head = read_layer_and_head(run, stack, "self_attn")
    weights = run.trace[f"{stack}.{layer}.self_attn.weights"][head]
    t, s = _choose_tokens(run, stack, weights, is_other_model=not rotary)
    return RotaryHead(run, layer, head, t, s, "" if rotary else current.model.card.title)


def _choose_tokens(run: Run, stack: str, weights: Tensor, is_other_model: bool) -> tuple[int, int]:
    """The tokens of the query and the key. Where they are open: the usual one, and the key that tells most.

    weights: those of the head, (queries, keys).
    """
    count, usual = len(run.trace.tokens), usual_token(run, stack)
    if is_other_model:
        places.borrow("query", usual)
    t = places.read_query(count, usual, stack)
    if is_other_model:
        places.borrow("key", max(t - 1, 0))
    return t, places.read_key(count, telling_key(weights[t], t))
