# %% [markdown]
# A small table of readers and books, factorised. Ratings that you changed on the page are not in its link: change them
# here.

# %% settings
k = 2  # numbers a vector

# %%
from itertools import pairwise

import numpy as np
import pandas as pd

from model.vectors import factorisation
from viz.inputs.ladder import loss_figure

ratings = pd.DataFrame(
    {
        "Dune": [5.0, 4.0, None, 1.0, 2.0, None],
        "Foundation": [4.0, None, 5.0, 2.0, None, 1.0],
        "Solaris": [None, 5.0, 4.0, None, 1.0, 2.0],
        "Emma": [1.0, 2.0, None, 5.0, 4.0, None],
        "Persuasion": [None, 1.0, 2.0, 4.0, None, 5.0],
    },
    index=["Ada", "Ben", "Cem", "Dua", "Eve", "Fay"],
)
table = ratings.to_numpy(dtype=float)
found = list(factorisation.fit(table, k, 0.1, 15))
losses = [factorisation.loss(table, each, 0.1) for each in found]
assert all(after <= before + 1e-9 for before, after in pairwise(losses)), "it never rises"

# %%
predicted = pd.DataFrame(found[-1].predicted().round(2), index=ratings.index, columns=ratings.columns)
print(predicted)
print(f"{int(np.isnan(table).sum())} of them were missing.")

# %%
figure = loss_figure(losses, "half-step")
figure
