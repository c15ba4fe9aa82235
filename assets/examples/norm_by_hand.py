# %% [markdown]
# LayerNorm or RMSNorm on one token: what it takes away, and what it gives back.

# %%
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
attention = "decoder.self_attn"  # of the stack that is shown
layer = 0
norm = "attn_norm"
query = -1  # -1: the last one
factor = 1.0  # the input is scaled by this
shift = 0.0  # and moved by this

# %%
import torch

from glassformer import load
from glassformer.model.analysis.block_steps import norm_input
from glassformer.viz.shared.lines import by_place, lines_figure

stack = attention.split(".")[0]

m = load(model)
trace = m.trace(text, keep=f"{stack}.{layer}.*", target=target or None)
module = m.on_cpu.network.get_submodule(f"{stack}.blocks.{layer}.{norm}")
x = trace[f"{stack}.{layer}.{norm_input(m.config, stack, norm)}"][query]  # (d_model,)
changed = factor * x + shift
with torch.inference_mode():
    after, after_changed = module(x), module(changed)
eps = m.config.norm_eps
if m.config.norm == "layer":
    plain = (changed - changed.mean()) / (changed.var(correction=0) + eps).sqrt()
else:
    plain = changed / (changed.square().mean() + eps).sqrt()
bias = getattr(module, "bias", None)  # RMSNorm has none
assert torch.allclose(plain * module.gain + (0 if bias is None else bias), after_changed, atol=1e-4)
assert torch.allclose(after, trace[f"{stack}.{layer}.{norm}"][query], atol=1e-4)

# %%
lines = {"what comes in": changed, "standardised": plain, "after gain and bias": after_changed}
figure = lines_figure(by_place({name: values.tolist() for name, values in lines.items()}), "feature", "value")
figure.show()
