"""Asking a class: the question is that of the view, its answer that of the tensors, and both end with the view."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model import ablate, load
from model.experiments.snapshots import answer
from model.questions import NoQuestion, Question
from pages.catalogue import PAGES, question_kinds_of
from pages.shared.server.session_values import name_of
from pages.shared.session import key_texts
from pages.shared.session.keys import KEYS
from pages.shared.session.view_session import ViewSession
from pages.teach import questions
from pages.teach.lectures import lecture_file
from pages.teach.lectures.scene import Lecture, Scene
from pages.teach.presenting import my_room
from pages.teach.presenting.current_question import AskedSession
from pages.teach.presenting.my_room import RoomSession
from pages.teach.questions import View
from pages.teach.rooms.room import HUB, OpenedRoom, Room
from tests.pages.conftest import lecture_of, run_page, with_lecture
from views.learning.before_attention import translators

TEXT = "Anna is happy, Tom is sad and the dog is hungry. He is"
TINY = {"model": "tiny-lm", "text": TEXT}
URDU = {"model": "en-ur", "text": "The girl reads the book"}
SOLDIERS = "The soldiers want to throw this ball but a guest broke the toy."
FILES = {
    "home": "home/home.py", "tokens": "inputs/tokens.py", "positions": "inputs/positions.py",
    "scores": "attention/scores.py", "masks": "attention/masks.py", "heads": "attention/heads.py",
    "combine": "attention/combine.py", "block": "block/block.py", "predict": "models/predict.py",
    "why": "models/why.py",
    "translate": "models/translate.py", "classify": "models/classify.py", "see": "models/see.py",
    "training": "learning/training.py", "before_attention": "learning/before_attention.py",
    "bench": "learning/bench.py", "cost": "learning/cost.py",
}  # fmt: skip
USUAL: dict[str, dict[str, object]] = {
    "positions": {"positions_part": "circles"},
    "combine": {"combine_muted": (2,), "layer": 2, "combine_view": "Mute heads"},
    "translate": {**URDU},
    "classify": {"model": "tiny-encoder", "text": "I love this film", "classify_part": "labels"},
    "see": {"see_model": "digits-vit"},
    "tokens": {"tokens_part": "embedding"},
    "training": {"training_snapshot": 6},
    "before_attention": {"text": SOLDIERS},
    "bench": {"bench_parts": "feed-forward"},
}


def right(question: Question) -> str:
    return question.choices[question.answer].label


def value(question: Question) -> float:
    return question.choices[question.answer].value


def pose(kind: str, page: str, **values: object) -> Question:
    return questions.pose(kind, View(page, TINY | values))


def view_of(app: AppTest, page: str) -> View:
    return View(page, {name: app.session_state[name] for name in KEYS})


# The answers are those of the tensors


def test_the_answers_are_those_of_the_tensors() -> None:
    model = load("tiny-lm")
    trace = model.trace(TEXT)
    weights = trace["decoder.2.self_attn.weights"].numpy()  # (heads, queries, keys)
    last = len(trace.tokens) - 1
    at = {"layer": 2, "head": 2, "query": last}
    attention = pose("attention", "heads", **at)
    assert trace.tokens[int(weights[2, last].argmax())].text.strip() == right(attention) == "sad"
    assert value(attention) == pytest.approx(weights[2, last].max(), abs=1e-6)
    head = pose("head", "heads", **at, key=6)
    assert right(head) == f"Head {weights[:, last, 6].argmax()}"
    p = trace.logits[-1].double().numpy()
    p = np.exp(p - p.max()) / np.exp(p - p.max()).sum()
    for page in ("home", "predict"):
        assert value(pose("next token", page)) == pytest.approx(p.max(), rel=1e-4)
    logits = trace.logits[-1].double().numpy() / 3
    warm = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    assert value(pose("temperature", "predict", predict_temperature=3.0)) == pytest.approx(warm.max(), rel=1e-4)
    scaled = float(trace["decoder.2.self_attn.scores"][2, last, 6])
    assert value(pose("scale", "scores", **at, key=6)) == pytest.approx(scaled, rel=1e-5)
    rows = model.network.get_parameter("decoder.blocks.2.self_attn.out.weight").T.detach().numpy()
    parts = trace["decoder.2.self_attn.concat"][last].numpy().reshape(4, -1)
    sizes = [float(np.linalg.norm(part @ rows[32 * i : 32 * i + 32])) for i, part in enumerate(parts)]
    part = pose("part", "combine", layer=2)
    assert right(part) == f"Head {int(np.argmax(sizes))}"
    assert value(part) == pytest.approx(max(sizes), rel=1e-4)
    muted = model.trace(TEXT, keep="logits", edits=[ablate("decoder.2.self_attn", 2)]).logits[-1]
    without = pose("without heads", "combine", layer=2, combine_muted=(2,))
    assert right(without) == model.tokenizer.token(int(muted.argmax())).text.strip() == "hungry"
    written = [float(trace[f"decoder.{layer}.ffn.out"][last].norm()) for layer in range(4)]
    assert right(pose("layer", "block")) == f"Layer {int(np.argmax(written))}"


def test_the_next_urdu_word_and_the_word_that_it_came_from() -> None:
    trace = load("en-ur").trace(URDU["text"], keep=("logits", "*.cross_attn.weights"))
    for step in range(1, len(trace.logits) + 1):
        asked = pose("next token", "translate", **URDU, translate_step=step)
        assert value(asked) == pytest.approx(float(trace.logits[step - 1].softmax(-1).max()), rel=1e-4)
    weights = trace["decoder.1.cross_attn.weights"].mean(0)[0]
    asked = pose("attention", "translate", **URDU, translate_step=1, translate_layer=1)
    assert value(asked) == pytest.approx(float(weights.max()), abs=1e-6)
    assert right(asked).split(" (")[0] == trace.source_tokens[int(weights.argmax())].text.strip()


def test_the_tokens_of_a_text_are_counted_without_those_that_are_added() -> None:
    text = "Transformers disestablish me."
    asked = pose("pieces", "tokens", model="tiny-encoder", text=text)
    tokens = [token for token in load("tiny-encoder").tokens_of(text) if not token.special]
    assert right(asked) == str(len(tokens))
    assert {"3", "27"} <= {choice.label for choice in asked.choices}, "words, letters and marks"
    with pytest.raises(NoQuestion, match="too long"):
        pose("pieces", "tokens", text="a dog " * 41)


def test_a_hand_turns_as_the_controls_say() -> None:
    asked = pose("hand", "positions", positions_clock=3, positions_phi=5.0)
    assert asked.text == "How far does hand 3 turn for φ = 5?"
    assert value(asked) == pytest.approx(math.degrees(5 * 10000 ** (-6 / 32)), rel=1e-5)
    rotary = {"model": "tiny-lm-rotary", "text": "The capital of France is", "positions_part": "rotary"}
    asked = pose("hand", "positions", **rotary, query=4, key=1)
    assert value(asked) == pytest.approx(math.degrees(3), rel=1e-5)
    with pytest.raises(NoQuestion, match="does not rotate"):
        pose("hand", "positions", positions_part="rotary")


@pytest.mark.parametrize("name", ["digits-vit", "dinov2-s"])
def test_the_quarter_of_a_picture_that_is_looked_at(name: str) -> None:
    from pages.models.see_parts import source

    model = source.vision(name)
    seen = source.example(model, source.examples(model)[1])
    asked = pose("quarter", "see", see_model=name, see_layer=1, see_head=2)
    weights = seen.run["encoder.1.self_attn.weights"][2, 0, 1:].numpy().reshape(seen.side, seen.side)
    half = seen.side // 2
    sums = {
        "Upper left": weights[:half, :half], "Upper right": weights[:half, -half:],
        "Lower left": weights[-half:, :half], "Lower right": weights[-half:, -half:],
    }  # fmt: skip
    assert {choice.label for choice in asked.choices} == set(sums)
    assert right(asked) == max(sums, key=lambda each: sums[each].sum())
    assert value(asked) == pytest.approx(float(sums[right(asked)].sum()), rel=1e-4)
    if name == "digits-vit":
        assert right(pose("digit", "see", see_model=name, see_example="digit 3")) == "3"


def test_questions_about_training_are_those_of_the_card() -> None:
    snapshots = load("tiny-lm").card.details["snapshots"]
    losses = {f"{each['step']:,} steps": each["metrics"]["loss"] for each in snapshots}
    half = (snapshots[0]["metrics"]["loss"] + snapshots[-1]["metrics"]["loss"]) / 2
    at = {"training_of": "tiny-lm"}
    assert right(pose("loss", "training", **at)) == next(step for step, loss in losses.items() if loss < half)
    assert right(pose("measure", "training", **at, training_snapshot=5)) == "closing"
    with pytest.raises(NoQuestion, match="Choose Replay"):
        pose("loss", "training", training_part="live")
    with pytest.raises(NoQuestion, match="as good as equal"):
        pose("measure", "training", **at)  # several measures are at 100% at the end


@pytest.mark.slow
def test_questions_about_translators_are_those_of_their_runs() -> None:
    known = {translators.TRANSLATORS[name][0]: load(name) for name in translators.TRANSLATORS}
    reference = translators.reference(SOLDIERS)
    rightly = [name for name, model in known.items() if answer(model, SOLDIERS).rstrip("۔؟!") == reference]
    asked = pose("translators", "before_attention", text=SOLDIERS)
    assert right(asked) == (
        "All 3" if len(rightly) == 3 else f"Only {' and '.join(rightly)}" if rightly else "None of them"
    )
    with pytest.raises(NoQuestion, match="No translation"):
        pose("translators", "before_attention", text="The girl sings and sings and sings")
    trace = load("en-ur-bahdanau").trace(URDU["text"], keep=("decoder.*.attention.weights", "logits"))
    asked = pose("alignment", "before_attention", **URDU, before_attention_step=2)
    weights = trace["decoder.1.attention.weights"]  # of step 2
    assert value(asked) == pytest.approx(float(weights.max()), abs=1e-5)
    assert right(asked).split(" (")[0] == trace.source_tokens[int(weights.argmax())].text.strip()
    assert right(pose("steps", "before_attention", **URDU)) == str(len(trace.source_tokens))


def test_the_part_that_is_missed_most_and_what_is_said_without_one() -> None:
    from model.experiments.broken_parts import text_loss
    from model.experiments.surgery import edit_model, parts_of

    model = load("tiny-lm")
    lost = {part.name: text_loss(edit_model(model, (part,)), TEXT) for part in parts_of(model.config)}
    asked = pose("missed part", "bench")
    assert right(asked) == max(lost, key=lambda name: lost[name])
    assert value(asked) == pytest.approx(max(lost.values()), rel=1e-4)
    part = next(part for part in parts_of(model.config) if part.name == "feed-forward")
    logits = edit_model(model, (part,)).trace(TEXT, keep="logits").logits[-1]
    without = pose("without parts", "bench", bench_parts="feed-forward")
    assert value(without) == pytest.approx(float(logits.softmax(-1).max()), rel=1e-4)
    with pytest.raises(NoQuestion, match="Nothing is taken away"):
        pose("without parts", "bench", bench_parts="none")
    with pytest.raises(NoQuestion, match="about parts"):
        pose("without parts", "bench", bench_parts="feed-forward", bench_heads="one")


def test_a_question_on_a_picture_brings_the_picture() -> None:
    assert questions.picture(View("see", {"see_model": "digits-vit"})).startswith("data:image/jpeg;base64,")
    assert questions.picture(View("heads", TINY)) == ""
    with pytest.raises(NoQuestion, match="stays in your session"):
        pose("quarter", "see", see_model="digits-vit", see_source="upload")


@pytest.mark.slow
def test_where_a_page_cannot_ask_its_first_kind_it_asks_another() -> None:
    app = run_page(
        FILES["home"], RoomSession(token := HUB.open("A").token), model="minilm-l6", text="The dog is hungry"
    )
    app.session_state[name_of(AskedSession)] = AskedSession(1, "next token", or_another=True)
    app.run()
    assert not app.exception
    told = HUB._rooms[token.partition(".")[0]].asked
    assert told is not None
    assert told.content["text"].startswith("Which head spreads its attention most evenly?")
    HUB.close(token)


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("none", "None of them"),
        ("causal", "Those right of the diagonal: keys"),
        ("window", "Those right of the diagonal, and those far left"),
        ("", "Those right"),
    ],
)
def test_the_mask_is_the_one_that_is_chosen(kind: str, answer: str) -> None:
    assert right(pose("hidden cells", "masks", masks_kind=kind)).startswith(answer)


def test_a_painted_mask_is_asked_for_its_rows() -> None:
    import torch

    from model.experiments.painted_masks import mask_to_text

    visible = torch.ones(15, 15).tril().bool()
    visible[14, 6] = False
    paint = {"masks_kind": "painted", "masks_paint": mask_to_text(visible), "query": 14}
    with pytest.raises(NoQuestion, match="shape of its own"):
        pose("hidden cells", "masks", **paint)
    assert value(pose("visible keys", "masks", **paint)) == 0
    assert "sad" not in right(pose("visible keys", "masks", **paint)).split(" and ")[0]
    with pytest.raises(NoQuestion, match="another sentence"):
        pose("hidden cells", "masks", **paint, text="He is sad")


def test_a_kind_that_the_page_cannot_ask_is_no_question() -> None:
    with pytest.raises(NoQuestion, match="no question of that kind"):
        pose("hand", "heads")


# The question is that of the view, however much the view leaves to its page


@pytest.mark.slow
@pytest.mark.parametrize("page", FILES)
def test_a_page_shows_what_was_asked_about_it(page: str) -> None:
    assert set(FILES) == {entry.url for entry in PAGES if entry.question_kinds}
    values: dict[str, object] = {**TINY, **USUAL.get(page, {})}
    before = {kind: questions.pose(kind, View(page, values)) for kind in question_kinds_of(page)}
    app = run_page(FILES[page], **values)
    for kind, question in before.items():
        assert questions.pose(kind, view_of(app, page)) == question


# A class


@pytest.fixture
def opened() -> Iterator[OpenedRoom]:
    room = HUB.open("Dr. A")
    yield room
    HUB.close(room.token)


def room_of(opened: OpenedRoom) -> Room:
    return HUB._rooms[opened.token.partition(".")[0]]


def presents(opened: OpenedRoom) -> tuple[RoomSession, ViewSession]:
    """What a session keeps that has entered the room."""
    return RoomSession(opened.token), ViewSession(listeners={"room": my_room._publish})


def asked_page(opened: OpenedRoom, page: str, kind: str, **values: object) -> AppTest:
    asked = AskedSession(1, kind, last=kind)
    return run_page(FILES[page], RoomSession(opened.token), asked, **TINY, **values)


def test_the_class_is_asked_about_the_view_and_no_longer_than_it_stays(opened: OpenedRoom) -> None:
    app = asked_page(opened, "heads", "attention")
    told = room_of(opened).asked
    assert told is not None
    question = questions.pose("attention", view_of(app, "heads"))
    assert told.name == question.id
    assert told.content["choices"] == [choice.label for choice in question.choices]
    assert told.solution["answer"] == question.answer
    number = told.number
    app.run()
    assert room_of(opened).asked is not None
    assert room_of(opened).asked.number == number, "drawn again, not asked again"  # type: ignore[union-attr]
    app.session_state["layer"] = 0
    app.run()
    assert room_of(opened).asked is None


def test_what_cannot_be_asked_asks_nothing(opened: OpenedRoom) -> None:
    app = asked_page(opened, "combine", "without heads", combine_muted=(-1,))
    assert not app.exception
    assert room_of(opened).asked is None


def test_no_room_no_lecture_no_question() -> None:
    app = run_page(FILES["heads"], AskedSession(1, "attention", last="attention"), **TINY)
    assert not app.exception


# Scenes


def test_a_scene_is_read_with_its_question_and_one_of_no_kind_is_named() -> None:
    file = 'format = 1\n[[scenes]]\npage = "heads"\nask = "attention"\n[[scenes]]\npage = "heads"\nask = "magic"\n'
    lecture, problems = lecture_file.read(file.encode())
    assert [scene.ask for scene in lecture.scenes] == ["attention", ""]
    assert [(problem.scene, problem.stops) for problem in problems] == [(1, False)]
    assert "“magic”, which is no kind of question" in problems[0].what
    assert lecture_file.read(lecture_file.write(lecture).encode())[0] == lecture


def test_a_scene_whose_page_cannot_ask_that_says_so() -> None:
    app = run_page("teach/lecture.py", with_lecture(Lecture("L", "", (Scene("heads", dict(TINY), ask="hand"),))))
    assert any("cannot ask “hand”" in warning.value.replace("\\", "") for warning in app.warning)
    app.button(key="present").click().run()
    assert not app.exception
    assert app.title[0].value == "Heads"


def test_a_scene_is_given_a_question_in_the_editor() -> None:
    app = run_page("teach/lecture.py", with_lecture(Lecture("L", "", (Scene("heads", dict(TINY)),))))
    box = next(each for each in app.selectbox if each.label.startswith("Ask the class"))
    box.set_value("spread").run()
    assert lecture_of(app).scenes[0].ask == "spread"


def test_a_scene_that_asks_is_asked_when_it_is_played(opened: OpenedRoom) -> None:
    scenes = (Scene("heads", TINY | {"layer": "2"}, ask="attention"), Scene("heads", TINY | {"layer": "1"}))
    app = run_page("teach/lecture.py", with_lecture(Lecture("L", "", scenes)), *presents(opened))
    app.button(key="present").click().run()
    assert not app.exception
    told = room_of(opened).asked
    assert told is not None
    assert told.name == questions.pose("attention", view_of(app, "heads")).id
    seat = HUB.sit(lambda: None, key=opened.key)
    assert "heads" not in "".join(HUB.news(seat)), "the class gets the view that shows the answer"
    HUB.reveal(opened.token, told.name)
    assert '"page": "heads"' in "".join(HUB.news(seat))
    HUB.leave(seat)


@pytest.mark.parametrize("name", lecture_file.shipped_lectures())
def test_every_question_of_a_shipped_lecture_can_be_asked(name: str) -> None:
    asks = [scene for scene in lecture_file.shipped_lectures()[name].scenes if scene.ask]
    assert len(asks) >= 2
    for scene in asks:
        values = {key: key_texts.parse(KEYS[key], text) for key, text in scene.state.items()}
        question = questions.pose(scene.ask, View(scene.page, values))
        assert len(question.choices) >= 3, scene.title
