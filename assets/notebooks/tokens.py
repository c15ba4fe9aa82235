# %% [markdown]
# How a text becomes pieces: one word, step by step, and the same text by every tokeniser here.

# %% settings
model = "tiny-lm"
text = "The quick brown fox jumps over the lazy"
place = 0  # the word that is spelled
samples = "1234567 + 0.5\ncafé naïve"

# %%
import pandas as pd

from model import available, load_tokenizer
from model.tokens.spelling import spell
from viz.shared.tokens import labels

tokenizer = load_tokenizer(model)
tokens = tokenizer.encode(text, add_special=False)
print("  ".join(labels(tokens)))
spellings = spell(tokenizer, text)
chosen = spellings[min(place, len(spellings) - 1)]
for number, step in enumerate(chosen.steps):
    print(f"step {number}: {len(step.pieces)} pieces" + (f", merge {step.rank:,}" if step.rank is not None else ""))
pieces = [piece for spelling in spellings for piece in spelling.pieces]
assert [tokenizer.id_of(piece) for piece in pieces] == [token.id for token in tokens]

# %%
lines = [text, *(line for line in samples.splitlines() if line.strip())]
counts = {}
for card in available():
    if card.ready and not card.name.startswith("tiny-lm-"):  # the variants of tiny-lm share its tokeniser
        each = load_tokenizer(card.name)
        counts[card.title] = [len(each.encode(line, add_special=False)) for line in lines]
table = pd.DataFrame(counts, index=lines)
table
