# %% [markdown]
# Post-norm and pre-norm: the same parts in two orders, and the length of the stream in untrained networks.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
block_depth = 12  # layers of the untrained networks

# %%

import torch

from model import load
from model.experiments.gradients import fresh, in_order, lone_encoder, narrow
from model.run import ids_of
from model.tape import Tape
from viz.shared.lines import by_place, lines_figure

m = load(model)
ids = ids_of(m.tokens_of(text))
lines = {}
for order, title in (("post", "Post-norm"), ("pre", "Pre-norm")):
    shape = lone_encoder(narrow(m.config, 64))
    tape = Tape("*.resid_in")
    with torch.inference_mode():
        fresh(in_order(shape, order), block_depth, residual=True, norm=True).encode(ids, tape)
    lines[title] = [float(x.norm(dim=-1).mean()) for x in tape.records.values()]
if block_depth > 4:
    assert lines["Pre-norm"][-1] > lines["Pre-norm"][0], "every layer adds, and nothing takes away"

# %%
figure = lines_figure(by_place(lines), "layer", "length of the stream")
figure
