"""The reader's model: which one a link or the run bar chooses, the sentence that suits it, and the facts about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from model.chat.turns import Conversation
from model.numerals import file_size
from pages.catalogue import BY_URL, PageEntry
from pages.shared.model_runs import edited_parts, traces
from pages.shared.server.session_values import of_session
from pages.shared.session import bar_notes, state, substitutes
from pages.shared.session.text_length import token_limit
from views.shared.examples import DEFAULT_SENTENCE
from viz.shared.style import markdown_text

if TYPE_CHECKING:
    from model import Card, Model

FOR_TRANSLATORS = "I am a robot"
FIRST_SENTENCES = {
    "en-ur": FOR_TRANSLATORS,
    "en-ur-everyday": FOR_TRANSLATORS,
}  # by model, where it is the first one here
TWO_NAMES = {
    "tiny-lm": "While Lucy and Omar walked to the park, Omar gave a box to",  # its small world has no store
    "": "When Mary and John went to the store, John gave a drink to",
}
PAGES_OF_OTHER_MODELS = {  # kind of model that does not read the bar's sentence: its page, and the reason
    "vision": ("see", "reads pictures, not text"),
    "recurrent": ("before_attention", "is no transformer"),
}


@dataclass
class OwnSentence:
    """The sentence that the reader has typed last, which no page replaces; None where that is none."""

    text: str | None = None


def read() -> Card:
    """The card of the chosen model. Afterwards the keys `model` and `text` have values that the page can use."""
    cards = {card.name: card for card in traces.cards()}
    arrived = not state.get("model")
    _redirect_other_model()
    _say_how_to_get(cards)
    name = state.checked_choice("model", tuple(cards), "Model", traces.default_model())
    if arrived and not state.is_linked("text") and state.get("text") == DEFAULT_SENTENCE:
        state.put(text=FIRST_SENTENCES.get(name, DEFAULT_SENTENCE))
    edited_parts.forget_of_other_model(name)
    card = _fit_page(cards[name], BY_URL[state.page()])
    _fit_sentence(card)
    return card


def take(name: str) -> None:
    """Choose another model. Layers and heads of the one before mean nothing in it. The sentence stays."""
    state.put(model=name)
    state.forget_places()


def _fit_page(card: Card, page: PageEntry) -> Card:
    """The model that a page uses: the reader's, or the first that the page can use. The run bar says so.

    The reader's own choice comes back on the next page.
    """
    if fits(card, page):
        return card
    order = {name: place for place, name in enumerate(traces.PREFERRED_MODELS)}
    found = sorted(
        (each for each in traces.cards() if each.ready and fits(each, page)),
        key=lambda each: order.get(each.name, len(order)),
    )
    if not found:
        return card
    substitutes.show_instead("model", found[0].name)
    bar_notes.add(f"This page uses {found[0].title}: {page.model_reason}. {card.title} comes back on other pages.")
    return found[0]


def take_sentence(text: str, target: str) -> None:
    """Take the reader's sentence, and a translation of it. No page replaces it, even where it is the default one."""
    state.put(text=text, target=target)
    of_session(OwnSentence).text = text


def take_turns(turns: Conversation) -> None:
    """Take the reader's conversation. Their sentence stays for models without a chat template."""
    state.put(text=substitutes.choice_of("text"), turns=str.__str__(turns))


def _fit_sentence(card: Card) -> None:
    """The page's own example in the place of the default sentence, while the reader has not touched that.

    The run bar says so. The reader's own sentence comes back on the next page, and so does a token of it.
    """
    standing, own = substitutes.current().get("text"), _own_sentence(card)
    if standing is not None and standing.shown != own:
        state.put(text=standing.choice)
    is_untouched = of_session(OwnSentence).text != DEFAULT_SENTENCE and not state.get("target")
    if not own or not is_untouched or substitutes.choice_of("text") != DEFAULT_SENTENCE:
        return
    if standing is None or standing.shown != own:
        substitutes.show_instead("text", own)
        for name in state.TOKENS:
            substitutes.show_instead(name, state.KEYS[name].default, only_here=True)
    bar_notes.add(f"This part shows an example of its own. “{DEFAULT_SENTENCE}” comes back on other pages.")


def _own_sentence(card: Card) -> str:
    """The example of the open part of the page; "" where the default sentence, or a conversation, suits it."""
    if state.get("turns"):
        return ""
    is_one_pair = (state.get("why_part"), state.get("why_over")) == ("patching", "one pair")
    match state.page():
        case "translate" if card.kind == "encoder-decoder":
            return FOR_TRANSLATORS
        case "why" if card.kind == "decoder" and is_one_pair:
            small_world = next((name for name in TWO_NAMES if name and card.name.startswith(name)), "")
            return TWO_NAMES[small_world]
    return ""


def say_other_models(names: Sequence[str], reason: str) -> None:
    """Say below the run bar which models read the reader's sentence in a part, where they are not the bar's alone.

    `reason`: a clause. Raises the errors of `traces.errors`.
    """
    if not names or tuple(names) == (state.get("model"),):
        return
    titles = [traces.model(name).card.title for name in names]
    bar_notes.name_models(titles)
    readers = [f"{title} ({describe_fit(name)})" for title, name in zip(titles, names, strict=True)]
    listed = " and ".join(filter(None, (", ".join(readers[:-1]), readers[-1])))
    bar_notes.add(f"This part gives your sentence to {listed}: {reason}.")


def describe_fit(name: str) -> str:
    """The share of a model's limit that the reader's sentence takes: "9 of 128 tokens".

    Raises the errors of `traces.errors`.
    """
    chosen = traces.model(name)
    count = len(chosen.tokens_of(traces.fitting_sentence(name)))
    return f"{count} of {token_limit(chosen):,} tokens"


def fits(card: Card, page: PageEntry) -> bool:
    """Whether a page can use a model."""
    from model.loading import gives_answer  # torch takes a while, and the first page needs none of it

    return not page.model_kinds or card.kind in page.model_kinds or (page.takes_answers and gives_answer(card))


def entries(page: PageEntry) -> list[dict[str, Any]]:
    """All models for the run bar: name, title, one line about each, and whether the page can use it."""
    return [
        {"name": card.name, "title": card.title, "note": _note(card, page), "fits": fits(card, page)}
        for card in traces.cards()
    ]


def facts(card: Card, loaded: Model | None) -> list[tuple[str, str]]:
    """What a reader may want to know of a model, as pairs of a name and a value. `loaded`: None if it cannot be."""
    place = loaded and ", ".join(filter(None, (loaded.place.title, loaded.place.note)))
    found = {
        "Parameters": f"{card.parameters:,}",
        "Positions": card.positions,
        "Reads": f"up to {card.max_length:,} tokens",
        "File": f"{file_size(card.size)}, {card.state}",
        "Licence": card.licence,
        "Source": card.source,
        "Computed on": place,
    }
    return [(name, value) for name, value in found.items() if value]


def shape_of(card: Card) -> str:
    """The kind and the size of a model, after the name of one that a reader added."""
    shape = f"{card.kind} · {card.layers} layers × {card.heads} heads"
    return f"{card.name} · {shape}" if card.is_added else shape


def _note(card: Card, page: PageEntry) -> str:
    if not fits(card, page):
        return f"not on this page: {page.model_reason}"
    shape = shape_of(card)
    if card.in_memory:
        return f"in memory · {shape}"
    return shape if card.ready else f"{shape} · {card.state}: {card.get}"


def _say_how_to_get(cards: Mapping[str, Card]) -> None:
    """A link or a lecture may name a model of the hub that is not on this machine: say how to get it."""
    from model.zoo.cards import hub_name

    name = state.get("model")
    if not name or name in cards:
        return
    wanted = hub_name(name)
    if wanted is None:
        return
    same = [card.name for card in cards.values() if card.hub == wanted.repository]
    exact = [each for each in same if each.startswith(str(wanted))]
    if exact:
        state.put(model=exact[-1])
        return
    state.put(model=traces.default_model())
    other = f" {markdown_text(same[-1])} is, which is the same model at another commit." if same else ""
    state.say(
        "model",
        f"{markdown_text(name)} is not on this machine.{other} To get it, choose “Add a model” in the list of models, "
        f"or run `python -m glassformer add {name}`. Until then {markdown_text(traces.default_model())} is shown.",
    )


def _redirect_other_model() -> None:
    """A link may name a model of another page. See opens its own models; any other page says where the model is."""
    from model import available

    card = next((each for each in available(*PAGES_OF_OTHER_MODELS) if each.name == state.get("model")), None)
    if card is None:
        return
    state.put(model=traces.default_model())
    page, why = PAGES_OF_OTHER_MODELS[card.kind]
    if state.page() != page:
        address = f"{page}?see_model={card.name}" if page == "see" else page
        link = f"[{BY_URL[page].title}]({address})"
        state.say("model", f"{markdown_text(card.title)} {why}: it is on the page {link}.")
    elif page == "see" and not state.is_linked("see_model"):
        state.put(see_model=card.name)
