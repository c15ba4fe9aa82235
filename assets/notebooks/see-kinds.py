# %% [markdown]
# This view is a table of papers, with nothing to compute. Here is the model that the page runs, tensor by tensor.

# %% settings
see_model = "digits-vit"

# %%
from model.names import describe
from model.vision.digits import held_out
from model.vision.features import shapes
from model.vision.model import load_vision

m = load_vision(see_model)
rgb = held_out()[0][153][..., None].repeat(3, -1) if m.reads_digits else shapes()
trace = m.trace_image(m.preparation.normalise(m.preparation.square(rgb)))
for name, tensor in trace.tensors.items():
    print(f"{name:36} {tuple(tensor.shape)!s:18} {describe(name, m.config.gated).meaning}")
assert len(trace.tokens) == m.config.n_patches + m.config.n_special_tokens
