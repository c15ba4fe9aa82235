# %% [markdown]
# The whole run of the sentence: every number that the model makes of it, by name, and what it predicts.

# %% settings
model = "tiny-lm"
text = "The quick brown fox jumps over the lazy"
target = ""
layer = 1

# %%
import pandas as pd

from model import load
from model.analysis.asked_place import asked_place
from model.names import describe
from viz.attention.heads import weights_figure
from viz.shared.tokens import labels, words

m = load(model)
trace = m.trace_on_demand(text, target=target or None)  # a tensor is made when it is looked at
shapes = {name: tensor.shape for name, tensor in trace.tensors.items()}
print(f"{len(shapes)} tensors, {sum(shape.numel() for shape in shapes.values()):,} numbers")
pd.DataFrame(
    {"tensor": name, "shape": " × ".join(map(str, shape)), "meaning": describe(name, m.config.gated).meaning}
    for name, shape in shapes.items()
)

# %%
if m.config.answers_words:
    place = -1 if m.config.kind != "encoder" else asked_place(m, trace)  # of an encoder the place of a mask
    chances = trace.logits[place].softmax(-1)
    assert abs(float(chances.sum()) - 1) < 1e-4
    best = chances.topk(5).indices.tolist()
    for name, chance in zip(labels(m.output_tokenizer.tokens(best)), chances[best].tolist(), strict=True):
        print(f"{chance:6.1%} {name}")

# %%
stack = m.config.stacks[-1]
layer = min(layer, m.config.n_layers(stack) - 1)
weights = trace[f"{stack}.{layer}.self_attn.weights"]  # (heads, queries, keys)
assert ((weights.sum(-1) - 1).abs() < 1e-4).all(), "each row of weights sums to 1"
names = words(trace.tokens)
figure = weights_figure(weights[0].numpy(), names, names)
figure
