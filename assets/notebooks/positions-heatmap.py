# %% [markdown]
# P[t, j]: the position vectors, one row a position.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
source = "formula"  # or "model": what the model itself has
rows = "sentence"  # or "length"
d = 32
base = 10000.0
length = 64

# %%
import torch

from model import load
from model.analysis.circuits.distance import bias_by_distance
from model.network.positions import frequencies, rotary_speeds, waves
from viz.block.layer import tensor_figure
from viz.inputs.relative_positions import bias_figure
from viz.shared.tokens import words

m = load(model)
labels = words(m.tokens_of(text))
count = len(labels) if rows == "sentence" else length
if source == "model" and m.config.positions == "relative":  # no vectors: a bias for each distance and head
    shows = {stack: bias_by_distance(m, stack, count) for stack in m.config.stacks}
    arrays = {stack.capitalize(): (at.numpy(), biases.numpy()) for stack, (at, biases) in shows.items()}
    figure, shows = bias_figure(arrays), {stack: biases for stack, (_, biases) in shows.items()}
elif source == "model" and m.config.positions == "learned":
    embedding = getattr(m.on_cpu.network, m.config.stacks[0]).embed
    with torch.inference_mode():
        P = embedding.position_vectors(torch.arange(count))
    shows = {"P": P}
else:
    if source == "model" and m.config.positions == "rotary":
        speeds = rotary_speeds(m.config)
        speeds = speeds[speeds > 0]  # of the pairs that turn
    elif source == "model":
        speeds = frequencies(m.config.position_width, m.config.position_base)
    else:
        speeds = frequencies(d, base)  # one a pair
    t = torch.arange(count)[:, None]
    P = waves(t[:, 0], speeds)  # (positions, d)
    assert torch.allclose(P[:, 0::2], torch.sin(speeds * t).double(), atol=1e-6)
    assert torch.allclose(P[:, 1::2], torch.cos(speeds * t).double(), atol=1e-6)
    shows = {"frequencies": speeds}

# %%
if "P" in globals():
    figure = tensor_figure(P.numpy(), [*labels, *map(str, range(len(labels), count))][:count])
figure
