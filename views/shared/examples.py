"""The sentences that the app offers, and on which a part may be measured instead of the reader's own."""

from model.experiments.example_sentences import EXAMPLE_SENTENCES

DEFAULT_SENTENCE = "The quick brown fox jumps over the lazy"
EXAMPLES = (DEFAULT_SENTENCE, *EXAMPLE_SENTENCES)
