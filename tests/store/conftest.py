"""Local servers of a test's own, always stopped at its end."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from indexer.store.connection import local_server
from indexer.store.local.server import LocalServer
from indexer.store.local.target import LocalTarget

# Small servers: several may run beside the one of the test run.
HEAP = "300m"


@pytest.fixture(scope="module")
def own_target(local_lib: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalTarget]:
    """A local store that the tests of one module share; each finds it as the one before left it."""
    target = LocalTarget(tmp_path_factory.mktemp("own") / "a store", local_lib, idle_minutes=60, heap=HEAP)
    yield target
    local_server(target).stop()


@pytest.fixture
def server(own_target: LocalTarget) -> LocalServer:
    """The server of that store, running or not."""
    return local_server(own_target)


@pytest.fixture
def new_target(local_lib: Path, tmp_path: Path) -> Iterator[Callable[..., LocalTarget]]:
    """Makes targets of stores that do not exist yet."""
    made: list[LocalTarget] = []

    def make(name: str = "new", idle_minutes: float = 60.0) -> LocalTarget:
        made.append(LocalTarget(tmp_path / name, local_lib, idle_minutes, HEAP))
        return made[-1]

    yield make
    for target in made:
        local_server(target).stop()


@pytest.fixture
def in_process(own_target: LocalTarget) -> Callable[[str], subprocess.Popen[str]]:
    """Runs Python code in a process of its own whose default store is the module's."""

    def run(code: str) -> subprocess.Popen[str]:
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("NEO4J_")},
            "INDEXER_LOCAL_LIB": str(own_target.lib),
            "INDEXER_LOCAL_HEAP": own_target.heap,
            "NEO4J_URI": f"local:{own_target.folder}",
        }
        return subprocess.Popen(
            [sys.executable, "-c", code],
            env=environment,
            cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return run
