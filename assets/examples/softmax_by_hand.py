# %% [markdown]
# One head: from its queries and keys to its weights.

# %%
model = "smollm2-135m"
text = "The quick brown fox jumps over the lazy"
target = ""  # a translation for a model that writes one; empty: its own
attention = "decoder.self_attn"  # or "decoder.cross_attn"
layer = 10
head = 1
query = 7  # -2: none
key = -1  # -1: the key that tells most
values = "Weights"  # or "Scores"

# %%

import torch

from glassformer import load
from glassformer.model.analysis.telling import telling_key
from glassformer.model.network.masks import masked_softmax
from glassformer.viz.attention.heads import weights_figure
from glassformer.viz.shared.tokens import words

stack, part = attention.split(".")

m = load(model)
trace = m.trace(text, keep=f"{stack}.{layer}.{part}.*", target=target or None)
here = f"{stack}.{layer}.{part}"
reads_source = stack == "encoder" and trace.source_tokens
queries = words(trace.source_tokens if reads_source else trace.tokens)
keys = words(trace.source_tokens) if part == "cross_attn" else queries

# %% [markdown]
# softmax(q kᵀ / √d_k + mask), as in the paper. With grouped queries, several heads read the same key head.

# %%
q = trace[f"{here}.q"][head]  # (queries, d_k)
k = trace[f"{here}.k"][m.config.kv_head_of(head)]  # (keys, d_k)
mask = trace[f"{here}.mask"]  # (queries, keys)
scores = q @ k.mT / m.config.of_layer(stack, layer).score_divisor
if f"{here}.position_bias" in trace:  # relative positions
    scores = scores + trace[f"{here}.position_bias"][head]
weights = masked_softmax(scores + mask)
assert torch.allclose(weights, trace[f"{here}.weights"][head], atol=1e-5)

# %%
if query >= 0 and key < 0:
    key = telling_key(trace[f"{here}.weights"][head, query], query, cross=part == "cross_attn")
if query >= 0:
    print(f"{queries[query]} gives {keys[key]} the weight {weights[query, key]:.3f}")

# %%
shown = trace[f"{here}.scores" if values == "Scores" else f"{here}.weights"][head]
figure = weights_figure(
    shown.numpy(),
    queries,
    keys,
    kind=values.lower(),
    hidden=torch.isneginf(mask).numpy(),
    selected=(query, key) if query >= 0 else None,
)
figure.show()
