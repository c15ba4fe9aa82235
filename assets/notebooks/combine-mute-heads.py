# %% [markdown]
# Heads that fall silent: the run again, with their outputs set to zero.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
attention = "decoder.self_attn"
layer = 0
muted_ = (0,)  # empty: head 0
scope = "this layer"  # or "every layer"

# %%
from torch.nn.functional import cosine_similarity

from model import ablate, load
from model.analysis.head_steps import Attention, final_name
from model.experiments.surgery import edit_model
from viz.attention.combine import before_after_figure, slices_figure
from viz.attention.masks import change_figure
from viz.shared.tokens import labels

m = load(model)
stack, part = attention.split(".")
at = Attention(stack, layer, part)
muted = muted_ or (0,)
edit = ablate(at.every_layer if scope == "every layer" else at.path, muted)
last = final_name(m.config, m.config.stacks[-1])
keep = (f"{at.path}.heads", f"{at.path}.concat", last, "logits")
plain = m.trace(text, keep=keep, target=target or None)
changed = m.trace(text, keep=keep, target=target or None, edits=[edit])
assert (changed[f"{at.path}.heads"][list(muted)] == 0).all()

# %%
tokens = plain.source_tokens if stack == "encoder" and plain.source_tokens else plain.tokens
figures = [slices_figure(plain[f"{at.path}.concat"].numpy(), labels(tokens), m.config.n_heads, muted)]
if m.config.kind == "decoder":
    before, after = plain.logits[-1].softmax(-1), changed.logits[-1].softmax(-1)
    likely = before.topk(8).indices.tolist()
    likely += [id for id in after.topk(3).indices.tolist() if id not in likely]
    shares = before[likely].tolist(), after[likely].tolist()
    figures.append(before_after_figure(labels(m.tokenizer.tokens(likely)), *shares))
elif m.config.kind == "encoder":
    moved = 1 - cosine_similarity(plain[last], changed[last], dim=-1)
    figures.append(change_figure(labels(plain.tokens), moved.numpy(), "1 − cosine"))
else:
    for name, each in (("all heads", m), ("muted", edit_model(m, edits=[edit]))):
        print(f"{name}: {m.output_tokenizer.decode(list(each.translate_ids(m.tokens_of(text))))}")
for figure in figures:
    figure.show()
