# %% [markdown]
# Teacher forcing, position by position: what the decoder reads, is asked for and finds likeliest.

# %% settings
task = "reverse"
rate = 0.003
warmup = 50
steps = 1000
seed = 0
forced = True
shifted = True
positions = True
scaled = True
look = -1  # the step whose batch is shown; -1: before the first one
row = 0  # of the batch

# %%
import pandas as pd

from model.train.live import LiveRun
from model.train.live_tasks import Setup, Switches
from viz.learning.training import forcing_figure
from viz.shared.style import isolate

run = LiveRun(Setup(task, Switches(forced, shifted, positions, scaled), rate, warmup, steps, seed))
while look > 0 and not run.over and run.view().looks[-1].step < look:
    run.step()
shown = next((each for each in run.view().looks if each.step == look), run.view().looks[-1])
source, found = shown.batch[row]
if shifted and forced:
    assert found.inputs[1:] == found.labels[:-1], "the target, one place late"
read, labels, predictions = (
    [isolate(word) for word in run.task.texts(list(ids))] for ids in (found.inputs, found.labels, found.predictions)
)
print("source:", " ".join(run.task.texts(list(source))))
pd.DataFrame({"reads": read, "is asked for": labels, "finds likeliest": predictions, "loss": found.losses})

# %%
figure = forcing_figure(read, labels, predictions, found.losses)
figure
