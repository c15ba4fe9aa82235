"""The things to try on Classify, for each of its parts."""

from __future__ import annotations

from pages.shared.elements.claims import Claim
from pages.shared.elements.prompts import Prompt
from pages.shared.session import state
from views.models.classify import answers, kinds, sentences, words
from views.models.classify.labels import CLASSIFIER, Classes, shows_bundled

COOL = (
    "The Transformer model is cool\nThe weather is cool\nIt is a cool evening by the sea\n"
    "Your new bike looks really cool\nThat is a very cool idea"
)
OTHER_WORDS = "The doctor cured the patient\nA physician healed the sick man\nThe patient doctor waited for the cure"
OF_KINDS = (
    Prompt(
        "Is it praise?",
        "The first token's vector becomes a class.",
        {"model": CLASSIFIER, "classify_part": "labels"},
        shows_bundled,
        Claim(answers.CLASS, "is not", ""),
        at="classify answers",
    ),
    Prompt(
        "Two banks",
        "One word, several meanings, several vectors.",
        {"classify_part": "words", "classify_word": "bank", "classify_model": "minilm-l6"}
        | {"classify_sentences": state.KEYS["classify_sentences"].default, "classify_reference": 0},
        claim=Claim(words.LEAST, "under", 0.85),
        at="classify cosines",
    ),
    Prompt(
        "A question",
        "The same three pictures for another sentence.",
        {"text": "What time is it?"},
        claim=Claim(kinds.PICTURES, "is", 3),
    ),
)
OF_LABELS = (
    Prompt(
        "Praise",
        "The class turns positive.",
        {"model": CLASSIFIER, "text": "I love this film", "classify_token": 0},
        shows_bundled,
        Claim(answers.CLASS, "is", "positive"),
        at="classify answers",
    ),
    Prompt(
        "Turned by a word",
        "One “not”, and the class turns.",
        {"model": CLASSIFIER, "text": "The food is not good"},
        shows_bundled,
        Claim(answers.CLASS, "is", "negative"),
        at="classify answers",
    ),
    Prompt(
        "Quick is what?",
        "An adjective, by its own vector; below is where it looks.",
        {"model": CLASSIFIER, "text": "The quick brown fox jumps over the lazy dog", "classify_token": 2},
        shows_bundled,
        Claim(answers.OF_TOKEN, "is", "adjective"),
        at="classify attention",
    ),
    Prompt(
        "Mend a sentence",
        "A real model says for each word whether to keep it or what to write.",
        {"model": "distilbert-grammar", "text": "Their is a dog in the garden.", "classify_token": 1},
        claim=Claim(answers.OF_TOKEN, "is", "write “There”"),
        at="classify answers",
    ),
)
OF_WORDS = (
    Prompt(
        "Two banks",
        "Rivers and money part from layer to layer.",
        {"classify_word": "bank", "classify_sentences": state.KEYS["classify_sentences"].default}
        | {"classify_model": "minilm-l6", "classify_reference": 0},
        claim=Claim(words.LEAST, "under", 0.85),
        at="classify cosines",
    ),
    Prompt(
        "Two kinds of cool",
        "Weather and praise are two clusters of vectors.",
        {"classify_word": "cool", "classify_sentences": COOL, "classify_model": "minilm-l6", "classify_reference": 0},
        claim=Claim(words.LEAST, "under", 0.85),
        at="classify cosines",
    ),
    Prompt(
        "A small model",
        "Does the tiny encoder tell them apart? It has read no such sentences.",
        {"classify_model": "tiny-encoder", "classify_reference": 0},
        claim=Claim(words.LEAST, "under", 1.0),
        at="classify cosines",
    ),
)
OF_SENTENCES = (
    Prompt(
        "Other words, same meaning",
        "The second says what the first says, in other words. The third has its words, and is most alike to it.",
        {"classify_texts": OTHER_WORDS},
        claim=Claim(sentences.MOST_ALIKE, "is", "1 and 3"),
    ),
    Prompt(
        "Turned round",
        "The same words in another order: to this model they are nearly the same sentence.",
        {"classify_texts": "The dog bites the man\nThe man bites the dog\nThe man is bitten by the dog"},
        claim=Claim(sentences.LEAST, "over", 0.8),
    ),
    Prompt(
        "Back to the first ones",
        "Bank, cool, dog: sentences that share a word.",
        {"classify_texts": state.KEYS["classify_texts"].default},
        claim=Claim(sentences.MOST_ALIKE, "is", "5 and 6"),
    ),
)


def of_labels(view: Classes) -> tuple[Prompt, ...]:
    """With a model that finds hidden words, there is one to hide."""
    if view.run is None or not view.run.config.masked_words or view.run.model.tokenizer.mask is None:
        return OF_LABELS
    tokenizer = view.run.model.tokenizer
    mask = tokenizer.token(view.run.model.tokenizer.mask).text
    hidden = Prompt(
        "Hide a word",
        "The model cannot see this word. It guesses it from both sides.",
        {"text": f"The quick brown {mask} jumps over the lazy dog", "classify_token": 0},
        claim=Claim(answers.ASKED, "is", mask),
    )
    return (hidden, *OF_LABELS)
