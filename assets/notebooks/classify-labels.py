# %% [markdown]
# The class of a text from its first token, and the part of speech of every token.

# %% settings
text = "I love this film"
token = 0  # whose attention is drawn; 0: the one that gives the text's class

# %%
import torch

from model import load
from viz.models.classify import attention_rows_figure, classes_figure, token_classes_figure
from viz.shared.tokens import words

m = load("tiny-encoder")  # the model that has class heads
trace = m.trace(text, keep=("text_logits", "token_logits", "*.weights"))
tokens = words(trace.tokens)
of_text, of_tokens = (
    trace["text_logits"].softmax(-1),
    trace["token_logits"].softmax(-1),
)  # (classes,), (tokens, classes)
assert abs(float(of_text.sum()) - 1) < 1e-5
print(f"{text!r} is {m.config.text_labels[int(of_text.argmax())]}, {of_text.max():.0%}")

# %%
rows = torch.stack(
    [trace[f"encoder.{layer}.self_attn.weights"][:, token] for layer in range(m.config.n_encoder_layers)]
)
figures = [
    classes_figure(of_text.tolist(), m.config.text_labels),
    token_classes_figure(of_tokens[1:].numpy(), tokens[1:], m.config.token_labels),
    attention_rows_figure(rows.numpy(), tokens),
]
for figure in figures:
    figure.show()
