# %% [markdown]
# The training of a real model: checkpoints that its authors published on the hub, each fetched, measured with one
# sentence, and removed. What was measured on this machine before is not fetched again.

# %% settings
model = "tiny-lm"  # a language model that was added from the hub, such as "EleutherAI/pythia-14m"
published = ""  # another one in its place
text = "the dog sees the"
checkpoints = ()  # steps; (): about one for each doubling
checkpoint = -1  # the place of the shown one among them; -1: the last
layer = -1  # -1: the layer of the best head

# %%
import numpy as np

from model import load
from model.adding.revisions import choose_revisions, list_revisions
from model.experiments.training_replay import Replay
from viz.learning.published import likeliest_figure, sentence_loss_figure
from viz.learning.training import scores_figure
from viz.shared.sheet import grid_figure
from viz.shared.style import isolate, percent
from viz.shared.tokens import words

m = load(published or model)
figures = []
if not m.card.hub:
    print(f"{m.card.title} does not come from the hub. Name a model that does, such as EleutherAI/pythia-14m.")
    print('To get it: from model import add; add("EleutherAI/pythia-14m")')

# %%
if m.card.hub:
    every = list_revisions(m.card.hub)
    revisions = [each for each in every if each.step in checkpoints] or choose_revisions(every)
    replay = Replay(m, revisions, text)
    replay.work(lambda: True)  # a download for each step; interrupt the kernel to stop, run again to go on
    view = replay.view()
    print(view.fault or f"{len(view.measures)} steps are measured.")

# %%
if m.card.hub and view.measures:
    steps = list(view.measures)
    step = steps[checkpoint]
    now = view.measures[step]
    scores = np.stack([each.induction for each in view.measures.values()])  # (steps, layers, heads)
    assert ((scores >= 0) & (scores <= 1)).all()
    best = tuple(int(place) for place in np.unravel_index(scores[-1].argmax(), scores.shape[1:]))
    layer = layer if layer >= 0 else best[0]
    weights = now.weights[layer].astype(np.float32)  # (heads, queries, keys)
    assert np.allclose(weights.sum(-1), 1, atol=2e-3)
    titles = [f"head {head}: {percent(float(score))}" for head, score in enumerate(now.induction[layer])]
    labels = [isolate(word) for word in words(replay.tokens)[: weights.shape[-1]]]
    top = max(float(each.next_shares.max()) for each in view.measures.values())
    likeliest = words(replay.tokens_of(now.next_ids.tolist()))
    figures = [
        scores_figure(steps, scores, step, best, "induction"),
        likeliest_figure(likeliest, now.next_shares.tolist(), top),
        grid_figure(weights, titles, labels, labels),
    ]
    if len(now.losses):
        losses = {each: found.loss for each, found in view.measures.items()}
        figures.append(sentence_loss_figure(losses, step, float(np.log(m.config.vocab_size))))
for figure in figures:
    figure.show()
