"""The everyday English-Urdu corpus: a lexicon in data files, and a grammar whose sentences people would say.

`lexicon` reads the words, `phrases` makes noun phrases, `verb_groups` the verb with its auxiliaries, `clauses` and
`being` whole clauses. Each of `speaker`, `actions`, `requests`, `qualities`, `identities`, `statements`,
`complex_sentences`, `reports`, `counting`, `durations`, `becoming`, `deeds`, `urging`, `commands`, `unreal` and
`small_talk` extends the one before it with more kinds of random sentences. So do `relatives`, `indirect_questions`,
`when_clauses` and `joined_deeds`, for sentences within sentences. In `company` the Urdu verb depends on what stands
beside the English one, and `spans` adds small adjuncts of time. `elaborated` draws longer noun phrases for all of them:
`groups` and `compounds` build these, and `measures` names the units. `whereabouts`, `uses` and `ranks` add places,
prepositions and comparisons. `corpus` writes them as training pairs.
"""
