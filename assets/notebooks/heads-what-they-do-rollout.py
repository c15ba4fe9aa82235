# %% [markdown]
# Attention rollout (Abnar and Zuidema 2020): half of each token stays, the other half goes where the mean head looks.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
attention = "decoder.self_attn"

# %%
import torch

from model import load
from model.analysis.rollout import rollout
from viz.attention.heads import weights_figure
from viz.shared.tokens import words

stack = attention.split(".")[0]

m = load(model)
trace = m.trace(text, keep=f"{stack}.*.self_attn.*", target=target or None)
rolled = rollout(trace[f"{stack}.{layer}.self_attn.weights"] for layer in range(m.config.n_layers(stack)))
by_hand = torch.eye(len(rolled))  # (tokens, tokens)
for layer in range(m.config.n_layers(stack)):
    by_hand = (trace[f"{stack}.{layer}.self_attn.weights"].mean(0) + torch.eye(len(rolled))) / 2 @ by_hand
assert torch.allclose(rolled, by_hand, atol=1e-5)
assert (rolled.sum(-1) - 1).abs().max() < 1e-4

# %%
reads_source = stack == "encoder" and trace.source_tokens
tokens = words(trace.source_tokens if reads_source else trace.tokens)
hidden = torch.isneginf(trace[f"{stack}.0.self_attn.mask"])
figure = weights_figure(rolled.numpy(), tokens, tokens, hidden=hidden.numpy())
figure
