# %% [markdown]
# From pixels to tokens: the picture in patches, each flattened to a row, and what the projection looks for.

# %% settings
see_model = "digits-vit"
example = "digit 3"  # one of the view's examples
source = "example"
patch = -1  # the framed one; -1: the middle
fit = ""  # how a picture that is not square is read; "": by the model's files, or else its middle

# %%
from pathlib import Path

import numpy as np
import torch

from model.network.patches import patchify, unpatchify
from model.vision.digits import held_out
from model.vision.features import as_digit, position_similarity, shapes
from model.vision.files import read_picture
from model.vision.model import load_vision
from viz.models.see import filters_figure, flattened_patches_figure, grid_figure, positions_figure

m = load_vision(see_model)
config, side = m.config, m.config.patches_a_side
own = ""  # the path of a picture of your own: the view's link cannot hold one
if source != "example":
    print("The view showed a picture of the reader's own. Set `own` to its file, or see the example instead.")
if own:
    rgb = read_picture(Path(own).read_bytes()).rgb
    square = as_digit(rgb) if m.reads_digits else m.preparation.reading(fit).square(rgb)
elif example.startswith("digit "):
    square = m.preparation.square(held_out()[0][50 * int(example[-1]) + 3][..., None].repeat(3, -1))
elif example == "shapes":
    square = m.preparation.square(shapes())
else:
    square = m.preparation.square(read_picture(Path(f"assets/pictures/{example}.jpg").read_bytes()).rgb)
pixels = m.preparation.normalise(square)  # (channels, height, width)
trace = m.trace_image(pixels, keep="embed.patches")

# %%
rows = trace["embed.patches"]  # (patches, P² C)
assert torch.equal(rows, patchify(pixels, config.patch_size))
assert torch.equal(unpatchify(rows, config.patch_size, config.channels, side), pixels), "nothing is lost"
print(f"{config.n_patches} rows of {config.patch_width} values")

# %%
chosen = config.n_patches // 2 + side // 2 if patch < 0 else patch
filters = m.patches.filters.detach().numpy()  # (D, C, P, P)
order = np.argsort(-np.sqrt((filters**2).sum((1, 2, 3))))[:64]
figures = [
    grid_figure(square, side, chosen),
    flattened_patches_figure(rows.numpy(), chosen),
    filters_figure(filters[order], 16),
]
if m.position_table is not None:
    figures.append(
        positions_figure(position_similarity(m.position_table.detach(), config.n_special_tokens).numpy(), side)
    )
for figure in figures:
    figure.show()
