"""The views over which the tests of every view walk: every part of every page of the catalogue, and some variants."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pages.catalogue import BY_URL, PAGES
from pages.shared.session.keys import KEYS

ENGLISH = {"model": "tiny-lm", "text": "the dog sees the cat"}
URDU = {"model": "en-ur", "text": "I am a robot"}
# What a page starts with, beside the sentence, so that it has something to show.
STARTS: dict[str, dict[str, Any]] = {
    "translate": URDU,
    "before_attention": {"text": "I am a robot"},
    "see": {"see_model": "digits-vit"},
    "predict": {"predict_tokens": 3},
    "bench": {"bench_items": "20"},
    "training": {"training_steps": 10},
}


@dataclass(frozen=True)
class View:
    """A page with the values of its keys. `page`: its URL path."""

    page: str
    state: dict[str, Any] = field(default_factory=dict)

    @property
    def file(self) -> str:
        """Below `pages/`."""
        return BY_URL[self.page].file.removeprefix("pages/")

    @property
    def values(self) -> dict[str, Any]:
        return {**ENGLISH, **STARTS.get(self.page, {}), **self.state}

    @property
    def part(self) -> str:
        """The page and its part, as `heads: What they do, sweep`."""
        chosen = [self.state[key] for key in BY_URL[self.page].part_keys if key in self.state]
        return f"{self.page}: {', '.join(chosen)}" if chosen else self.page

    def __str__(self) -> str:
        said = (f"{name.removeprefix(f'{self.page}_')}={value}" for name, value in self.state.items())
        return " ".join((Path(self.file).stem, *said))


def parts() -> Iterator[View]:
    """Every part of every page, by the keys that choose it."""
    for entry in (each for each in PAGES if not each.is_tool):
        for part in KEYS[entry.part_key].choices if entry.part_key else ("",):
            first, *inner = entry.keys_of(part) or ("",)
            for values in itertools.product(*(KEYS[key].choices for key in inner)):
                chosen = {first: part} if first else {}
                yield View(entry.url, chosen | dict(zip(inner, values, strict=True)))


def view(page: str, **state: Any) -> View:
    return View(page, state)


# Other models and settings that show something else than the part as it opens.
VARIANTS = [
    view("home", **URDU),
    view("tokens", tokens_part="tokeniser", text="میں 👍🏽\nok", model="smollm2-135m"),
    # the sentence after its begin token
    view("tokens", tokens_part="tokeniser", begin="with", model="smollm2-135m"),
    *(view("heads", heads_view=shown, begin="with", model="smollm2-135m", layer=3) for shown in ("Matrix", "Compare")),
    view("positions", positions_part="rotary", model="tiny-lm-rotary"),
    *(view("positions", positions_part="heatmap", positions_source="model", model=model)
      for model in ("minilm-l6", "smollm2-135m")),
    view("positions", positions_part="join", positions_of="model", model="minilm-l6"),
    *(view("positions", positions_part="distance", positions_distance=scheme) for scheme in ("learned", "rotary")),
    *(view("positions", positions_part="circles", positions_view=shown) for shown in ("plane", "space")),
    view("scores", scores_part="steps", scores_step="softmax"),
    *(view("scores", scores_part=part, **URDU, attention=place)
      for part in KEYS["scores_part"].choices for place in KEYS["attention"].choices[1:]),
    *(view("masks", masks_part="panels", masks_kind=kind) for kind in ("causal and padding", "painted", "window")),
    *(view("masks", masks_part="panels", masks_kind="padding", **URDU, attention=place)
      for place in KEYS["attention"].choices[1:]),
    *(view("heads", heads_view=shown, **URDU, attention="decoder.cross_attn", heads_values="Scores")
      for shown in ("Matrix", "All heads", "Query-key", "Why there", "Compare")),
    *(view("heads", heads_view="What they do", heads_work=part, model=model)
      for part in KEYS["heads_work"].choices for model in ("tiny-encoder", "en-ur")),
    *(view("heads", heads_view="Many texts", heads_many="This head", heads_texts="small world",
           heads_kinds="repetition", heads_about=about)
      for about in KEYS["heads_about"].choices[1:]),
    view("combine", combine_view="Mute heads", model="tiny-encoder"),
    view("combine", combine_view="Mute heads", combine_muted=(1, 3)),
    view("block", block_part="norm", block_factor=3.0, query=1),
    view("block", block_part="ffn", block_neuron=7),
    *(view("block", block_part=part, model="minilm-l6") for part in KEYS["block_part"].choices),
    *(view("classify", classify_part=part, classify_model="tiny-encoder") for part in ("words", "sentences")),
    *(view("see", see_part=part, see_model=model)
      for part in KEYS["see_part"].choices for model in ("dinov2-s", "digits-vit-nopos")),
    view("training", training_part="replay", training_snapshot=3),
    *(view("bench", bench_parts=part) for part in ("feed-forward", "norms")),
    view("bench", bench_heads="one"),
    # runs with muted heads, the one on screen among them
    view("home", edits="decoder.0.self_attn.0,decoder.1.self_attn.2", layer=1),
    view("block", block_part="flow", edits="decoder.0.self_attn.0,decoder.1.self_attn.2", layer=1),
    *(view("scores", scores_part="steps", scores_step=step, edits="decoder.1.self_attn.2", layer=1, head=2)
      for step in ("mix", "output")),
    *(view("heads", heads_view=shown, edits="decoder.1.self_attn.2", layer=3) for shown in ("Matrix", "All heads")),
    *(view("combine", combine_view=shown, edits="decoder.0.self_attn.1") for shown in KEYS["combine_view"].choices),
    view("masks", masks_part="panels", masks_kind="causal and padding", edits="decoder.0.self_attn.1"),
    view("predict", predict_view="lens", edits="decoder.0.self_attn.1"),
    *(view("why", why_part=part, **URDU) for part in KEYS["why_part"].choices),
    view("why", why_part="account", why_opened="decoder.1.self_attn.heads.2", why_against=5, query=2),
    view("why", why_part="cause", why_without="the mean", edits="decoder.0.self_attn.1"),
    view("why", why_part="cause", why_without="another sentence", why_text2="the cat sees the dog"),
    view("why", why_part="patching", why_text2="the cat sees the dog", why_site="decoder.self_attn.heads", query=3),
    view("why", why_part="paths", why_dropped="decoder.1.self_attn.2@0>2,decoder.0.ffn@1", why_least=0.1),
    view("why", why_part="paths", **URDU, why_route_opened="decoder.1.cross_attn.0@1>1", edits="decoder.0.self_attn.1"),
    *(view("why", why_part="head", **URDU, attention=attention, layer=1, head=2)
      for attention in ("encoder.self_attn", "decoder.cross_attn")),
    view("why", why_part="steer", edits="decoder.0.self_attn.1*2,decoder.1.ffn.7", why_steered="decoder.1.ffn"),
    view("why", why_part="steer", edits="decoder.1.resid_in*2@all|the happy dog|the sad cat",
         why_steered="decoder.1.resid_in@all", why_plus="the happy dog", why_minus="the sad cat"),
    view("why", why_part="account", edits="decoder.1.resid_in@5|the bird sees the cat"),
    *(view("why", why_part=part, model="tiny-encoder", text="The food is not good", why_text2="The food is very good")
      for part in ("account", "tokens", "cause", "patching", "steer")),
    view("why", why_part="patching", **URDU, why_site="encoder.resid_in", why_cell=(1, 2)),
    view("translate", translate_view="beam", **URDU, edits="decoder.1.cross_attn.0,encoder.0.self_attn.3"),
]  # fmt: skip
PART_VIEWS = list(parts())
VIEWS = [*PART_VIEWS, *VARIANTS]
