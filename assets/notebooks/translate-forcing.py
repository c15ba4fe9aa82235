# %% [markdown]
# Teacher forcing beside free running, and a target that is not shifted.

# %% settings
model = "en-ur"
text = "I am a robot"
target = ""  # the sidebar's translation
truth = ""  # what the teacher says; empty: the sidebar's, else one made by hand, else the model's own

# %%
from model import load
from model.generation.teacher_forcing import first_departure, run_teacher_forced
from model.train.samples import hand_made_examples
from viz.models.translate import losses_figure
from viz.shared.tokens import words

m = load(model)
writer = m.output_tokenizer
source = [token.id for token in m.tokens_of(text)]
free = list(m.translate_ids(m.tokens_of(text)))
by_hand = {each.source_text.rstrip(".?!").lower(): each.target_text for each in hand_made_examples()}
known = by_hand.get(text.strip().rstrip(".?!").lower())
said = truth.strip() or target or known or writer.decode(free)
ids = [token.id for token in writer.encode(said, add_special=False)]
made = {
    shifted: run_teacher_forced(m.network, source, ids, writer.sequence_start, writer.end, shifted)
    for shifted in (True, False)
}
assert made[True].inputs == (writer.sequence_start, *ids)
assert made[True].labels == (*ids, writer.end)
print(f"{said}: mean loss {made[True].loss:.3f} nats; not shifted {made[False].loss:.3f}")
print("Running free it leaves the path at:", first_departure(made[True].labels, free))

# %%
labels = words(writer.tokens(made[True].labels))
figure = losses_figure(labels, made[True].losses, made[False].losses)
figure
