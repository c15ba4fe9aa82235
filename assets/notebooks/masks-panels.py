# %% [markdown]
# A mask in a real head: the model is run twice, once with it, once with nothing hidden in its place.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
attention = "decoder.self_attn"
layer = 1
head = 0
kind = "causal"  # none, causal, padding, causal and padding, painted
paint = ""  # a painted mask, as the view's link writes it
where = "every layer"  # or "this layer"

# %%
import torch

from model import load
from model.head_steps import Attention, keep_for
from model.masks import hide
from model.painted_masks import edit_of, mask_from_text, presets
from viz.heads import weights_figure
from viz.tokens import words

m = load(model)
stack, part = attention.split(".")
at = Attention(stack, layer, part)
plain = m.trace(text, keep=keep_for(m.config, at), target=target or None)
size = plain[f"{at.path}.weights"].shape[1:]  # (queries, keys)
visible = presets(*size)["causal" if "causal" in kind else "all visible"]
if kind == "painted" and paint:
    visible = mask_from_text(paint)
elif kind == "painted":
    visible = ~torch.isneginf(plain[f"{at.path}.mask"])
if "padding" in kind:
    print("The view pads the sentence to the longest of a batch; here it stands alone, so nothing is hidden for it.")


def run_with(visible):
    edit = edit_of(at, hide(visible), where == "every layer")
    return m.trace_tokens(plain.tokens, plain.source_tokens, keep=keep_for(m.config, at), edits=[edit])


with_mask, without = run_with(visible), run_with(torch.ones_like(visible))

# %%
shows = {
    "scores": without[f"{at.path}.scores"][head],
    "masked": with_mask[f"{at.path}.masked"][head],
    "weights without": without[f"{at.path}.weights"][head],
    "weights with": with_mask[f"{at.path}.weights"][head],
}
assert (shows["weights with"][~visible] == 0).all(), "what is hidden gets weight 0"

# %%
queries = words(plain.source_tokens if stack == "encoder" and plain.source_tokens else plain.tokens)
keys = words(plain.source_tokens) if part == "cross_attn" else queries
figure = weights_figure(shows["weights with"].numpy(), queries, keys, hidden=(~visible).numpy())
figure
