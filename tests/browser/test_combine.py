"""Concat and W_O in a real browser: a muted head changes the translation."""

from collections.abc import Callable
from functools import cache
from urllib.parse import quote

from playwright.sync_api import Page, expect

from model import ablate, load
from model.experiments.surgery import edit_model

SENTENCES = ("The weather is cool", "I am a robot", "George drove to the bank")
PLACES = ("encoder.self_attn", "decoder.cross_attn", "decoder.self_attn")


@cache
def telling_mute() -> tuple[str, str, tuple[int, ...], str, str]:
    """The first sentence, attention and heads, one if one is enough, whose muting in every layer changes the
    translation; and the two translations. Searched, so that the test holds for a newly trained model too."""
    model = load("en-ur")
    one_or_all = [(head,) for head in range(model.config.n_heads)] + [tuple(range(model.config.n_heads))]
    for heads in one_or_all:
        for text in SENTENCES:
            source = model.read(text)
            whole = model.output_tokenizer.decode(list(model.translate_ids(source)))
            for place in PLACES:
                stack, part = place.split(".")
                muted = edit_model(model, edits=[ablate(f"{stack}.*.{part}", heads)])
                without = model.output_tokenizer.decode(list(muted.translate_ids(source)))
                if without != whole:
                    return text, place, heads, whole, without
    raise AssertionError("No head of en-ur changes any of the translations.")


def test_muting_a_head_changes_the_translation(open_app: Callable[..., Page]) -> None:
    text, place, heads, whole, without = telling_mute()
    scope = "combine_view=Mute%20heads&combine_scope=every%20layer"
    page = open_app(f"combine?model=en-ur&text={quote(text)}&combine_place={place}&{scope}")
    expect(page.get_by_text("Choose the heads that should fall silent.")).to_be_visible()
    for head in heads:
        page.get_by_test_id("stButtonGroup").get_by_role("button", name=str(head), exact=True).click()
    expect(page.locator(".st-key-written-All-heads")).to_have_text(whole)
    expect(page.locator(".st-key-written-Muted")).to_have_text(without)
