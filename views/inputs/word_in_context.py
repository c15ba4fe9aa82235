"""The last rung of the Ladder: the vectors that a transformer gives two words, each in its sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch

from model import Model, Trace
from model.analysis.word_in_context import layer_names, nearest_words, word_layers, word_places
from model.vectors.cosines import cosine_table
from views.call import Call
from views.inputs.small_world import NEIGHBOURS, Rung
from views.run import trace_text
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text


@dataclass(frozen=True)
class RungInContext(Rung):
    """The row of two words, each in its sentence, with the model that gave them their vectors."""

    model: Model = field(compare=False, repr=False)
    pair: tuple[str, str]
    sentences: tuple[str, str]

    def made_by(self) -> Call:
        return Call(measure, (self.model, self.pair, self.sentences))


def measure(
    model: Model,
    pair: tuple[str, str],
    sentences: tuple[str, str],
    trace: Callable[[Model, str, Sequence[str]], Trace] = trace_text,
) -> RungInContext | Text:
    """The first word in the first sentence, compared with the second in the second; or what the reader can do.

    `trace` runs the model over a sentence, with the tensors of these names.
    """
    places, runs = [], []
    for word, sentence in zip(pair, sentences, strict=True):
        if not word:
            return Text("Type two words, each standing in its sentence.", "info")
        found = word_places(model.tokenizer, sentence, word)
        if not found:
            missing = f"“{markdown_text(word)}” does not stand in its sentence: write it into the sentence."
            return Text(missing, "info")
        places.append(found[0])
        runs.append(trace(model, sentence, layer_names(model.config)))
    vectors = [word_layers(model.config, run, at)[-1] for run, at in zip(runs, places, strict=True)]
    both = torch.stack(vectors)  # (2, d_model)
    near = nearest_words(model.tokenizer, model.config, runs[0], sentences[0], pair[0], NEIGHBOURS)
    zeros, cosine = float((both == 0).float().mean()), float(cosine_table(both)[0, 1])
    return RungInContext(both.shape[1], zeros, cosine, near, model, pair, sentences)
