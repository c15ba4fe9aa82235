# %% [markdown]
# What patches save: entries of one head's attention against the side of the picture.

# %% settings
see_model = "digits-vit"

# %%
from model.vision.model import load_vision
from viz.models.see import cost_figure

config = load_vision(see_model).config


def entries(side, patch):
    return (side * side / patch**2 + config.n_special_tokens) ** 2  # patches and learnt tokens, squared


sides, patches = (28, 56, 112, 224, 448, 896, 1792), (1, 4, 7, 14, 28)
lines = {
    ("pixels as tokens" if size == 1 else f"patches of {size} x {size}"): [entries(side, size) for side in sides]
    for size in patches
}
here = entries(config.image_size, config.patch_size)
assert here == config.max_length**2
figure = cost_figure(sides, lines, (config.image_size, here))
figure
