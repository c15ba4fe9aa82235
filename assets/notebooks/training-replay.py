# %% [markdown]
# A snapshot of a training that is shipped with its model: what it could do by then, and what its heads had become.

# %% settings
text = "the dog sees the"
of = "tiny-lm"  # or "en-ur"
snapshot = -1  # -1: the last one
layer = -1  # -1: the layer of the best head

# %%
import numpy as np

from model import load
from model.experiments import snapshots as replay
from viz.learning.training import loss_figure
from viz.shared.sheet import grid_figure
from viz.shared.style import isolate, percent
from viz.shared.tokens import words

m = load(of)
snapshots = m.card.details["snapshots"]
shown = snapshot if snapshot >= 0 else len(snapshots) - 1
then = load(of, snapshot=shown)
step = snapshots[shown]["step"]
print(f"After {step:,} steps: {replay.answer(then, text)}")

# %%
scores = replay.head_scores(then)  # (layers, heads): induction, or alignment
assert ((scores >= 0) & (scores <= 1)).all()
layer = layer if layer >= 0 else int(replay.head_scores(m).amax(-1).argmax())
# All snapshots of a translator read the same translation, that of the trained model.
pair = m.config.kind == "encoder-decoder"
target = tuple(token.id for token in m.target_tokens(m.tokens_of(text), None)[1:]) if pair else ()
weights = replay.attention(then, text, target)[layer].numpy()  # (heads, queries, keys)
assert np.allclose(weights.sum(-1), 1, atol=1e-4)

# %%
held_out = {entry["step"]: entry["metrics"]["loss"] for entry in snapshots}
writer = m.output_tokenizer
keys = words(m.tokens_of(text))
queries = words(writer.tokens([writer.sequence_start, *target])) if pair else keys
titles = [f"head {head}: {percent(score)}" for head, score in enumerate(scores[layer].tolist())]
weights = weights.astype(np.float16).astype(np.float32)[:, :40, :40]  # as the page keeps them
figures = [
    loss_figure(m.card.details["curve"], held_out, step),
    grid_figure(weights, titles, [isolate(each) for each in queries[:40]], [isolate(each) for each in keys[:40]]),
]
for figure in figures:
    figure.show()
