# %% [markdown]
# Added or concatenated: the ways to join embeddings and positions, and the parameters of each.

# %% settings
model = "tiny-lm"
of = "paper"  # or "model"
joined = 64  # the width of p

# %%
from model import load
from model.config import TransformerConfig
from model.experiments.position_mix import mixes
from viz.inputs.positions import cost_figure

paper = TransformerConfig(
    vocab_size=37_000, d_model=512, n_heads=8, d_ff=2048, max_length=512, n_encoder_layers=6, n_decoder_layers=6
)
found = mixes(paper if of == "paper" else load(model).config, joined)
for mix in found:
    print(f"{mix.title:36} e {mix.token_width:5} p {mix.position_width:5} x {mix.d_model:5}: {mix.parameters:12,}")
assert found[1].parameters > found[0].parameters

# %%
figure = cost_figure([mix.title for mix in found], [mix.parameters for mix in found])
figure
