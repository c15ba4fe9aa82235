# %% [markdown]
# A row with every key hidden: the softmax of nothing, and what the model does with it.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
attention = "decoder.self_attn"
layer = 1
head = 0
row = -1  # the query that sees nothing; -1: the middle one
where = "every layer"  # or "this layer"

# %%
import torch

from model import load
from model.analysis.head_steps import Attention, keep_for
from model.experiments.painted_masks import hide_row
from model.network.masks import masked_softmax
from viz.attention.heads import weights_figure
from viz.shared.tokens import words

m = load(model)
stack, part = attention.split(".")
at = Attention(stack, layer, part)
plain = m.trace(text, keep=keep_for(m.config, at), target=target or None)
visible = ~torch.isneginf(plain[f"{at.path}.mask"])
row = row if 0 <= row < len(visible) else len(visible) // 2
visible[row] = False
edit = hide_row(at, row, where == "every layer")
trace = m.trace_tokens(plain.tokens, plain.source_tokens, keep=keep_for(m.config, at), edits=[edit])
masked = trace[f"{at.path}.masked"][head]
shows = {"plain softmax": masked.softmax(-1), "as used here": masked_softmax(masked)}
assert shows["plain softmax"][row].isnan().all(), "0 ÷ 0"
assert (shows["as used here"][row] == 0).all()
assert torch.equal(shows["as used here"], trace[f"{at.path}.weights"][head])

# %%
queries = words(plain.source_tokens if stack == "encoder" and plain.source_tokens else plain.tokens)
keys = words(plain.source_tokens) if part == "cross_attn" else queries
figure = weights_figure(shows["as used here"].numpy(), queries, keys, hidden=(~visible).numpy())
figure
