"""What the model predicts at each token of a run, for the end of a run that is played on the map."""

from __future__ import annotations

import json
import math

from views.run import Run
from viz.home.answers import Predictions
from viz.shared.style import token_label

MAX_TOKENS = 64  # the last ones of a longer text: the logits of all would be many


def predict_each_token(run: Run) -> Predictions | None:
    """The likeliest next token after each token, or the likeliest word or class of it. None for other models, for those
    that find an answer among the tokens, and for a run whose scores are no numbers.

    The numbers are kept with the run.
    """
    config = run.config
    if config.answer_span:
        return None
    if config.token_labels:
        title = "Class of each token"
    elif config.answers_words:
        title = "Word at each place" if config.kind == "encoder" else "Each token predicts"
    else:
        return None
    labels, shares = json.loads(run.pack("predictions of tokens", lambda: _rank(run)))
    if not all(map(math.isfinite, shares)):
        return None
    first = len(run.trace.tokens) - len(labels)
    return Predictions(title, labels, shares, first, config.label_scores)


def _rank(run: Run) -> bytes:
    from model.network.answer_scores import answer_scores  # torch takes a while, and the first page needs none of it

    first = max(0, len(run.trace.tokens) - MAX_TOKENS)
    classes = run.config.token_labels
    logits = run.trace["token_logits"][first:] if classes else run.trace.logits_at(slice(first, None))
    likeliest = answer_scores(logits, run.config).max(-1)
    places = likeliest.indices.tolist()
    if classes:
        labels = [classes[place] for place in places]
    else:
        labels = [token_label(token.text, token.bytes) for token in run.model.output_tokenizer.tokens(places)]
    return json.dumps([labels, likeliest.values.tolist()]).encode()
