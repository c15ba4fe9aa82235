"""The sentences that the app offers beside the reader's own, and over which some measurements take a mean."""

EXAMPLE_SENTENCES = (
    "The quick brown fox jumps over the lazy dog",
    "Transformers is a very cool machine-learning model, because it is very efficient",
    "I swam across the river to get to the other bank",
    "I walked across the road to get cash from the bank",
    "George drove to the bank",
    "The Transformer model is cool",
    "The weather is cool",
    "Hello I like you",
    "I am a robot",
    "AJ's dog is a cutie",
    "AJ looks like a dog",
    "What time is it?",
)
