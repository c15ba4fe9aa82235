"""Limits for an untrusted tokenizer, checked on its description before the library builds anything of it.

The library holds the interpreter while it cuts a text, and nothing can stop it. A step that writes a megabyte for each
letter, or doubles the text again and again, takes all memory of the process. So the growth of a text is bounded
before, as the product of what the steps may do, and so is the time of every search.
"""

from __future__ import annotations

import base64
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.numerals import fixed
from model.zoo.tokenizers.pattern_cost import cost_of_pattern

MAX_GROWTH = 40  # letters for one letter; XLM-R's normalisation writes 18 for U+FDFA
MAX_BEFORE_SCANS = (
    4  # of the steps that write what they like, where a search may go back: its time grows with the square of the text
)
MAX_STEPS = 32  # one after another; DeepSeek's have 5
MAX_PATTERNS = 8
MAX_PIECES, MAX_MERGES, MAX_ADDED = 1_000_000, 2_000_000, 100_000  # XLM-V has 901,629 pieces; Gemma 514,906 merges
MAX_LETTERS, MAX_ADDED_LETTERS = 10_000_000, 2_000_000  # of all their spellings
MAX_SPELLING = 1000  # letters of a piece or of an added token; the longest of Llama 3 has 128
MAX_UNIGRAM_SPELLING = 128  # each place of a text is compared with all of its length; SentencePiece's usual most is 16
MAX_WORD = 200  # letters that WordPiece looks up; time grows with the cube. BERT has 100
MAX_AROUND = 64  # tokens around a text
MAX_SIGN = 64  # letters of a sign, such as ## before a piece
INSIDE = {"normalizers", "pretokenizers", "decoders", "processors"}  # where a sequence has its steps
FORMS = {"NFKC": 18, "NFKD": 18, "NFC": 3, "NFD": 3, "BertNormalizer": 3}  # letters for one, once: again, they keep it
REWRITERS = {"Replace", "Prepend", "Precompiled"}
NORMALISERS = {*FORMS, "Lowercase", "Nmt", "Strip", "StripAccents", "Precompiled", "Replace", "Prepend", "ByteLevel"}
CUTTERS = {
    *("BertPreTokenizer", "ByteLevel", "CharDelimiterSplit", "Digits", "FixedLength", "Metaspace", "Punctuation"),
    *("Split", "UnicodeScripts", "Whitespace", "WhitespaceSplit"),
}
DECODERS = {
    *("BPEDecoder", "ByteFallback", "ByteLevel", "CTC", "Fuse", "Metaspace", "Replace", "Strip", "WordPiece"),
}
FRAMES = {"BertProcessing", "ByteLevel", "RobertaProcessing", "TemplateProcessing"}
# Signs that a decoder takes out or makes a space. It would find an empty one between all letters.
SIGNS = {"BPEDecoder": ("suffix",), "CTC": ("pad_token", "word_delimiter_token")}
TokenizerPart = Mapping[str, Any]


def check_vocabulary(values: Mapping[str, Any]) -> None:
    """Raises `ValueError` for no pieces, for more than any model has, and for what is too long.

    `values` are those of a tokenizer.json.
    """
    model = values["model"]
    pieces, merges = model["vocab"], model.get("merges") or ()
    is_unigram = not isinstance(pieces, Mapping)
    if not pieces:
        raise ValueError("it has no pieces")
    spellings = [piece for piece, _ in pieces] if is_unigram else pieces
    most = MAX_UNIGRAM_SPELLING if is_unigram else MAX_SPELLING
    check_spellings("pieces", spellings, MAX_PIECES, MAX_LETTERS, most)
    if len(merges) > MAX_MERGES:
        raise ValueError(f"it has {len(merges):,} merges. At most {MAX_MERGES:,} are read")
    word = model.get("max_input_chars_per_word", 0)
    if word > MAX_WORD:
        raise ValueError(f"it looks up words of {word:,} letters. At most {MAX_WORD} are read")
    for sign in ("continuing_subword_prefix", "end_of_word_suffix"):
        _check_sign(model.get(sign) or "")
    check_added(token["content"] for token in values["added_tokens"])


def check_added(spellings: Iterable[str]) -> None:
    """Raises `ValueError` for too many added tokens, or too long ones."""
    check_spellings("added tokens", list(spellings), MAX_ADDED, MAX_ADDED_LETTERS, MAX_SPELLING)


def check_spellings(what: str, spellings: Collection[str], most: int, letters: int, longest: int) -> None:
    """Raises `ValueError` for more than `most` spellings, than `letters` letters in all, or than `longest` in one."""
    if len(spellings) > most:
        raise ValueError(f"it has {len(spellings):,} {what}. At most {most:,} are read")
    if sum(map(len, spellings)) > letters:
        raise ValueError(f"its {what} have more than {letters:,} letters")
    if (found := max(map(len, spellings), default=0)) > longest:
        raise ValueError(f"it has {what} of {found:,} letters. At most {longest:,} are read")


def check_parts(values: Mapping[str, Any]) -> None:
    """Raises `ValueError` for a normaliser, a first cut or a decoder that could take all time or memory."""
    before = [*_steps(values.get("normalizer"), NORMALISERS), *_steps(values.get("pre_tokenizer"), CUTTERS)]
    after = _steps(values.get("decoder"), DECODERS)
    if (growth := _growth(before)) > MAX_GROWTH:
        raise ValueError(f"it may write {fixed(growth, 0)} letters for one letter of a text")
    if _scans(before) and (growth := _growth(step for step in before if step["type"] in REWRITERS)) > MAX_BEFORE_SCANS:
        raise ValueError(f"it may write {fixed(growth, 0)} letters for one before it searches a text back and forth")
    if (growth := _growth(after)) > MAX_GROWTH:
        raise ValueError(f"its decoder may write {fixed(growth, 0)} letters for one")
    if _scans(after):
        raise ValueError("its decoder has an expression that may go back in a text")


def check_frame(values: Mapping[str, Any]) -> None:
    """Raises `ValueError` for a post-processor that puts too much around a text, or leaves the text out."""
    for step in _steps(values.get("post_processor"), FRAMES):
        if step["type"] != "TemplateProcessing":
            continue
        texts = [part["Sequence"]["id"] for part in step["single"] if "Sequence" in part]
        if texts != ["A"]:
            raise ValueError("its template has not the text once")
        ids = [special["ids"] for special in step["special_tokens"].values()]
        if len(step["single"]) > MAX_AROUND or any(len(each) > MAX_AROUND for each in ids):
            raise ValueError(f"its template puts more than {MAX_AROUND} tokens around a text")


def check_charsmap(charsmap: bytes) -> bytes:
    """The table of SentencePiece's normalisation. Raises `ValueError` where it writes too much for a letter."""
    if charsmap and (growth := _longest_of(charsmap)) > MAX_GROWTH:
        raise ValueError(f"its normalisation may write {growth:,} letters for one")
    return charsmap


def _longest_of(charsmap: bytes) -> int:
    """The letters of the longest text in a table: the size of its trie, the trie, and texts that end with a zero."""
    size = 4 + int.from_bytes(charsmap[:4], "little")
    if size > len(charsmap) or size % 4 or not _stays_inside(np.frombuffer(charsmap[4:size], "<u4"), charsmap[size:]):
        raise ValueError("its normalisation is no table of characters")
    return max(_spread(each.decode("utf-8")) for each in charsmap[size:].split(b"\0"))


def _stays_inside(units: NDArray[np.uint32], texts: bytes) -> bool:
    """Whether each step in a trie of darts-clone leads to a unit of it, and each value to a text, which ends.

    A unit says where its children are, by 256 places from there on, and whether the first of them holds a value. The
    libraries follow it without looking where the trie ends.
    """
    nodes = np.flatnonzero(units >> 31 == 0)
    found = units[nodes]
    children = nodes ^ ((found >> 10) << ((found & 0x200) >> 6))
    if not len(nodes) or (children | 0xFF).max() >= len(units) or not texts.endswith(b"\0"):
        return False
    values = units[children[found & 0x100 != 0]] & 0x7FFFFFFF
    return bool((values < len(texts)).all())


def _spread(text: str) -> int:
    """The letters of a text after any form of normalisation."""
    return max(len(unicodedata.normalize("NFKD", each)) for each in (text, text.lower()))


def _steps(part: Any, known: Collection[str]) -> list[TokenizerPart]:
    """The steps of a part, sequences in sequences one after another. Raises `ValueError` for an unknown kind."""
    found: list[TokenizerPart] = []
    waiting = [] if part is None else [part]
    while waiting:
        step = waiting.pop()
        kind = step.get("type") if isinstance(step, Mapping) else None
        if kind == "Sequence":
            inside: list[Any] = next((step[key] for key in INSIDE if key in step), [])
            waiting += reversed(inside)
        elif kind in known:
            found.append(step)
        else:
            raise ValueError(f"it has a step of the kind {repr(kind)[:60]}, which is not read")
        if len(found) + len(waiting) > MAX_STEPS:
            raise ValueError(f"it has more than {MAX_STEPS} steps, one after another")
    return found


def _scans(steps: Iterable[TokenizerPart]) -> int:
    """Searches that may go back. Raises `ValueError` for an expression that is too dear, and for too many."""
    patterns = [expression for step in steps if (expression := _expression(step))]
    if len(patterns) > MAX_PATTERNS:
        raise ValueError(f"it has more than {MAX_PATTERNS} regular expressions")
    return sum(cost_of_pattern(pattern).scans for pattern in patterns)


def _expression(step: TokenizerPart) -> str:
    """The regular expression of a step; "" for none."""
    pattern = step.get("pattern")
    return pattern.get("Regex", "") if isinstance(pattern, Mapping) else ""


def _growth(steps: Iterable[TokenizerPart]) -> float:
    """The letters that may be written for one, at most."""
    steps = list(steps)
    return prod(map(_growth_of, steps)) * max((FORMS.get(step["type"], 1) for step in steps), default=1)


def _growth_of(step: TokenizerPart) -> float:
    kind = step["type"]
    if kind == "Replace":
        return _growth_of_replacing(step)
    if kind == "Prepend":
        return 1 + _spread(step["prepend"])
    if kind == "ByteLevel":
        return 2  # bytes for one
    if kind == "Precompiled":
        return max(1, _longest_of(base64.b64decode(step["precompiled_charsmap"])))
    for name in SIGNS.get(kind, ()):
        _check_sign(step[name], least=1)
    if kind == "FixedLength" and step["length"] < 1:
        raise ValueError("it cuts a text into pieces of no letter")
    return 1


def _growth_of_replacing(step: TokenizerPart) -> float:
    content, pattern = _spread(step["content"]), step["pattern"]
    least = cost_of_pattern(pattern["Regex"]).least if "Regex" in pattern else len(pattern["String"])
    if not least:  # what is found everywhere, is put beside each letter
        return 1 + content
    return max(1.0, content / least)


def _check_sign(sign: str, least: int = 0) -> None:
    if not least <= len(sign) <= MAX_SIGN:
        raise ValueError(f"it has a sign of {len(sign):,} letters. It must have {least} to {MAX_SIGN}")
