# %% [markdown]
# Skip connections: how much of the gradient reaches each depth, with and without them.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
block_depth = 12  # layers of the untrained networks

# %%

from model import load
from model.experiments.gradients import fresh, gradient_by_depth, narrow
from model.run import ids_of
from viz.shared.lines import by_place, lines_figure

m = load(model)
pair = m.config.kind == "encoder-decoder"
source = m.tokens_of(text)
ids = ids_of(m.target_tokens(source, target or None) if pair else source)
read = ids_of(source) if pair else None
# Untrained networks of this model's kind, narrow, from one fixed seed.
shape = narrow(m.config, 64)
parts = {
    "untrained": (True, True),
    "untrained, no skips": (False, True),
    "untrained, no norms": (True, False),
    "untrained, neither": (False, False),
}
lines = {f"{m.card.title}, trained": gradient_by_depth(m.network, ids, read).tolist()}
for name, (residual, norm) in parts.items():
    lines[name] = gradient_by_depth(fresh(shape, block_depth, residual, norm), ids, read).tolist()
assert all(len(values) == block_depth for name, values in lines.items() if name in parts)

# %%
figure = lines_figure(by_place(lines), "layer", "gradient norm", log="y")
figure
