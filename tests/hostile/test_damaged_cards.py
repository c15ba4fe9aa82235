"""The pages while cards of bundled models are damaged: each stands, or ends below one message that says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.zoo import cards
from pages.catalogue import PAGES, PageEntry
from pages.shared.model_runs import traces
from tests.pages.conftest import components, messages, open_link

DAMAGE = b"{}"


@pytest.fixture
def assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The bundled models, with cards that a test may change."""
    for model in cards.ASSETS.iterdir():
        (tmp_path / model.name).mkdir()
        for file in model.iterdir():
            place = tmp_path / model.name / file.name
            place.write_bytes(file.read_bytes()) if file.name == "card.json" else place.symlink_to(file)
    monkeypatch.setattr(cards, "ASSETS", tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.url)
def test_every_page_stands_where_every_card_is_damaged(entry: PageEntry, assets: Path) -> None:
    for card in assets.glob("*/card.json"):
        card.write_bytes(DAMAGE)
    app = open_link(entry.file.removeprefix("pages/"))
    assert not app.exception
    assert app.title or app.header or app.markdown


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "part"),
    [
        ("learning/before_attention.py", {"before_attention_part": "length"}),
        ("learning/before_attention.py", {"before_attention_part": "memory"}),
        ("learning/training.py", {"training_part": "replay"}),
        ("inputs/positions.py", {"positions_part": "order"}),
    ],
    ids=str,
)
def test_no_part_that_reads_cards_raises_where_every_card_is_damaged(
    page: str, part: dict[str, str], assets: Path
) -> None:
    for card in assets.glob("*/card.json"):
        card.write_bytes(DAMAGE)
    assert not open_link(page, **part).exception


@pytest.mark.slow
def test_a_damaged_model_is_listed_and_the_others_stand(assets: Path) -> None:
    (assets / "tiny-lm" / "card.json").write_bytes(DAMAGE)
    app = open_link("inputs/tokens.py", model="tiny-lm-rotary")
    assert not app.exception
    assert messages(app) == []
    entries = {each["name"]: each["note"] for each in components(app)["run_bar"][0]["models"]}
    assert " · damaged: " in entries["tiny-lm"]


def test_a_page_of_a_damaged_model_says_what_to_do(assets: Path) -> None:
    (assets / "tiny-lm" / "card.json").write_bytes(DAMAGE)
    app = open_link("attention/heads.py", model="tiny-lm")
    assert not app.exception
    told = [message for message in messages(app) if "tiny-lm/card.json" in message.replace("\\", "")]
    assert told
    assert all("files again" in message for message in told)


def test_the_default_model_is_a_sound_one(assets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traces, "PREFERRED_MODELS", ("tiny-lm", "tiny-lm-rotary"))
    assert traces.default_model() == "tiny-lm"
    (assets / "tiny-lm" / "card.json").write_bytes(DAMAGE)
    assert traces.default_model() == "tiny-lm-rotary"
