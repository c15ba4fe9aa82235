"""A WebSocket spoken byte by byte, as no browser would (RFC 6455)."""

from __future__ import annotations

import os
import socket
import struct
from base64 import b64encode
from types import TracebackType
from urllib.parse import urlsplit

TEXT, CLOSE = 1, 8
MASK = bytes(4)  # The payload is sent as it is.


class RawSocket:
    """A connection after its handshake. `status` is what the server answered: 101 where it took the connection."""

    def __init__(self, url: str, path: str, **headers: str) -> None:
        address = urlsplit(url)
        self._socket = socket.create_connection((address.hostname, address.port), timeout=20)
        fields = {
            "Host": address.netloc,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": b64encode(os.urandom(16)).decode(),
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
        self._socket.sendall("\r\n".join(lines).encode())
        self._file = self._socket.makefile("rb")
        self.status = int(self._file.readline().split()[1])
        while self._file.readline().strip():
            pass

    def begin_frame(self, length: int, *, opcode: int = TEXT, is_last: bool = True) -> None:
        """The head of a frame whose payload has `length` bytes."""
        self._socket.sendall(struct.pack("!BBQ", opcode | 0x80 * is_last, 0x80 | 127, length) + MASK)

    def send(self, payload: bytes, *, opcode: int = TEXT, is_last: bool = True) -> None:
        self.begin_frame(len(payload), opcode=opcode, is_last=is_last)
        self.send_part(payload)

    def send_part(self, payload: bytes) -> None:
        """Bytes of the frame that was begun. ConnectionError once the server takes no more."""
        self._socket.sendall(payload)

    def receive(self) -> tuple[int, bytes]:
        """The next frame: its opcode and its payload. ConnectionError at the end of the connection."""
        head = self._read(2)
        length = head[1] & 0x7F
        if length >= 126:
            length = int.from_bytes(self._read(2 if length == 126 else 8), "big")
        return head[0] & 0x0F, self._read(length)

    def close_code(self) -> int:
        """The code with which the server closes, after whatever it still says."""
        while True:
            opcode, payload = self.receive()
            if opcode == CLOSE:
                return int.from_bytes(payload[:2], "big")

    def is_ended(self) -> bool:
        """Waits for the end of the connection. False: the server says something more."""
        try:
            return self._file.read(1) == b""
        except ConnectionError:
            return True

    def close(self) -> None:
        self._file.close()
        self._socket.close()

    def _read(self, length: int) -> bytes:
        data = self._file.read(length)
        if len(data) < length:
            raise ConnectionError("The server ended the connection.")
        return data

    def __enter__(self) -> RawSocket:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()
