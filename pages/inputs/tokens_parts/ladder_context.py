"""The last rung: the vector that MiniLM gives a word in its sentence."""

from __future__ import annotations

import streamlit as st
import torch

from model.analysis.word_in_context import layer_names, nearest_words, word_layers, word_places
from model.vectors.cosines import cosine_table
from pages.inputs.tokens_parts.ladder_words import NEIGHBOURS, Rung
from pages.shared.model_runs import traces
from pages.shared.session import state
from viz.shared.style import markdown_text

MODEL = "minilm-l6"


def show(pair: tuple[str, str]) -> Rung | None:
    """Draw the fields of the two sentences, and compare the first word in the first with the second in the second.

    None, after a message, where a word does not stand in its sentence.
    """
    sentences = []
    for place, column in enumerate(st.columns(2), start=1):
        column.text_area(f"Sentence with word {place}", key=f"tokens_sentence{place}", height=80)
        sentences.append(state.get(f"tokens_sentence{place}"))
    runs, vectors = [], []
    try:
        model = traces.model(MODEL)
        for word, sentence in zip(pair, sentences, strict=True):
            places = word_places(model.tokenizer, sentence, word) if word else []
            if not places:
                st.info(
                    f"“{markdown_text(word)}” does not stand in its sentence: write it into the sentence."
                    if word
                    else "Type two words, each standing in its sentence."
                )
                return None
            run = traces.trace(model, sentence, layer_names(model.config))
            runs.append(run)
            vectors.append(word_layers(model.config, run, places[0])[-1])
    except traces.errors() as error:
        traces.complain(error)
        return None
    both = torch.stack(vectors)  # (2, d_model)
    near = nearest_words(model.tokenizer, model.config, runs[0], sentences[0], pair[0], NEIGHBOURS)
    return Rung(both.shape[1], float((both == 0).float().mean()), float(cosine_table(both)[0, 1]), near)
