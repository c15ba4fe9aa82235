# %% [markdown]
# What comes out: a class or a map of what stands out, and the patches' features as three colours.

# %% settings
see_model = "digits-vit"
example = "digit 3"  # one of the view's examples
source = "example"
fit = ""  # how a picture that is not square is read; "": by the model's files, or else its middle

# %%
from pathlib import Path

import torch

from model.network.answer_scores import answer_scores
from model.vision.digits import held_out
from model.vision.features import as_digit, principal_colours, shapes
from model.vision.files import read_picture
from model.vision.model import load_vision
from viz.models.see import enlarge_picture, features_figure, probabilities_figure, saliency_figure
from viz.shared.pictures import picture_figure
from viz.shared.style import write_score

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
wanted = ("final_norm", "image_logits") if config.image_labels else "final_norm"
trace = m.trace_image(pixels, keep=wanted)

# %%
figures = [picture_figure(enlarge_picture(square))]
if config.image_labels:
    chances = m.probabilities(trace)
    assert torch.allclose(chances, answer_scores(trace["image_logits"], config), atol=1e-6)
    print(f"{config.image_labels[int(chances.argmax())]}: {write_score(float(chances.max()), config.label_scores)}")
    shown = range(len(chances)) if len(chances) <= 10 else chances.argsort(descending=True)[:10].tolist()
    shares = {"this picture": [float(chances[i]) for i in shown]}
    figures.append(probabilities_figure(shares, [config.image_labels[i] for i in shown], kind=config.label_scores))
elif m.saliency is not None:
    with torch.inference_mode():
        drawn = m.saliency(trace["final_norm"][config.n_special_tokens :])  # (height, width)
    figures.append(saliency_figure(square, drawn.numpy()))

# %%
# Three principal components of the patches' last vectors, as red, green and blue.
colours, shares = principal_colours(trace["final_norm"][config.n_special_tokens :])
print("They hold", ", ".join(f"{share:.0%}" for share in shares.tolist()), "of the variance.")
figures.append(features_figure(colours.numpy(), side))
for figure in figures:
    figure.show()
