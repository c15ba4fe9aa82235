"""What the chosen token looks at in the head that the map frames, by the keys of the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pages.shared.model_runs.head_on_screen import read_attention, read_token
from pages.shared.session import places, state, substitutes
from views.head_of_run import tokens_of
from views.map.look import Look, look_at
from views.run import Run
from views.usual_head import usual_head


def read_look(run: Run, layers: Mapping[str, int]) -> Look:
    """The weights of the run bar's token in the head that the map frames, and the key that the page points at.

    It is the chosen head, or the one that tells most in this layer. Where the reader has chosen no token, it is the
    usual one; where they have chosen no key, it is the most telling one.
    """
    stack, part = read_attention(run.config) if state.get("attention") else (run.config.stacks[-1], "self_attn")
    usual = usual_head(run, stack, part, layers[stack])
    head = places.read_head_number(run.config.n_heads, usual, f"{stack}.{part}")
    if state.get("home_at") and state.get("query") >= len(tokens_of(run, stack)):
        state.put(query=-1, key=-1)  # the map says that the run has no such place
    query = read_token(run, stack)
    look = look_at(run, f"{stack}.{part}", layers, head, query, substitutes.choice_of("key"))
    key_stack = "encoder" if part == "cross_attn" else ""
    places.offer(replace(places.offered(), key=look.key, key_stack=key_stack))
    return look
