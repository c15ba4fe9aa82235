# %% [markdown]
# Three ways to hide keys, on the scores of a real head: only one of them works.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
attention = "decoder.self_attn"
layer = 1
head = 0

# %%
import torch

from model import load
from model.experiments.painted_masks import presets
from model.network.masks import mask_before_softmax, multiply_scores, multiply_weights
from viz.attention.heads import weights_figure
from viz.shared.tokens import words

m = load(model)
stack, part = attention.split(".")
here = f"{stack}.{layer}.{part}"
trace = m.trace(text, keep=f"{here}.*", target=target or None)
scores, mask = trace[f"{here}.scores"][head], trace[f"{here}.mask"]
visible = mask == 0 if (mask != 0).any() else presets(*scores.shape)["causal"]
shows = {way.__name__: way(scores, visible) for way in (mask_before_softmax, multiply_scores, multiply_weights)}
for name, weights in shows.items():
    print(
        f"{name:22} row sums {weights.sum(-1).min():.2f} to {weights.sum(-1).max():.2f}, "
        f"on hidden keys up to {(weights * ~visible).sum(-1).max():.2f}"
    )
assert (shows["mask_before_softmax"][~visible] == 0).all()
assert torch.allclose(shows["mask_before_softmax"].sum(-1), torch.ones(len(scores)), atol=1e-5)

# %%
queries = words(trace.source_tokens if stack == "encoder" and trace.source_tokens else trace.tokens)
keys = words(trace.source_tokens) if part == "cross_attn" else queries
figures = [weights_figure(weights.numpy(), queries, keys).update_layout(title=name) for name, weights in shows.items()]
for figure in figures:
    figure.show()
