# %% [markdown]
# Which tokens did it? Value paths (Elhage et al. 2021), gradient x input (Simonyan et al. 2014) and attention rollout
# (Abnar and Zuidema 2020), each over the sum of its sizes.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
query = -1  # the token after or at which a word is asked for; -1: the last one, or a mask
answer = -1  # the id of the token; -1: the likeliest
against = -1  # the id of the token that it is compared with; -1: none

# %%
from model import load
from model.analysis.asked_place import asked_place
from model.analysis.attribution import account_of, keep_of
from model.analysis.rollout import rollout
from model.analysis.source_tokens import keep_for_sources, token_parts
from model.experiments.input_gradients import gradient_times_input
from model.graph.on_demand import stream_names
from viz.models.why import measures_figure
from viz.shared.tokens import words

m = load(model)
keep = (*keep_of(m), *keep_for_sources(m.config), *stream_names(m.config))
trace = m.trace(text, keep=keep, target=target or None)
query = asked_place(m, trace, query)
account = account_of(m, trace, None if answer < 0 else answer, None if against < 0 else against, query)
parts = token_parts(m, trace, account)
assert abs(parts.total - account.value) < 1e-3 * max(1, abs(account.value)), "the parts sum to the logit"

# %%
gradients = gradient_times_input(m.network, trace.tensors, account.position, account.token, account.against)
layers = range(m.config.n_layers(account.stack))
rolled = rollout(trace[f"{account.stack}.{layer}.self_attn.weights"] for layer in layers)[account.position]
names = ("value paths", "gradient × input", "attention rollout")


def shares(measures):
    return {name: (each / (each.abs().sum() or 1)).numpy() for name, each in zip(names, measures, strict=False)}


figures = [measures_figure(shares((parts.tokens, gradients.tokens, rolled)), words(trace.tokens))]
if trace.source_tokens:
    figures.append(measures_figure(shares((parts.source, gradients.source)), words(trace.source_tokens)))
for figure in figures:
    figure.show()
