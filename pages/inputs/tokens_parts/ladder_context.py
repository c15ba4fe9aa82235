"""The last rung: a word's vector in a sentence, by MiniLM."""

from __future__ import annotations

import re

import streamlit as st
import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity

from model.analysis.word_in_context import layer_names, word_layers, word_places
from model.vectors.cosines import cosine_table
from pages.inputs.tokens_parts.ladder_words import NEIGHBOURS, Rung
from pages.shared import state, traces
from viz.shared.style import markdown_text

MODEL = "minilm-l6"


def show(pair: tuple[str, str]) -> Rung | None:
    """The first word in the first sentence against the second in the second; None below a message."""
    sentences = []
    for place, column in enumerate(st.columns(2), start=1):
        column.text_area(f"Sentence with word {place}", key=f"tokens_sentence{place}", height=80)
        sentences.append(state.get(f"tokens_sentence{place}"))
    vectors = []
    try:
        model = traces.model(MODEL)
        for word, sentence in zip(pair, sentences, strict=True):
            found = word_places(model.tokenizer, sentence, word) if word else []
            if not found:
                st.info(
                    f"“{markdown_text(word)}” does not stand in its sentence: write it into the sentence."
                    if word
                    else "Type two words, each standing in its sentence."
                )
                return None
            run = traces.trace(MODEL, sentence, layer_names(model.config))
            vectors.append(word_layers(model.config, run, found[0])[-1])
    except traces.errors() as error:
        traces.complain(error)
        return None
    both = torch.stack(vectors)  # (2, d_model)
    near = _neighbours(sentences[0], pair[0], vectors[0])
    return Rung(both.shape[1], float((both == 0).float().mean()), float(cosine_table(both)[0, 1]), near)


def _neighbours(sentence: str, word: str, vector: Tensor) -> list[tuple[str, float]]:
    """The other words of the sentence whose vectors are most like the word's."""
    model = traces.model(MODEL)
    run = traces.trace(MODEL, sentence, layer_names(model.config))
    found = {}
    for other in dict.fromkeys(re.findall(r"\w+", sentence.lower())):
        at = word_places(model.tokenizer, sentence, other)
        if other != word and at:
            found[other] = float(cosine_similarity(word_layers(model.config, run, at[0])[-1], vector, dim=0))
    return sorted(found.items(), key=lambda each: -each[1])[:NEIGHBOURS]
