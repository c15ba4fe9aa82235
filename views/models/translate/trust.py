"""How sure the translation is: its calibrated confidence, what speaks against it, and the nearest sentence."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from model.generation.trust import (
    Calibration,
    Signs,
    confidence,
    overlooked_words,
    read_calibration,
    read_signs,
    repeated_words,
    spelled_words,
    untranslated_pieces,
)
from model.tokens.word_vocabulary import unknown_words
from model.train.trust import NEARBY_FILE
from model.vectors.nearest_sentence import SentenceIndex, make_index
from model.zoo import cards
from views.models.translate.decoder import Decoder
from views.models.translate.pair import Pair
from views.parts import Action, Controls
from views.shared import quotes
from views.view import equation, work_out
from viz.documents.page_parts import Group, Text
from viz.shared.style import count_noun, isolate, markdown_text, percent
from viz.shared.tokens import shorten, words

SURE, OUTSIDE = 0.8, 0.4  # from SURE on it is believed; below OUTSIDE the model never learnt such a sentence
HOW_SURE = "how sure it is of the translation"
MAX_NAMED = 4  # words in a reason
MAX_LETTERS = 120  # of the translation; all of it stands in the run bar


@dataclass(frozen=True)
class Assessment:
    """The confidence in a translation, 0..1, with its signs and the calibration behind it."""

    sure: float
    signs: Signs
    calibration: Calibration
    unused: tuple[str, ...]  # words without which it writes the same


def assess(pair: Pair, decoder: Decoder) -> Assessment | None:
    """The confidence in the model's own translation. None for a given one, an edited model, and one without measures:
    the calibration holds for none of them."""
    calibration = read_calibration(pair.run.model.card.details)
    if calibration is None or pair.given or pair.run.edits:
        return None
    unknown = unknown_words(pair.run.model.tokenizer, pair.run.text, suggestions=0)
    signs = read_signs(pair.run.trace, [each.word for each in unknown], calibration)
    tried = decoder.try_without(pair)
    unused = tuple(word for word, same in tried if same and word not in calibration.unused.needless)
    return Assessment(confidence(signs, calibration.weights), signs, calibration, tuple(dict.fromkeys(unused)))


def notes(pair: Pair, found: Assessment) -> list[Any]:
    """Says how sure the translation is, and why it is not. Of one outside what the model learnt it offers the nearest
    sentence that it can do."""
    against = " ".join(_reasons(pair, found))
    if found.sure >= OUTSIDE:
        icon = ":material/verified:" if found.sure >= SURE and not found.unused else ":material/help:"
        sure = f"{icon} **{percent(found.sure)} sure** of this translation."
        return [Text(f"**{_written(pair)}** {sure} {_checked(found)} {against}")]
    text = (
        f"**{_written(pair)}** **This is outside what this model learnt**: it is {percent(found.sure)} sure that the "
        f"translation is right. {_checked(found)} {against}"
    )
    said: Any = Group([Text(text, "warning", ":material/explore_off:")], key="translate trust")
    if found.signs.unknown:  # the warning on its unknown words stands above
        said = Text(f":material/explore_off: {text}")
    return [said, *_offer_nearest(pair), Controls("better")]


def _written(pair: Pair) -> str:
    """The translation, as Markdown."""
    return isolate(markdown_text(shorten(pair.text(pair.written_ids), MAX_LETTERS)))


def _checked(found: Assessment) -> str:
    """What became of the sentences of the same confidence that were kept apart to check it."""
    place = found.calibration.range_of(found.sure)
    between = f"{percent(place['from'])} to {percent(place['to'])}"
    count = count_noun(place["everyday"], "everyday one")
    everyday = f"; of the {count}, {place['everyday_right']}" if place["everyday"] else ""
    return (
        f"Of {count_noun(place['sentences'], 'sentence')} kept apart of which it was {between} sure, "
        f"{place['right']} came out right{everyday}."
    )


def _reasons(pair: Pair, found: Assessment) -> list[str]:
    """What speaks against the translation, a sentence each."""
    reasons = _say_unused(found)
    p = pair.run.trace.logits.softmax(-1).amax(-1)  # (steps,)
    least = int(p.argmin())
    if found.sure < SURE:
        reasons.append(
            f"It is least sure of {quotes.quote(words(pair.written)[least], least)}, {percent(float(p[least]))}."
        )
    weights = pair.run.trace[found.calibration.cross_attention]
    missed = overlooked_words(weights, pair.source, found.calibration.silent)
    if missed:
        reasons.append(f"No step looked at {_named(missed)}.")
    repeated = repeated_words(pair.written)
    if repeated:
        reasons.append(f"It repeats {_named(repeated)}.")
    pieces = untranslated_pieces(pair.written)
    if pieces:
        reasons.append(f"It left {_named(pieces)} untranslated.")
    spelled = spelled_words(pair.written)
    if spelled:
        reasons.append(f"It wrote {_named(spelled)} letter by letter.")
    written, read = (len(text.split()) for text in (pair.text(pair.written_ids), pair.run.text))
    low, high = found.calibration.length
    if not low <= written / max(read, 1) <= high:
        size = "short" if written / max(read, 1) < low else "long"
        reasons.append(f"It is {size}: {count_noun(written, 'word')} for {count_noun(read, 'word')} of English.")
    return reasons


def _say_unused(found: Assessment) -> list[str]:
    """The words without which it writes the same: what they say may be lost."""
    if not found.unused:
        return []
    measured, one_of = found.calibration.unused, "" if len(found.unused) == 1 else "any one of "
    return [
        f"Without {one_of}{_named(found.unused)} it writes the same: what that says may be lost. Of "
        f"{count_noun(measured.sentences, 'everyday sentence')} with such a word, {measured.right} came out right."
    ]


def _named(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return ", ".join(quotes.quote(name) for name in names[:MAX_NAMED]) + more


def _offer_nearest(pair: Pair) -> list[Any]:
    """A button with the nearest sentence that the model translates rightly, where a list of such sentences is there."""
    path = cards.ASSETS / pair.run.model.card.name / NEARBY_FILE
    nearest = _index(path, path.stat().st_mtime_ns).nearest(pair.run.text) if path.is_file() else None
    if nearest is None:
        return []
    button = Action(markdown_text(nearest), {"text": nearest, "target": ""}, "translate take nearest")
    return [Group([Text("The nearest sentence that it can do:"), button], "row", key="translate nearest")]


@lru_cache(maxsize=4)
def _index(path: Path, changed: int) -> SentenceIndex:
    """The sentences of a file. `changed`, the time of its last change, makes the cache read a changed file again."""
    return make_index(path.read_text(encoding="utf-8").splitlines())


def formula(found: Assessment | None) -> list[Any]:
    """The equation of the confidence, with the numbers of a translation; nothing of one that is not judged."""
    if found is None:
        return []
    constant, *slopes = found.calibration.weights
    parts = equation(
        r"p(\text{right}) = \sigma\big(w_0 + w_1 \ln(1 - p_{\min}) + w_2\,u + w_3\,o\big)",
        "A logistic regression, as in Platt (1999)",
        {
            r"p_{\min}": "the probability of the least sure token, at most 0.99999",
            "u": "the words of the sentence outside the vocabulary",
            "o": "the words of the sentence at which no step looked",
            "w": "the weights, fitted to sentences whose translation was judged",
        },
    )
    terms = " + ".join(
        rf"{quotes.tex(w)} \cdot {quotes.tex(sign)}" for w, sign in zip(slopes, astuple(found.signs), strict=True)
    )
    worked = work_out(
        "This translation:", rf"p(\text{{right}}) = \sigma({quotes.tex(constant)} + {terms}) = {quotes.tex(found.sure)}"
    )
    return [*parts, *worked]
