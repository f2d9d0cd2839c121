"""Who may read, under which name, and what the answers tell a browser."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from indexer.dashboard.app import create_app
from indexer.dashboard.security import hostname
from indexer.store.connection import Store
from tests.dashboard.conftest import Shown


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8642", "localhost:1", "LOCALHOST", "[::1]:8642"])
def test_names_of_this_machine(shown: Shown, host: str) -> None:
    assert shown.client.get("/pulse", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8642", "127.0.0.1.evil.example", "localhost.evil.example", "", "[::2]"],
)
def test_other_names_are_refused(shown: Shown, host: str) -> None:
    answer = shown.client.get("/", headers={"host": host})
    assert answer.status_code == 421
    assert "analysis" not in answer.text


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_can_be_changed(shown: Shown, method: str) -> None:
    assert shown.client.request(method, "/").status_code == 405


def test_headers(shown: Shown) -> None:
    for address in ("/", "/nothing", "/static/app.js"):
        headers = shown.client.get(address).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
    assert shown.client.get("/").headers["cache-control"] == "no-store"
    assert (
        "access-control-allow-origin"
        not in shown.client.get("/", headers={"origin": "https://evil.example"}).headers
    )


def test_token(neo4j_store: Store, shown: Shown) -> None:
    app = create_app(neo4j_store, hosts=["desk.example"], token="s3cret-token")
    with TestClient(app, base_url="http://desk.example") as client:
        assert client.get("/").status_code == 401
        assert client.get("/?token=wrong").status_code == 401
        assert client.get("/pulse", headers={"authorization": "Bearer wrong"}).status_code == 401
        assert client.get("/pulse", headers={"authorization": "Bearer s3cret-token"}).status_code == 200
        assert client.get("/static/app.js").status_code == 401
        first = client.get("/root?token=s3cret-token&id=x%20y", follow_redirects=False)
        assert first.status_code == 303
        assert first.headers["location"] == "/root?id=x+y"
        cookie = first.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert client.get("/").status_code == 200  # by the cookie


def test_a_redirect_stays_here(neo4j_store: Store, shown: Shown) -> None:
    app = create_app(neo4j_store, token="t")
    with TestClient(app, base_url="http://127.0.0.1") as client:
        answer = client.get("http://127.0.0.1//evil.example/?token=t", follow_redirects=False)
        assert not answer.headers.get("location", "").startswith("//")


@pytest.mark.parametrize(
    ("header", "name"), [("A:1", "a"), ("[::1]:80", "[::1]"), ("", ""), ("x", "x"), ("[::1", "[::1]")]
)
def test_hostname(header: str, name: str) -> None:
    assert hostname(header) == name
