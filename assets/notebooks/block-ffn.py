# %% [markdown]
# The feed-forward network of one layer: its hidden features before and after the nonlinearity. Where it is gated,
# those before are the gate's, and those after it are multiplied by the features called up.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
attention = "decoder.self_attn"  # of the stack that is shown
layer = 0
query = -1  # -1: the last one

# %%
import torch

from model import load
from model.analysis.neurons import share_of_zero, strongest
from model.network.feed_forward import ACTIVATIONS
from viz.block.layer import histogram_figure, neurons_figure

stack = attention.split(".")[0]

m = load(model)
here = f"{stack}.{layer}.ffn"
trace = m.trace(text, keep=f"{here}.*", target=target or None)
hidden, activated = trace[f"{here}.hidden"], trace[f"{here}.activated"]  # (tokens, d_ff)
again = ACTIVATIONS[m.config.activation](hidden)
again = again * trace[f"{here}.up"] if m.config.gated else again
assert torch.allclose(again, activated, atol=1e-3)
print(f"{share_of_zero(activated):.0%} of the activations are exactly 0.")

# %%
values, neurons = strongest(activated[query], 12)
figures = [neurons_figure(values.tolist(), neurons.tolist()), histogram_figure(hidden.numpy(), activated.numpy())]
for figure in figures:
    figure.show()
