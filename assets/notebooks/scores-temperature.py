# %% [markdown]
# One row of scores at another temperature.

# %% settings
model = "smollm2-135m"
text = "The quick brown fox jumps over the lazy"
target = ""
attention = "decoder.self_attn"
layer = 10
head = 1
query = 7
temperature = 0.5

# %%
from model import load
from model.analysis.scores import entropy, softmax_at
from viz.attention.scores import temperature_figure
from viz.shared.tokens import words

m = load(model)
stack, part = attention.split(".")
here = f"{stack}.{layer}.{part}"
trace = m.trace(text, keep=f"{here}.*", target=target or None)
row = trace[f"{here}.masked"][head, query]  # (keys,)
usual, tempered = softmax_at(row, 1.0), softmax_at(row, temperature)
assert (usual - trace[f"{here}.weights"][head, query]).abs().max() < 1e-5
print(f"The row's entropy goes from {entropy(usual):.2f} to {entropy(tempered):.2f} bits.")

# %%
reads_source = (stack == "encoder" or part == "cross_attn") and trace.source_tokens
keys = words(trace.source_tokens if reads_source else trace.tokens)
figure = temperature_figure(keys, usual.numpy(), tempered.numpy(), f"temperature {temperature:g}")
figure
