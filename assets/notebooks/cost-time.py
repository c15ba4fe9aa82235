# %% [markdown]
# The time of one pass by the number of tokens, measured here: times are this machine's, so they are not the view's.

# %% settings
model = "tiny-lm"

# %%
from model import load
from model.cost.formulas import model_costs
from model.cost.timing import measure
from viz.learning.cost import time_figure

m = load(model)
pair = m.config.kind == "encoder-decoder"
lengths = [length for length in (8, 16, 32, 64, 96, 128, 192, 256) if length <= min(m.config.max_length, 256)]
done = list(measure(m.network, lengths))
assert len(done) == len(lengths)
# How the time would grow if each multiplication took the same.
counts = {
    length: sum(each.multiplications for each in model_costs(m.config, length, length if pair else 0))
    for length in range(lengths[0], lengths[-1] + 1)
}
expected = {length: done[-1].seconds * count / counts[lengths[-1]] for length, count in counts.items()}

# %%
figure = time_figure([each.tokens for each in done], [each.seconds for each in done], expected)
figure
