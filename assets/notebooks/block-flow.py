# %% [markdown]
# One layer as a flow: every step is a tensor, and the residual stream is their sum.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
attention = "decoder.self_attn"  # of the stack that is shown
layer = 0
step = "resid_out"  # the tensor that is drawn

# %%
from model import load
from model.analysis.block_steps import steps, sums
from model.names import describe
from viz.block.layer import tensor_figure
from viz.shared.tokens import labels

stack = attention.split(".")[0]

m = load(model)
trace = m.trace(text, keep=f"{stack}.{layer}.*", target=target or None)
for each in steps(m.config, stack):
    tensor = trace[f"{stack}.{layer}.{each.name}"]
    print(f"{each.name:16} {tuple(tensor.shape)!s:12} {each.does}")
for each in sums(m.config, trace, stack, layer):
    print(f"{each.total} = {each.before} + {each.added}, up to {each.difference:.1e}")
    assert each.difference < 1e-4

# %%
name = f"{stack}.{layer}.{step}"
print(f"{name}: {describe(name, m.config.gated).meaning}")
tokens = labels(trace.source_tokens if stack == "encoder" and trace.source_tokens else trace.tokens)
figure = tensor_figure(trace[name].numpy(), tokens)
figure
