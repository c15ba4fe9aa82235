# %% [markdown]
# A shift of φ words turns every pair of features by its own fixed angle: p(t + φ) = T(φ) p(t).

# %% settings
text = "the dog sees the cat"
model = "tiny-lm"
d = 32
base = 10000.0
phi = 3.0
query = -1  # -1: the last token

# %%
import plotly.graph_objects as go
import torch

from model import load
from model.network.positions import frequencies, shift_matrix, sinusoidal
from viz.shared.tokens import words

labels = words(load(model).tokens_of(text))
token = query if query >= 0 else len(labels) - 1
speeds = frequencies(d, base)  # radians a word, one a pair
here = sinusoidal(torch.tensor([float(token)]), d, base)[0]
there = sinusoidal(torch.tensor([token + phi], dtype=torch.float64), d, base)[0]
turned = shift_matrix(phi, d, base) @ here
assert torch.allclose(turned, there, atol=1e-9)
print(
    f"{labels[token]}: pair 0 turns by {float(speeds[0] * phi):.2f} radians, the last by {float(speeds[-1] * phi):.2g}"
)
shows = {"frequencies": speeds}

# %%
before, after = here.view(-1, 2), there.view(-1, 2)  # (sin, cos) of each pair
figure = go.Figure(layout={"width": 420, "height": 420})
for pair in range(min(4, len(speeds))):
    figure.add_scatter(
        x=[0, float(before[pair, 1])], y=[0, float(before[pair, 0])], name=f"pair {pair}", line_dash="dot"
    )
    figure.add_scatter(
        x=[0, float(after[pair, 1])], y=[0, float(after[pair, 0])], name=f"pair {pair}, {phi:g} words on"
    )
figure
