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
from model.experiments.layerwise_gradient import record_streams
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
networks = {f"{m.card.title}, trained": m.network}
for name, (residual, norm) in parts.items():
    networks[name] = fresh(shape, block_depth, residual, norm)
lines = {
    name: gradient_by_depth(network, ids, record_streams(network, ids, read)).tolist()
    for name, network in networks.items()
}
assert all(len(values) == block_depth for name, values in lines.items() if name in parts)

# %%
figure = lines_figure(by_place(lines), "layer", "gradient norm", log="y")
figure
