# %% [markdown]
# What a position vector knows of distance: p(t)·p(s), by t - s.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
distance = "sinusoidal"  # or "learned", "rotary"
rows = "sentence"  # or "length"
d = 32
base = 10000.0
length = 64

# %%
import torch

from model import load
from model.experiments.position_schemes import rotary_scheme
from model.network.positions import by_distance, sinusoidal
from viz.shared.lines import by_place, lines_figure

m = load(model)
count = len(m.tokens_of(text)) if rows == "sentence" else length
if distance == "learned":
    trained = m if m.config.positions == "learned" else load("minilm-l6")
    table = getattr(trained.on_cpu.network, trained.config.stacks[0]).embed.positions.weight.detach()
    p = table[:count].double()
    p = p / p.norm(dim=-1, keepdim=True)
elif distance == "rotary":
    p = rotary_scheme(d, base).all(count)
else:
    p = sinusoidal(torch.arange(count), d, base)  # (positions, d)
scores = p @ p.mT  # (t, s)
curve = by_distance(scores)  # (2T - 1, 3): mean, least and most at each distance
shows = {"by distance": curve}
if distance != "learned":
    assert (curve[:, 2] - curve[:, 1]).max() < 1e-6, "only the distance counts"

# %%
figure = lines_figure(by_place({"mean": curve[count - 1 :, 0].tolist()}), "distance", "p(t)·p(s)")
figure
