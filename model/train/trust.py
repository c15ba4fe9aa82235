"""What a translator gets wrong, and how sure it may be: measured on everyday sentences, and kept in its card.

Half of the judged sentences fit the weights of `model.generation.trust.confidence`; the other half checks them. Some of
them have a made-up word, because the everyday ones hardly have an unknown one.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpora.en_ur import Example
from corpora.everyday.spelled_names import spelled_name
from model.generation.trust import Signs, confidence, count_unknown, overlooked_words, read_doubt, try_without
from model.run import Model
from model.tokens.tokenizer import Tokenizer
from model.tokens.word_vocabulary import script, unknown_words
from model.train.en_ur import GUIDED_LAYER, EnglishUrdu
from model.train.everyday import EverydaySentence, comparable, is_right
from model.train.files import explain_write_errors, write_file, write_json
from model.zoo import bundled, cards
from model.zoo.build import build

JUDGED_COMPOSITIONS = 300  # held-out sentences of the grammar, judged beside the everyday ones
MADE_UP_SHARE = 5  # one of so many held-out sentences is also judged with a made-up word
NEARBY = 1500  # held-out sentences among which the nearest one is looked for
OFTEN = 0.9  # a word that fewer right translations look at, or need, says nothing when it is overlooked or not used
EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)  # of the ranges of confidence in the reliability diagram
RIDGE = 0.1  # keeps the weights finite where a sign separates right from wrong
NEWTON_STEPS = 50
CROSS = f"decoder.{GUIDED_LAYER}.cross_attn.weights"
NEARBY_FILE = "nearby.txt"  # beside the card


@dataclass(frozen=True)
class Judged:
    """A sentence, its greedy translation, whether that is right, and what its run showed."""

    english: str
    references: tuple[str, ...]
    written: str
    right: bool
    doubt: float
    looked: tuple[tuple[str, bool], ...]  # each word of the source, and whether no step looked at it
    unknown: tuple[str, ...]  # the words of the source outside the vocabulary
    tried: tuple[tuple[str, bool], ...] = ()  # each known word of the source, and whether it writes the same without it

    def signs(self, silent: Sequence[str]) -> Signs:
        """The signs, where the words of `silent` may be overlooked."""
        missed = sum(missed and word not in silent for word, missed in self.looked)
        return Signs(self.doubt, count_unknown(self.unknown), missed)


def measure_trust(task: EnglishUrdu, folder: Path, sentences: list[EverydaySentence], store: bool) -> dict[str, Any]:
    """The everyday measures of the weights in `folder`, the misses among them, and the fitted confidence.

    With `store`, the card gets both, and the sentences that it can do are written beside it. Raises `DamagedWeights`,
    `DiskError`.
    """
    network = build(task.config, bundled.read_weights(folder / "model.safetensors"), task.make)
    tokenizer = Tokenizer.from_file(folder / "tokenizer.json")
    model = Model(network, tokenizer, cards.card(task.name))  # type: ignore[arg-type]
    everyday = [judge(model, sentence.english, sentence.references) for sentence in sentences]
    held_out = task.corpus.held_out_examples
    examples = held_out(JUDGED_COMPOSITIONS)
    composed = [judge(model, pair.source_text, (pair.target_text,)) for pair in examples]
    texts = [with_unknown_word(pair.source_text) for pair in examples[::MADE_UP_SHARE]]
    made_up = [judge(model, text, ()) for text in texts if text]
    found = {"everyday": report(sentences, everyday), "confidence": calibrate(everyday, composed, made_up)}
    if store:
        lines = "\n".join(right_sentences(task, model, held_out(NEARBY)))
        card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
        with explain_write_errors(f"The card of {task.name}"):
            write_json(folder / "card.json", card | found)
            write_file(folder / NEARBY_FILE, f"{lines}\n".encode())
    return found


def judge(model: Model, english: str, references: tuple[str, ...]) -> Judged:
    """Translates one sentence and compares it with its references."""
    trace = model.trace(english, keep=("logits", CROSS))
    writer = model.output_tokenizer
    written = writer.decode([token.id for token in trace.tokens[1:]])
    missed = set(overlooked_words(trace[CROSS], trace.source_tokens, ()))
    words = [token.text.strip().lower() for token in trace.source_tokens if len(token.bytes) > 1 and not token.special]
    return Judged(
        english=english,
        references=references,
        written=written,
        right=is_right(written, references),
        doubt=read_doubt(trace["logits"]),
        looked=tuple((word, word in missed) for word in words if script(word)),
        unknown=tuple(each.word for each in unknown_words(model.tokenizer, english, suggestions=0)),
        tried=try_without(model.network, trace, model.output_tokenizer.end or 0),
    )


def with_unknown_word(english: str) -> str:
    """The sentence with a made-up word in place of a known one: no translation is right. "" where all are short."""
    rng = random.Random(english)
    words = english.split()
    places = [place for place, word in enumerate(words) if word.isalpha() and word.islower() and len(word) > 3]
    if not places:
        return ""
    words[rng.choice(places)] = spelled_name(rng).english.lower()
    return " ".join(words)


def report(sentences: list[EverydaySentence], judged: list[Judged]) -> dict[str, Any]:
    """The everyday measures: exact match with any reference, chrF, and every miss."""
    from sacrebleu.metrics import CHRF  # only installed for development; the app and training do without it

    known = [each for each in judged if not each.unknown]
    width = max(len(each.references) for each in judged)
    padded = [[*map(comparable, each.references), *[""] * (width - len(each.references))] for each in judged]
    references = [list(column) for column in zip(*padded, strict=True)]  # sacrebleu takes one list for each reference
    chrf = CHRF().corpus_score([comparable(each.written) for each in judged], references)
    return {
        "how": (
            "Everyday sentences written apart from the grammar that makes the training data, and never trained on. "
            "Right: the greedy translation is one of at most 24 references, marks and second spellings aside. A miss "
            "may still be a right translation that the list lacks."
        ),
        "sentences": len(judged),
        "right": sum(each.right for each in judged),
        "of_known_words": len(known),
        "right_of_known_words": sum(each.right for each in known),
        "chrf": round(chrf.score, 2),
        "misses": [
            {
                "topic": sentence.topic,
                "english": each.english,
                "written": each.written,
                "reference": each.references[0],
                "unknown": len(each.unknown),
            }
            for sentence, each in zip(sentences, judged, strict=True)
            if not each.right
        ],
    }


def calibrate(everyday: list[Judged], composed: list[Judged], made_up: list[Judged]) -> dict[str, Any]:
    """The weights of the confidence, fitted to every second judged sentence, and their reliability on the others."""
    silent = silent_words(composed)
    fit, check = ([*everyday[half::2], *composed[half::2], *made_up[half::2]] for half in (0, 1))
    rows = np.array([astuple(each.signs(silent)) for each in fit], dtype=float)  # (sentences, signs)
    weights = fit_logistic(rows, np.array([each.right for each in fit], dtype=float))
    sure = np.array([confidence(each.signs(silent), weights.tolist()) for each in check])
    right = np.array([each.right for each in check])
    ratios = [len(each.written.split()) / len(each.english.split()) for each in composed if each.right]
    return {
        "how": (
            f"Logistic regression of three signs, fitted to {len(fit)} sentences and checked on {len(check)} others; "
            f"{len(everyday[::2])} and {len(everyday[1::2])} of them are everyday sentences, the rest held-out ones; "
            f"{len(made_up[::2])} and {len(made_up[1::2])} have a made-up word, and count as wrong."
        ),
        "layer": GUIDED_LAYER,
        "weights": [round(float(weight), 5) for weight in weights],
        "silent": silent,
        "length": [round(min(ratios), 3), round(max(ratios), 3)],
        "error": round(float(np.mean((sure - right) ** 2)), 5),
        "reliability": reliability(sure, right, np.arange(len(check)) < len(everyday[1::2])),
        "unused": measure_unused(everyday, composed),
    }


def silent_words(composed: list[Judged]) -> list[str]:
    """The words that right translations of held-out sentences often overlook: articles, auxiliaries, prepositions."""
    return _often(each.looked for each in composed if each.right)


def measure_unused(everyday: list[Judged], composed: list[Judged]) -> dict[str, Any]:
    """How many everyday sentences with a word that the translator does not use come out right.

    The words that right translations of held-out sentences often do without are `needless`, and do not count.
    """
    needless = _often(each.tried for each in composed if each.right)
    found = [each for each in everyday if any(same and word not in needless for word, same in each.tried)]
    return {
        "how": "Everyday sentences with a word without which the greedy translation is the same, to the last token.",
        "needless": needless,
        "sentences": len(found),
        "right": sum(each.right for each in found),
    }


def _often(sentences: Iterable[tuple[tuple[str, bool], ...]]) -> list[str]:
    """The words of which something is true in more than one of ten places. Each place: the word, and whether it is."""
    seen: dict[str, list[bool]] = {}
    for word, is_true in chain.from_iterable(sentences):
        seen.setdefault(word, []).append(is_true)
    return sorted(word for word, found in seen.items() if 1 - sum(found) / len(found) < OFTEN)


def fit_logistic(rows: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights of a logistic regression, the constant first, by Newton's method. rows: (sentences, signs)."""
    inputs = np.column_stack([np.ones(len(rows)), rows])
    ridge = np.diag([0.0, *[RIDGE] * rows.shape[1]])
    weights = np.zeros(inputs.shape[1])
    for _ in range(NEWTON_STEPS):
        p = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        curvature = (inputs.T * (p * (1 - p))) @ inputs + ridge
        step = np.linalg.lstsq(curvature, inputs.T @ (p - right) + ridge @ weights, rcond=None)[0]
        weights = weights - step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def reliability(
    sure: NDArray[np.float64], right: NDArray[np.bool_], everyday: NDArray[np.bool_]
) -> list[dict[str, float]]:
    """For each range of confidence: how many sentences, how many right, and their mean confidence (0..1).

    The everyday sentences among them are counted apart, since the others are of the grammar that the model learnt.
    """
    found = []
    for low, high in pairwise(EDGES):
        inside = (sure >= low) & ((sure < high) | (high == EDGES[-1]))
        mean = float(sure[inside].mean()) if inside.any() else (low + high) / 2
        found.append(
            {
                "from": low,
                "to": high,
                "sentences": int(inside.sum()),
                "right": int(right[inside].sum()),
                "everyday": int((inside & everyday).sum()),
                "everyday_right": int((inside & everyday & right).sum()),
                "confidence": round(mean, 4),
            }
        )
    return found


def right_sentences(task: EnglishUrdu, model: Model, examples: list[Example]) -> list[str]:
    """The English of those sentences that come out as their reference, each once."""
    found: dict[str, None] = {}
    for start in range(0, len(examples), 250):
        part = examples[start : start + 250]
        written = task.translate(model.network, task.encode_batch(part).inputs)
        found |= {pair.source_text: None for text, pair in zip(written, part, strict=True) if text == pair.target_text}
    return list(found)
