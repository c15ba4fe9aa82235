# %% [markdown]
# The lecture notes' worked table (Shamsi 2024), for the words of the view.

# %% settings
words = "I am a robot"
wordwidth = 4
wordbase = 100.0

# %%
import math

import pandas as pd
import torch

from model.network.positions import sinusoidal

listed = words.split()[:12]
P = sinusoidal(torch.arange(len(listed)), wordwidth, wordbase)  # (words, d)
for t in range(len(listed)):
    for k in range(wordwidth // 2):
        angle = t / wordbase ** (2 * k / wordwidth)
        assert abs(P[t, 2 * k] - math.sin(angle)) < 1e-9
        assert abs(P[t, 2 * k + 1] - math.cos(angle)) < 1e-9

# %%
table = pd.DataFrame(
    P.numpy(), index=listed, columns=[f"{'cos' if j % 2 else 'sin'}, pair {j // 2}" for j in range(wordwidth)]
)
table
