"""The run bar at the top of every page: model, sentence, its size and cost, layer and head, undo and redo.

app.py makes one for each run of the script. The bar takes its place first, prepares the choice of the model, and is
drawn after the page, when the run's tokens, its time and the page's layers and heads are known. It tells which parts
are edited (`edited_parts`), and undoes that. The browser's part is
assets/components/app/run_bar.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from model.chat.turns import Conversation, Turn
from model.edits.parts import Scale
from model.edits.text import WrittenEdit, write
from pages.catalogue import BY_URL
from pages.components.mounts import component
from pages.shared.frame import demonstration
from pages.shared.frame.run_history import RunHistory
from pages.shared.frame.tokens_on_screen import TokensOnScreen, find_tokens
from pages.shared.model_runs import edited_parts, model_choice, model_turns, second_model, traces
from pages.shared.model_runs.head_on_screen import NO_PAIR
from pages.shared.model_runs.request import Request
from pages.shared.server.session_values import of_session
from pages.shared.session import bar_notes, keys, places, state, substitutes, text_length
from pages.shared.session.characters import replace_halves
from pages.shared.session.text_length import token_limit
from views.shared import begin_words, edit_words
from views.shared.examples import EXAMPLES
from viz.shared.payload import pack
from viz.shared.style import markdown_text
from viz.shared.tokens import TokenLike, chips

if TYPE_CHECKING:
    from model import Card, Model

NAME = "run bar"
HANDS = keys.KEYS["urdu"].choices

_run_bar = component("app/run_bar")


class RunBar:
    """The bar of one run of the script."""

    def __init__(self, on_add: Callable[[], None] | None = None) -> None:
        """`on_add` runs when the reader asks to add a model; None where that is switched off."""
        self._on_add = on_add or _nothing
        self._adds = on_add is not None
        self._place = st.container(key=f"{NAME} place")
        bar_notes.begin()

    def prepare(self) -> None:
        """Give the keys `model` and `text` values that the page can use."""
        self._card = model_choice.read()
        if self._card.fault:
            st.warning(markdown_text(self._card.fault), icon=":material/error:")
        if model_turns.device() == "cpu":
            st.warning(
                "The GPU's memory is full: this is computed on the CPU, which takes longer. Another model or sentence "
                "is tried on the GPU again.",
                icon=":material/memory:",
            )

    def draw(self) -> None:
        """Mount the bar, after the page."""
        history = _history()
        history.note(_chosen())
        data = _data(self._card, history) | {"adds": self._adds}
        with self._place:
            _run_bar(
                data=pack(data),
                key=NAME,
                on_run_change=_take_sentence,
                on_talk_change=_take_turns,
                on_begin_change=_take_begin,
                on_model_change=_take_model,
                on_beside_change=_take_beside,
                on_add_change=self._on_add,
                on_token_change=_take_token,
                on_place_change=_take_place,
                on_mute_change=_take_mute,
                on_step_change=_take_step,
                on_hand_change=_take_hand,
                on_show_change=_take_show,
            )


def _data(card: Card, history: RunHistory) -> dict[str, Any]:
    wanted, loaded = traces.request(), _loaded(card)
    found, shown = None if loaded is None else find_tokens(loaded, wanted), traces.shown_run(wanted)
    translates = card.kind == "encoder-decoder"
    return {
        "models": model_choice.entries(BY_URL[state.page()]),
        "beside": second_model.offer(card),
        "model": card.name,
        "about": card.about,
        "facts": model_choice.facts(card, loaded),
        "text": state.get("text"),
        **_turns(wanted, loaded),
        "target": wanted.target or "",
        "has_target": translates,
        "hands": HANDS if translates else (),
        "hand": state.get("urdu"),
        "most_characters": keys.MAX_CHARACTERS,
        "examples": EXAMPLES,
        "count": found and found.count,
        "limit": token_limit(loaded) if loaded else min(card.max_length, text_length.most_tokens()),
        **_tokens(found),
        "begin": _begin(loaded),
        "milliseconds": shown and shown.milliseconds,
        "places": _places(),
        "edits": [_edited(part) for part in edited_parts.chosen()],
        "mute": _mutable(loaded),
        "is_edited": edited_parts.is_applied(card.name),
        "notes": bar_notes.lines(),
        "undo": history.can_undo,
        "redo": history.can_redo,
    }


def _begin(loaded: Model | None) -> dict[str, Any] | None:
    """The begin token and whether it stands before the sentence; None where the model has none to choose.

    Where it is not as the model's files say, a line below the bar says so.
    """
    talks = loaded is not None and loaded.converses and bool(state.get("turns"))  # its template says how it begins
    if loaded is None or loaded.tokenizer.begin is None or talks:
        return None
    if line := begin_words.say(loaded):
        bar_notes.add(line)
    tokenizer = loaded.tokenizer
    name = tokenizer.token(loaded.tokenizer.begin).text
    return {"token": name, "is_on": tokenizer.begins, "is_usual": tokenizer.puts_begin}


def _chosen() -> Request:
    """What the reader asks for, also on a page that uses another model, or the whole one."""
    name, text = (substitutes.choice_of(key) for key in substitutes.RUN)
    text = traces.sentence_of(name) if state.get("turns") else text
    return replace(traces.request(), name=name, text=text, edits=edited_parts.chosen())


def _turns(wanted: Request, loaded: Model | None) -> dict[str, Any]:
    """The reader's turns for the editor, and whether the model reads them. One without a chat template reads the
    sentence, and a line below the bar says so."""
    turns, converses = state.get("turns"), loaded is not None and loaded.converses
    if turns and loaded is not None and not converses:
        bar_notes.add(f"{loaded.card.title} has no chat template: it reads your sentence, and not your conversation.")
    listed = [asdict(turn) for turn in Conversation(turns).turns] if turns else []
    return {"converses": converses, "talks": isinstance(wanted.text, Conversation), "turns": listed}


def _loaded(card: Card) -> Model | None:
    """The model, or None if it cannot be loaded. The page says why."""
    try:
        return traces.model(card.name) if card.ready else None
    except traces.errors():
        return None


def _tokens(found: TokensOnScreen | None) -> dict[str, Any]:
    """The tokens on screen: those that the model reads and, where it writes another sentence, those of that one.

    There are none where the sentence cannot be run: then the bar shows it as plain text. Only a page that uses a token
    shows the chosen one, and lets the reader choose.
    """
    if found is None:
        return {"groups": (), "unread": ""}
    offered = places.offered()
    roles = {offered.key_stack: "key", offered.query_stack: "query"} if offered.queries else {}
    if not found.source_tokens:
        role = "query" if roles else ""
        return {"groups": (_group(role, "Tokens of your sentence", found.tokens),), "unread": found.unread}
    groups = (
        _group(roles.get("encoder", ""), "Tokens of your sentence", found.source_tokens),
        _group(roles.get("decoder", ""), "Tokens of its translation", found.tokens),
    )
    return {"groups": groups, "unread": found.unread}


def _group(role: str, label: str, tokens: Sequence[TokenLike]) -> dict[str, Any]:
    """`role`: "query", "key", or "" where the page asks for none of these tokens."""
    offered = places.offered()
    on_screen = {"query": offered.query, "key": offered.key}.get(role, -1)
    chosen = on_screen if on_screen >= 0 or not role else state.get(role)
    selected = chosen if 0 <= chosen < len(tokens) else None
    return {"role": role, "label": label, "tokens": chips(tokens), "selected": selected}


def _places() -> list[dict[str, Any]]:
    """The layer and the head, where the page has them."""
    offered = places.offered()
    counts = {"layer": offered.layers, "head": offered.heads}
    return [
        {"name": name, "title": name.capitalize(), "count": count, "value": state.get(name)}
        for name, count in counts.items()
        if count
    ]


def _edited(part: WrittenEdit) -> dict[str, str]:
    name = substitutes.choice_of("model")
    has_several = any(card.name == name and card.kind == "encoder-decoder" for card in traces.cards())
    return {"id": part.place, "title": edit_words.title(part, has_several), "how": edit_words.how(part)}


def _mutable(loaded: Model | None) -> dict[str, Any] | None:
    """The head on screen, which the bar can mute; None where the page shows none of the reader's model."""
    offered, layer, head = places.offered(), state.get("layer"), state.get("head")
    if loaded is None or not offered.attention or not edited_parts.is_applied(loaded.card.name):
        return None
    stack, part = offered.attention.split(".")
    on_screen, edited = Scale(f"{stack}.{layer}.{part}", head), edited_parts.chosen()
    if head < 0 or not on_screen.exists_in(loaded.config):
        return None
    is_muted = any(each.place == on_screen.place for each in edited)
    return _edited(on_screen) | {
        "is_muted": is_muted,
        "is_full": not is_muted and len(edited) >= edited_parts.MAX_EDITS,
    }


def _history() -> RunHistory:
    return of_session(RunHistory)


def _nothing() -> None:
    """For an event that nobody acts on."""


def _told(event: str) -> Any:
    return getattr(st.session_state[NAME], event)


def _take_sentence() -> None:
    match _told("run"):
        case [str(text), str(target)]:
            whole = [replace_halves(each)[: keys.MAX_CHARACTERS] for each in (text, target)]
            model_choice.take_sentence(*whole)


def _take_turns() -> None:
    match _told("talk"):
        case [*told] if told:
            turns = map(_turn, told)
            with suppress(ValueError, TypeError, KeyError):  # the editor sends no other
                taken = Conversation.of(*turns)
                if len(taken) <= keys.MAX_CHARACTERS:
                    model_choice.take_turns(taken)


def _turn(told: Mapping[str, Any]) -> Turn:
    """A turn as the editor tells it."""
    role, text = replace_halves(str(told["role"])), replace_halves(str(told["text"]))
    return Turn(role, text, bool(told["goes_on"]), bool(told["has_control"]), tuple(map(int, told["ids"])))


def _take_begin() -> None:
    """Put the begin token before the sentence, or leave it out. The chosen tokens stay the same words."""
    loaded = _loaded_choice()
    match _told("begin"):
        case bool(begins) if loaded is not None and loaded.tokenizer.begin is not None:
            moved = begins - loaded.tokenizer.begins
            places = {name: max(state.get(name) + moved, 0) for name in ("query", "key") if state.get(name) >= 0}
            state.put(begin=begin_words.choice_of(loaded, begins), **places)


def _take_model() -> None:
    name = _told("model")
    if any(card.name == name for card in traces.cards()):
        model_choice.take(name)


def _take_beside() -> None:
    """Another model beside the reader's, or "" for none."""
    match _told("beside"):
        case str(name):
            state.put(beside=name[: keys.KEYS["beside"].max_characters])


def _take_token() -> None:
    match _told("token"):
        case ["query", int(place)]:
            state.put(query=max(place, NO_PAIR), key=-1)
        case ["query", None]:
            state.put(query=NO_PAIR, key=-1)
        case ["key", int(place)]:
            state.put(key=max(place, -1))
        case ["key", None]:
            state.put(key=-1)


def _take_place() -> None:
    match _told("place"):
        case ["layer", int(layer)]:
            state.put(layer=max(layer, 0))
        case ["head", int(head)]:
            state.put(head=max(head, 0), heads_shown=(), predict_mean=False)


def _take_mute() -> None:
    loaded = _loaded_choice()
    match _told("mute"):
        case str(head) if loaded is not None:
            # Layer and head stay on screen. Where they are open, the page might choose others of the edited run.
            state.put(**{name: state.get(name) for name in ("layer", "head") if state.get(name) >= 0})
            edited_parts.toggle(head, loaded.config)


def _loaded_choice() -> Model | None:
    name = substitutes.choice_of("model")
    return next((_loaded(card) for card in traces.cards() if card.name == name), None)


def _take_step() -> None:
    history, step = _history(), _told("step")
    if step == "undo" and history.can_undo:
        _show(history.undo())
    elif step == "redo" and history.can_redo:
        _show(history.redo())


def _show(request: Request) -> None:
    if request.name != state.get("model"):
        state.forget_places()
    target, edits, begin = request.target or "", write(request.edits), request.begin
    if isinstance(request.text, Conversation):
        said = {"turns": str.__str__(request.text), "text": substitutes.choice_of("text")}
    else:
        said = {"text": request.text}
    state.put(model=request.name, target=target, edits=edits, begin=begin, **said)
    edited_parts.keep_for(request.name)


def _take_hand() -> None:
    if (hand := _told("hand")) in HANDS:
        state.put(urdu=hand)


def _take_show() -> None:
    """The tour shows something in the bar, or takes it back. A sentence that was taken back is the next one to redo."""
    match _told("show"):
        case ["sentence", str(text)]:
            demonstration.show(text=replace_halves(text)[: keys.MAX_CHARACTERS], target="")
        case ["token", int(place)]:
            demonstration.show(query=max(place, 0), key=-1)
        case ["back"]:
            demonstration.end()
            _history().step_back_to(_chosen())
