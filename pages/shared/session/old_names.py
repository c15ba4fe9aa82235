"""The older names of keys, so that links and lectures from before still open on the same view. No Streamlit here.

Until all pages shared one layer, head and pair of tokens, each page had its own: `heads_layer`, `scores_layer`. The
edits of the model were `muted`, after the first kind of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from views.shared.ablation_choice import NO_HEADS, NO_PARTS

NEW_NAMES = {
    **{f"{page}_layer": "layer" for page in ("home", "positions", "scores", "masks", "heads")},
    **{f"{page}_layer": "layer" for page in ("combine", "block", "predict")},
    **{f"{page}_head": "head" for page in ("positions", "scores", "masks", "heads")},
    **{f"{page}_query": "query" for page in ("positions", "scores", "masks", "heads")},
    **{f"{page}_token": "query" for page in ("combine", "block", "tokens", "positions")},
    **{f"{page}_key": "key" for page in ("positions", "scores", "masks", "heads")},
    **{f"{page}_attention": "attention" for page in ("scores", "masks")},
    "combine_place": "attention",
    "heads_asked": "asked",
    "heads_summed": "summed",
}
NEW_SHARED_NAMES = {"muted": "edits"}  # on every page
WITHOUT_ONE_NAME = ("heads_stack", "heads_attention", "block_stack", "predict_head")
CHOSEN_NONE = {"bench_parts": NO_PARTS, "combine_muted": ",".join(map(str, NO_HEADS))}
WHOLE = "the whole model"  # of `home_with`
OLD_MEAN_OF_HEADS = "-1"  # of `predict_head`
OLD_HEAD_OF_PAGE = "-2"


def rename(page: str, values: Mapping[str, str]) -> dict[str, str]:
    """The values of a view of `page`, as in its URL, under the names of today. A name of today outweighs an old one."""
    old = {name for name in values if name.startswith(f"{page}_") and name in (*NEW_NAMES, *WITHOUT_ONE_NAME)}
    old |= values.keys() & NEW_SHARED_NAMES.keys()
    new = NEW_NAMES | NEW_SHARED_NAMES
    renamed = {new[name]: values[name] for name in values if name in old and name in new}
    kept = {name: value for name, value in values.items() if name not in old}
    return {**_read_several(page, values), **renamed, **kept, **_read_empty(page, values), **_read_whole(values)}


def _read_several(page: str, values: Mapping[str, str]) -> dict[str, str]:
    """What the old names say that have no single name of today."""
    if page == "heads" and values.keys() & {"heads_stack", "heads_attention"}:
        return _read_attention(values.get("heads_stack", ""), values.get("heads_attention", "self_attn"))
    if page == "block" and "block_stack" in values:
        return _read_attention(values["block_stack"], "self_attn")
    if page == "predict" and "predict_head" in values:
        return _read_head(values["predict_head"])
    return {}


def _read_empty(page: str, values: Mapping[str, str]) -> dict[str, str]:
    """What an empty choice says. Break a part and Mute heads once took nothing away where nothing was chosen."""
    return {
        name: nothing for name, nothing in CHOSEN_NONE.items() if name.startswith(f"{page}_") and values.get(name) == ""
    }


def _read_whole(values: Mapping[str, str]) -> dict[str, str]:
    """Home once subtracted the whole model from the edited one. Now that stands beside it, as another model would."""
    if values.get("home_with") != WHOLE:
        return {}
    return {"home_with": "nothing", "beside": values.get("model", "")}


def _read_attention(stack: str, part: str) -> dict[str, str]:
    """The attention of a stack. Without a stack, cross-attention is that of the decoder."""
    if stack:
        return {"attention": f"{stack}.{part}"}
    return {"attention": f"decoder.{part}"} if part == "cross_attn" else {}


def _read_head(head: str) -> dict[str, str]:
    if head == OLD_MEAN_OF_HEADS:
        return {"predict_mean": "yes"}
    return {} if head == OLD_HEAD_OF_PAGE else {"head": head, "predict_mean": "no"}
