"""Why this word: the logit of a token, or its lead over another, as an exact sum over the parts of the model."""

from __future__ import annotations

from dataclasses import replace

from pages.models.why_parts import question, removal_work, token_work, trail_steps
from pages.models.why_parts.examples import LUCY_AND_OMAR
from pages.models.why_parts.head import head_work
from pages.models.why_parts.patching import pairs_work, patched_run, patching_work, tokens_of_head
from pages.models.why_parts.paths import edge_choice, path_search, paths
from pages.models.why_parts.steering import part_choice, written_texts
from pages.shared.elements.claims import Claim
from pages.shared.elements.page import ABOVE, BESIDE_PARTS, Page, Part
from pages.shared.elements.prompts import Prompt
from pages.shared.session import state, token_window
from views.message import Message
from views.models.why.account import ANSWER, BEST_HEAD, LAST_FFNS, LogitAccount
from views.models.why.averaged_pairs import MOST_ON_AVERAGE, AveragedPairs
from views.models.why.dropped_edges import LOST
from views.models.why.head_in_general import HeadInGeneral
from views.models.why.head_reads import READ_BY_KEYS
from views.models.why.opened_part import OpenedHead, open_part, openable, usual_opened
from views.models.why.patched_answer import BROUGHT_BACK, PatchedAnswer
from views.models.why.removals import FAR, FARTHEST, Removals
from views.models.why.routes import Routes
from views.models.why.steered import LIKELIEST_NOW, WRITTEN, Steered
from views.models.why.token_measures import FIRSTS, TokenMeasures
from views.models.why.trail import END_LOOKS, ONE_BACK, TRAIL_END, Trail
from views.view import View

PROMPTS = (
    Prompt(
        "Why Paris?",
        "The last feed-forwards say it. Open one: its neurons, and the words that they write.",
        {"model": "smollm2-135m", "text": "The capital of France is", "why_part": "account"}
        | {"why_answer": -1, "why_against": -1, "why_opened": "", "query": -1},
        claim=Claim(LAST_FFNS, "over", 0.5),
        at="why account",
    ),
    Prompt(
        "Why Lucy and not Omar?",
        "Of all heads, head 2 of layer 2 speaks most for the name that must return: it reads “Lucy”.",
        LUCY_AND_OMAR | {"why_part": "account", "why_opened": "decoder.2.self_attn.heads.2"},
        claim=Claim(BEST_HEAD, "is", "layer 2, head 2"),
        at="why account",
    ),
    Prompt(
        "Follow the trail",
        "From “bl” down: heads that hand it on, the one that finds it, and one that looks a token back, which made "
        "that possible.",
        {"model": "smollm2-135m", "text": "The zorblat fell. Then the zor", "why_part": "trail", "why_trail": ""}
        | {"why_answer": -1, "why_against": -1, "query": -1},
        claim=Claim(TRAIL_END, "is", "layer 16, head 0"),
        at="why trail",
    ),
    Prompt(
        "A trail in a tiny model",
        "The head that finds what followed “the” before, and the one that made that possible: it looks one token back.",
        {"model": "tiny-lm-concat", "text": "the dog sees the cat. the dog sees the", "why_part": "trail"}
        | {"why_trail": "", "why_answer": -1, "why_against": -1, "query": -1},
        claim=Claim(END_LOOKS, "is", ONE_BACK),
        at="why trail",
    ),
    Prompt(
        "Why negative?",
        "The class of a text is a sum, too. “not” turns it.",
        {"model": "tiny-encoder", "text": "The food is not good", "why_part": "account", "why_answer": -1}
        | {"why_against": -1, "why_opened": ""},
        claim=Claim(ANSWER, "is", "negative"),
        at="why account",
    ),
    Prompt(
        "Why not “went”?",
        "The edit of a word is a sum, too: here of a real model.",
        {"model": "distilbert-grammar", "text": "She could have went home yesterday.", "query": 4}
        | {"why_part": "account", "why_answer": -1, "why_against": -1, "why_opened": ""},
        claim=Claim(ANSWER, "is", "write “gone”"),
        at="why account",
    ),
    Prompt(
        "Which tokens did it?",
        "Three measures of the same question, which disagree.",
        {"why_part": "tokens"},
        claim=Claim(FIRSTS, "over", 1),
        at="why tokens",
    ),
    Prompt(
        "And without a part?",
        "Parts far off the diagonal act through later layers, or by the scale of the norms.",
        {"why_part": "cause", "why_without": "nothing"},
        claim=Claim(FARTHEST, "over", FAR),
        at="why cause",
    ),
    Prompt(
        "Who gives the drink?",
        "One name is changed. The heads that bring it back move the name that comes only once.",
        {"model": "smollm2-135m", "text": "When Mary and John went to the store, John gave a drink to"}
        | {
            "why_text2": "When Mary and John went to the store, Mary gave a drink to",
            "why_part": "patching",
            "why_over": "one pair",
        }
        | {"why_site": "decoder.self_attn.heads", "why_answer": -1, "why_against": -1, "why_cell": (), "query": -1},
        claim=Claim(BROUGHT_BACK, "over", 0.2),
        at="why patching",
    ),
    Prompt(
        "Many keys, many dogs",
        "Averaged over three pairs, one head of layer 26 brings most of “are” back: it carries the number of the noun.",
        {"model": "smollm2-135m", "why_part": "patching", "why_over": "several pairs", "why_pairs": "agreement"}
        | {"why_averaged": "heads", "why_mean_cell": ()},
        claim=Claim(MOST_ON_AVERAGE, "is", "layer 26, head 0"),
        at="why pairs",
    ),
    Prompt(
        "One key, many keys",
        "The number stands at the noun, and moves to the last word in the middle of the model.",
        {"model": "smollm2-135m", "text": "The keys to the cabinet", "why_text2": "The key to the cabinet"}
        | {"why_part": "patching", "why_over": "one pair", "why_site": "decoder.resid_in"}
        | {"why_answer": -1, "why_against": -1}
        | {"why_cell": (), "query": -1},
        claim=Claim(BROUGHT_BACK, "over", 0.5),
        at="why patching",
    ),
    Prompt(
        "The way of a name",
        "Three heads bring “Mary” to the last word in layer 23. Dropped, they cost it a tenth: there are other ways.",
        {"model": "smollm2-135m", "text": "When Mary and John went to the store, John gave a drink to"}
        | {"why_part": "paths", "why_least": 0.04, "why_route_opened": "", "why_answer": -1, "query": -1}
        | {"why_dropped": ",".join(f"decoder.23.self_attn.{head}@1>13" for head in (0, 1, 7))},
        claim=Claim(LOST, "over", 0.05),
        at="why paths",
    ),
    Prompt(
        "A pair of heads",
        "By its keys, head 3 of layer 17 reads head 0 of layer 16. That one looks one token back: together they find "
        "what followed a word before.",
        {"model": "smollm2-135m", "why_part": "head", "attention": "decoder.self_attn", "layer": 17, "head": 3},
        claim=Claim(READ_BY_KEYS, "is", "layer 16 head 0"),
        at="why composition",
    ),
    Prompt(
        "Turn a head round",
        "The head that names the country's city works against it: Paris goes.",
        {"model": "smollm2-135m", "text": "The capital of France is", "why_part": "steer", "query": -1}
        | {"why_steered": "decoder.23.self_attn.4", "edits": "decoder.23.self_attn.4*-1", "why_answer": -1},
        claim=Claim(LIKELIEST_NOW, "is not", "Paris"),
        at="why steer",
    ),
    Prompt(
        "Love minus hate",
        "The difference of two sentences makes what the model writes of dogs warmer.",
        {"model": "smollm2-135m", "text": "I think that dogs are", "why_part": "steer", "query": -1, "why_answer": -1}
        | {"why_steered": "decoder.20.resid_in@all", "why_plus": "I love the dog", "why_minus": "I hate the dog"}
        | {"edits": "decoder.20.resid_in*1@all|I love the dog|I hate the dog"},
        claim=Claim(WRITTEN, "has", "lovable"),
        at="why steer",
    ),
)


def account() -> LogitAccount:
    asked = question.read(LogitAccount)
    usual, names = usual_opened(asked), [name for name in asked.account.parts if openable(name)]
    name = state.checked_choice("why_opened", names, "Part", usual) if state.get("why_opened") else usual
    opened = open_part(asked, name)
    if isinstance(opened, OpenedHead):
        opened = replace(opened, shown=token_window.read_if_long(len(opened.keys), at=opened.best))
    return LogitAccount(asked, opened)


def choose_keys(view: LogitAccount) -> None:
    """The tokens of a long text that the picture of the opened head has."""
    if isinstance(view.opened, OpenedHead):
        token_window.choose_if_long("why head", len(view.opened.keys), at=view.opened.best)


def trail() -> Trail:
    return trail_steps.trail(question.read(Trail))


def tokens() -> TokenMeasures:
    asked = question.read(TokenMeasures)
    layers = token_work.read_layers(asked)
    shown = token_window.read(len(asked.read), at=layers.best)
    return TokenMeasures(asked, layers, token_work.gradients(asked), shown)


def by_cause() -> Removals:
    return removal_work.measured(question.read(Removals))


def patched() -> PatchedAnswer | AveragedPairs | Message:
    if state.get("why_over") == "several pairs":
        return pairs_work.averaged_pairs()
    return patching_work.patched_answer(question.read(PatchedAnswer))


def choose_question(view: View) -> None:
    """The question of one pair; several have their own answers."""
    if isinstance(view, PatchedAnswer):
        question.choose(view)


def flow() -> Routes:
    return paths.routes(question.read(Routes))


def head() -> HeadInGeneral:
    return head_work.head_in_general(question.read(HeadInGeneral))


def steer() -> Steered:
    return written_texts.steered(question.read(Steered))


ALL = {BESIDE_PARTS: question.choose, ABOVE: question.say_refused}
PARTS = {
    "account": Part("Account", account, ALL | {"window": choose_keys}, goes_beside=True),
    "trail": Part("Trail", trail, ALL),
    "tokens": Part(
        "Tokens", tokens, ALL | {"gradients": token_work.offer_gradients, "window": token_work.choose_window}
    ),
    "cause": Part("By cause", by_cause, ALL | {"removal": removal_work.choose_and_measure}),
    "patching": Part(
        "Patching",
        patched,
        ALL
        | {BESIDE_PARTS: choose_question, "pairs": pairs_work.choose_and_measure, "open pair": pairs_work.offer_pair}
        | {"patching": patching_work.choose_and_measure, "sentences": patching_work.choose_both}
        | {"see run": patched_run.offer, "window of head": tokens_of_head.choose_tokens}
        | {"measure head": tokens_of_head.offer},
    ),
    "paths": Part(
        "Paths",
        flow,
        ALL
        | {"search": path_search.offer, "least": paths.choose_least, "edge": edge_choice.choose}
        | {"map": paths.draw_map, "window of numbers": paths.choose_window},
    ),
    "head": Part(
        "Head in general",
        head,
        ALL | {"attention": head_work.choose_attention, "window": head_work.choose_window},
    ),
    "steer": Part("Steer", steer, ALL | {"edit": part_choice.choose}),
}
PAGE = Page(
    "Why this word",
    "A logit is a sum, and so is a lead: each head and each feed-forward adds its part.",
    "why_part",
    PARTS,
    PROMPTS,
)
