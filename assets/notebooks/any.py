# %% [markdown]
# This view has no notebook of its own. Here is the run that it draws from: every number that the model makes of the
# sentence, by name.

# %% settings
model = "tiny-lm"
text = "The quick brown fox jumps over the lazy"
target = ""  # a translation for a model that writes one; empty: its own

# %%
from model import load
from model.names import describe
from viz.attention.heads import weights_figure
from viz.shared.tokens import words

m = load(model)
trace = m.trace_on_demand(text, target=target or None)  # a tensor is made when it is looked at
for name in trace.tensors:
    print(f"{name:40} {tuple(trace[name].shape)!s:20} {describe(name, m.config.gated).meaning}")

# %%
last = [name for name in trace.tensors if name.endswith("self_attn.weights")][-1]
weights = trace[last][0]  # (queries, keys) of head 0
queries = words(trace.tokens)
figure = weights_figure(weights.numpy(), queries, queries)
figure

# %%
assert ((weights.sum(-1) - 1).abs() < 1e-5).all(), "each row of weights sums to 1"
