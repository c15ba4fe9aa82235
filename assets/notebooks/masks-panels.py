# %% [markdown]
# A mask in a real head: the model is run twice, once with it, once with nothing hidden in its place.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
attention = "decoder.self_attn"
layer = 1
head = 0
kind = "causal"  # none, causal, window, padding, causal and padding, painted
width = 0  # keys in the window; 0: the model's own width, or 3
batch = "I am a robot"  # the other sentences of a padded batch, one a line
paint = ""  # a painted mask, as the view's link writes it
where = "every layer"  # or "this layer"

# %%
import torch

from model import load
from model.analysis.head_steps import Attention, keep_for, kinds
from model.experiments.padded_batch import fill_up, padding_token
from model.experiments.painted_masks import edit_of, fit_mask, mask_from_text, near, presets
from viz.attention.heads import weights_figure
from viz.shared.tokens import words

m = load(model)
at = Attention(attention.split(".")[0], layer, attention.split(".")[1])
plain = m.trace(text, keep=(), target=target or None)
written, source = plain.tokens, plain.source_tokens
real, source_real = torch.ones(len(written), dtype=torch.bool), torch.ones(len(source), dtype=torch.bool)
if "padding" in kind:  # fill the sentence up to the longest of the batch
    others = [m.trace(line, keep=()) for line in batch.splitlines()[:7] if line.strip()]
    filled = fill_up([written, *(each.tokens for each in others)], padding_token(m.output_tokenizer))
    written, real = filled.tokens[0], filled.is_real[0]
    if source:
        filled = fill_up([source, *(each.source_tokens for each in others)], padding_token(m.tokenizer))
        source, source_real = filled.tokens[0], filled.is_real[0]


def sides(stack, part):
    """Queries, keys, and which keys are no padding."""
    own = (source, source_real) if stack == "encoder" and source else (written, real)
    return (own[0], source, source_real) if part == "cross_attn" else (own[0], *own)


def mask_of(stack, part, causal, padding, width=None):
    queries, keys, is_real = sides(stack, part)
    visible = presets(len(queries), len(keys))["causal" if causal else "all visible"]
    if width is not None:
        visible = visible & near(len(queries), len(keys), width)
    return visible & is_real if padding else visible


def own_mask(at, padding=False):
    """The model's own mask in an attention: causal in a decoder, with the window that the layer may have."""
    looks_at_itself = at.part == "self_attn"
    width = m.config.window_of(at.stack, at.layer) if looks_at_itself else None
    return mask_of(at.stack, at.part, at.stack == "decoder" and looks_at_itself, padding, width)


# %%
is_causal = at.stack == "decoder" and at.part == "self_attn"
own_width = m.config.window_of(at.stack, at.layer) if is_causal else None
if kind == "painted":
    visible = own_mask(at)
elif kind == "window":
    visible = mask_of(at.stack, at.part, is_causal, False, width or own_width or 3)
else:
    visible = mask_of(at.stack, at.part, "causal" in kind, "padding" in kind)
if kind == "painted" and paint:
    painted = mask_from_text(paint)
    visible = painted if painted.shape == visible.shape else fit_mask(painted, visible)
edits = []
if "padding" in kind:  # all other attentions keep their own masks, with the padding hidden
    for stack, part in kinds(m.config):
        for each in range(m.config.n_layers(stack)):
            other = Attention(stack, each, part)
            edits.append(edit_of(other, own_mask(other, True), False))


def run_with(visible):
    edit = edit_of(at, visible, where == "every layer")
    return m.trace_tokens(written, source, keep=keep_for(m.config, at), edits=[*edits, edit])


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
queries, keys, _ = sides(at.stack, at.part)
figure = weights_figure(shows["weights with"].numpy(), words(queries), words(keys), hidden=(~visible).numpy())
figure
