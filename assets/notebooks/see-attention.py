# %% [markdown]
# Where patches look: one head over the picture, and all layers together by rollout.

# %% settings
see_model = "digits-vit"
example = "digit 3"  # one of the view's examples
source = "example"
layer = -1  # -1: the last one
head = -1  # -1: head 0
patch = -1  # -1: the class token; -2: the distillation token, where there is one
fit = ""  # how a picture that is not square is read; "": by the model's files, or else its middle

# %%
from pathlib import Path

import torch

from model.analysis.rollout import rollout
from model.vision.digits import held_out
from model.vision.features import as_digit, shapes
from model.vision.files import read_picture
from model.vision.model import load_vision
from viz.models.see import overlay_figure

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
trace = m.trace_image(pixels, keep="*.weights")

# %%
special = config.n_special_tokens  # they stand before the patches
asking = -1 - patch if patch < 0 else patch + special
layer, head = (config.n_encoder_layers - 1 if layer < 0 else layer), max(head, 0)
row = trace[f"encoder.{layer}.self_attn.weights"][head, asking]  # (special + patches,)
assert abs(float(row.sum()) - 1) < 1e-4
best = int(row[special:].argmax())
print(f"It looks most at row {best // side + 1}, column {best % side + 1}: {row[best + special]:.0%}")
one_head = overlay_figure(square, row[special:].numpy(), side, patch)
one_head

# %%
rolled = rollout(trace[f"encoder.{each}.self_attn.weights"] for each in range(config.n_encoder_layers))
by_hand = torch.eye(len(rolled))
for each in range(config.n_encoder_layers):  # half of each token stays where it is
    by_hand = (trace[f"encoder.{each}.self_attn.weights"].mean(0) + torch.eye(len(rolled))) / 2 @ by_hand
assert torch.allclose(rolled, by_hand, atol=1e-4)
figure = overlay_figure(square, rolled[asking, special:].numpy(), side, patch)
figure
