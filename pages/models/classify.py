"""Classify: the uses of an encoder, in four parts."""

from __future__ import annotations

from functools import partial

from pages.models.classify_parts import controls, readings, things_to_try
from pages.shared.elements.page import Page, Part
from pages.shared.session import bar_notes, state
from views.models.classify import sentences, words
from views.models.classify.kinds import KINDS, ThreeKinds
from views.models.classify.labels import Classes
from views.models.classify.lines import lines_of
from views.models.classify.sentences import AlikeSentences
from views.models.classify.words import WordInContext, find_word

EMBEDDER = "minilm-l6"


def three_kinds() -> ThreeKinds:
    return ThreeKinds(readings.read_kinds(), tuple(map(readings.models_of, KINDS)))


def classes() -> Classes:
    run = readings.read_classes()
    if run is None:
        return Classes(None)
    return Classes(run, state.checked_number("classify_token", 0, len(run.trace.tokens) - 1, "Token"))


def word_in_context() -> WordInContext:
    name, word = state.get("classify_model"), state.get("classify_word").strip()
    title = readings.title_of(name)
    bar_notes.say_nothing_taken(f"{title} reads the sentences that you write below.", models=[title])
    lines = lines_of(state.get("classify_sentences"))
    model = readings.read_model(name)
    if model is None:
        return WordInContext(lines, None, None)
    note, occurrences = find_word(
        model, lines, word, lambda shown: readings.run_all(model, shown, words.keep(model.config))
    )
    if occurrences is None:
        return WordInContext(lines, note, None)
    reference = state.checked_number("classify_reference", 0, len(occurrences.found) - 1, "Sentence")
    return WordInContext(lines, note, occurrences, reference)


def alike_sentences() -> AlikeSentences:
    title = readings.title_of(EMBEDDER)
    bar_notes.say_nothing_taken(f"{title} reads the sentences that you write below.", models=[title])
    lines, model = lines_of(state.get("classify_texts")), readings.read_model(EMBEDDER)
    runs = () if model is None else readings.run_all(model, lines.shown, sentences.keep(model.config))
    return AlikeSentences(lines, runs)


PARTS = {
    "kinds": Part("Three kinds", three_kinds, prompts=things_to_try.OF_KINDS),
    "labels": Part("Classes", classes, {"token": controls.choose_token}, things_to_try.of_labels),
    "words": Part(
        "A word in context",
        word_in_context,
        {
            "sentences": partial(controls.write_sentences, "classify_sentences"),
            "word": controls.choose_word,
            "reference": controls.choose_reference,
        },
        things_to_try.OF_WORDS,
    ),
    "sentences": Part(
        "Alike sentences",
        alike_sentences,
        {"sentences": partial(controls.write_sentences, "classify_texts")},
        things_to_try.OF_SENTENCES,
    ),
}
PAGE = Page(
    "Classify", "An encoder reads the whole sentence at once, and gives every token a vector.", "classify_part", PARTS
)
