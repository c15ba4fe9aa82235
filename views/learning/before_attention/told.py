"""Names of the values that the parts of this page tell: one part's prompts lead to another part, and claim something
of it."""

TRANSLATORS = "the number of translators"
JUMP = "the widest jump of the alignment, in tokens,"
SEQ2SEQ = "seq2seq's translation"
LOSES_MOST = "the translator that loses most with length"
STEPS = "the steps in a row of a recurrent layer over the longest text"
RNN_LEFT = "what is left of a far token in the trained RNN"
FROM_LEFT = "the likeliest word's share, from the left alone,"
FROM_BOTH = "the likeliest word's share, from both sides,"
WORD_FROM_LEFT = "the likeliest word from the left alone"
