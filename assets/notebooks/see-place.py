# %% [markdown]
# Does place matter? The same picture shuffled, blanked or shifted, with positions and without.

# %% settings
see_model = "digits-vit"
example = "digit 3"  # one of the view's examples
source = "example"
change = "shuffle"  # or "blank", "shift"
seed = 0
share = 0.3  # of the patches that are blanked
right = 2  # pixels
down = 0
fit = ""  # how a picture that is not square is read; "": by the model's files, or else its middle

# %%
from pathlib import Path

import numpy as np

from model.edits.patches import blank_patches, shuffle_patches, without_positions
from model.vision.digits import held_out
from model.vision.features import as_digit, shapes, shift_picture
from model.vision.files import read_picture
from model.vision.model import load_vision
from viz.models.see import overlay_figure, probabilities_figure

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

# %%
order = np.random.default_rng(seed).permutation(config.n_patches).tolist()
edits, changed = (), square
if change == "shift":
    changed = shift_picture(square, right, down)
elif change == "blank":
    edits = (blank_patches(order[: round(share * config.n_patches)]),)
else:
    edits = (shuffle_patches(order),)
# The digits models come with and without positions; another model has its position vectors set to 0.
if m.reads_digits:
    tried = {
        "with positions": (load_vision("digits-vit"), ()),
        "without positions": (load_vision("digits-vit-nopos"), ()),
    }
else:
    tried = {"with positions": (m, ()), "positions set to 0": (m, (without_positions(),))}
wanted = ("*.weights", "image_logits") if config.image_labels else "*.weights"
runs = {}
for name, (each, always) in tried.items():
    before = each.trace_image(each.preparation.normalise(square), keep=wanted, edits=always)
    after = each.trace_image(each.preparation.normalise(changed), keep=wanted, edits=(*always, *edits))
    runs[name] = (each, before, after)

# %%
figures = []
for name, (each, before, after) in runs.items():
    if config.image_labels:
        chances = {"before": each.probabilities(before).tolist(), "after": each.probabilities(after).tolist()}
        likeliest = sorted(range(len(config.image_labels)), key=lambda i: -chances["before"][i])[:10]
        shown = range(len(config.image_labels)) if len(config.image_labels) <= 10 else likeliest
        bars = {when: [values[i] for i in shown] for when, values in chances.items()}
        figures.append(probabilities_figure(bars, [config.image_labels[i] for i in shown], kind=config.label_scores))
        if change == "shuffle" and name == "without positions":
            moved = max(abs(a - b) for a, b in zip(chances["before"], chances["after"], strict=True))
            assert moved < 1e-4, "to a model without positions the picture is a bag of patches"
for each, before, _ in runs.values():
    special = each.config.n_special_tokens
    gaze = before[f"encoder.{config.n_encoder_layers - 1}.self_attn.weights"][:, 0, special:]
    figures.append(overlay_figure(square, gaze.mean(0).numpy(), side, -1, "light", 240))
for figure in figures:
    figure.show()
