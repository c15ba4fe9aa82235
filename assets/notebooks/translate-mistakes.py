# %% [markdown]
# How sure the translator is, against how often it was right, with the confidence of one sentence.

# %% settings
model = "en-ur"
text = "I am a robot"
target = ""  # the sidebar's translation
edits = ""  # of the model, in every run

# %%
from model import load
from model.analysis.confidence import wilson_interval
from model.generation.trust import confidence, read_calibration, read_signs
from model.tokens.word_vocabulary import unknown_words
from model.zoo import cards
from viz.models.reliability import reliability_figure

m = load(model)
own = read_calibration(m.card.details)
calibration = own or read_calibration(cards.card("en-ur").details)
now = None
if own and not target and not edits:
    trace = m.trace(text, keep=("logits", own.cross_attention))
    unknown = [each.word for each in unknown_words(m.tokenizer, text, suggestions=0)]
    signs = read_signs(trace, unknown, own)
    now = confidence(signs, own.weights)
    assert 0 <= now <= 1
    print(f"{m.output_tokenizer.decode([token.id for token in trace.tokens[1:]])}: {now:.3f}", signs)

# %%
points = [
    (each["confidence"], share, *wilson_interval(share, each["sentences"]), each["sentences"])
    for each in calibration.ranges
    if each["sentences"]
    for share in (each["right"] / each["sentences"],)
]
assert all(low <= share <= high for _, share, low, high, _ in points)
figure = reliability_figure(points, now)
figure
