# %% [markdown]
# The logit lens: what every layer would predict at each position, of a long text at the last 12. Below it the drift of
# the residual stream at the framed position.

# %% settings
model = "tiny-lm"
text = "the dog sees the"
path = ()  # ids of the tokens written after it
step = 0
cell = ()  # the framed row and column; (): the output at the last token read

# %%
from model import load
from model.analysis.logit_lens import lens_names, logit_lens
from model.analysis.stream_drift import stream_drift
from viz.models.drift import drift_figure, way_figure
from viz.models.predict import lens_figure, lens_measures_figure
from viz.shared.tokens import words

m = load(model)
prompt = m.tokens_of(text)
trace = m.trace_tokens((*prompt, *m.tokenizer.tokens(path)), keep=(*lens_names(m.config), "logits"))
last = len(prompt) - 1 + step
count = len(trace.tokens)
positions = range(count) if count <= 12 else range(max(0, last - 11), last + 1)
lens = logit_lens(m.network, trace, positions)
rows, columns, _ = lens.ids.shape
best = [words(m.tokenizer.tokens(row)) for row in lens.ids[:, :, 0].tolist()]
assert lens.ids[-1, :, 0].tolist() == trace.logits[list(positions)].argmax(-1).tolist(), "the last row is the output"

# %%
row, column = cell if len(cell) == 2 and cell[0] < rows and cell[1] < columns else (rows - 1, last - positions[0])
read = words([trace.tokens[place] for place in positions])
measures = {name: getattr(lens, name)[:, column].numpy() for name in ("entropy", "divergence", "ranks")}
drift = stream_drift(m.config, trace, positions[column])
assert abs(float(drift.cosines.max())) <= 1 + 1e-5

# %%
figures = [
    lens_figure(best, lens.probabilities[:, :, 0].numpy(), read, selected=(row, column)),
    lens_measures_figure(**measures, row=row),
    drift_figure(drift.lengths.numpy(), drift.cosines.numpy(), row=row),
    way_figure(drift.places.numpy(), drift.shares.tolist(), row=row),
]
for figure in figures:
    figure.show()
