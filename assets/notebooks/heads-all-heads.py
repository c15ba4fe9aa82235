# %% [markdown]
# All heads of a stack: what each one does, as a number from 0 to 1.

# %% settings
model = "tiny-lm"
text = "The quick brown fox jumps over the lazy"
target = ""
attention = "decoder.self_attn"
sort = "layer"  # or the key of a measure below

# %%
import pandas as pd
import torch

from model import load
from model.analysis.head_measures import CROSS_KINDS, KINDS, measure

stack, part = attention.split(".")

m = load(model)
trace = m.trace(text, keep=f"{stack}.*.{part}.weights", target=target or None)
tokens = trace.source_tokens if stack == "encoder" and trace.source_tokens else trace.tokens
ids = None if part == "cross_attn" else [token.id for token in tokens]
kinds = CROSS_KINDS if part == "cross_attn" else KINDS
found = [measure(trace[f"{stack}.{layer}.{part}.weights"], ids) for layer in range(m.config.n_layers(stack))]
measures = {kind.key: torch.stack([each[kind.key] for each in found]) for kind in kinds}  # (layers, heads) each

if part == "self_attn":
    below = trace[f"{stack}.0.self_attn.weights"].diagonal(-1, -2, -1)  # the weight on the token before, (heads, T - 1)
    assert torch.allclose(below.mean(-1), measures["previous"][0], atol=1e-5)

# %%
places = [(layer, head) for layer in range(m.config.n_layers(stack)) for head in range(m.config.n_heads)]
table = pd.DataFrame({kind.label: measures[kind.key].flatten().numpy() for kind in kinds})
table.insert(0, "head", [f"{layer}.{head}" for layer, head in places])
chosen = next((kind.label for kind in kinds if kind.key == sort), None)
table.sort_values(chosen, ascending=False) if chosen else table
