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
from model.vision.model import VisionModel, load_vision
from model.zoo import cards
from pages.models.see_parts import kinds, source
from pages.models.see_parts.classes import shown_classes
from pages.models.see_parts.picture_runs import LastValue, RecentHolders
from pages.models.see_parts.source import OwnPictures
from pages.shared.session.keys import DEPTHS, KEYS
from tests.model.zoo import tiny_families
from tests.model.zoo.opened import card_of_files
from tests.pages.conftest import messages, run_page, session_of, text
from tests.pages.executed_notebooks import executed, written
from tests.viz.models.test_patch_heads import decode_weights, keeps_the_strongest
from viz.models.patch_heads import pack_heads


def open_page(**state: object) -> AppTest:
    return run_page("models/see.py", **{"see_model": "digits-vit", **state})


@pytest.mark.parametrize("model", ["smollm2-135m", "en-ur", "tiny-encoder"])
def test_the_sidebar_model_does_not_matter(model: str) -> None:
    app = open_page(model=model, see_part="answer")
    assert not app.error
    assert "Which digit?" in [each.value for each in app.subheader]


def test_the_numbers_are_those_of_the_lecture_notes() -> None:
    table = open_page(see_model="dinov2-s").dataframe[0].value
    read = table.iloc[1]
    assert (read["N"], read["D'"], read["D"]) == ("256", "588", "384")
    assert table.iloc[2]["D'"] == f"{32_400 * 3:,}"
    assert "32,400" in text(open_page(see_model="dinov2-s"))


def test_the_prediction_is_the_model_s() -> None:
    model = load_vision("digits-vit")
    for digit in (0, 7):
        picture = held_out()[0][50 * digit + 3][..., None].repeat(3, -1)
        expected = model.probabilities(model.trace_picture(picture, keep="image_logits"))
        app = open_page(see_part="answer", see_example=f"digit {digit}", depth="Numbers")
        assert app.dataframe[0].value["probability"].tolist() == pytest.approx(expected.tolist(), abs=1e-5)
        assert f"alone: **{digit}**" in text(app)


def test_the_attention_is_that_of_the_chosen_patch() -> None:
    model = load_vision("digits-vit")
    picture = held_out()[0][153][..., None].repeat(3, -1)
    weights = model.trace_picture(picture, keep="*.weights")["encoder.1.self_attn.weights"][2, 11]
    app = open_page(see_part="attention", see_layer=1, see_head=2, see_patch=10, depth="Numbers")
    assert app.dataframe[0].value["weight"].tolist() == pytest.approx(weights.tolist(), abs=1e-5)
    rollout = app.dataframe[1].value["weight"]
    assert rollout.sum() == pytest.approx(1, abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("name", source.PHOTOS)
def test_all_heads_of_a_picture_travel_in_a_megabyte_with_it(name: str) -> None:
    model = load_vision("dinov2-s")
    view = source.example(model, name)
    run = source.run_edited(model, view.square)
    weights = source.all_weights(run, view.layers)
    assert weights.shape == (12, 6, 257, 257)
    queries, keys = source.queries_and_keys(run, view.layers)
    packed = pack_heads(view.square, queries, keys, weights, view.side, {"layer": 11, "head": 0, "patch": -1})
    assert len(packed) <= 1_000_000
    decoded = decode_weights(packed)
    patches = decoded[..., 1:]
    expected = weights[..., 1:] / weights[..., 1:].max(-1, keepdims=True)
    distance = ((patches / patches.max(-1, keepdims=True) - expected) ** 2).mean((2, 3)) ** 0.5  # (layers, heads)
    assert distance.max() < 0.05, "no head is far from its weights, even heads included"
    assert keeps_the_strongest(decoded, weights)


def test_the_shares_of_shuffled_digits_are_means_over_many_orders() -> None:
    page_text = text(open_page(see_part="place", see_change="shuffle"))
    assert "Digits ViT 99% right, 25% ± 4.7% with every picture shuffled" in page_text
    assert "Digits ViT without positions 84% right, 84% ± 0% with every picture shuffled" in page_text
    assert "(mean and standard deviation over 30 random orders)" in page_text


def test_shuffling_moves_nothing_without_positions() -> None:
    app = open_page(see_part="place", see_change="shuffle", depth="Numbers")
    learnt, bag = app.dataframe[0].value, app.dataframe[1].value
    assert bag["before"].tolist() == pytest.approx(bag["after"].tolist(), abs=1e-4)
    assert (learnt["before"] - learnt["after"]).abs().max() > 0.05
    assert "Nothing moves" in text(app)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dinov2-s", "digits-vit"])
def test_attention_follows_the_patches_only_without_positions(name: str) -> None:
    page_text = text(open_page(see_model=name, see_part="place", see_change="shuffle"))
    assert page_text.count("follows every patch to its new place") == 1
    assert page_text.count("of the attention goes to other patches") == 1


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"see_change": "blank", "see_share": 1.0}, "49 of 49 patches blank"),
        ({"see_change": "blank", "see_share": 0.0}, "0 of 49 patches blank"),
        ({"see_change": "shift", "see_right": -3, "see_down": 4}, "moved -3 right and 4 down"),
    ],
)
def test_other_changes(state: dict[str, Any], words: str) -> None:
    assert words in text(open_page(see_part="place", **state))


def test_places_that_do_not_exist_are_replaced_with_a_message() -> None:
    app = open_page(see_part="attention", see_layer=40, see_patch=300)
    warnings = " ".join(each.value for each in app.warning)
    assert "Layer 40 does not exist here" in warnings
    assert "Patch 300 does not exist here" in warnings


def test_an_example_of_another_model_is_replaced_with_a_message() -> None:
    app = open_page(see_example="flower")
    assert any("does not exist here" in each.value for each in app.warning)


def test_cost_counts_the_entries_of_a_head() -> None:
    assert "66,049 entries a head" in text(open_page(see_model="dinov2-s", see_part="cost"))


def test_kinds_name_papers_once_each() -> None:
    every = [kind for group in kinds.GROUPS.values() for kind in group]
    assert len(every) == 23
    assert len({name for name, *_ in every}) == len({number for *_, number in every}) == 23


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
    assert source.ink_of(drawn) is None


def test_ink_is_read_row_by_row() -> None:
    grey = np.arange(56 * 56, dtype=np.uint32).astype(np.uint8)
    assert (source.ink_of({"grey": base64.b64encode(grey.tobytes()).decode()}) == grey.reshape(56, 56)).all()


def test_every_example_has_a_licence() -> None:
    assert set(source.PHOTOS) == {"flower", "pagoda", "shapes"}
    for name, note in source.PHOTOS.items():
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
    executed(written(app, "see"))
    for depth in DEPTHS:
        app.session_state["depth"] = depth
        app.run()
        assert not app.exception, f"{depth}: {app.exception}"
        assert not app.error


def test_the_second_token_of_a_deit_is_explained_and_asks_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny_families.make_vision("deit", tmp_path / "deit", "ForImageClassificationWithTeacher")
    card = replace(card_of_files(tmp_path / "deit"), place=str(tmp_path / "deit"))
    monkeypatch.setattr(cards, "REAL", (*cards.REAL, card))
    model = load_vision(str(tmp_path / "deit"))
    values = {"see_model": card.name, "see_example": "flower", "see_source": "example"}
    said = text(run_page("models/see.py", **values, see_part="patches"))
    assert "The second token is the distillation token." in said
    assert "the class token and the distillation token 18 tokens" in said
    asked = {"see_part": "attention", "see_layer": 1, "see_head": 2, "see_patch": -2, "depth": "Numbers"}
    app = run_page("models/see.py", **values, **asked)
    weights = model.trace_picture(source.example(model, "flower").square)["encoder.1.self_attn.weights"][2, 1]
    assert app.dataframe[0].value["weight"].tolist() == pytest.approx(weights.tolist(), abs=1e-5)
    assert app.dataframe[0].value["looks at"].tolist()[:3] == ["the class token", "the distillation token", "r1 c1"]
    assert "the distillation token looks most at" in text(app)


def visit_added(said: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **state: object) -> AppTest:
    """The page with a tiny ViT whose file says this of its pictures. The app keeps a model by its folder's name."""
    tiny_families.make_vision("vit", tmp_path, changes={"problem_type": "multi_label_classification"}, **said)
    card = replace(card_of_files(tmp_path), place=str(tmp_path))
    monkeypatch.setattr(cards, "REAL", (*cards.REAL, card))
    return run_page("models/see.py", see_model=card.name, see_part="answer", **state)


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


def test_a_picture_that_the_model_s_files_make_no_square_of_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = visit_added({"size": {"shortest_edge": 32}}, tmp_path, monkeypatch, see_source="upload")
    upload(app, png(Image.new("RGB", (100, 60), "navy")))
    assert any("makes 32 x 53 pixels of this picture" in said for said in messages(app)), (messages(app), text(app))
    app.session_state["see_fit"] = "crop"
    app.run()
    assert "Which class?" in [each.value for each in app.subheader]


def test_of_many_classes_the_likeliest_are_shown() -> None:
    assert shown_classes([0.1, 0.9]) == [0, 1]
    shares = [0.01 * place for place in range(12)]
    assert shown_classes(shares) == list(range(11, 1, -1))
