# %% [markdown]
# Why this word? Its logit, or its lead over another, as an exact sum over the embedding, the heads, the feed-forwards
# and the biases.

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
from model.analysis.attribution import account_of, answers, keep_of
from viz.models.why import bars_figure, part_title
from viz.shared.asked_number import AskedNumber
from viz.shared.tokens import words

m = load(model)
trace = m.trace(text, keep=keep_of(m), target=target or None)
query = asked_place(m, trace, query)
account = account_of(m, trace, None if answer < 0 else answer, None if against < 0 else against, query)
logits = answers(m, trace, account.position)  # of an encoder those of its classes
value = float(logits[account.token]) - (0.0 if account.against is None else float(logits[account.against]))
assert abs(account.total - value) < 1e-3 * max(1, abs(value))
labels = m.config.text_labels  # of an encoder's classes
ids = [account.token] if account.against is None else [account.token, account.against]
asked = AskedNumber(*([labels[id] for id in ids] if labels else words(m.output_tokenizer.tokens(ids))))

# %%
print(f"{asked.plain_name}: {len(account.parts)} parts sum to {account.total:.4f}; the run says {value:.4f}")
figure = bars_figure({part_title(name): part for name, part in account.largest(10).items()}, asked.part)
figure
