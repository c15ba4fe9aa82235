# %% [markdown]
# Two heads, or one head on two sentences of the same length, and the difference of their weights.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
attention = "decoder.self_attn"
layer = 1
head = 0
layer2 = 1
head2 = 1
text2 = ""
with_ = "Another head"  # or "Another sentence"

# %%
import torch

from model import load
from viz.attention.heads import weights_figure
from viz.shared.tokens import words

stack, part = attention.split(".")

m = load(model)


def weights_of(sentence, layer, head, target=None):
    trace = m.trace(sentence, keep=f"{stack}.{layer}.{part}.*", target=target)
    here = f"{stack}.{layer}.{part}"
    reads_source = stack == "encoder" and trace.source_tokens
    queries = words(trace.source_tokens if reads_source else trace.tokens)
    keys = words(trace.source_tokens) if part == "cross_attn" else queries
    return trace[f"{here}.weights"][head], torch.isneginf(trace[f"{here}.mask"]), queries, keys


first, hidden, queries, keys = weights_of(text, layer, head, target or None)
if with_ == "Another sentence" and text2.strip():
    second, _, queries2, keys2 = weights_of(text2, layer, head)
else:
    second, _, queries2, keys2 = weights_of(text, layer2, head2, target or None)
difference = first - second  # (queries, keys)

# %%
names = [
    [a if a == b else f"{a} / {b}" for a, b in zip(*pair, strict=True)] for pair in ((queries, queries2), (keys, keys2))
]
figures = [
    weights_figure(first.numpy(), queries, keys, hidden=hidden.numpy()),
    weights_figure(second.numpy(), queries2, keys2, hidden=hidden.numpy()),
    weights_figure(difference.numpy(), *names, kind="difference", hidden=hidden.numpy()),
]
for figure in figures:
    figure.show()

# %%
place = divmod(int(difference.abs().argmax()), len(keys))
print(f"Most different: {queries[place[0]]} at {keys[place[1]]}, {difference[place]:+.3f}")
assert (difference.sum(-1).abs() < 1e-4).all(), "both rows sum to 1, so a row of differences sums to 0"
