# %% [markdown]
# The time of one pass by the number of tokens, measured here: times are this machine's, so they are not the view's.

# %% settings
model = "tiny-lm"

# %%
from model import load
from model.cost.timing import fit, measure
from viz.learning.cost import time_figure

m = load(model)
lengths = [length for length in (8, 16, 32, 64, 96, 128, 192, 256) if length <= min(m.config.max_length, 256)]
done = list(measure(m.network, lengths))
fitted = fit(done) if len(done) >= 3 else None  # seconds: constant, times T, times T²
assert len(done) == len(lengths)

# %%
figure = time_figure([each.tokens for each in done], [each.seconds for each in done], fitted)
figure
