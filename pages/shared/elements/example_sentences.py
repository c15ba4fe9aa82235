"""The example of several prompts: a sentence in which one head of SmolLM2 looks from a pronoun to its noun."""

FOX = {
    "model": "smollm2-135m",
    "text": "The quick brown fox jumps over the lazy dog because it is hungry",
}
