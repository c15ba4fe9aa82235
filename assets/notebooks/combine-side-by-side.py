# %% [markdown]
# The heads' outputs side by side: what W_O turns into a vector again.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
attention = "decoder.self_attn"
layer = 0

# %%
import torch

from model import load
from viz.attention.combine import slices_figure
from viz.shared.tokens import labels

m = load(model)
stack, part = attention.split(".")
here = f"{stack}.{layer}.{part}"
trace = m.trace(text, keep=(f"{here}.heads", f"{here}.concat", f"{here}.out"), target=target or None)
heads, concat = trace[f"{here}.heads"], trace[f"{here}.concat"]  # (heads, tokens, d_k), (tokens, heads * d_k)
assert torch.equal(torch.cat(list(heads), -1), concat)
out = m.on_cpu.network.get_submodule(f"{stack}.blocks.{layer}.{part}.out")
with torch.inference_mode():
    assert torch.allclose(out(concat), trace[f"{here}.out"], atol=1e-4)

# %%
tokens = labels(trace.source_tokens if stack == "encoder" and trace.source_tokens else trace.tokens)
figure = slices_figure(concat.numpy(), tokens, m.config.n_heads)
figure
