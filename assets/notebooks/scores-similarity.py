# %% [markdown]
# Attention built up: similarity alone, then learned, then scaled, then masked as in the model.

# %% settings
model = "smollm2-135m"
text = "The quick brown fox jumps over the lazy"
target = ""
attention = "decoder.self_attn"
layer = 9
head = 2

# %%
import math

from model import load
from model.analysis.head_steps import Attention, keep_for, of_head
from model.analysis.scores import attend
from viz.attention.heads import weights_figure
from viz.shared.tokens import words

m = load(model)
stack, part = attention.split(".")
at = Attention(stack, layer, part)
trace = m.trace(text, keep=keep_for(m.config, at), target=target or None)
h = of_head(m, trace, at, head)
scale = math.sqrt(h.q.shape[-1])
shows = {
    "softmax(X Xᵀ)": attend(h.x, h.memory, h.memory).weights,
    "softmax(Q Kᵀ)": attend(h.q, h.k, h.v).weights,
    "softmax(Q Kᵀ ÷ √d_k)": attend(h.q, h.k, h.v, scale).weights,
}  # (queries, keys) each
bias = 0 if h.position_bias is None else h.position_bias
is_usual = m.config.scale_scores and h.position_bias is None
if (h.mask != 0).any() or not is_usual:
    own_scale = scale if m.config.scale_scores else 1.0
    shows["as in the model"] = attend(h.q, h.k, h.v, own_scale, bias + h.mask).weights

# %%
reads_source = stack == "encoder" and trace.source_tokens
queries = words(trace.source_tokens if reads_source else trace.tokens)
keys = words(trace.source_tokens) if part == "cross_attn" else queries
figures = [weights_figure(weights.numpy(), queries, keys).update_layout(title=name) for name, weights in shows.items()]
for figure in figures:
    figure.show()

# %%
assert (list(shows.values())[-1] - h.weights).abs().max() < 1e-4
