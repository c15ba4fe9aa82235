"""Tokens: the pieces that the model reads, and their vectors. Three parts, of which only the open one computes."""

from __future__ import annotations

from pages.inputs.tokens_parts import controls, glove_training, ladder_choice, piece_choice, ratings_editor, tokenisers
from pages.inputs.tokens_parts.kept_vocabulary import KeptVocabulary
from pages.shared.elements.claims import Claim
from pages.shared.elements.page import Page, Part
from pages.shared.elements.prompts import Prompt
from pages.shared.model_runs import head_on_screen, traces
from pages.shared.session import bar_notes, state
from views.inputs.embedding import ADDED, NEAREST, TokenVector
from views.inputs.every_tokeniser import MAX_SAMPLES, EveryTokeniser, OddTexts
from views.inputs.ladder import COSINE, Ladder
from views.inputs.sentence_pieces import A_WORD, SENTENCE, SentencePieces
from views.inputs.tokeniser import Tokeniser
from views.inputs.word_steps import PIECES, WordSteps

PIECE_PROMPTS = (
    Prompt(
        "A long word",
        "A rare word falls into many pieces.",
        {"text": "Transformers disestablish", "tokens_place": 1, "query": -1},
        claim=Claim(PIECES, "over", 1),
        at="tokens pieces",
    ),
    Prompt(
        "Urdu",
        "Letters become bytes where no piece is known: a word takes many tokens.",
        {"text": "میں ایک روبوٹ ہوں"},
        claim=Claim(A_WORD, "over", 1.5),
        at=SENTENCE,
    ),
    Prompt(
        "Digits",
        "Few tokenizers have a piece for each number: it falls into parts, or into its digits.",
        {"text": "In 2017 it cost 1234567 dollars"},
        claim=Claim(A_WORD, "over", 1.2),
        at=SENTENCE,
    ),
)
VECTOR_PROMPTS = (
    Prompt(
        "Neighbours",
        "Words of one kind lie close.",
        {"text": "The dog is happy", "query": 1},
        claim=Claim(NEAREST, "over", 0.3),
        at="tokens nearest",
    ),
    Prompt(
        "Added positions",
        "The waves are the position.",
        {"model": "tiny-lm", "query": 3},
        suits=lambda card: card.positions == "sinusoidal",
        claim=Claim(ADDED, "is", "a position"),
    ),
    Prompt(
        "Rotated instead",
        "Here nothing is added.",
        {"model": "smollm2-135m"},
        suits=lambda card: card.positions == "rotary",
        claim=Claim(ADDED, "is", "nothing"),
    ),
)
TWO_BANKS = Prompt(
    "Two banks",
    "In context, one word has two vectors.",
    {
        "tokens_rung": "context",
        "tokens_word1": "bank",
        "tokens_word2": "bank",
        "tokens_sentence1": "I swam across the river to get to the other bank",
        "tokens_sentence2": "I walked across the road to get cash from the bank",
    },
    claim=Claim(COSINE, "under", 0.9),
    at="tokens rungs",
)
RUNG_PROMPTS = (
    Prompt(
        "No relation at all",
        "One-hot words are all at right angles.",
        {"tokens_rung": "one-hot", "tokens_word1": "fox", "tokens_word2": "dog"},
        claim=Claim(COSINE, "is", 0.0),
        at="tokens rungs",
    ),
    Prompt(
        "Animals gather",
        "GloVe brings words of one kind together. Train it and watch them settle.",
        {"tokens_rung": "glove", "tokens_word1": "fox", "tokens_word2": "dog"},
        claim=Claim(COSINE, "over", 0.2),
    ),
    TWO_BANKS,
)


def tokeniser() -> Tokeniser:
    run = piece_choice.find_run()
    text = state.get("text") if run is None else run.text
    lines = tuple(line for line in state.get("tokens_samples").splitlines() if line.strip())
    others = EveryTokeniser(text, tokenisers.cut_by_all), OddTexts(lines[:MAX_SAMPLES], tokenisers.cut_by_all)
    if run is None:
        return Tokeniser(None, None, *others)
    cut = piece_choice.cut(run)
    sentence, word = SentencePieces(cut, piece_choice.read_piece(cut)), piece_choice.read_word(cut)
    step = piece_choice.read_step(cut.spellings[word]) if cut.spellings else 0
    return Tokeniser(sentence, WordSteps(cut, word, step), *others)


def embedding() -> TokenVector:
    run = traces.current(keep=TokenVector.needs)
    return TokenVector(run, head_on_screen.read_token(run, run.model.config.stacks[0]), KeptVocabulary())


def ladder() -> Ladder:
    bar_notes.say_nothing_taken("It compares the two words below. A button puts the word of the bar's token there.")
    return ladder_choice.read()


PARTS = {
    "tokeniser": Part(
        "Tokeniser",
        tokeniser,
        {"word": controls.choose_word, "odd texts": controls.write_odd_texts},
        PIECE_PROMPTS,
        goes_beside=True,
    ),
    "embedding": Part("Embedding", embedding, prompts=VECTOR_PROMPTS, goes_beside=True),
    "ladder": Part(
        "Ladder",
        ladder,
        {
            "words": controls.choose_words,
            "words and rung": controls.choose_words_and_rung,
            "ratings": ratings_editor.edit,
            "training": glove_training.choose_and_train,
            "sentences": controls.write_sentences,
        },
        RUNG_PROMPTS,
    ),
}
PAGE = Page("Tokens", "A model reads pieces of words, and each piece is a vector.", "tokens_part", PARTS)
