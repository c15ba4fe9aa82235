# %% [markdown]
# Queries and keys as points: the key with the largest product is the one that the query finds.

# %% settings
model = "smollm2-135m"
text = "The quick brown fox jumps over the lazy"
target = ""
attention = "decoder.self_attn"
layer = 10
head = 1
query = 7

# %%
import torch

from model import load
from model.analysis.head_steps import Attention, keep_for, of_head
from model.analysis.scores import project
from viz.attention.scores import geometry_figure
from viz.shared.tokens import words

m = load(model)
stack, part = attention.split(".")
at = Attention(stack, layer, part)
trace = m.trace(text, keep=keep_for(m.config, at), target=target or None)
h = of_head(m, trace, at, head)
found = project(h.q, h.k)  # three principal components of all queries and keys
visible = torch.isfinite(h.mask[query])
products = (h.k @ h.q[query]).where(visible, -torch.inf)  # (keys,)
best = int(products.argmax()) if visible.any() else None
print(f"Three components keep {found.explained.sum():.0%} of the variance.")
if h.position_bias is None:  # a bias of the places may favour another key
    assert best is None or best == int(h.weights[query].argmax())

# %%
reads_source = stack == "encoder" and trace.source_tokens
queries = words(trace.source_tokens if reads_source else trace.tokens)
keys = words(trace.source_tokens) if part == "cross_attn" else queries
points = (found.queries.numpy(), found.keys.numpy(), found.explained.numpy())
figure = geometry_figure(*points, (queries, keys), query, best, visible.numpy())
figure
