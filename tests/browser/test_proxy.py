"""The proxy of deploy/haproxy.cfg: everything by TLS, and the app hears each visitor's true address."""

from __future__ import annotations

import json
import os
import shutil
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import IPv4Address
from pathlib import Path
from threading import Thread

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from playwright.sync_api import Browser, expect

from tests.browser.conftest import ROOT, Server, arrive, free_port

CONFIGURATION = ROOT / "deploy" / "haproxy.cfg"
START_SECONDS = 20
Proxy = Callable[[str], tuple[int, int]]  # the app's address -> the ports of http and https


class Mirror(BaseHTTPRequestHandler):
    """An app that answers with the headers that reach it."""

    def do_GET(self) -> None:
        body = json.dumps({name.lower(): value for name, value in self.headers.items()}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of 127.0.0.1, signed by itself, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    today = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("certificate") / "glassformer.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(signed.public_bytes(serialization.Encoding.PEM) + private)
    return path


@pytest.fixture
def proxy(certificate: Path) -> Iterator[Proxy]:
    running: list[subprocess.Popen[bytes]] = []

    def start(app: str) -> tuple[int, int]:
        program = shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        if program is None:
            pytest.fail("No haproxy on this machine: `make test` installs it, or says how.")
        plain, secure = free_port(), free_port()
        environment = {
            "GLASSFORMER_CERTIFICATE": str(certificate),
            "GLASSFORMER_HTTP": f"127.0.0.1:{plain}",
            "GLASSFORMER_HTTPS": f"127.0.0.1:{secure}",
            "GLASSFORMER_APP": app,
        }
        running.append(subprocess.Popen([program, "-f", str(CONFIGURATION)], env={**os.environ, **environment}))
        wait_for(secure, certificate, running[-1])
        return plain, secure

    yield start
    for process in running:
        process.terminate()
        process.wait(START_SECONDS)


def wait_for(port: int, certificate: Path, process: subprocess.Popen[bytes]) -> None:
    """Until the proxy answers. Each look waits for the process for a moment; it must not end."""
    for _ in range(START_SECONDS * 20):
        with suppress(OSError), get(port, "/_stcore/health", certificate):
            return
        with suppress(subprocess.TimeoutExpired):
            raise RuntimeError(f"The proxy stopped with exit code {process.wait(0.05)}.")
    raise RuntimeError("The proxy does not answer.")


@contextmanager
def get(port: int, path: str, certificate: Path | None = None, **headers: str) -> Iterator[HTTPResponse]:
    """An answer, by https if a certificate is given. No redirect is followed."""
    if certificate is None:
        connection = HTTPConnection("127.0.0.1", port, timeout=START_SECONDS)
    else:
        trust = ssl.create_default_context(cafile=str(certificate))
        connection = HTTPSConnection("127.0.0.1", port, timeout=START_SECONDS, context=trust)
    try:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        yield connection.getresponse()
    finally:
        connection.close()


def test_headers_of_the_proxy(proxy: Proxy, certificate: Path) -> None:
    app = ThreadingHTTPServer(("127.0.0.1", 0), Mirror)
    thread = Thread(target=app.serve_forever)
    thread.start()
    try:
        plain, secure = proxy(f"127.0.0.1:{app.server_port}")
        with get(plain, "/heads?layer=3") as answer:
            assert answer.status == 301
            assert answer.headers["Location"] == f"https://127.0.0.1:{plain}/heads?layer=3"
        with get(secure, "/heads", certificate, X_Forwarded_For="8.8.8.8", X_Forwarded_Proto="http") as answer:
            assert answer.headers["Strict-Transport-Security"] == "max-age=63072000"
            heard = json.loads(answer.read())
        assert heard["x-forwarded-for"] == "127.0.0.1"  # not the one that the visitor made up
        assert heard["x-forwarded-proto"] == "https"
        assert heard["host"] == f"127.0.0.1:{secure}"
    finally:
        app.shutdown()
        thread.join()
        app.server_close()


def test_an_app_that_is_away_is_told_in_plain_words(proxy: Proxy, certificate: Path) -> None:
    _, secure = proxy(f"127.0.0.1:{free_port()}")
    with get(secure, "/", certificate) as answer:
        assert answer.status == 503
        assert b"The app is being restarted." in answer.read()


def test_the_app_runs_behind_the_proxy(proxy: Proxy, server: Server, browser: Browser) -> None:
    _, secure = proxy(server.url.removeprefix("http://"))
    context = browser.new_context(ignore_https_errors=True)  # the certificate is signed by itself
    page = context.new_page()
    arrive(page, f"https://127.0.0.1:{secure}/heads?model=tiny-lm&text=the+dog+sees+the+cat")
    expect(page.locator(".gf.lines")).to_be_visible()
    page.locator(".gf.runbar .chip").nth(3).click()
    page.wait_for_url(lambda url: "query=3" in url)
    context.close()
    assert not server.mistakes()
