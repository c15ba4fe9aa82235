"""The choice of a vision model and a picture. A reader's own picture stays in the session: no cache, file or link."""

from __future__ import annotations

import base64
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator
from torch import Tensor

from model import Card, Edit, Trace, available
from model.errors import PictureError
from model.graph.explain import Explanation, explain
from model.vision.digits import held_out
from model.vision.features import as_digit, shapes
from model.vision.files import PictureFile, read_picture
from model.vision.model import VisionModel, load_vision
from pages.components.vision_mounts import digit_pad, picture_paste
from pages.models.see_parts.picture_runs import LastValue, RecentHolders
from pages.shared.elements import upload_field
from pages.shared.model_runs import model_turns, not_finite, traces
from pages.shared.model_runs.shared_cache import SharedCache
from pages.shared.server import limits, rate_limits, reached_limits
from pages.shared.server.networks import network_here
from pages.shared.server.rate_limits import LimitReached
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from viz.shared.style import markdown_text

PICTURES = Path(__file__).resolve().parents[3] / "assets" / "pictures"
PASTED_BYTES = 5_000_000  # It comes as base64 in one message, which may have 8 MB (.streamlit/config.toml).
MODELS = ("dinov2-s", "digits-vit", "digits-vit-nopos")
PHOTOS = {
    "flower": "A dahlia. Photo: vultilion on Flickr, CC BY 2.0, from scikit-learn's sample images, cropped.",
    "pagoda": "A pagoda in Beijing. Photo: danielbuechele on Flickr, CC BY 2.0, from scikit-learn's sample images, "
    "cropped.",
    "shapes": "Three shapes, drawn by this program.",
}
DIGITS = tuple(f"digit {digit}" for digit in range(10))
DIGIT_NOTE = "A handwritten digit that the model was not trained on. MNIST (LeCun, Cortes and Burges), CC BY-SA 3.0."
SOURCES = {"example": "Example", "upload": "Upload", "paste": "Paste", "camera": "Camera", "draw": "Draw"}
FITS = {
    "steps": "as the model's files say",
    "crop": "its middle",
    "pad": "all of it, with black bars",
    "stretch": "all of it, stretched",
}
KEEP = ("*.weights", "*.q", "*.k", "final_norm", "image_logits", "embed.*")
MAX_TRACE_BYTES = 90_000_000  # of all examples
MAX_HOLDERS = 3  # sessions that keep runs over their own picture: 30 MB each with the largest model
Value = TypeVar("Value")


@dataclass(frozen=True)
class PictureView:
    """A vision model, the picture that it reads, and how to run it."""

    model: VisionModel
    square: NDArray[np.uint8]  # (size, size, 3): the pixels that the model reads
    width: int  # of the picture as it came
    height: int
    name: str  # of an example; "" for the reader's own
    note: str

    @property
    def side(self) -> int:
        return self.model.config.patches_a_side

    @property
    def layers(self) -> int:
        return self.model.config.n_encoder_layers

    @property
    def key(self) -> tuple[str, bytes]:
        """All that a run depends on: the model, and the pixels that it reads."""
        return self.model.card.name, self.square.tobytes()

    def run(self) -> Trace:
        """The run over this picture. All sessions share the run of an example. A reader's own stays in the session."""

        def make() -> Trace:
            return run_edited(self.model, self.square)

        if not self.name:
            found = remember("run", self.key, make)
        else:
            found = _traces().get((self.model.card.name, str(self.model.place), self.name), make)
        return not_finite.tell(found, state.message_slot() or st.container())

    def explain(self, name: str, *index: int) -> Explanation:
        """Where a number of the run comes from, as the map tells it."""
        return explain(self.run().with_network(self.model.network), name, index)  # cached traces hold no model


def run_edited(
    model: VisionModel, square: NDArray[np.uint8], edits: tuple[Edit, ...] = (), keep: tuple[str, ...] = KEEP
) -> Trace:
    """A run over a picture of the model's size. `keep` names the recorded tensors."""
    pixels: Tensor = model.preparation.normalise(square)
    recorded = [name for name in keep if name != "image_logits"]
    if "image_logits" in keep:
        recorded += model.class_scores
    with model_turns.forward_pass():
        return not_finite.look_at(model.trace_image(pixels, keep=recorded, edits=edits))


def remember(kind: str, key: Hashable, make: Callable[[], Value]) -> Value:
    """The value of `key`. `make` runs only if the session's last value of this `kind` has another key."""
    return _holders(kind).get(st.session_state.setdefault(f"_see_held_{kind}", LastValue()), key, make)


@st.cache_resource(show_spinner=False, max_entries=4)
def _holders(kind: str) -> RecentHolders[Any]:
    return RecentHolders(MAX_HOLDERS)


def all_weights(run: Trace, layers: int) -> NDArray[np.float32]:
    """The attention of every head: (layers, heads, S + N, S + N)."""
    return np.stack([run[f"encoder.{layer}.self_attn.weights"].numpy() for layer in range(layers)])


def queries_and_keys(run: Trace, layers: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The queries and the keys of every head: (layers, heads, S + N, d_head) each."""
    each_layer = range(layers)
    queries = np.stack([run[f"encoder.{layer}.self_attn.q"].numpy() for layer in each_layer])
    return queries, np.stack([run[f"encoder.{layer}.self_attn.k"].numpy() for layer in each_layer])


def vision(name: str) -> VisionModel:
    """The loaded model, shared by all sessions. Raises `GlassformerError`."""
    with model_turns.else_on_cpu():
        return _vision(name, model_turns.device())


@st.cache_resource(show_spinner="Opening the model", max_entries=len(MODELS))
def _vision(name: str, device: str) -> VisionModel:
    return load_vision(name, device=device)


@st.cache_resource(show_spinner=False, max_entries=1)
def _traces() -> SharedCache[Trace]:
    return SharedCache(MAX_TRACE_BYTES, lambda run: run.nbytes)


def choose(row: DeltaGenerator) -> PictureView:
    """Shows the controls in a row above the parts, and returns their choice. Raises `NothingToShow` after a message."""
    cards = {card.name: card for card in available("vision")}
    _default_model(cards)
    state.checked_choice("see_model", tuple(cards), "Vision model", MODELS[1])
    row.selectbox(
        "Vision model",
        tuple(cards),
        key="see_model",
        format_func=lambda each: cards[each].title + ("" if cards[each].ready else f" ({cards[each].state})"),
        on_change=_forget_places,
        help="The model in the bar reads text; this page has models of its own.",
        label_visibility="collapsed",
        width=230,
    )
    try:
        model = vision(state.get("see_model"))
    except traces.errors() as error:
        traces.complain(error)
        raise traces.NothingToShow from error
    if state.get("see_source") == "draw" and not model.reads_digits:
        state.put(see_source="example")
    sources = tuple(source for source in SOURCES if model.reads_digits or source != "draw")
    row.segmented_control(
        "Picture", sources, key="see_source", format_func=SOURCES.__getitem__, required=True,
        label_visibility="collapsed", width="content",
    )  # fmt: skip
    own_file = _own(model)
    try:
        return own_picture(model, own_file) if own_file is not None else _example(model, row)
    except PictureError as error:  # the model's own files make no square of it
        traces.complain(error)
        raise traces.NothingToShow from error


def _default_model(cards: dict[str, Card]) -> None:
    if not state.get("see_model"):
        state.put(see_model=next((name for name in MODELS if name in cards and cards[name].ready), MODELS[0]))


def _forget_places() -> None:
    state.put(see_layer=-1, see_head=-1, see_patch=-1, see_example="")


def _example(model: VisionModel, row: DeltaGenerator) -> PictureView:
    """An example, chosen in the `row` of controls."""
    choices, default = examples(model)
    state.checked_choice("see_example", choices, "Picture", default)
    row.selectbox("Example", choices, key="see_example", label_visibility="collapsed", width=120)
    return example(model, state.get("see_example"))


def examples(model: VisionModel) -> tuple[tuple[str, ...], str]:
    """The names of a model's examples, and the first one to show."""
    choices = DIGITS if model.reads_digits else tuple(PHOTOS)
    return choices, choices[3 if model.reads_digits else 0]


def example(model: VisionModel, name: str) -> PictureView:
    """One of the examples, by its name."""
    if name in DIGITS:
        pictures, _ = held_out()
        rgb = pictures[50 * int(name[-1]) + 3][..., None].repeat(3, -1)
    elif name == "shapes":
        rgb = shapes()
    else:
        rgb = _photo(name)
    note = DIGIT_NOTE if name in DIGITS else PHOTOS[name]
    return PictureView(model, model.preparation.square(rgb), rgb.shape[1], rgb.shape[0], name, note)


@st.cache_data(show_spinner=False, max_entries=4)
def _photo(name: str) -> NDArray[np.uint8]:
    return read_picture((PICTURES / f"{name}.jpg").read_bytes()).rgb


# -- the reader's own --------------------------------------------------------------------------------------------------


@dataclass
class OwnPictures:
    """The reader's own pictures by their source, already made small.

    `faults`: why the last file of a source cannot be read. `waiting`: a source and its file that is to be read.
    """

    by_source: dict[str, PictureFile] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    waiting: tuple[str, bytes] | None = None


def _own(model: VisionModel) -> PictureFile | None:
    """The reader's own picture from the chosen source. None for an example, or after a message that asks for one."""
    source = state.get("see_source")
    if source == "example":
        return None
    _take_waiting()
    pictures = of_session(OwnPictures).by_source
    if source == "draw":
        digit_pad(pictures["draw"].rgb[..., 0] if "draw" in pictures else None, key="see pad", on_ink=_take_ink)
    elif source == "paste":
        picture_paste(PASTED_BYTES, key="see paste", on_file=_take_paste)
    elif source == "camera":
        st.camera_input("Take a picture", key="see camera", on_change=_take_file, args=("camera",), width=420)
    else:
        upload_field.show(
            "A PNG, JPEG or WebP picture, at most 16 MB and 25 million pixels (6 million of a WebP)",
            type=["png", "jpg", "jpeg", "webp"],
            key="see upload",
            on_change=_take_file,
            args=("upload",),
        )
    if message := of_session(OwnPictures).faults.get(source):
        st.error(markdown_text(message), icon=":material/error:")
    if source not in pictures:
        st.info(
            "No picture yet: below is an example. A picture of your own stays in this session. It is written to no "
            "file, and a link to this page cannot hold it."
            + ("" if source != "camera" else " The browser asks whether it may use your camera. Where it has none, or "
               "you said no, choose Upload or Paste.")
        )  # fmt: skip
        return None
    if not model.reads_digits:
        _choose_fit(model)
    for note in pictures[source].notes:
        st.caption(note)
    return pictures[source]


def _choose_fit(model: VisionModel) -> None:
    """How a picture that is not square is read. The model's own way comes first, where its files say one."""
    usual = model.preparation.reading("").fit
    fits = tuple(FITS) if usual == "steps" else tuple(FITS)[1:]
    state.checked_choice("see_fit", fits, "The way to read a picture", usual)
    st.segmented_control(
        "Of a picture that is not square, read", fits, key="see_fit", format_func=FITS.__getitem__, required=True
    )


def own_picture(model: VisionModel, own: PictureFile) -> PictureView:
    """A reader's own picture as the model reads it. The digits models read its ink, white on black."""
    note = "Your picture: in this session only; no link can hold it."
    if model.reads_digits:
        square = as_digit(own.rgb)
        note += " The model reads its ink, white on black and centred, as the digits that it learnt from."
    else:
        square = model.preparation.reading(state.get("see_fit")).square(own.rgb)
    return PictureView(model, square, own.width, own.height, "", note)


def _take_file(source: str) -> None:
    file = st.session_state.get(f"see {source}")
    if file is None:
        own = of_session(OwnPictures)
        own.waiting = None
        own.by_source.pop(source, None)
        own.faults.pop(source, None)
    else:
        _take(source, file.getvalue())


def _take_paste() -> None:
    text = st.session_state["see paste"].file
    if isinstance(text, str):
        try:
            _take("paste", base64.b64decode(text, validate=True))
        except ValueError:
            of_session(OwnPictures).faults["paste"] = "What was pasted cannot be read. Copy the picture again."


def _take(source: str, data: bytes) -> None:
    """A file becomes the picture of its source. If it cannot be read, the reason is kept for the page.

    Beyond the limit of uploads it waits until the page is drawn (`_take_waiting`).
    """
    of_session(OwnPictures).waiting = (source, data)
    with suppress(LimitReached):
        _read_waiting()


def _take_waiting() -> None:
    """Read the file that had to wait, or say that it still has to."""
    if of_session(OwnPictures).waiting is not None:
        try:
            _read_waiting()
        except LimitReached as error:
            reached_limits.note(error)


def _read_waiting() -> None:
    rate_limits.spend(limits.UPLOADS)
    own = of_session(OwnPictures)
    if own.waiting is None:
        return
    (source, data), own.waiting = own.waiting, None
    own.faults.pop(source, None)
    try:
        picture = read_picture(data, network_here())
    except PictureError as error:
        own.faults[source] = str(error)
        return
    own.by_source[source] = picture


def _take_ink() -> None:
    message = st.session_state["see pad"].ink
    ink = ink_of(message)
    if ink is None:
        return
    pictures = of_session(OwnPictures).by_source
    if ink.any():
        pictures["draw"] = PictureFile(ink[..., None].repeat(3, -1), ink.shape[1], ink.shape[0], ())
    else:
        pictures.pop("draw", None)


def ink_of(message: Any) -> NDArray[np.uint8] | None:
    """The ink in a message of the pad: (56, 56). None if the message has another form."""
    try:
        grey = base64.b64decode(message["grey"], validate=True)
    except (TypeError, KeyError, ValueError):
        return None
    return np.frombuffer(grey, np.uint8).reshape(56, 56) if len(grey) == 56 * 56 else None
