"""What a hub may say that cannot be right, and what the reader is told of it: for `test_lying_hub.py`."""

from __future__ import annotations

import gzip
import json
import struct
from collections.abc import Callable
from typing import Any

from tests.hostile.lying_hub import Lie, answer, dripping, endless, raw, redirect

NAME = "someone/tiny-llama"
WEIGHTS = "model.safetensors"
OUT = "../../../../home/.bashrc"
OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"


def change(**values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda told: told.update(values)


def change_file(**values: Any) -> Callable[[dict[str, Any]], None]:
    """Another word about config.json."""
    return lambda told: next(e for e in told["siblings"] if e["rfilename"] == "config.json").update(values)


def change_large(value: Any) -> Callable[[dict[str, Any]], None]:
    """Another word about how the weights are kept."""
    return lambda told: next(e for e in told["siblings"] if e["rfilename"] == WEIGHTS).update(lfs=value)


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "a commit that leads out": (change(sha=OUT), "is no commit"),
    "a commit that leads to the root": (change(sha="/etc"), "is no commit"),
    "a short commit": (change(sha="c0ffee"), "is no commit"),
    "a commit with a line": (change(sha="c" * 40 + "\n"), "is no commit"),
    "a commit of other digits": (change(sha="\u0661" * 40), "is no commit"),
    "no commit": (change(sha=None), "is no commit"),
    "a commit that is a list": (change(sha=[OUT]), "is no commit"),
    "an endless commit": (change(sha="c" * 1_000_000), "is no commit"),
    "no files": (change(siblings=None), "does not list the files"),
    "files by name": (change(siblings={"config.json": 1}), "does not list the files"),
    "a number for a file": (change(siblings=[7]), "is no name of a file"),
    "a file without a name": (change(siblings=[{}]), "is no name of a file"),
    "a name that leads out": (change_file(rfilename=OUT), "is no name of a file"),
    "a name that leads out later": (change_file(rfilename="a/../../b"), "is no name of a file"),
    "a name of the root": (change_file(rfilename="/etc/passwd"), "is no name of a file"),
    "an empty name": (change_file(rfilename=""), "is no name of a file"),
    "a name that is a folder": (change_file(rfilename=".."), "is no name of a file"),
    "a name of git's own": (change_file(rfilename=".git/config"), "is no name of a file"),
    "a name with a zero": (change_file(rfilename="a\0b"), "is no name of a file"),
    "a long name": (change_file(rfilename="a" * 5000), "is no name of a file"),
    "a name that is a list": (change_file(rfilename=["config.json"]), "is no name of a file"),
    "a name of another system": (change_file(rfilename="..\\config.json"), "no config.json"),
    "a file that is listed twice": (change_file(rfilename=WEIGHTS), "twice"),
    "too many files": (lambda told: told["siblings"].extend(told["siblings"] * 7000), "does not list|more than"),
    "no size": (change_file(size=None), "no possible size"),
    "a size below nothing": (change_file(size=-1), "no possible size"),
    "a size in words": (change_file(size="99"), "no possible size"),
    "a size that is a truth": (change_file(size=True), "no possible size"),
    "a size of parts": (change_file(size=1.5), "no possible size"),
    "a size without an end": (change_file(size=1 << 70), "no possible size"),
    "a large configuration": (change_file(size=50_000_000), "which none can have"),
    "a hash that leads out": (change_file(blobId=OUT), "no possible hash"),
    "no hash": (change_file(blobId=None), "no possible hash"),
    "a hash of another length": (change_file(blobId="a" * 64), "no possible hash"),
    "a large file's hash that leads out": (change_large({"sha256": OUT, "size": 1}), "no possible hash"),
    "a large file's hash of another length": (change_large({"sha256": "a" * 40}), "no possible hash"),
    "a large file that is a list": (change_large(["a" * 64]), "nothing sound"),
    "another size than the file has": (change_file(size=3), "more than the 3 bytes"),
    "another hash than the file has": (change_file(blobId="a" * 40), "another hash"),
    "no answer by name": (lambda told: [told], "no values by name"),
    "nothing": (lambda told: 0, "no values by name"),
}


ANSWERS: dict[str, tuple[Lie, str]] = {
    "an empty answer": (answer(b""), "no JSON"),
    "half an answer": (answer(b'{"sha":'), "no JSON"),
    "a deep answer": (answer(b"[" * 200_000), "no JSON"),
    "a deep answer by name": (answer(b'{"a":' * 200_000), "no JSON"),
    "a long number": (answer(b'{"sha": ' + b"9" * 100_000 + b"}"), "no JSON"),
    "no text": (answer(bytes(range(256))), "no JSON"),
    "a long answer": (answer(b" " * 9_000_000), "more than the 4,000,000 bytes"),
    "an endless answer": (endless(OK + b"\r\n"), "more than the 4,000,000 bytes"),
    "an endless answer in chunks": (endless(CHUNKED, b"100000\r\n" + b" " * 0x100000 + b"\r\n"), "more than the"),
    "a wrong chunk": (raw(CHUNKED, b"zz\r\n"), "ends too early"),
    "less than it states": (answer(b"{}", Content_Length="99999"), "ends too early"),
    "a length below nothing": (answer(b"{}", Content_Length="-5"), "does not answer"),
    "a packed bomb": (answer(gzip.compress(bytes(30_000_000)), Content_Encoding="gzip"), "packed bytes"),
    "an unknown packing": (answer(b"x", Content_Encoding="x-other"), "packed bytes"),
    "no HTTP": (raw(b"220 mail.example ESMTP\r\n"), "does not answer"),
    "an endless header": (endless(OK, b"X-Long: " + b"a" * 5000 + b"\r\n"), "does not answer"),
    "an endless line": (endless(b"HTTP/1.1 200 "), "does not answer"),
    "nothing at all": (raw(), "does not answer"),
    "another status": (answer(b"", 500), "answered 500"),
    "an impossible status": (answer(b"{}", 204), "answered 204"),
    "an endless mistake": (endless(b"HTTP/1.1 503 No\r\n\r\n"), "answered 503"),
    "a redirect to nowhere": (answer(b"", 302), "answered 302"),
    "a redirect to itself": (lambda handler: redirect(handler.path)(handler), "without an end"),
    "a redirect to a file": (redirect("file:///etc/passwd"), "impossible address"),
    "a redirect to another kind": (redirect("ftp://example.org/"), "impossible address"),
    "a redirect to this machine": (redirect("http://127.0.0.1:9/"), "neither its own nor public"),
    "a redirect to its name": (redirect("https://localhost/"), "neither its own nor public"),
    "a redirect to its number": (redirect("https://2130706433/"), "neither its own nor public"),
    "a redirect to its short number": (redirect("https://127.1/"), "neither its own nor public"),
    "a redirect to its new number": (redirect("https://[::1]:8501/"), "neither its own nor public"),
    "a redirect to its mapped number": (redirect("https://[::ffff:127.0.0.1]/"), "neither its own nor public"),
    "a redirect to no number": (redirect("https://0.0.0.0/"), "neither its own nor public"),
    "a redirect to a neighbour": (redirect("https://192.168.0.1/"), "neither its own nor public"),
    "a redirect to the cloud's secrets": (redirect("http://169.254.169.254/latest"), "neither its own nor public"),
    "a redirect to the same by https": (redirect("https://169.254.169.254/"), "neither its own nor public"),
    "a redirect to a plain host": (redirect("http://example.org/"), "neither its own nor public"),
    "a redirect to no port": (redirect("https://example.org:99999/"), "impossible address"),
    "a redirect with a backslash": (redirect("https://example.org\\@127.0.0.1/"), "impossible address"),
    "a redirect with a blank": (redirect("https://exam ple.org/"), "impossible address"),
    "a long redirect": (redirect("https://example.org/" + "a" * 20_000), "impossible address"),
}


SLOW: dict[str, Lie] = {
    "a slow answer": dripping(OK + b"\r\n"),
    "a slow header": dripping(OK, b"X: y\r\n"),
    "a slow line": dripping(b"HTTP/1.1 200 ", b"a"),
    "a silent answer": dripping(b"", b""),
    "an answer that is always to come": dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
}


def header(content: object, stated: int | None = None) -> bytes:
    packed = json.dumps(content).encode()
    return struct.pack("<Q", len(packed) if stated is None else stated) + packed


def tensor(begin: Any, end: Any, shape: Any = (1,), dtype: Any = "F32") -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def partial(content: bytes, place: str = "bytes 0-100000/999999") -> Lie:
    return answer(content, 206, Content_Range=place)


SMALL: dict[str, tuple[str, Lie, str]] = {
    "another configuration": ("config.json", answer(b'{"model_type": "llama"}'), "another hash"),
    "an endless configuration": ("config.json", endless(OK + b"\r\n"), "more than the"),
    "a configuration elsewhere": ("config.json", redirect("http://169.254.169.254/"), "neither its own nor public"),
    "no configuration": ("config.json", answer(b"", 404), "answered 404"),
    "a packed tokenizer": ("tokenizer.json", answer(b"x", Content_Encoding="gzip"), "packed bytes"),
    "another tokenizer": ("tokenizer.json", answer(b"{}"), "another hash"),
    "a header of another place": (WEIGHTS, partial(bytes(8), "bytes 8-16/999999"), "other bytes"),
    "a header of no place": (WEIGHTS, partial(bytes(8), "none"), "does not say which bytes"),
    "an empty header": (WEIGHTS, partial(b""), "no safetensors file"),
    "a header of no length": (WEIGHTS, partial(bytes(8)), "no safetensors file"),
    "a header without an end": (WEIGHTS, partial(header({}, (1 << 63) + 1)), "no safetensors file"),
    "a header longer than the file": (WEIGHTS, partial(header({}, 15_000_000)), "no safetensors file"),
    "a header that is a list": (WEIGHTS, partial(header([1])), "no safetensors file"),
    "a deep header": (WEIGHTS, partial(struct.pack("<Q", 90_000) + b"[" * 90_000), "no safetensors file"),
    "a tensor that is a number": (WEIGHTS, partial(header({"a": 1})), "no safetensors file"),
    "a tensor without a shape": (WEIGHTS, partial(header({"a": {"dtype": "F32"}})), "no safetensors file"),
    "a shape below nothing": (WEIGHTS, partial(header({"a": tensor(0, 4, [-1, -1])})), "no safetensors file"),
    "a shape without an end": (WEIGHTS, partial(header({"a": tensor(0, 4, [1 << 62] * 8)})), "no safetensors file"),
    "a shape of truths": (WEIGHTS, partial(header({"a": tensor(0, 4, [True])})), "no safetensors file"),
    "a shape of many": (WEIGHTS, partial(header({"a": tensor(0, 4, [1] * 10_000)})), "no safetensors file"),
    "an unknown number type": (WEIGHTS, partial(header({"a": tensor(0, 4, dtype="Q7")})), "no safetensors file"),
    "a number type of no length": (WEIGHTS, partial(header({"a": tensor(0, 4, dtype="F0")})), "no safetensors file"),
    "a number type that is a list": (WEIGHTS, partial(header({"a": tensor(0, 4, dtype=[])})), "no safetensors file"),
    "tensors behind the file": (WEIGHTS, partial(header({"a": tensor(1 << 40, (1 << 40) + 4)})), "no safetensors"),
    "tensors that do not fill it": (WEIGHTS, partial(header({"a": tensor(0, 4)})), "no safetensors file"),
    "places that are words": (WEIGHTS, partial(header({"a": tensor("0", "4")})), "no safetensors file"),
}


def of_download(lie: Lie) -> Lie:
    """A lie that the look for the header does not hear."""

    def tell(handler: Any) -> None:
        content = handler.server.repositories[NAME].files[WEIGHTS]
        if handler.headers.get("Range", "").startswith("bytes=0-"):
            partial(content[:100_001])(handler)
        else:
            lie(handler)

    return tell


DOWNLOADS: dict[str, tuple[Lie, str]] = {
    "other bytes": (answer(b"x"), "broke off|another hash"),
    "an endless file": (endless(OK + b"\r\n"), "more than the .* bytes that it states"),
    "an endless file with a small length": (endless(OK + b"Content-Length: 99\r\n\r\n"), "broke off"),
    "a byte each time": (answer(b"x", 206, Content_Range="bytes 0-0/9"), "broke off|other bytes"),
    "nothing": (answer(b""), "broke off"),
    "an end before the header": (raw(), "broke off"),
    "no place": (partial(b"x", "none"), "does not say which bytes"),
    "another place": (partial(b"x", "bytes 5-6/9"), "other bytes"),
    "packed bytes": (answer(b"x", Content_Encoding="gzip"), "packed bytes"),
    "a redirect to the cloud's secrets": (redirect("http://169.254.169.254/"), "neither its own nor public"),
    "a redirect to itself": (redirect(f"/{NAME}/resolve/{'c' * 40}/{WEIGHTS}"), "without an end"),
    "a refusal": (answer(b"", 403, X_Error_Code="GatedRepo"), "is gated"),
    "an endless refusal": (endless(b"HTTP/1.1 500 No\r\n\r\n"), "answered 500"),
}


HARMLESS: dict[str, dict[str, str]] = {
    "a hash that leads out": {"ETag": f'"{OUT}"', "X-Linked-Etag": f'"{OUT}"'},
    "a commit that leads out": {"X-Repo-Commit": OUT},
    "a place that leads out": {"Content-Disposition": f'attachment; filename="{OUT}"'},
    "a store elsewhere": {"X-Xet-Hash": OUT, "X-Xet-Refresh-Route": "http://169.254.169.254/"},
}


REFERENCES: dict[str, object] = {
    "numbers": [1, 2],
    "names alone": ["step1"],
    "nothing": [],
    "a list of lists": [[["step1"]]],
}
