"""The everyday English-Urdu corpus: a lexicon in data files, and a grammar whose sentences people would say.

`lexicon` reads the words, `phrases` makes noun phrases, `verb_groups` the verb with its auxiliaries, and `clauses` whole
clauses. `small_talk`, `statements`, `complex_sentences` and `requests` choose the sentences at random. `corpus` writes
them as training pairs.
"""
