# %% [markdown]
# Heads that fall silent: the run again, with their outputs set to zero.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
place = "decoder.self_attn"
layer = 0
muted = (0,)
scope = "this layer"  # or "every layer"

# %%
from torch.nn.functional import cosine_similarity

from model import ablate, load
from model.head_parts import edited
from model.head_steps import Attention, final_name
from viz.combine import before_after_figure
from viz.masks import change_figure
from viz.tokens import labels

m = load(model)
stack, part = place.split(".")
at = Attention(stack, layer, part)
edit = ablate(at.every_layer if scope == "every layer" else at.path, muted or (0,))
plain = m.trace(text, target=target or None)
changed = m.trace(text, target=target or None, edits=[edit])
assert (changed[f"{at.path}.heads"][list(muted or (0,))] == 0).all()

# %%
if m.config.kind == "decoder":
    before, after = plain.logits[-1].softmax(-1), changed.logits[-1].softmax(-1)
    likely = before.topk(8).indices.tolist()
    likely += [id for id in after.topk(3).indices.tolist() if id not in likely]
    figure = before_after_figure(labels(m.tokenizer.tokens(likely)), before[likely].tolist(), after[likely].tolist())
elif m.config.kind == "encoder":
    last = final_name(m.config, "encoder")
    moved = 1 - cosine_similarity(plain[last], changed[last], dim=-1)
    figure = change_figure(labels(plain.tokens), moved.numpy(), "1 − cosine")
else:
    for name, each in (("all heads", m), ("muted", edited(m, edit))):
        print(f"{name}: {m.output_tokenizer.decode(list(each.translate_ids(m.read(text))))}")
    figure = None
figure
