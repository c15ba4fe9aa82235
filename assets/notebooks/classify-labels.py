# %% [markdown]
# What an encoder says of a text: its class from the first token, the class of every token, or the word at a place.

# %% settings
model = "tiny-encoder"  # where it gives no answer, the bundled encoder stands in for it
text = "I love this film"
token = 0  # whose attention is drawn, and whose word is asked for; 0: that of the text's class, or a masked word

# %%
import torch

from model import load
from model.analysis.asked_place import asked_place
from model.analysis.attribution import answers
from model.network.answer_scores import answer_scores
from viz.models.classify import attention_rows_figure, classes_figure, token_classes_figure
from viz.shared.style import write_score
from viz.shared.tokens import words

m = load(model)
if m.config.kind != "encoder" or not m.config.has_answer:
    m = load("tiny-encoder")
trace = m.trace(text, keep=("*logits", "*.weights"))
tokens, config = words(trace.tokens), m.config
place = asked_place(m, trace, token or -1)  # 0 for a class
token = place if config.masked_words else token
kind = config.label_scores  # how classes are read: one of them, each label by itself, or as numbers
shares = answer_scores(answers(m, trace, place), config)  # (answers,)
assert kind != "softmax" or abs(float(shares.sum()) - 1) < 1e-4
best = shares.topk(min(8, len(shares))).indices.tolist()
best = sorted(best) if config.text_labels else best  # classes in their own order, words with the likeliest first
names = [config.text_labels[id] for id in best] if config.text_labels else words(m.output_tokenizer.tokens(best))
likeliest = names[int(shares[best].argmax())]
of = "the text" if config.text_labels else tokens[place]
print(f"{text!r}, {of}: {likeliest}, {write_score(float(shares.max()), kind)}")

# %%
rows = torch.stack([trace[f"encoder.{layer}.self_attn.weights"][:, token] for layer in range(config.n_encoder_layers)])
figures = [classes_figure(shares[best].tolist(), names, kind=kind)]
if config.token_labels:
    of_tokens = trace["token_logits"].softmax(-1)  # (tokens, classes)
    figures.append(token_classes_figure(of_tokens[1:].numpy(), tokens[1:], config.token_labels))
figures.append(attention_rows_figure(rows.numpy(), tokens))
for figure in figures:
    figure.show()
