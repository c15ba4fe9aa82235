"""The runs of the reader's sentence and of a second one, between which parts are patched."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from model.experiments.patching import Patching
from model.experiments.sentence_pair import Prompt, SentencePair, record_beside, record_pair
from model.graph.on_demand import stream_names
from model.run import ids_of
from views.models.why.question import Question
from views.shared import long_text


def record_both(
    asked: Question, text: str, take_turn: Callable[[], AbstractContextManager[None]] = nullcontext
) -> SentencePair:
    """The runs of both sentences, up to the token after which the question asks. Raises `GlassformerError`.

    Of a long text, the first is the run of the question, whose streams are in memory. `take_turn` waits for a turn at
    the processor.
    """
    run, model, prompts = asked.run, asked.run.model, _prompts_of(asked, text)
    if asked.most_tokens <= long_text.MOST_TOKENS or not run.trace.is_lazy:
        return record_pair(model.network, *prompts, take_turn=take_turn)
    own = run.trace.keeping(stream_names(model.config)).tensors
    return record_beside(model.network, *prompts, own, asked.logits, take_turn=take_turn)


def _prompts_of(asked: Question, text: str) -> tuple[Prompt, Prompt]:
    run, other, count = asked.run, asked.run.model.tokens_of(text), asked.position + 1
    if run.trace.source_tokens:
        written = ids_of(run.trace.tokens)[:count]
        return Prompt(written, ids_of(run.trace.source_tokens)), Prompt(written, ids_of(other))
    if asked.of_encoder or len(other) != len(run.trace.tokens):
        count = max(len(other), len(run.trace.tokens))  # all that an encoder reads; or the counts are told
    place = asked.position if asked.of_encoder else -1
    own, theirs = (ids_of(tokens)[:count] for tokens in (run.trace.tokens, other))
    return Prompt(own, position=place), Prompt(theirs, position=place)


def patching_of(asked: Question, pair: SentencePair) -> Patching:
    """What patches the runs of both sentences. Without a rival of the reader's, the answer of the other one is it."""
    answer, against = pair.telling_tokens(asked.token, asked.config.label_scores == "softmax")
    return Patching(asked.run.model.network, pair, answer, against if asked.against is None else asked.against)
