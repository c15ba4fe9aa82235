# %% [markdown]
# One head from X to its part of the residual stream, a matrix at a time, each recomputed from the ones before.

# %%
model = "smollm2-135m"
text = "The quick brown fox jumps over the lazy"
target = ""
attention = "decoder.self_attn"
layer = 9
head = 2
step = "project"  # or normalise, rotate, scores, scale, bias, cap, mask, softmax, mix, concat, output
of = "q"  # what is projected: q, k or v

# %%
import torch

from glassformer import load
from glassformer.model.analysis.head_steps import Attention, keep_for, of_head
from glassformer.model.network.masks import masked_softmax
from glassformer.model.network.positions import rotary_gains, rotary_speeds, rotate, rotation
from glassformer.viz.attention.heads import weights_figure
from glassformer.viz.shared.tokens import words

m = load(model)
stack, part = attention.split(".")
at = Attention(stack, layer, part)
trace = m.trace(text, keep=keep_for(m.config, at), target=target or None)
h = of_head(m, trace, at, head)

# %%
# Project: each of the head's three matrices makes one vector a token.
q = h.x @ h.w_q + (0 if h.b_q is None else h.b_q)  # (queries, d_k)
k = h.memory @ h.w_k + (0 if h.b_k is None else h.b_k)  # (keys, d_k)
v = h.memory @ h.w_v + (0 if h.b_v is None else h.b_v)  # (keys, d_k)
projected = {"q": q, "k": k, "v": v}
# Divide queries and keys by their root mean square, where the model has norms for them.
if h.q_gain is not None:
    q, k = q / h.q_rms * h.q_gain, k / h.k_rms * h.k_gain
normed = {"q": q, "k": k}
# Rotate, where the model has rotary positions.
if h.rotated:
    c = m.config.of_layer(stack, layer)  # layers may turn at speeds of their own
    turn = rotation(torch.arange(len(q)), rotary_speeds(c), torch.float32, rotary_gains(c))
    q, k = rotate(q, turn), rotate(k, turn)
# Score, scale, add the bias of relative positions, mask, softmax.
raw_scores = q @ k.mT  # (queries, keys)
scores_unbiased = raw_scores / m.config.of_layer(stack, layer).score_divisor
scores = scores_unbiased if h.position_bias is None else scores_unbiased + h.position_bias  # of relative positions
if h.scores_uncapped is not None:  # a cap bounds them
    scores = m.config.score_cap * torch.tanh(scores / m.config.score_cap)
weights = masked_softmax(scores + h.mask)
# Mix the values, and turn the mix into this head's part of the sum.
mixed = weights @ v  # (queries, d_k)
is_muted = not trace[f"{at.path}.heads"][head].any()
handed_on = torch.zeros_like(mixed) if is_muted else mixed
part_of_sum = handed_on @ h.w_o  # (queries, d_model)

# %%
turned = {"q": q, "k": k}
made = {"scores": scores, "raw_scores": raw_scores, "weights": weights, "mixed": mixed, "part": part_of_sum}
for name, mine in (projected | turned | made | {"mixed": handed_on}).items():
    worst = float((mine - getattr(h, name)).abs().max())
    print(f"{name:12} {tuple(mine.shape)!s:12} differs from the model's own by at most {worst:.1e}")
    assert torch.allclose(mine, getattr(h, name), rtol=1e-3, atol=1e-3)
result = {"project": projected.get(of), "normalise": normed.get(of), "rotate": turned.get(of)}
result |= {"scores": raw_scores, "scale": scores_unbiased, "bias": None if h.position_bias is None else scores}
result |= {"cap": None if h.scores_uncapped is None else scores}
result |= {"softmax": weights, "mix": mixed, "output": part_of_sum}
shows = {step: result[step]} if result.get(step) is not None else {}  # the matrix that the view's step ends with

# %%
reads_source = stack == "encoder" and trace.source_tokens
queries = words(trace.source_tokens if reads_source else trace.tokens)
keys = words(trace.source_tokens) if part == "cross_attn" else queries
figure = weights_figure(weights.numpy(), queries, keys, hidden=torch.isneginf(h.mask).numpy())
figure.show()
