# %% [markdown]
# The same word in several sentences: its vector layer by layer, and how alike the vectors are.

# %% settings
word = "bank"
sentences = "I swam across the river to get to the other bank\nGeorge drove to the bank"
classify_model = "minilm-l6"
reference = 0  # the place that the others are compared with

# %%
import torch

from model import load
from model.analysis.word_in_context import layer_names, planes, word_layers, word_places
from model.vectors.cosines import cosine_table
from viz.models.classify import plane_figure, word_cosines_figure

m = load(classify_model)
found, vectors = [], []
for number, line in enumerate(line.strip() for line in sentences.splitlines() if line.strip()):
    for place in word_places(m.tokenizer, line, word):
        trace = m.trace(line, keep=layer_names(m.config))
        found.append(number)
        vectors.append(word_layers(m.config, trace, place))
vectors = torch.stack(vectors, dim=1)  # (layers + 1, times, d_model)
cosines = cosine_table(vectors)  # (layers + 1, times, times)
assert (cosines.diagonal(0, -2, -1) - 1).abs().max() < 1e-4, "every vector is like itself"

# %%
names = []
for i, number in enumerate(found):  # "2 b" is the second time in sentence 2
    before = found[:i].count(number)
    names.append(f"{number + 1}" + (f" {chr(97 + before)}" if before else ""))
others = [i for i in range(len(found)) if i != reference]
lines = {f"in {names[i]}": cosines[:, reference, i].tolist() for i in others}
figures = [
    plane_figure(places.numpy(), shares.tolist(), layer, found)
    for layer, (places, shares) in enumerate(planes(vectors))
]
figures.append(word_cosines_figure(lines, [found[i] for i in others]))
for figure in figures:
    figure.show()
