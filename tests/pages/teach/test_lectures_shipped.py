"""The lectures that come with the app: complete, playable, and true.

What their notes put between “ ” must stand on the page of the scene, word for word: a model that is trained anew, or a
caption that is written anew, shows here.
"""

from __future__ import annotations

import re

import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyQuadMesh, QuadMesh
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from streamlit.testing.v1 import AppTest

from model import load
from model.experiments.snapshots import answer
from pages.shared.elements.lecture_screen import Presentation, ScreenSession
from pages.shared.session import key_texts
from pages.shared.session.view_session import ViewSession
from pages.teach.lectures import lecture_file, scene_steps
from tests.pages.conftest import run_page, session_of, shown_page, text
from views.parts import Files
from views.shown_page import in_focus

SHIPPED = lecture_file.shipped_lectures()
ISOLATES = dict.fromkeys(range(0x2066, 0x206A))


@pytest.fixture(scope="module")
def stage() -> AppTest:
    """One visitor, who goes through all lectures."""
    return run_page("teach/lecture.py")


def shown(app: AppTest) -> str:
    """The page's Markdown as a reader sees it; of a token's chip the token alone, as notes write it."""
    words = re.sub(r":\w+-background\[(.*?) :small\[\d+\]\]", r"\1", text(app))
    plain = re.sub(r":(gray|blue|orange|green|violet|red)\[|\]|\*\*|\\|`", "", words)
    return plain.translate(ISOLATES)


def test_six_lectures_ship() -> None:
    assert {lecture.title for lecture in SHIPPED.values()} == {
        "Attention in twenty minutes", "How a machine guesses the next word", "Positions", "From English to Urdu",
        "Why this word?", "One head over many texts",
    }  # fmt: skip
    assert all(8 <= len(lecture.scenes) <= 14 for lecture in SHIPPED.values())


@pytest.mark.parametrize("name", SHIPPED)
def test_every_scene_says_what_it_shows_and_where_to_look(name: str) -> None:
    for scene in SHIPPED[name].scenes:
        assert scene.title
        assert scene.point
        assert scene.focus, scene.title
        assert len(scene.notes) > 60, scene.title
        assert scene.state["model"] not in ("smollm2-135m", "minilm-l6"), "a bundled model plays everywhere"


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("attention", 20, 20),
        ("next_word", 30, 30),
        ("positions", 45, 60),
        ("urdu", 45, 60),
        ("why", 20, 30),
        ("many_texts", 10, 10),
    ],
)
def test_every_scene_has_a_plan_for_its_time(name: str, least: float, most: float) -> None:
    """One lecture says in its title how long it takes; the others fill a lesson."""
    plan = [scene.minutes for scene in SHIPPED[name].scenes]
    assert all(1 <= minutes <= 6 for minutes in plan)
    assert least <= sum(plan) <= most


def holds(pictures: list[Files], where: str) -> None:
    """The scene's picture, as a hand-out prints it, shows something: values, lines or shapes."""
    assert pictures, where
    figure = pictures[0].figure()
    drawn = [each for axes in figure.findobj(Axes) for each in axes.get_children()]
    kinds = (QuadMesh, PolyQuadMesh, AxesImage, LineCollection, Line2D, Rectangle)
    words = [each for each in figure.findobj(Text) if each.get_text()]
    assert len([each for each in drawn if isinstance(each, kinds)]) > 1 or len(words) > 3, where


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_a_lecture_plays_as_saved_and_its_notes_are_true(name: str, stage: AppTest) -> None:
    for number, scene in enumerate(SHIPPED[name].scenes):
        where = f"{name}, scene {number + 1}, {scene.title}"
        session_of(stage, ViewSession).wanted = (scene.page, dict(scene.state))
        session_of(stage, ScreenSession).presented = Presentation(which=name, scene=number)
        stage.run()
        assert not stage.exception, where
        assert not stage.error, (where, [each.value for each in stage.error])
        assert not stage.warning, (where, [each.value for each in stage.warning])
        for key, value in scene.state.items():
            assert key_texts.to_text(stage.session_state[key]) == value, (where, key)
        holds(in_focus(scene.focus, shown_page(stage).files()), where)
        says = shown(stage)
        for phrase in re.findall(r"“([^“”]+)”", scene.notes + scene.point):
            assert phrase.rstrip(".,") in says, (where, phrase, says)
        numbers = re.findall(r"\d[\d.,]*\d|\d", scene.point)
        assert all(number in says + str(dict(scene.state)) for number in numbers), (where, scene.point)


@pytest.mark.slow
def test_what_a_scene_has_written_is_what_the_model_writes() -> None:
    """A scene keeps its tokens, so that they are there at once: with its settings and its seed the model draws them."""
    written = 0
    for lecture in SHIPPED.values():
        for scene in scene_steps.unfold(lecture).scenes:
            if not scene.state.get("predict_path"):
                continue
            path = [int(id) for id in scene.state["predict_path"].split(",")]
            temperature, seed = (
                float(scene.state.get("predict_temperature", 0)),
                int(scene.state.get("predict_seed", 0)),
            )
            steps = load(scene.state["model"]).generate(
                scene.state["text"], max_new_tokens=len(path), temperature=temperature, seed=seed
            )
            assert [step.chosen for step in steps] == path, scene.title
            written += 1
    assert written == 9


@pytest.mark.slow
def test_the_lecture_for_everybody_says_what_its_model_does() -> None:
    """What its notes and points tell in words, without a quotation of the page."""
    lecture, model = SHIPPED["next_word"], load("tiny-lm")
    scenes = {scene.title: scene for scene in lecture.scenes}
    assert not any(scene.state.get("depth") == "Formula" or "=" in scene.notes for scene in lecture.scenes)
    assert f"{sum(p.numel() for p in model.network.parameters()):,} numbers" in lecture.scenes[-1].notes
    likeliest = model.trace("The dog", keep="logits").logits[-1].softmax(-1).topk(4)
    labels = [model.tokenizer.token(int(id)).text.strip() for id in likeliest.indices]
    assert scenes["A chance for every word"].point == f"Three long bars: {', '.join(labels[:3])}."
    assert likeliest.values[2] > 2 * likeliest.values[3]
    pieces = model.tokenizer.encode("The gardener waters the strawberries")
    assert "".join(token.text for token in pieces[-10:]) == " strawberries"
    answers = [
        answer(load("tiny-lm", snapshot=int(scene.state["training_snapshot"])), scene.state["text"])
        for scene in scene_steps.unfold(lecture).scenes
        if scene.page == "training"
    ]
    assert [text.split()[0].strip(".") for text in answers] == ["is", "called", "sad", "cold"]
    drawn = [scene for scene in scene_steps.unfold(lecture).scenes if scene.title == "It throws dice"]
    ends = [model.tokenizer.decode([int(id) for id in scene.state["predict_path"].split(",")]) for scene in drawn]
    for end, words in zip(
        ends, ("Paris, the capital of France.", "London, the capital of England.", "the park"), strict=True
    ):
        assert words in end
    assert model.card.details["training"]["labels"] > 4.5e6
