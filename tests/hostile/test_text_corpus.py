"""Each hostile text through each tokenizer and model: a trace or a `GlassformerError`, in bounded time and memory."""

from __future__ import annotations

import sys
import time
import tracemalloc

import pytest

from model import Model, available, load_tokenizer
from model.tokens.tokenizer import Tokenizer
from model.zoo.card_values import RECURRENT_KIND, TEXT_KINDS
from model.zoo.cards import ASSETS
from tests.conftest import loaded
from tests.hostile.text_corpus import TEXTS, run

NAMES = [card.name for card in available(*TEXT_KINDS, RECURRENT_KIND)]
MAX_TOKENIZER_SECONDS = 10  # of the processor: a bound on runaway work. Benchmarks measure speed.
MAX_TOKENIZER_BYTES = 5_000_000
MAX_PEAK_BYTES = 1_000_000_000  # above that of the loaded model
# These take seconds for all texts, the one for its size, the other since it writes up to 128 tokens for each. A model
# gets only the ids of a text, so in the suite they read a few. The fuzzer gives them all of them.
SLOW = ("smollm2-135m", "en-ur-everyday")
FEW = ("empty", "NUL inside", "half a character", "emoji", "special tokens")


def different_tokenizers() -> list[str]:
    """One model for each tokenizer."""
    files = {name: ASSETS / name / "tokenizer.json" for name in NAMES}
    return list({file.read_bytes() if file.is_file() else name: name for name, file in files.items()}.values())


@pytest.mark.parametrize("name", different_tokenizers())
def test_a_tokenizer_takes_every_text(name: str) -> None:
    tokenizer = load_tokenizer(name)
    tokenizer.encode("The first run fills caches.")
    for kind, text in TEXTS.items():
        tracemalloc.start()
        began = time.process_time()
        tokens = tokenizer.encode(text)
        seconds, peak = time.process_time() - began, tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert seconds < MAX_TOKENIZER_SECONDS, kind
        assert peak < MAX_TOKENIZER_BYTES, kind
        check_tokens(tokenizer, tokens, text)


def check_tokens(tokenizer: Tokenizer, tokens: tuple, text: str) -> None:
    assert len(tokens) <= 4 * len(text) + 4  # a character has at most four bytes
    for token in tokens:
        assert token.id >= 0
        token.text.encode()  # a browser can be sent it
    tokenizer.decode([token.id for token in tokens]).encode()


@pytest.fixture(scope="module", params=NAMES)
def model(request: pytest.FixtureRequest) -> Model:
    return loaded(request.param)


@pytest.mark.slow
def test_a_model_takes_every_text_or_says_why_not(model: Model) -> None:
    traces, peak = 0, peak_bytes()
    kinds = FEW if model.card.name in SLOW else tuple(TEXTS)
    for kind in kinds:
        traces += run(model, TEXTS[kind]) is not None
    assert traces > len(kinds) // 4
    assert peak_bytes() - peak < MAX_PEAK_BYTES


def peak_bytes() -> int:
    """The most memory that this process has held; 0 where the system does not say."""
    if sys.platform == "win32":
        return 0
    import resource  # Windows has none

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
