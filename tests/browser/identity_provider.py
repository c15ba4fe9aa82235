"""A provider of sign-in by OpenID Connect, in a thread: its page has one link for each account, and asks no password.

It checks what a provider has to: who asks for a token, that a code is used once and for the address that it was made
for, and the proof of RFC 7636. Source: https://openid.net/specs/openid-connect-core-1_0.html#CodeFlowAuth
"""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
import time
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

MISSING = "needs the packages of requirements-dev.txt"
jwt, jwk = (pytest.importorskip(f"joserfc.{name}", reason=MISSING) for name in ("jwt", "jwk"))

CLIENT, SECRET = "glassformer", "secret of the client"
TOKEN_SECONDS = 300


@dataclass(frozen=True)
class Account:
    """Somebody whom the provider knows, with the claims that it makes of them."""

    name: str
    claims: Mapping[str, Any]
    is_signed: bool = True  # False: somebody else signs the token


class IdentityProvider:
    """`with IdentityProvider(*accounts) as provider`: it answers at `provider.url`."""

    def __init__(self, *accounts: Account) -> None:
        self.accounts = {account.name: account for account in accounts}
        self.key, self.other_key = (jwk.RSAKey.generate_key(2048, {"kid": "a"}) for _ in range(2))
        self.asked: dict[str, tuple[Account, dict[str, str]]] = {}  # by code
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Answers", (_Answers,), {"provider": self}))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }

    def account_page(self, question: dict[str, str]) -> str:
        """A link for each account, which leads the browser back."""
        links = []
        for account in self.accounts.values():
            code = secrets.token_urlsafe()
            self.asked[code] = account, question
            back = urlencode({"code": code, "state": question["state"]})
            links.append(f'<p><a href="{question["redirect_uri"]}?{back.replace("&", "&amp;")}">{account.name}</a></p>')
        return "<!DOCTYPE html><title>Sign in</title>" + "".join(links)

    def token(self, form: dict[str, str], authorization: str) -> dict[str, Any]:
        """The answer to one who brings a code. KeyError or ValueError if they may not have a token."""
        if b64decode(authorization.removeprefix("Basic ")).decode() != f"{CLIENT}:{SECRET}":
            raise ValueError("another client")
        account, question = self.asked.pop(form["code"])
        proof = urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        if form["redirect_uri"] != question["redirect_uri"] or proof != question["code_challenge"]:
            raise ValueError("a code of another request")
        now = int(time.time())
        claims = {"iss": self.url, "sub": account.name, "aud": CLIENT, "iat": now, "exp": now + TOKEN_SECONDS}
        claims |= {"nonce": question["nonce"], **account.claims}
        key = self.key if account.is_signed else self.other_key
        token = jwt.encode({"alg": "RS256", "kid": "a"}, claims, key)
        return {"access_token": secrets.token_urlsafe(), "token_type": "Bearer", "id_token": token}

    def __enter__(self) -> IdentityProvider:
        self._thread.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Answers(BaseHTTPRequestHandler):
    provider: IdentityProvider

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        if address.path == "/.well-known/openid-configuration":
            self._answer_json(self.provider.metadata)
        elif address.path == "/keys":
            self._answer_json({"keys": [self.provider.key.as_dict(private=False)]})
        elif address.path == "/authorize":
            self._answer(200, "text/html", self.provider.account_page(dict(parse_qsl(address.query))))
        else:
            self._answer(404, "text/plain", "")

    def do_POST(self) -> None:
        form = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        try:
            self._answer_json(self.provider.token(form, self.headers.get("Authorization", "")))
        except (KeyError, ValueError) as error:
            self._answer(400, "text/plain", str(error))

    def _answer_json(self, value: dict[str, Any]) -> None:
        self._answer(200, "application/json", json.dumps(value))

    def _answer(self, status: int, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing."""
