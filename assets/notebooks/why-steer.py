# %% [markdown]
# The next tokens, or an encoder's classes, with some parts muted or scaled, beside those of the whole model.

# %% settings
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
query = -1  # the token after or at which a word is asked for; -1: the last one, or a mask
answer = -1  # the id of a token that is shown first; -1: the likeliest
against = -1  # the id of the token that it is compared with, shown next; -1: none

# %%
from itertools import zip_longest

from model import load
from model.analysis.asked_place import asked_place
from model.analysis.attribution import answers
from model.network.answer_scores import answer_scores
from viz.models.patching import next_tokens_figure
from viz.shared.tokens import words

m = load(model)
whole = getattr(m, "whole", m)  # an edited model knows the one without edits
trace = m.trace(text, keep="*logits", target=target or None)
query = asked_place(m, trace, query)
logits = answers(m, trace, query)
runs = {"the whole model": answers(whole, whole.trace_tokens(trace.tokens, trace.source_tokens, keep="*logits"), query)}
if m is not whole:
    runs["edited"] = logits

# %%
answer = int(logits.argmax()) if answer < 0 else answer
best = (each.topk(min(5, len(each))).indices.tolist() for each in (logits, runs["the whole model"]))
first = [answer] if against in (-1, answer) else [answer, against]
ids = list(dict.fromkeys((*first, *(id for pair in zip_longest(*best) for id in pair))))[:7]
shares = {name: answer_scores(each, m.config)[ids].numpy() for name, each in runs.items()}
labels = m.config.text_labels
names = [labels[id] for id in ids] if labels else words(m.output_tokenizer.tokens(ids))
figure = next_tokens_figure(shares, names, kind=m.config.label_scores)
figure
