"""The catalogue of pages: one entry for each page, and everything that the rest of the app knows about it.

The sidebar, Home, "Share this view", the notebooks, the questions for a class and the table of the README are made from
these entries or tested against them. Add a page here and it is everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath


@dataclass(frozen=True)
class PageEntry:
    """One page.

    `section` is its heading in the sidebar; "" stands for none. `part_key` is the key of `pages.shared.session.keys`
    that chooses what the page shows, and `inner_keys` those that choose within a part, by its name; notebooks are
    found by them. `map_parts` are the parts of Home's map that lead to the page. `outcome_of` is the kind of model
    whose outcome on the map leads to the page. `question_kinds` are the questions that the page can ask a class
    (`pages.shared.session.question_kinds`), the most fitting first. A page with `model_kinds` uses only models of
    these kinds, for `model_reason`; with `takes_answers` also encoders that give a text a class, or a mask a word.
    A tool has no numbers of its own, so no files are saved from it. A page that `draws_itself` has no view: it is
    no `pages.shared.elements.page.Page`. Home lists the pages for newcomers first. Neither Home nor the sidebar
    lists a hidden page: other pages lead to it.
    """

    file: str
    title: str
    section: str
    question: str
    part_key: str = ""
    inner_keys: Mapping[str, str] = field(default_factory=dict)
    map_parts: tuple[str, ...] = ()
    outcome_of: str = ""
    question_kinds: tuple[str, ...] = ()
    model_kinds: tuple[str, ...] = ()
    model_reason: str = ""
    takes_answers: bool = False
    is_tool: bool = False
    draws_itself: bool = False
    for_newcomers: bool = False
    is_hidden: bool = False

    @property
    def url(self) -> str:
        """The page's path in the URL, and the prefix of its keys; "home" for Home, whose path is empty."""
        return PurePosixPath(self.file).stem

    def keys_of(self, part: str) -> tuple[str, ...]:
        """The keys that choose what a part of the page shows, the widest choice first."""
        return tuple(key for key in (self.part_key, self.inner_keys.get(part, "")) if key)

    @property
    def part_keys(self) -> tuple[str, ...]:
        """All keys that choose what the page shows."""
        return tuple(key for key in (self.part_key, *self.inner_keys.values()) if key)

    @property
    def module(self) -> str:
        """The name of its module, without what stands before it where the app is installed (`model.location`)."""
        return self.file.removesuffix(".py").replace("/", ".")


PAGES = (
    PageEntry(
        "pages/home/home.py",
        "Home",
        "",
        "What happens to my sentence, from the tokens to the prediction?",
        question_kinds=("next token", "spread"),
    ),
    PageEntry(
        "pages/inputs/tokens.py",
        "Tokens",
        "Inputs",
        "Into which pieces is a text cut, and how does a piece become a vector?",
        part_key="tokens_part",
        inner_keys={"ladder": "tokens_rung"},
        map_parts=("tokens",),
        question_kinds=("nearest", "pieces"),
    ),
    PageEntry(
        "pages/inputs/positions.py",
        "Positions",
        "Inputs",
        "How does a transformer know the order of the words?",
        part_key="positions_part",
        map_parts=("embedding",),
        question_kinds=("hand",),
    ),
    PageEntry(
        "pages/attention/scores.py",
        "Scores",
        "Attention",
        "How does a query meet a key, and how does a score become a weight?",
        part_key="scores_part",
        question_kinds=("attention", "scale"),
    ),
    PageEntry(
        "pages/attention/masks.py",
        "Masks",
        "Attention",
        "What may each token see, and what fails if the mask is put elsewhere?",
        part_key="masks_part",
        question_kinds=("hidden cells", "visible keys"),
    ),
    PageEntry(
        "pages/attention/heads.py",
        "Heads",
        "Attention",
        "Where does each head look, and why?",
        part_key="heads_view",
        inner_keys={"What they do": "heads_work", "Many texts": "heads_many"},
        map_parts=("head",),
        question_kinds=("attention", "head", "spread", "rule"),
        for_newcomers=True,
    ),
    PageEntry(
        "pages/attention/combine.py",
        "Concat and W_O",
        "Attention",
        "How do the heads become one vector again?",
        part_key="combine_view",
        question_kinds=("part", "without heads"),
    ),
    PageEntry(
        "pages/block/block.py",
        "Block",
        "The block",
        "What does one layer do to the words?",
        part_key="block_part",
        map_parts=("ffn", "stream"),
        question_kinds=("layer",),
    ),
    PageEntry(
        "pages/models/predict.py",
        "Predict",
        "Whole models",
        "How does the next word come about, one step at a time?",
        part_key="predict_view",
        outcome_of="decoder",
        model_kinds=("decoder",),
        model_reason="it writes on from your sentence, while a translator predicts the next token of a translation",
        question_kinds=("next token", "temperature"),
        for_newcomers=True,
    ),
    PageEntry(
        "pages/models/why.py",
        "Why this word",
        "Whole models",
        "Which parts of the model speak for its next word, and would it say another without them?",
        part_key="why_part",
        inner_keys={"patching": "why_over"},
        model_kinds=("decoder", "encoder-decoder"),
        model_reason="it has a word or a class to account for, and that encoder gives vectors alone",
        takes_answers=True,
        question_kinds=("largest part", "earlier head"),
    ),
    PageEntry(
        "pages/models/translate.py",
        "Translate",
        "Whole models",
        "How does an English sentence become Urdu, and which words are looked at?",
        part_key="translate_view",
        outcome_of="encoder-decoder",
        model_kinds=("encoder-decoder",),
        model_reason="it translates, with an encoder and a decoder",
        question_kinds=("next token", "attention"),
        for_newcomers=True,
    ),
    PageEntry(
        "pages/models/classify.py",
        "Classify",
        "Whole models",
        "How does an encoder judge a text, and each of its words?",
        part_key="classify_part",
        outcome_of="encoder",
        question_kinds=("class", "word class"),
    ),
    PageEntry(
        "pages/models/see.py",
        "See",
        "Whole models",
        "How can an encoder read a picture? Upload one, or draw a digit.",
        part_key="see_part",
        question_kinds=("digit", "quarter"),
    ),
    PageEntry(
        "pages/learning/training.py",
        "Training",
        "Learning",
        "How does a transformer learn, and what goes wrong when a part of its training is left out?",
        part_key="training_part",
        question_kinds=("loss", "measure"),
    ),
    PageEntry(
        "pages/learning/before_attention.py",
        "Before attention",
        "Learning",
        "Why was attention invented?",
        part_key="before_attention_part",
        question_kinds=("translators", "alignment", "steps"),
    ),
    PageEntry(
        "pages/learning/bench.py",
        "Break a part",
        "Learning",
        "What was each part for? Take it away and see.",
        question_kinds=("missed part", "without parts"),
    ),
    PageEntry(
        "pages/learning/cost.py",
        "Cost",
        "Learning",
        "What does it cost that every token looks at every other?",
        part_key="cost_view",
        question_kinds=("cost",),
    ),
    PageEntry(
        "pages/teach/lecture.py",
        "Lecture",
        "Teach",
        "Which views shall the class see, in which order?",
        is_tool=True,
        draws_itself=True,
    ),
    PageEntry(
        "pages/teach/slide.py",
        "Slide",
        "Teach",
        "What does the lecturer say between two views?",
        is_tool=True,
        is_hidden=True,
    ),
    PageEntry(
        "pages/teach/follow.py",
        "Follow a lecture",
        "Teach",
        "Where is the presenter now?",
        is_tool=True,
        draws_itself=True,
    ),
    PageEntry(
        "pages/teach/practise.py",
        "Practise",
        "Teach",
        "What will the numbers be? Answer first, then look.",
        is_tool=True,
        draws_itself=True,
    ),
    PageEntry(
        "pages/help/glossary.py",
        "Glossary",
        "Help",
        "What does this word mean, and where can I see it?",
        part_key="glossary_part",
        is_tool=True,
        draws_itself=True,
    ),
)
BY_URL = {entry.url: entry for entry in PAGES}


def question_kinds_of(url: str) -> tuple[str, ...]:
    """The questions that a page can ask; none for a page that does not exist."""
    return BY_URL[url].question_kinds if url in BY_URL else ()


def map_pages(model_kind: str) -> dict[str, PageEntry]:
    """The page where each part of Home's map leads, for a model of that kind ("encoder-decoder")."""
    outcome = next(entry for entry in PAGES if entry.outcome_of == model_kind)
    return {part: entry for entry in PAGES for part in entry.map_parts} | {"outcome": outcome}
