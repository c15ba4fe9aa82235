# %% [markdown]
# The KV cache race: the same tokens with and without the cache. Times are this machine's.

# %% settings
model = "tiny-lm"
text = "the dog sees the"
path = ()  # ids of the tokens written after it

# %%
import pandas as pd

from model import load
from model.cost.cache_race import race_steps, time_steps

m = load(model)
ids = [token.id for token in m.tokens_of(text)]
steps = max(len(path), 1)
made = {cache: race_steps(m.config, len(ids), steps, cache) for cache in (True, False)}
timed = {cache: list(time_steps(m.network, ids, steps, cache)) for cache in (True, False)}
assert [token for token, _ in timed[True]] == [token for token, _ in timed[False]], "the cache changes no token"

# %%
table = pd.DataFrame(
    {
        "computed with": [each.computed for each in made[True]],
        "computed without": [each.computed for each in made[False]],
        "multiplications with": [each.multiplications for each in made[True]],
        "multiplications without": [each.multiplications for each in made[False]],
        "milliseconds with": [1000 * seconds for _, seconds in timed[True]],
        "milliseconds without": [1000 * seconds for _, seconds in timed[False]],
    },
    index=m.tokenizer.tokens([token for token, _ in timed[True]]),
)
table.index = [token.text for token in table.index]
table
