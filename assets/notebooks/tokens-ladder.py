# %% [markdown]
# The ladder: the same two words as ever better vectors, from one-hot to a transformer's.

# %% settings
word1 = "fox"
word2 = "dog"
window = 5  # words to each side, for GloVe
sentence1 = "The quick brown fox jumps over the lazy dog"
sentence2 = "The weather is cool and the dog sleeps"

# %%
import re
from random import Random

import numpy as np

from model import load
from model.analysis.word_in_context import layer_names, word_layers, word_places
from model.train.samples import training_text
from model.vectors import counts, factorisation, glove

lines = [re.findall(r"\w+(?:'\w+)?", line) for line in training_text(Random(0), 4000).lower().splitlines()]
words = glove.vocabulary(lines, 300)
pair = (word1.strip().lower(), word2.strip().lower())
known = set(pair) <= set(words)

# %%
rungs = {}
if known:
    at = words.index(pair[0]), words.index(pair[1])
    table = glove.cooccurrence(lines, words, 5)
    observed = np.where(table > 0, np.log1p(table), np.nan)
    *_, found = factorisation.fit(observed, 10, 0.1, 5)
    *_, trained = glove.fit(glove.cooccurrence(lines, words, window) if window else table, steps=400)
    vectors = {
        "One-hot": counts.one_hot(words),
        "TF-IDF": counts.tf_idf(lines[:1000], words),
        "Matrix factorisation": found.readers,
        "GloVe": trained.words,
    }
    rungs = {name: float(counts.cosines(each[list(at)], 0)[1]) for name, each in vectors.items()}
    assert rungs["One-hot"] == (1.0 if pair[0] == pair[1] else 0.0), "one-hot words are all at right angles"

# %%
m = load("minilm-l6")
both = []
for word, sentence in zip(pair, (sentence1, sentence2), strict=True):
    spots = word_places(m.tokenizer, sentence, word)
    if spots:
        both.append(word_layers(m.config, m.trace(sentence, keep=layer_names(m.config)), spots[0])[-1])
if len(both) == 2:
    rungs["In context"] = float(both[0] @ both[1] / (both[0].norm() * both[1].norm()))
for name, similarity in rungs.items():
    print(f"{name:22} {similarity:.3f}")
    assert -1.001 <= similarity <= 1.001

# %%
from viz.inputs.ladder import similarity_figure

figure = similarity_figure(rungs)
figure
