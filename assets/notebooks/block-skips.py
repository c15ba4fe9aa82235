# %% [markdown]
# Skip connections: how much the tokens differ, and how much of the gradient is left, at each depth.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
block_depth = 12  # layers of the untrained networks

# %%

from model import load
from model.analysis.token_differences import differences_by_depth
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
streams = {name: record_streams(network, ids, read) for name, network in networks.items()}
differences = {name: differences_by_depth(networks[name].config, each).tolist() for name, each in streams.items()}
gradients = {name: gradient_by_depth(networks[name], ids, each).tolist() for name, each in streams.items()}
assert all(len(values) == block_depth for name, values in gradients.items() if name in parts)

# %%
figures = [
    lines_figure(by_place(differences), "layer", "difference of the tokens", log="y"),
    lines_figure(by_place(gradients), "layer", "gradient norm", log="y"),
]
figures[0]

# %%
figures[1]
