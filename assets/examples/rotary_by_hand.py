# %% [markdown]
# Rotary positions: the score of a query and a key depends on their distance alone.

# %%
model = "smollm2-135m"
text = "The quick brown fox jumps over the lazy"
layer = 16
head = 0
query = -1  # -1: the last token
key = -1  # -1: the one before it
turned = 0  # the pair of features that is shown

# %%

import torch

from glassformer import available, load
from glassformer.model.network.positions import (
    pair_contributions,
    rotary_gains,
    rotary_speeds,
    rotate,
    rotation,
    score_by_distance,
)
from glassformer.viz.inputs.positions import contributions_figure, distance_figure, rotary_figure
from glassformer.viz.shared.tokens import words

m = load(model)
if m.config.positions != "rotary":  # the view then shows another model's head
    ready = [card.name for card in available() if card.ready]
    m = load(next(name for name in ("smollm2-135m", "tiny-lm-rotary") if name in ready))
config = m.config
here = f"{config.stacks[0]}.{layer}.self_attn"
trace = m.trace(text, keep=f"{here}.*")
labels = words(trace.tokens)
t = query if query >= 0 else len(labels) - 1
s = key if key >= 0 else max(len(labels) - 2, 0)
shared = config.kv_head_of(head)
q, k = trace[f"{here}.q_unrotated"][head, t], trace[f"{here}.k_unrotated"][shared, s]  # (d_k,) each
scale = config.score_divisor

# %%
# Turn both by their places, and compare with the run; then the same score by distance alone.
of_layer = config.of_layer(config.stacks[0], layer)
speeds, gains = rotary_speeds(of_layer), rotary_gains(of_layer)  # one a pair
turn = rotation(torch.tensor([t, s]), speeds, torch.float32, gains)
turned_q, turned_k = rotate(torch.stack((q, k)), turn)
assert torch.allclose(turned_q, trace[f"{here}.q"][head, t], atol=1e-3)
assert torch.allclose(turned_k, trace[f"{here}.k"][shared, s], atol=1e-3)
parts = pair_contributions(q, k, t - s, speeds, gains) / scale  # one a pair
score = float(trace[f"{here}.scores"][head, t, s])
assert abs(float(parts.sum()) - score) < 1e-2
print(f"{labels[t]} and {labels[s]}, {t - s} apart: score {score:.3f}")

# %%
pair = slice(2 * turned, 2 * turned + 2)
before, after = torch.stack([q[pair], k[pair]]), torch.stack([turned_q[pair], turned_k[pair]])
distances = torch.arange(65)
curve = score_by_distance(q, k, distances, speeds, gains) / scale
figures = [
    rotary_figure(before.numpy(), after.numpy(), (f"q of {labels[t]}", f"k of {labels[s]}"), turned),
    contributions_figure(parts.numpy(), turned),
    distance_figure(distances.numpy(), curve.numpy(), (t - s, score)),
]
for figure in figures:
    figure.show()
