"""The English-Urdu corpus: seeded sentence pairs with their true word alignment, and the held-out split.

A grammar (`en_ur_sentences`) makes the sentences. Only a sentence's English words decide whether it is held out. So no
training run sees a held-out sentence, whatever its seed.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import Phrase, Word
from corpora.en_ur_sentences import Storyteller

HELD_OUT_SHARE = 20  # one sentence in so many is held out
FIXED_SHARE = 0.03  # this share of the training sentences comes from FIXED

# Sentences outside the grammar, translated by hand. `word|n` is aligned with the n-th English word, counted from 0.
# They are always trained on and never held out. The first twelve are the examples of the app.
FIXED = {
    "The quick brown fox jumps over the lazy dog": "تیز|1 بھوری|2 لومڑی|3 سست|7 کتے|8 کے اوپر|5 سے|5 کودتی|4 ہے",
    "Transformers is a very cool machine-learning model, because it is very efficient": (
        "ٹرانسفارمرز|0 ایک|2 بہت|3 زبردست|4 مشین|5 لرننگ|5 ماڈل|6 ہے ، کیونکہ|8 یہ|9 بہت|11 مؤثر|12 ہے"
    ),
    "I swam across the river to get to the other bank": (
        "میں|0 نے|0 دوسرے|9 کنارے|10 تک|7 پہنچنے|6 کے لیے تیر|1 کر|1 دریا|4 پار|2 کیا|1"
    ),
    "I walked across the road to get cash from the bank": (
        "میں|0 نے|0 بینک|10 سے|8 نقد|7 رقم|7 لینے|6 کے لیے پیدل|1 سڑک|4 پار|2 کی|1"
    ),
    "George drove to the bank": "جارج|0 گاڑی|1 چلا|1 کر|1 بینک|4 گیا|1",
    "The Transformer model is cool": "ٹرانسفارمر|1 ماڈل|2 زبردست|4 ہے",
    "The weather is cool": "موسم|1 ٹھنڈا|3 ہے",
    "Hello I like you": "سلام|0 ، میں|1 آپ|3 کو|3 پسند|2 کرتا|2 ہوں",
    "I am a robot": "میں|0 ایک|2 روبوٹ|3 ہوں",
    "AJ's dog is a cutie": "اے|0 جے|0 کا کتا|2 بہت|5 پیارا|5 ہے",
    "AJ looks like a dog": "اے|0 جے|0 ایک|3 کتے|4 جیسا|2 لگتا|1 ہے",
    "What time is it?": "کیا|0 وقت|1 ہوا ہے",
    "What time is it now?": "اب|4 کیا|0 وقت|1 ہوا ہے",
    "What is this?": "یہ|2 کیا|0 ہے",
    "What is that?": "وہ|2 کیا|0 ہے",
    "What is it?": "یہ|2 کیا|0 ہے",
    "What are these?": "یہ|2 کیا|0 ہیں",
    "What are those?": "وہ|2 کیا|0 ہیں",
    "Who is this?": "یہ|2 کون|0 ہے",
    "Who is that?": "وہ|2 کون|0 ہے",
    "Who are you?": "آپ|2 کون|0 ہیں",
    "Who am I?": "میں|2 کون|0 ہوں",
    "How are you?": "آپ|2 کیسے|0 ہیں",
    "What is your name?": "آپ|2 کا|2 نام|3 کیا|0 ہے",
    "I am fine": "میں|0 ٹھیک|2 ہوں",
    "I like it": "میں|0 اسے|2 پسند|1 کرتا|1 ہوں",
    "I love you": "میں|0 آپ|2 سے محبت|1 کرتا|1 ہوں",
    "Hello": "سلام|0",
    "Yes": "جی|0 ہاں|0",
    "No": "جی|0 نہیں|0",
    "Thank you": "شکریہ|0",
    "Good morning": "صبح|1 بخیر|0",
    "Good night": "شب|1 بخیر|0",
    "Welcome": "خوش|0 آمدید|0",
    "How old are you?": "آپ|3 کی عمر|1 کیا|0 ہے",
    "Hello world": "سلام|0 دنیا|1",
    "It is cold": "سردی|2 ہے",
    "It is hot": "گرمی|2 ہے",
    "I do not know": "مجھے|0 نہیں|2 معلوم|3",
    "I do not understand": "مجھے|0 سمجھ|3 نہیں|2 آئی",
    "It is raining": "بارش|2 ہو رہی ہے",
    "I am at home": "میں|0 گھر|3 پر|2 ہوں",
    "See you tomorrow": "کل|2 ملیں|0 گے",
}
CONTRACTIONS = {
    "do": "don't", "does": "doesn't", "did": "didn't", "is": "isn't", "are": "aren't", "was": "wasn't",
    "were": "weren't", "will": "won't", "can": "can't",
}  # fmt: skip
SHORT_FORMS = {"am": "'m", "are": "'re", "is": "'s"}
CONTENT = {
    "noun",
    "colour",
    "adjective",
    "verb",
    "time",
    "frequency",
    "question",
    "second verb",
    "second time",
    "second question",
}
MARKS = {".": "۔", "?": "؟", "!": "!", "": ""}


@dataclass(frozen=True)
class Example:
    """A sentence pair: the words of both languages, with the marks among them.

    `sources[j]` are the places of the English words that Urdu word j translates. It is empty for words without a
    counterpart (ہے, نے). `content[j]` says whether Urdu word j is a content word (a noun, name, adjective, main verb,
    adverb or question word) with a counterpart.
    """

    english: tuple[str, ...]
    urdu: tuple[str, ...]
    sources: tuple[tuple[int, ...], ...]
    content: tuple[bool, ...]

    @property
    def source_text(self) -> str:
        text = join_words(self.english)
        return text[:1].upper() + text[1:]

    @property
    def target_text(self) -> str:
        return join_words(self.urdu)


def join_words(words: tuple[str, ...]) -> str:
    """The words as a text, without a space before marks and endings, and within quotation marks."""
    text = ""
    for word in words:
        quoting = text.count('"') % 2 == 1
        attached = not text or word in ",.?!،۔؟" or word.startswith("'")
        attached = attached or (quoting and (word == '"' or text.endswith('"')))
        text += word if attached else f" {word}"
    return text


def is_held_out(pair: Pair) -> bool:
    """Whether a sentence is held out. A hash of its English words decides. Single words are never held out."""
    key = " ".join(word.text for word in pair.english if word.text != ",").lower()
    if key in FIXED_KEYS or " " not in key:
        return False
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "big") % HELD_OUT_SHARE == 0


def fixed_pair(english: str, urdu: str) -> Pair:
    """A pair of `FIXED`. Its words get roles that hold the alignment."""
    asks = english.endswith("?")
    texts = english.removesuffix("?").replace(",", " ,").replace("'s", " 's").split()
    source = tuple(Word(text, str(place)) for place, text in enumerate(texts))
    parts = (part.partition("|") for part in urdu.split())
    return Pair(source, tuple(Word(text, role) for text, _, role in parts), asks)


FIXED_PAIRS = tuple(fixed_pair(english, urdu) for english, urdu in FIXED.items())
FIXED_KEYS = {" ".join(word.text for word in pair.english if word.text != ",").lower() for pair in FIXED_PAIRS}


def contract(
    phrase: Phrase,
    informal: bool,
    negatives: Mapping[str, str] = CONTRACTIONS,
    short_forms: Mapping[str, str] = SHORT_FORMS,
) -> Phrase:
    """Contracts English words: "cannot"; and in informal sentences "don't" and "I'm"."""
    result: list[Word] = []
    for word in phrase:
        before = result[-1] if result else Word("")
        if word.text == "not" and before.text == "can" and not informal:
            result[-1] = Word("cannot", word.role)
        elif word.text == "not" and before.text in negatives and informal:
            result[-1] = Word(negatives[before.text], word.role)
        elif informal and word.text in short_forms and before.text in ("I", "you", "he", "she", "we", "they", "it"):
            result.append(Word(short_forms[word.text], word.role))
        else:
            result.append(word)
    return tuple(result)


def write_pair(
    pair: Pair,
    mark: str = "",
    informal: bool = False,
    negatives: Mapping[str, str] = CONTRACTIONS,
    short_forms: Mapping[str, str] = SHORT_FORMS,
) -> Example:
    """The written pair, with the alignment. Both languages end with the same kind of mark."""
    end = (Word(mark, "mark"),) if mark else ()
    english = contract(pair.english, informal, negatives, short_forms)
    quoted = english[-1:] if english[-1].text == '"' else ()  # the mark stands within the quotation
    english = english[: len(english) - len(quoted)] + end + quoted
    urdu = pair.urdu + ((Word(MARKS[mark], "mark"),) if mark else ())
    places: dict[str, list[int]] = {}
    for place, word in enumerate(english):
        if word.role:
            places.setdefault(word.role, []).append(place)
    sources = tuple(tuple(places.get(word.role, ())) if word.role else () for word in urdu)
    content = tuple(
        bool(translated) and word.role.split("/")[-1] in CONTENT for word, translated in zip(urdu, sources, strict=True)
    )
    return Example(tuple(word.text for word in english), tuple(word.text for word in urdu), sources, content)


def draw_example(
    pair: Pair,
    rng: random.Random,
    informal: float = 0.25,
    negatives: Mapping[str, str] = CONTRACTIONS,
    short_forms: Mapping[str, str] = SHORT_FORMS,
) -> Example:
    """The pair, written formally or (in the share `informal`) informally, with or without a mark, at random."""
    mark = rng.choices(["?", ""], [85, 15])[0] if pair.asks else rng.choices([".", "", "!"], [60, 35, 5])[0]
    return write_pair(pair, mark, rng.random() < informal, negatives, short_forms)


def hand_made_examples() -> list[Example]:
    """The sentences of `FIXED`. Only questions end with a mark."""
    return [write_pair(pair, "?" if pair.asks else "") for pair in FIXED_PAIRS]


def training_examples(seed: int | str) -> Iterator[Example]:
    """Training sentences without end. None is held out."""
    rng = random.Random(f"train {seed}")
    storyteller = Storyteller(rng)
    while True:
        if rng.random() < FIXED_SHARE:
            yield draw_example(rng.choice(FIXED_PAIRS), rng)
            continue
        pair = storyteller.sentence()
        if not is_held_out(pair):
            yield draw_example(pair, rng)


def held_out_examples(count: int, seed: int = 0) -> list[Example]:
    """`count` different held-out sentences. A longer list begins with the sentences of a shorter one."""
    rng = random.Random(f"held out {seed}")
    storyteller = Storyteller(rng)
    examples: dict[tuple[str, ...], Example] = {}
    while len(examples) < count:
        pair = storyteller.sentence()
        if is_held_out(pair):
            examples.setdefault(tuple(word.text.lower() for word in pair.english), draw_example(pair, rng))
    return list(examples.values())


def held_out_by_length(each: int, draws: int = 300_000, seed: int = 0) -> dict[int, list[Example]]:
    """Different held-out sentences by their number of English words and marks: at most `each` of a length.

    The grammar makes `draws` sentences. Lengths with fewer than 10 held-out sentences are left out.
    """
    rng = random.Random(f"held out by length {seed}")
    storyteller = Storyteller(rng)
    by_length: dict[int, dict[str, Example]] = {}
    for _ in range(draws):
        pair = storyteller.sentence()
        if is_held_out(pair):
            example = draw_example(pair, rng)
            examples = by_length.setdefault(len(example.english), {})
            if len(examples) < each:
                examples.setdefault(example.source_text.lower(), example)
    return {length: list(examples.values()) for length, examples in sorted(by_length.items()) if len(examples) >= 10}
