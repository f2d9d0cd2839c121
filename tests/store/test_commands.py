"""`indexer neo4j ...` as a person uses it."""

from __future__ import annotations

import json
import urllib.request

import click
import pytest
from click.testing import CliRunner

from indexer.commands import neo4j as module
from indexer.commands.neo4j import neo4j


@pytest.fixture
def run(own_target, monkeypatch):
    """Runs a command against the module's store and gives its result."""
    monkeypatch.setenv("INDEXER_LOCAL_LIB", str(own_target.lib))
    monkeypatch.setenv("INDEXER_LOCAL_HEAP", own_target.heap)
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:9")  # no business of these commands

    def invoke(*arguments: str):
        return CliRunner().invoke(neo4j, [*arguments, "--store", f"local:{own_target.folder}"])

    return invoke


def test_from_start_to_stop(run, own_target, monkeypatch):
    found = run("status", "--json")
    assert found.exit_code == 0
    assert json.loads(found.stdout)["running"] is False
    assert not own_target.folder.exists()  # asking makes nothing

    found = run("start", "--json")
    assert found.exit_code == 0, found.output
    started = json.loads(found.stdout)
    assert started["running"] is True
    assert json.loads(run("start", "--json").stdout)["pid"] == started["pid"]
    assert "running" in run("status").stdout

    opened: list[str] = []
    monkeypatch.setattr(module.webbrowser, "open", opened.append)
    monkeypatch.setattr(module, "_has_display", lambda: True)
    found = run("browser", "--print")
    assert (found.exit_code, opened) == (0, [])
    assert found.stdout.splitlines()[0].startswith(started["browser"])
    found = run("browser", "--json")
    told = json.loads(found.stdout)
    assert opened == [told["url"]]
    assert (told["username"], told["uri"]) == ("neo4j", started["uri"])
    assert own_target.folder.joinpath("password").read_text() == told["password"]
    with urllib.request.urlopen(told["url"], timeout=10) as page:
        assert page.status == 200
        assert b"<html" in page.read().lower()

    assert json.loads(run("stop", "--json").stdout) == {"stopped": True}
    found = run("stop")
    assert (found.exit_code, found.stdout) == (0, "It was not running.\n")


def test_install_says_where(run, local_lib):
    found = run("install", "--json")
    assert found.exit_code == 0
    told = json.loads(found.stdout)
    assert told["lib"].startswith(str(local_lib))
    assert told["files"] > 200


def test_what_goes_wrong_is_one_line_with_its_exit_code(run, tmp_path):
    (tmp_path / "file").write_text("x")
    found = CliRunner().invoke(neo4j, ["start", "--store", f"local:{tmp_path}"])
    assert found.exit_code == 3
    assert len(found.stderr.splitlines()) == 1
    found = CliRunner().invoke(neo4j, ["stop", "--store", "bolt://ann:hush@host"])
    assert found.exit_code == 2
    assert "hush" not in found.output
    assert run("restore", str(tmp_path / "absent")).exit_code == 2
    assert run("restore", str(tmp_path / "file"), "--force").exit_code == 3


def test_every_command_has_help():
    for name, command in neo4j.commands.items():
        found = CliRunner().invoke(neo4j, [name, "--help"])
        assert found.exit_code == 0
        assert command.help
        for parameter in command.params:
            assert not isinstance(parameter, click.Option) or parameter.help, f"{name} {parameter.name}"
