"""Which head and pair the Heads page shows, and what it is compared with: the keys of the page, checked."""

from __future__ import annotations

from pages.shared.model_runs import traces
from pages.shared.model_runs.head_on_screen import read_attention, read_head
from pages.shared.model_runs.recorded_run import LookAtRun
from pages.shared.session import state
from views.attention.compare import OTHER_HEAD, in_run
from views.attention.view_of_head import ViewOfHead
from views.head_of_run import KEEP, HeadOfRun
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text


def read(view: type[ViewOfHead], look: LookAtRun | None = None) -> HeadOfRun:
    """The head and the pair that the reader has chosen, of a run with what a view needs.

    Others replace those that do not exist here. `look` is that of `views.run_hook.RunHook`.
    """
    run = traces.current(keep=view.needs, look=look)
    return read_head(run, *read_attention(run.config), needs_pair=False)


def read_other(head: HeadOfRun) -> tuple[HeadOfRun | None, Text | None]:
    """The head, or the sentence, that Compare sets beside the chosen one; or why there is none to show."""
    if state.get("heads_with") == OTHER_HEAD:
        return _other_head(head), None
    text = state.get("heads_text2")
    if not text.strip():
        return None, Text(":gray[Type a second sentence with as many tokens as the first.]")
    try:
        return in_run(head, traces.run(head.run.model, text, KEEP)), None
    except traces.errors() as error:
        return None, Text(markdown_text(str(error)), "error", ":material/error:")


def _other_head(head: HeadOfRun) -> HeadOfRun:
    """At first the next head of the same layer."""
    if state.get("heads_layer2") < 0:
        state.put(heads_layer2=head.at.layer)
    if state.get("heads_head2") < 0:
        state.put(heads_head2=(head.head + 1) % head.config.n_heads)
    layer = state.checked_number("heads_layer2", 0, head.n_layers - 1, "Layer")
    other = state.checked_number("heads_head2", 0, head.config.n_heads - 1, "Head")
    return HeadOfRun(head.run, head.at.in_layer(layer), other)
