"""`indexer serve` as a process: what it prints, that it answers, that it needs its token when others can reach it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from indexer.commands.serve import command, own_names
from tests.conftest import ServerUnderTest


@contextmanager
def served(server: ServerUnderTest, *words: str) -> Iterator[str]:
    """A running server; gives the address that it printed."""
    arguments = [
        sys.executable,
        "-m",
        "indexer.cli",
        "serve",
        "--store",
        server.address,
        "--port",
        "0",
        *words,
    ]
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True, env=os.environ) as process:
        try:
            assert process.stderr is not None
            said = process.stderr.readline()
            found = re.search(r"http://\S+", said)
            assert found, said + process.stderr.read()
            yield found[0]
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(10)


def status(address: str, tries: int = 50, **headers: str) -> int:
    for _ in range(tries):
        try:
            request = urllib.request.Request(address, headers=headers)
            return int(urllib.request.urlopen(request, timeout=10).status)
        except urllib.error.HTTPError as error:
            return error.code
        except urllib.error.URLError:
            time.sleep(0.1)
    raise AssertionError(f"{address} does not answer")


def test_it_prints_where_it_is_and_answers(neo4j_server: ServerUnderTest, examples: Path) -> None:
    with served(neo4j_server) as address:
        assert address.startswith("http://127.0.0.1:")
        assert status(address) == 200
        assert status(address, Host="evil.example") == 421


def test_listening_for_others_needs_the_token(neo4j_server: ServerUnderTest, examples: Path) -> None:
    with served(neo4j_server, "--host", "0.0.0.0") as address:
        token = address.partition("token=")[2]
        assert len(token) >= 32
        here = f"http://127.0.0.1:{address.split(':')[2].partition('/')[0]}/pulse"
        assert status(here) == 401
        assert status(here, Authorization=f"Bearer {token}") == 200


def test_a_port_in_use_is_said(neo4j_server: ServerUnderTest) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = CliRunner().invoke(
            command, ["--port", str(taken.getsockname()[1]), "--store", neo4j_server.address]
        )
    assert done.exit_code == 2
    assert "cannot listen on 127.0.0.1" in done.stderr


@pytest.mark.parametrize(
    ("host", "name"), [("10.1.2.3", "10.1.2.3"), ("fe80::1", "[fe80::1]"), ("0.0.0.0", "127.0.0.1")]
)
def test_names_that_others_use(host: str, name: str) -> None:
    assert name in own_names(host)
