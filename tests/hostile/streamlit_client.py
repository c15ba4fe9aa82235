"""A session of the running app without a browser: Streamlit's own socket, and uploads by HTTP.

A thread can drive it while a browser is measured. Playwright's pages belong to one thread.
"""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from http.cookiejar import CookieJar
from types import TracebackType
from urllib.parse import urlencode, urlsplit

from streamlit.components.v2.bidi_component.constants import EVENT_DELIM
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX
from streamlit.util import calc_hash
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME
from websockets.sync.client import connect

ANSWER_SECONDS = 60.0
BOUNDARY = "a7f3"


def do_nothing() -> None:
    pass


class StreamlitClient:
    """A session at one page. Each deed returns the alerts and toasts that the page shows then.

    A deed calls `sent` once the server has all that it needs, before it waits for the page. A visitor `behind` an
    address comes through a proxy on this machine, which tells it. Where a server is kept busy, `answer_seconds` says
    how long the visitor waits for its next message.
    """

    def __init__(
        self, url: str, page: str, *, behind: str = "", answer_seconds: float = ANSWER_SECONDS, **view: str
    ) -> None:
        self._url, self._page, self._query = url, page, urlencode(view)
        self._answer_seconds = answer_seconds
        self._session = self._uploader = self._memory = ""
        self._buttons: dict[str, str] = {}
        headers = {"X-Forwarded-For": behind} if behind else {}
        self._cookies = CookieJar()
        self._http = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._cookies))
        self._http.addheaders += list(headers.items())
        self._http.open(f"{url}/_stcore/health", timeout=answer_seconds).close()  # it gives the cookie for uploads
        self._held = ExitStack()
        address = f"ws://{urlsplit(url).netloc}/_stcore/stream"
        line = connect(address, max_size=None, additional_headers=headers, open_timeout=answer_seconds)
        self._socket = self._held.enter_context(line)
        self.run()

    def run(self, state: WidgetState | None = None, sent: Callable[[], None] = do_nothing) -> list[str]:
        """Run the page, with the new state of a widget."""
        message = BackMsg()
        message.rerun_script.query_string = self._query
        message.rerun_script.page_script_hash = calc_hash(self._page)
        if state is not None:
            message.rerun_script.widget_states.widgets.append(state)
        self._socket.send(message.SerializeToString())
        sent()
        says: list[str] = []
        while True:
            answer = self._receive()
            kind = answer.WhichOneof("type")
            if kind == "new_session":
                self._session = answer.new_session.initialize.session_id
            elif kind == "delta":
                says += self._read(answer.delta.new_element)
            elif kind == "script_finished" and answer.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                return says

    def press(self, label: str, sent: Callable[[], None] = do_nothing) -> list[str]:
        """Press a button. Raises KeyError for one that the page has not shown."""
        return self.run(WidgetState(id=self._buttons[label], trigger_value=True), sent)

    def upload(self, name: str, data: bytes, sent: Callable[[], None] = do_nothing) -> list[str]:
        """Upload a file to the page's uploader."""
        place = self._ask_for_place(name)
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n\r\n'
        body = head.encode() + data + f"\r\n--{BOUNDARY}--\r\n".encode()
        (token,) = (cookie.value or "" for cookie in self._cookies if cookie.name == XSRF_COOKIE_NAME)
        headers = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}", "X-Xsrftoken": token}
        request = urllib.request.Request(self._url + place.upload_url, body, headers, method="PUT")
        self._http.open(request, timeout=ANSWER_SECONDS).close()
        state = WidgetState(id=self._uploader)
        info = state.file_uploader_state_value.uploaded_file_info.add(name=name, size=len(data), file_id=place.file_id)
        info.file_urls.CopyFrom(place)
        return self.run(state, sent)

    def restore(self, lecture: str, sent: Callable[[], None] = do_nothing) -> list[str]:
        """Tell the app of a lecture that the browser's storage holds."""
        state = WidgetState(id=f"{STREAMLIT_INTERNAL_KEY_PREFIX}_{self._memory}{EVENT_DELIM}events")
        state.json_trigger_value = json.dumps([{"event": "restore", "value": {"lecture": lecture, "changed": True}}])
        return self.run(state, sent)

    def close(self) -> None:
        self._held.close()

    def _ask_for_place(self, name: str) -> FileURLs:
        message = BackMsg()
        message.file_urls_request.file_names.append(name)
        message.file_urls_request.session_id = self._session
        self._socket.send(message.SerializeToString())
        while (answer := self._receive()).WhichOneof("type") != "file_urls_response":
            pass
        return answer.file_urls_response.file_urls[0]

    def _receive(self) -> ForwardMsg:
        return ForwardMsg.FromString(bytes(self._socket.recv(self._answer_seconds)))  # type: ignore[arg-type]

    def _read(self, element: Element) -> list[str]:
        """Remembers the widgets that take hostile input. Returns the text of an alert or a toast."""
        kind = element.WhichOneof("type")
        if kind == "file_uploader":
            self._uploader = element.file_uploader.id
        elif kind == "button":
            self._buttons[element.button.label] = element.button.id
        elif kind == "bidi_component" and element.bidi_component.component_name.endswith("lecture_memory"):
            self._memory = element.bidi_component.id
        return [getattr(element, kind).body] if kind in ("alert", "toast") else []

    def __enter__(self) -> StreamlitClient:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()
