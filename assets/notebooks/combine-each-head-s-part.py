# %% [markdown]
# MHA is a sum: what each head adds, through its own rows of W_O.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
attention = "decoder.self_attn"
layer = 0
query = -1  # -1: the last one

# %%
from model import load
from model.analysis.head_parts import head_parts
from model.analysis.head_steps import Attention, module_of
from viz.attention.combine import parts_figure, sizes_figure
from viz.shared.tokens import labels

m = load(model)
stack, part = attention.split(".")
at = Attention(stack, layer, part)
trace = m.trace(text, keep=(f"{at.path}.heads", f"{at.path}.out"), target=target or None)
parts = head_parts(m, trace, at)  # (heads, tokens, d_model)
out, bias = trace[f"{at.path}.out"], module_of(m, at).out.bias
bias = None if bias is None else bias.detach()
difference = (parts.sum(0) + (0 if bias is None else bias) - out).abs().max()
print(f"The sum of the parts and the output of attention differ by at most {difference:.1e}")
assert difference < 1e-3

# %%
tokens = labels(trace.source_tokens if stack == "encoder" and trace.source_tokens else trace.tokens)
figures = [
    parts_figure(parts[:, query].numpy(), out[query].numpy(), None if bias is None else bias.numpy()),
    sizes_figure(parts.norm(dim=-1).numpy(), tokens),
]
for figure in figures:
    figure.show()
