# %% [markdown]
# One part of this sentence's run after another, put into the run of a second sentence: how much of the answer it brings
# back.

# %%
model = "tiny-lm"
text = "the dog sees the cat"
target = ""
query = -1  # the token after or at which a word is asked for; -1: the last one, or a mask
answer = -1  # the id of the answer; -1: the likeliest
against = -1  # the id of its rival; -1: the likeliest after the second sentence
text2 = ""  # the second sentence, with as many tokens; "": this one with another noun
site = "decoder.resid_in"  # what is put into the other run
window = ()  # the first and the last token of a long text that are patched; (): 64 with the highest estimate

# %%
import torch

from glassformer import load
from glassformer.model.analysis.asked_place import asked_place
from glassformer.model.experiments.patching import Patching
from glassformer.model.experiments.second_sentence import swap_noun
from glassformer.model.experiments.sentence_pair import Prompt, record_pair, sites_of
from glassformer.model.network.answer_scores import answer_scores
from glassformer.model.run import ids_of
from glassformer.viz.models.patching import next_tokens_figure, patching_figure
from glassformer.viz.shared.tokens import labels, words

m = load(model)
trace = m.trace(text, keep="*logits", target=target or None)
ids, source = ids_of(trace.tokens), ids_of(trace.source_tokens) if trace.source_tokens else None
query = asked_place(m, trace, query)
# In a decoder alone, the example changes a token that the asked one sees, with few after it: so it takes less.
near = range(max(0, query + 1 - 256), query + 1) if m.config.kind == "decoder" else None
other = ids_of(m.tokens_of(text2 or swap_noun(m, text, near)))
if m.config.kind == "encoder":  # it reads the whole sentence
    clean, corrupted = Prompt(ids, position=query), Prompt(other, position=query)
else:
    clean = Prompt(ids[: query + 1], source)
    corrupted = Prompt(clean.ids, other) if source is not None else Prompt(other[: query + 1])
pair = record_pair(m.network, clean, corrupted)
# A label that does not exclude the others is compared with itself in the other sentence.
exclusive = m.config.label_scores == "softmax"
found = pair.telling_tokens(None if answer < 0 else answer, exclusive)
patching = Patching(m.network, pair, found[0], found[1] if against < 0 else against)
chosen = next(each for each in sites_of(m.network) if f"{each.stack}.{each.part}" == site)
patching.check(chosen)  # patterns of a long text are too large
estimate = patching.estimates[chosen]  # (layers, rows)

# %%
# Of a long text, the tokens before the first difference are left out: they bring back exactly 0.
first = pair.shared if len(clean.ids) > 256 and not chosen.is_of_heads else 0
last = patching.shape(chosen)[1] - 1
if not chosen.is_of_heads and last - first >= 256:
    best = int(estimate[:, first:].amax(0).argmax()) + first
    first = min(first + (best - first) // 64 * 64, last - 63)
    first, last = window or (first, first + 63)
# Each row of each layer is a run from there on: those of a long text take minutes.
measured = torch.stack(list(patching.run(chosen, slice(first, last + 1))))  # (layers, rows)
layer, row = divmod(int(measured.argmax()), measured.shape[1])
patched = patching.run_row(chosen, layer, first + row)  # (answers,)
share = patching.share(patching.measure(patched))
assert abs(float(share - measured[layer, row])) < 1e-3, "a run with this part alone says the same"

# %%
columns = [str(head) for head in range(last + 1)]
if not chosen.is_of_heads:
    writer = m.tokenizer if chosen.stack == "encoder" else m.output_tokenizer
    both = [prompt.of(chosen.stack)[first : last + 1].tolist() for prompt in (pair.clean, pair.corrupted)]
    columns = [
        one if one == two else f"{one} / {two}"
        for one, two in zip(*(labels(writer.tokens(each)) for each in both), strict=True)
    ]
    if len(columns) < patching.shape(chosen)[1]:
        columns = [f"{place}: {name}" for place, name in enumerate(columns, start=first)]
maps = {"measured": measured.numpy(), "by the gradient": estimate.numpy()[:, first : last + 1]}
figure = patching_figure(maps, columns, "head" if chosen.is_of_heads else "token", selected=(layer, row))
figure.show()

# %%
runs = dict(zip(("your sentence", "the other", "patched"), (*pair.logits, patched), strict=True))
tokens = list(dict.fromkeys((*patching.tokens, *patched.topk(min(3, len(patched))).indices.tolist())))
shares = {name: answer_scores(logits, m.config)[tokens].numpy() for name, logits in runs.items()}
classes = m.config.text_labels
names = [classes[id] for id in tokens] if classes else words(m.output_tokenizer.tokens(tokens))
next_tokens_figure(shares, names, kind=m.config.label_scores).show()
