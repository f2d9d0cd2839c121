"""Both transports in processes of their own: stdio, and HTTP on the loopback."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters

from tests.conftest import ServerUnderTest

E = "glossary_pass"


def with_process(arguments: list[str], work: Callable[[Client], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        parameters = StdioServerParameters(
            command=sys.executable, args=["-m", "indexer.cli", "mcp", *arguments]
        )
        async with Client(parameters) as client:
            return await work(client)

    return anyio.run(run)


def test_stdio(case_root: Path, neo4j_server: ServerUnderTest, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(client: Client) -> Any:
        return await client.call_tool("conversations", {})

    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    result = with_process(["--store", neo4j_server.address], work)
    assert json.loads(result.content[0].text)["total"] == 3


@pytest.fixture
def http(case_root: Path, neo4j_server: ServerUnderTest) -> Iterator[str]:
    """The address of a server over HTTP in a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "indexer.cli",
        "mcp",
        "--http",
        "--port",
        str(port),
        "--store",
        neo4j_server.address,
    ]
    process = subprocess.Popen(command, cwd=Path(__file__).parents[2], stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait(10)


def test_streamable_http_by_the_sdk_and_by_a_stranger(http: str) -> None:
    async def work() -> Any:
        async with Client(http) as client:
            return await client.call_tool("scope", {"root": E, "job_refs": "own"})

    by_sdk = json.loads(anyio.run(work).content[0].text)

    session = ""

    def post(method: str, params: dict[str, Any], number: int | None, host: str | None = None) -> Any:
        nonlocal session
        body = {"jsonrpc": "2.0", "method": method, "params": params} | (
            {} if number is None else {"id": number}
        )
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        headers |= {"Mcp-Session-Id": session} if session else {}
        headers |= {"Host": host} if host else {}
        request = urllib.request.Request(http, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            session = answer.headers.get("Mcp-Session-Id") or session
            text = answer.read().decode()
        lines = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: {")]
        return json.loads(lines[-1] if lines else text) if number is not None else None

    hello = {
        "protocolVersion": "2025-03-26",
        "capabilities": {},
        "clientInfo": {"name": "stranger", "version": "1"},
    }
    assert post("initialize", hello, 1)["result"]["serverInfo"]["name"] == "provenance-indexer"
    post("notifications/initialized", {}, None)
    found = post("tools/call", {"name": "scope", "arguments": {"root": E, "job_refs": "own"}}, 2)
    assert json.loads(found["result"]["content"][0]["text"]) == by_sdk
    with pytest.raises(urllib.error.HTTPError, match=r"4\d\d"):
        post("tools/list", {}, 3, host="evil.example:80")


def test_http_only_on_the_loopback() -> None:
    from click.testing import CliRunner

    from indexer.cli import main

    result = CliRunner().invoke(main, ["mcp", "--http", "--host", "0.0.0.0"])
    assert result.exit_code == 2
    assert "not a loopback address" in result.output
