"""The See page: its numbers, and a reader's own pictures."""

from __future__ import annotations

import base64
import io
import weakref
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from model.vision.digits import held_out
from model.vision.features import shapes
from model.vision.model import VisionModel, load_vision
from model.zoo import cards
from pages.models.see_parts import own_pictures, source
from pages.models.see_parts.own_pictures import OwnPictures
from pages.models.see_parts.picture_runs import LastValue, RecentHolders
from pages.shared.session.keys import DEPTHS, KEYS
from tests.model.zoo import tiny_families
from tests.model.zoo.opened import card_of_files
from tests.model.zoo.tiny_towers import make_clip, make_siglip
from tests.pages.conftest import messages, run_page, session_of, text
from tests.pages.executed_notebooks import executed, written
from views.models.see.examples import PHOTOS


def open_page(**state: object) -> AppTest:
    return run_page("models/see.py", **{"see_model": "digits-vit", **state})


@pytest.mark.slow
@pytest.mark.parametrize("model", ["smollm2-135m", "en-ur", "tiny-encoder"])
def test_the_sidebar_model_does_not_matter(model: str) -> None:
    app = open_page(model=model, see_part="answer")
    assert not app.error
    assert "Which digit?" in [each.value for each in app.subheader]


def test_places_that_do_not_exist_are_replaced_with_a_message() -> None:
    app = open_page(see_part="attention", see_layer=40, see_patch=300)
    warnings = " ".join(each.value for each in app.warning)
    assert "Layer 40 does not exist here" in warnings
    assert "Patch 300 does not exist here" in warnings


def test_an_example_of_another_model_is_replaced_with_a_message() -> None:
    app = open_page(see_example="flower")
    assert any("does not exist here" in each.value for each in app.warning)


# -- a reader's own ----------------------------------------------------------------------------------------------------


def png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def upload(app: AppTest, data: bytes, name: str = "mine.png") -> AppTest:
    app.file_uploader(key="see upload").upload(name, data, "image/png").run()
    assert not app.exception
    return app


def test_without_a_picture_the_page_says_what_to_do() -> None:
    app = open_page(see_source="upload", see_part="answer")
    assert any("No picture yet" in each.value for each in app.info)
    assert not app.error


def test_an_uploaded_digit_is_recognised() -> None:
    page = Image.new("L", (300, 240), 255)
    digit = Image.fromarray(255 - held_out()[0][353]).resize((140, 140))  # a seven
    page.paste(digit, (40, 60))
    app = upload(open_page(see_source="upload", see_part="answer"), png(page))
    assert "alone: **7**" in text(app)
    assert "this session only" in text(app)


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"nonsense", "no PNG"), (b"<svg/>", "SVG"), (b"", "empty"), (png(Image.new("RGB", (1, 1))), "1 x 1")],
)
def test_hostile_files_have_one_message_and_the_page_goes_on(data: bytes, message: str) -> None:
    app = upload(open_page(see_source="upload", see_part="answer"), data)
    assert len(app.error) == 1
    assert message in app.error[0].value.replace("\\", "")
    assert "alone: **" in text(app)


@pytest.mark.slow
def test_a_bad_file_keeps_the_picture_before_it() -> None:
    app = upload(open_page(see_source="upload", see_part="cost"), png(Image.new("RGB", (321, 123), "red")))
    assert "321 x 123" in text(app)
    upload(app, b"nonsense")
    assert len(app.error) == 1
    assert "321 x 123" in text(app)


@pytest.mark.slow
def test_a_picture_of_one_session_is_in_no_other_nor_in_a_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    shelf = type(source._traces())
    get = shelf.get
    monkeypatch.setattr(shelf, "get", lambda self, key, make: asked.append(key) or get(self, key, make))
    app = upload(open_page(see_source="upload", see_part="answer"), png(Image.new("RGB", (50, 40), "navy")))
    assert "upload" in session_of(app, OwnPictures).by_source
    asked.clear()
    app.run()
    assert not [key for key in asked if isinstance(key, tuple) and key[0] == "digits-vit"]
    other = open_page(see_source="upload", see_part="answer")
    assert not session_of(other, OwnPictures).by_source


@pytest.mark.slow
@pytest.mark.parametrize("part", ["answer", "place"])
def test_a_picture_is_run_once_however_often_the_page_runs(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[str] = []
    run = VisionModel.trace_image
    monkeypatch.setattr(
        VisionModel, "trace_image", lambda self, *args, **kw: runs.append(self.card.name) or run(self, *args, **kw)
    )
    app = upload(open_page(see_source="upload", see_part=part), png(Image.new("RGB", (50, 40), "navy")))
    count = len(runs)
    assert count
    app.run()
    assert len(runs) == count
    upload(app, png(Image.fromarray(held_out()[0][353])))
    assert len(runs) > count


def test_few_sessions_hold_a_value_and_it_goes_with_them() -> None:
    holders: RecentHolders[str] = RecentHolders(2)
    first, second, third = LastValue[str](), LastValue[str](), LastValue[str]()
    assert [holders.get(each, 1, lambda: "made") for each in (first, second, first, third)] == ["made"] * 4
    assert [each.last is None for each in (first, second, third)] == [True, False, False]
    assert holders.get(second, 1, lambda: "anew") == "made"
    assert holders.get(second, 2, lambda: "anew") == "anew"
    reference = weakref.ref(second)
    del second
    assert reference() is None


@pytest.mark.parametrize("drawn", [None, {}, {"grey": "?"}, {"grey": base64.b64encode(b"short").decode()}, [1], "x"])
def test_ink_of_another_form_is_left_alone(drawn: Any) -> None:
    assert own_pictures.ink_of(drawn) is None


def test_ink_is_read_row_by_row() -> None:
    grey = np.arange(56 * 56, dtype=np.uint32).astype(np.uint8)
    assert (own_pictures.ink_of({"grey": base64.b64encode(grey.tobytes()).decode()}) == grey.reshape(56, 56)).all()


def test_every_example_has_a_licence() -> None:
    assert set(PHOTOS) == {"flower", "pagoda", "shapes"}
    for name, note in PHOTOS.items():
        assert "CC BY" in note or name == "shapes"


def test_a_patch_that_nobody_chose_has_its_own_number_on_screen() -> None:
    app = open_page(see_part="patches")
    slider = next(each for each in app.select_slider if each.label == "Framed patch")
    assert slider.options[0] == "r1 c1", "as the pictures name it"
    assert slider.value == 24, "the middle one of 7 x 7"
    assert app.session_state["see_patch"] == -1, "Attention still opens on the class token"
    slider.set_value(3).run()
    assert app.session_state["see_patch"] == 3


@pytest.fixture(scope="module", params=["vit", "dinov2", "deit"])
def added(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A vision model that a reader has added, by the name of its card."""
    folder = tmp_path_factory.mktemp("added") / f"tiny-{request.param}"
    head = "ForImageClassificationWithTeacher" if request.param == "deit" else "ForImageClassification"
    tiny_families.make_vision(request.param, folder, head)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cards, "REAL", (*cards.REAL, replace(card_of_files(folder), place=str(folder))))
        yield folder.name


@pytest.mark.slow
@pytest.mark.parametrize("part", KEYS["see_part"].choices)
def test_every_part_shows_an_added_model(added: str, part: str) -> None:
    values = {"see_model": added, "see_part": part, "see_example": "flower"}
    app = run_page("models/see.py", **values, **{"share view": True})
    executed(written(app))
    check_depths(app)


def check_depths(app: AppTest) -> None:
    for depth in DEPTHS:
        app.session_state["depth"] = depth
        app.run()
        assert not app.exception, f"{depth}: {app.exception}"
        assert not app.error


@pytest.mark.slow
@pytest.mark.parametrize(("name", "part"), [("clip", "answer"), ("siglip", "attention"), ("siglip", "answer")])
def test_a_picture_is_compared_with_the_sentences_of_a_reader(
    name: str, part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / f"tiny-{name}"
    (make_clip if name == "clip" else make_siglip)(name, folder)
    monkeypatch.setattr(cards, "REAL", (*cards.REAL, replace(card_of_files(folder), place=str(folder))))
    values = {"see_model": folder.name, "see_part": part, "see_example": "shapes", "share view": True}
    app = run_page("models/see.py", **values, see_sentences="a *cat*\nthe dog")
    executed(written(app))
    model = load_vision(str(folder)).naming(["a *cat*", "the dog"])
    shares = model.probabilities(model.trace_image(model.preparation.prepare(shapes()), keep="image_logits"))
    if part == "answer":
        app.session_state["depth"] = "Numbers"
        app.run()
        assert app.dataframe[0].value.iloc[:, 1].tolist() == pytest.approx(shares.tolist(), abs=1e-4)
    check_depths(app)
    app.session_state["see_sentences"] = " ".join(["cat"] * 70)
    app.run()
    assert any("takes at most" in said for said in messages(app)), messages(app)
    assert [each.label for each in app.text_area] == ["Which sentence is the picture like? One a line."]


def visit_added(said: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **state: object) -> AppTest:
    """The page with a tiny ViT whose file says this of its pictures. The app keeps a model by its folder's name."""
    tiny_families.make_vision("vit", tmp_path, changes={"problem_type": "multi_label_classification"}, **said)
    card = replace(card_of_files(tmp_path), place=str(tmp_path))
    monkeypatch.setattr(cards, "REAL", (*cards.REAL, card))
    return run_page("models/see.py", see_model=card.name, see_part="answer", **state)


@pytest.mark.slow
def test_an_uploaded_picture_is_prepared_by_the_model_s_own_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {"size": {"shortest_edge": 40}, "do_center_crop": True, "crop_size": 32}
    app = visit_added(said, tmp_path, monkeypatch, see_source="upload", depth="Numbers")
    rgb = np.random.default_rng(0).integers(0, 256, (60, 100, 3), dtype=np.uint8)
    upload(app, png(Image.fromarray(rgb)))
    model = load_vision(str(tmp_path))
    logits = model.trace_picture(rgb, keep="image_logits")["image_logits"]
    assert app.session_state["see_fit"] == "steps"
    assert app.dataframe[0].value["probability"].tolist() == pytest.approx(logits.sigmoid().tolist(), abs=1e-4)
    assert "need not sum to 100%" in text(app)


@pytest.mark.slow
def test_a_picture_that_the_model_s_files_make_no_square_of_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = visit_added({"size": {"shortest_edge": 32}}, tmp_path, monkeypatch, see_source="upload")
    upload(app, png(Image.new("RGB", (100, 60), "navy")))
    assert any("makes 32 x 53 pixels of this picture" in said for said in messages(app)), (messages(app), text(app))
    app.session_state["see_fit"] = "crop"
    app.run()
    assert "Which class?" in [each.value for each in app.subheader]
