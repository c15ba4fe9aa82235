# %% [markdown]
# A small transformer, trained here with the settings of the view: the same settings give the same run.

# %% settings
task = "reverse"
rate = 0.003
warmup = 50
steps = 100
seed = 0
forced = True
shifted = True
positions = True
scaled = True

# %%
import numpy as np

from model.train.live import LiveRun
from model.train.live_tasks import Setup, Switches
from viz.learning.training import thin_line
from viz.shared.lines import lines_figure
from viz.shared.sheet import maps_figure

run = LiveRun(Setup(task, Switches(forced, shifted, positions, scaled), rate, warmup, steps, seed))
run.work(lambda: True)  # until the last step; interrupt the kernel to stop before
view = run.view()
print(f"{view.step} steps; loss {view.history.loss[0]:.3f} at first, {view.history.loss[-1]:.3f} at the end")
assert view.step == steps or view.state == "diverged"

# %%
steps_measured = np.array([look.step for look in view.looks])
held_out = np.array([look.measures["loss"] for look in view.looks])
exact = np.array([look.measures["exact"] for look in view.looks])
curves = {"batches": thin_line(view.history.loss), "held out": (steps_measured, held_out)}
losses = lines_figure(curves, "step", "loss in nats", height=240)
losses

# %%
shares = {"tokens of the batch": thin_line(view.history.accuracy), "held out, written whole": (steps_measured, exact)}
accuracy = lines_figure(shares, "step", "share right", top=1.0, height=240)
accuracy

# %%
# The cross-attention of one held-out example, at first and at the end: (heads, moments, targets, sources).
looks = [view.looks[0], view.looks[-1]]
maps = np.stack([look.attention.numpy() for look in looks], axis=1)
sample = view.looks[-1].samples[0]
reads = [run.task.start, *sample.truth] if shifted else [*sample.truth, run.task.end]
heads = [f"head {head}" for head in range(len(maps))]
named = run.task.texts(reads), run.task.texts(list(sample.source))
maps_figure(maps, [f"step {look.step:,}" for look in looks], heads, *named)
