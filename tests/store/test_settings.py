"""Which store a command uses: addresses, environment, and that no password shows anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.store.errors import BadStoreAddress
from indexer.store.local.target import LocalTarget
from indexer.store.settings import ServerTarget, StoreSettings, load, resolve_target

NAMES = (
    "NEO4J_URI",
    "NEO4J_USERNAME",
    "NEO4J_PASSWORD",
    "NEO4J_DATABASE",
    "INDEXER_HOME",
    "INDEXER_LOCAL_LIB",
)


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in (*NAMES, "INDEXER_LOCAL_IDLE_MINUTES", "INDEXER_LOCAL_HEAP"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))


def server(address: str) -> ServerTarget:
    target = resolve_target(address)
    assert isinstance(target, ServerTarget)
    return target


def test_nothing_given_means_the_local_server_in_the_users_data_folder():
    target = resolve_target()
    assert isinstance(target, LocalTarget)
    home = load().home_folder()
    assert home.name == "provenance-indexer"
    assert (target.folder, target.lib) == (home / "neo4j", home / "lib")
    assert (target.idle_minutes, target.heap) == (30.0, "1g")


def test_the_users_home_is_not_taken_for_the_programs(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LIB", str(tmp_path))
    monkeypatch.setenv("URI", "bolt://elsewhere")
    assert load().home is None
    assert isinstance(resolve_target(), LocalTarget)


def test_home_and_other_settings_from_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("INDEXER_HOME", str(tmp_path / "kept"))
    monkeypatch.setenv("INDEXER_LOCAL_LIB", str(tmp_path / "jars"))
    monkeypatch.setenv("INDEXER_LOCAL_IDLE_MINUTES", "0")
    monkeypatch.setenv("INDEXER_LOCAL_HEAP", "2g")
    assert resolve_target("local:") == LocalTarget(tmp_path / "kept" / "neo4j", tmp_path / "jars", 0.0, "2g")


def test_local_with_a_folder(tmp_path):
    target = resolve_target(f"local:{tmp_path / 'a' / '..' / 'b c'}")
    assert isinstance(target, LocalTarget)
    assert target.folder == tmp_path / "b c"
    assert resolve_target("local:~/x").folder == Path.home() / "x"  # type: ignore[union-attr]


def test_store_wins_over_the_environment(monkeypatch):
    monkeypatch.setenv("NEO4J_URI", "neo4j://from-environment")
    assert resolve_target() == ServerTarget("neo4j://from-environment")
    assert server("bolt://given").uri == "bolt://given"
    assert isinstance(resolve_target("local:"), LocalTarget)


@pytest.mark.parametrize("scheme", ["neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc"])
def test_every_scheme_of_the_driver(scheme):
    assert server(f"{scheme}://host:1234").uri == f"{scheme}://host:1234"


def test_parts_of_an_address():
    target = server("neo4j+s://ann:p%40ss%2Fw%3Ard@db.example:7687/graph?policy=eu")
    assert target.uri == "neo4j+s://db.example:7687?policy=eu"
    assert target.username == "ann"
    assert target.password is not None
    assert target.password.get_secret_value() == "p@ss/w:rd"
    assert target.database == "graph"


def test_database_as_a_parameter_and_ipv6():
    target = server("bolt://[::1]:7687/?database=graph")
    assert (target.uri, target.database) == ("bolt://[::1]:7687", "graph")


def test_the_environment_fills_what_an_address_leaves_out(monkeypatch):
    monkeypatch.setenv("NEO4J_USERNAME", "ann")
    monkeypatch.setenv("NEO4J_PASSWORD", "secret")
    monkeypatch.setenv("NEO4J_DATABASE", "graph")
    target = server("bolt://host")
    assert (target.username, target.database) == ("ann", "graph")
    assert target.password is not None
    assert target.password.get_secret_value() == "secret"
    assert server("bolt://bob:other@host/mine").username == "bob"
    assert server("bolt://bob:other@host/mine").database == "mine"


def test_a_password_alone_is_of_the_usual_user(monkeypatch):
    monkeypatch.setenv("NEO4J_PASSWORD", "secret")
    assert server("bolt://host").username == "neo4j"


def test_no_sign_in_without_name_and_password():
    assert server("bolt://host").username is None


@pytest.mark.parametrize(
    "address",
    ["http://u:hush@host", "postgres://u:hush@host", "host:7687", "bolt://", "/some/hush", "bolt://[hush"],
)
def test_addresses_that_name_no_store_are_refused_without_repeating_them(address):
    with pytest.raises(BadStoreAddress) as caught:
        resolve_target(address)
    assert caught.value.exit_code == 2
    assert "hush" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "local:" in caught.value.remedy


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("INDEXER_LOCAL_IDLE_MINUTES", "soon"),
        ("INDEXER_LOCAL_IDLE_MINUTES", "-1"),
        ("INDEXER_LOCAL_HEAP", "much"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(BadStoreAddress, match=name) as caught:
        resolve_target("local:")
    assert value not in str(caught.value)


def test_no_password_in_any_text(monkeypatch):
    monkeypatch.setenv("NEO4J_PASSWORD", "hush-hush")
    settings: StoreSettings = load()
    target = server("bolt://ann:hush-too@host")
    for shown in (settings, target):
        assert "hush" not in repr(shown)
        assert "hush" not in str(shown)
    assert target.where == "bolt://host"
