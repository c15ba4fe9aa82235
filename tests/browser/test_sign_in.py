"""Presenters sign in with an OpenID Connect provider: the whole way of a browser, to the provider and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from pages.shared.server.presenters import PRESENTERS, Standing
from tests.browser.conftest import Server, arrive
from tests.browser.identity_provider import CLIENT, MISSING, SECRET, Account, IdentityProvider
from tests.browser.own_server import own_port, own_server

pytestmark = pytest.mark.slow

OPEN, SIGN_IN, SIGN_OUT = "Open to the class", "Sign in to open a room", "Sign out"
ADDRESS = "anna@university.example"
ACCOUNTS = (
    Account("Anna", {"email": ADDRESS, "email_verified": True}),
    Account("Zoe", {"email": "zoe@elsewhere.example", "email_verified": True}),
    Account("One who only says that she is Anna", {"email": ADDRESS, "email_verified": False}),
    Account("One whom another provider calls Anna", {"email": ADDRESS, "email_verified": True}, is_signed=False),
)

OpenApp = Callable[..., Page]


@pytest.fixture(scope="module")
def server_with_sign_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    pytest.importorskip("authlib", reason=MISSING)
    with IdentityProvider(*ACCOUNTS) as provider:
        auth = {
            "redirect_uri": f"http://127.0.0.1:{own_port()}/oauth2callback",
            "cookie_secret": "a long random text of this test",
            "client_id": CLIENT,
            "client_secret": SECRET,
            "server_metadata_url": f"{provider.url}/.well-known/openid-configuration",
        }
        file = tmp_path_factory.mktemp("secrets") / "secrets.toml"
        lines = [f"{name} = {json.dumps(value)}" for name, value in auth.items()]
        file.write_text("\n".join(["[auth]", *lines]), encoding="utf-8")
        running = own_server({PRESENTERS: ADDRESS, "STREAMLIT_SECRETS_FILES": str(file)})
        yield running
        running.stop()


@pytest.fixture
def lecture(open_app: OpenApp, server_with_sign_in: Server) -> Page:
    """The page Lecture, of a visitor who has not signed in."""
    page = open_app("lecture?model=tiny-lm", url=server_with_sign_in.url)
    expect(page.get_by_role("button", name=SIGN_IN)).to_be_visible()
    expect(page.get_by_role("button", name=OPEN)).to_have_count(0)
    return page


def sign_in(page: Page, server: Server, account: str) -> None:
    """To the provider and back, and to the page Lecture again."""
    page.get_by_role("button", name=SIGN_IN).click()
    page.get_by_role("link", name=account, exact=True).click()
    open_lecture_from_home(page, server)


def open_lecture_from_home(page: Page, server: Server) -> None:
    page.wait_for_url(lambda url: url.startswith(server.url) and urlsplit(url).path == "/")
    arrive(page, f"{server.url}/lecture?model=tiny-lm")  # Home itself would load a large model


def test_a_presenter_signs_in_and_opens_a_room(lecture: Page, server_with_sign_in: Server) -> None:
    sign_in(lecture, server_with_sign_in, "Anna")
    lecture.get_by_role("button", name=OPEN).click()
    expect(lecture.locator(".gf.presenter .class")).to_contain_text("0 follow")
    lecture.get_by_role("button", name="Close to the class").click()
    expect(lecture.get_by_role("button", name=OPEN)).to_be_visible()
    lecture.get_by_role("button", name=SIGN_OUT).click()
    open_lecture_from_home(lecture, server_with_sign_in)
    expect(lecture.get_by_role("button", name=SIGN_IN)).to_be_visible()


@pytest.mark.parametrize("account", ["Zoe", "One who only says that she is Anna"])
def test_whoever_is_signed_in_but_no_presenter_cannot_open_a_room(
    lecture: Page, server_with_sign_in: Server, account: str
) -> None:
    sign_in(lecture, server_with_sign_in, account)
    expect(lecture.get_by_role("alert").filter(has_text=Standing.NOT_LISTED.value[:40])).to_be_visible()
    expect(lecture.get_by_role("button", name=SIGN_OUT)).to_be_visible()
    expect(lecture.get_by_role("button", name=OPEN)).to_have_count(0)


def test_a_token_that_the_provider_did_not_sign_signs_nobody_in(lecture: Page, server_with_sign_in: Server) -> None:
    sign_in(lecture, server_with_sign_in, "One whom another provider calls Anna")
    expect(lecture.get_by_role("button", name=SIGN_IN)).to_be_visible()
    expect(lecture.get_by_role("button", name=OPEN)).to_have_count(0)
