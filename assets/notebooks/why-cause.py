# %% [markdown]
# Each part of the account taken away: what the logit, or the lead, really loses, beside the direct part.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
query = -1  # the token after or at which a word is asked for; -1: the last one, or a mask
answer = -1  # the id of the token; -1: the likeliest
against = -1  # the id of the token that it is compared with; -1: none
without = "nothing"  # what stands in for a part: "nothing", "the mean" of `others`, or "another sentence"
text2 = ""

# %%
import numpy as np

from model import load
from model.analysis.asked_place import asked_place
from model.analysis.attribution import account_of, answers, keep_of
from model.experiments.example_sentences import EXAMPLE_SENTENCES
from model.experiments.part_removal import RemovalSweep, keep_for_removal, mean_values, values_at
from viz.models.why import cause_figure, part_title
from viz.shared.asked_number import AskedNumber
from viz.shared.tokens import words

others = ("The quick brown fox jumps over the lazy", *EXAMPLE_SENTENCES)
m = load(model)
keep = (*keep_of(m), *keep_for_removal(m.config))
trace = m.trace(text, keep=keep, target=target or None)
query = asked_place(m, trace, query)
account = account_of(m, trace, None if answer < 0 else answer, None if against < 0 else against, query)
values = {}
if without == "the mean":
    values = mean_values(m.config, (m.trace(other, keep=keep) for other in others if other != text))
elif without == "another sentence":
    values = values_at(m.config, m.trace(text2 or text, keep=keep, target=target or None), account.position)
sweep = RemovalSweep(m, trace, account, values)
removals = [removal for place in reversed(list(sweep.run())) for removal in place]  # the last layer came first

# %%
name = next(removal.name for removal in removals if ".heads." in removal.name)
path, head = name.rsplit(".", 1)


def stand_in(heads):  # (heads, queries, d_head)
    changed = heads.clone()
    changed[int(head), account.position] = values[path][int(head)] if values else 0
    return changed


from model import Change

edited = m.trace_tokens(trace.tokens, trace.source_tokens, keep="*logits", edits=[Change(path, stand_in)])
logits = answers(m, edited, account.position) - answers(m, trace, account.position)
change = logits[account.token] - (0 if account.against is None else logits[account.against])
fall = next(removal.fall for removal in removals if removal.name == name)
assert abs(float(change) + fall) < 1e-3, "a whole run without the head says the same"

# %%
direct, falls = (np.array([getattr(removal, name) for removal in removals]) for name in ("direct", "fall"))
labels = m.config.text_labels  # of an encoder's classes
ids = [account.token] if account.against is None else [account.token, account.against]
asked = AskedNumber(*([labels[id] for id in ids] if labels else words(m.output_tokenizer.tokens(ids))))
named = np.argsort(-np.abs(falls - direct))[:6].tolist()
figure = cause_figure([part_title(removal.name) for removal in removals], direct, falls, named, loses=asked.loses)
figure
