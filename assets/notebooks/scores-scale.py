# %% [markdown]
# Why √d_k: random queries and keys, the variance of their products, and the softmax that saturates.

# %% settings
seed = 0
width = 64  # the d_k that is marked

# %%
import numpy as np

from model.analysis.scores import sample_scale
from viz.attention.scores import scale_figure, sorted_weights_figure

widths = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
width = min(widths, key=lambda each: abs(each - width))
found = sample_scale(widths, seed=seed)
at = widths.index(width)
print(f"At d_k = {width} the products have variance {found.variance[at]:.1f}; theory: {width}")
assert abs(float(found.variance[at]) / width - 1) < 0.3

# %%
lines = {
    "Variance of q · k": {"theory": np.array(widths), "sample": found.variance.numpy()},
    "Largest weight of a row": {"without scale": found.largest.numpy(), "÷ √d_k": found.largest_scaled.numpy()},
    "Size of the softmax's gradient": {
        "without scale": found.gradient.numpy(),
        "÷ √d_k": found.gradient_scaled.numpy(),
    },
}
figures = [scale_figure(np.array(widths), each, width, variance="theory" in each) for each in lines.values()]
figures.append(sorted_weights_figure(found.row[at].numpy(), found.row_scaled[at].numpy()))
for figure in figures:
    figure.show()
