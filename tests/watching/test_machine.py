"""Whatever is done to files, and however it is looked at, the graph comes to what one clean scan gives.

INDEXER_TEST_EXAMPLES asks for more than the few examples of an ordinary test run.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from indexer.discovery.environment import Environment
from indexer.ingest import growing
from indexer.ingest.forget import forget, missing
from indexer.ingest.growth import Growths
from indexer.ingest.memory import Memory
from indexer.ingest.scan import Scanner
from indexer.store.store import Store
from tests.conftest import empty
from tests.support_snapshot import difference, snapshot
from tests.watching.world import CHATS, FOLDERS, JOBS, LINKS, World, info, text

KINDS = st.lists(st.integers(0, 59), min_size=0, max_size=5)
FILES = [
    *CHATS,
    *(f"var/jobs/{job}" for job in JOBS),
    *(f"var/jobs/{job}.files/log/agent.chat" for job in JOBS),
    *(f"var/jobs/{job}.files/agent.chat" for job in JOBS),
]
NAMES = st.sampled_from(FILES)
INFOS = st.sampled_from([f"var/jobs/{job}.info" for job in JOBS])
ANY = st.sampled_from([*FILES, *(f"var/jobs/{job}.info" for job in JOBS), *FOLDERS, *LINKS])


class Stopped(BaseException):
    """A process is killed here."""


class Machine(RuleBasedStateMachine):
    """Changes, looks and kills in any order."""

    store: Store

    @initialize()
    def begin(self) -> None:
        empty(self.store)
        self.folder = tempfile.TemporaryDirectory()
        self.world = World(Path(os.path.realpath(self.folder.name)))
        self.memory = Memory(growths=Growths())
        self.scan()

    def scan(self) -> None:
        self.world.changed()
        Scanner(self.store, memory=self.memory).scan([str(self.world.root)])

    @rule(name=NAMES, kinds=KINDS, atomic=st.booleans())
    def write(self, name: str, kinds: list[int], atomic: bool) -> None:
        self.world.write(name, text(kinds), atomic)

    @rule(name=NAMES, kinds=KINDS)
    def append(self, name: str, kinds: list[int]) -> None:
        self.world.append(name, text(kinds))

    @rule(name=INFOS, kind=st.integers(0, 59))
    def write_info(self, name: str, kind: int) -> None:
        self.world.write(name, info(kind))

    @rule(job=st.sampled_from(JOBS), kinds=KINDS, kind=st.integers(0, 59))
    def run_job(self, job: str, kinds: list[int], kind: int) -> None:
        self.world.write(f"var/jobs/{job}.info", info(kind))
        self.world.write(f"var/jobs/{job}.files/log/agent.chat", text(kinds))
        self.world.write(f"var/jobs/{job}", f"\nmeta: job={job}\n{text(kinds[-2:])}")

    @rule(name=ANY)
    def remove(self, name: str) -> None:
        self.world.remove(name)

    @rule(name=ANY, to=ANY)
    def move(self, name: str, to: str) -> None:
        self.world.move(name, to)

    @rule(name=st.sampled_from(LINKS), to=ANY)
    def link(self, name: str, to: str) -> None:
        self.world.link(name, to)

    @rule()
    def look_again(self) -> None:
        places = self.world.changed()
        Scanner(self.store, memory=self.memory).look_again(places)

    @rule()
    def scan_all(self) -> None:
        self.scan()

    @rule()
    def restart(self) -> None:
        self.memory = Memory(growths=Growths())
        self.scan()

    @rule(after=st.integers(0, 25))
    def be_killed(self, after: int) -> None:
        """Be killed at some transaction, then begin anew."""
        left = after
        write = Store.write

        def counted(store: Store, *args: object, **kwargs: object) -> object:
            nonlocal left
            left -= 1
            if left < 0:
                raise Stopped
            return write(store, *args, **kwargs)  # type: ignore[call-overload]

        places = self.world.changed()
        patch = pytest.MonkeyPatch()
        patch.setattr(Store, "write", counted)
        try:
            Scanner(self.store, memory=self.memory).look_again(places)
        except Stopped:
            pass
        finally:
            patch.undo()
        self.restart()

    def teardown(self) -> None:
        if not hasattr(self, "world"):
            return
        try:
            self.look_again()
            forget(self.store, missing(self.store), Environment.of_process())
            self.scan()  # a job of which only the result is left is seen when its info is forgotten
            found = snapshot(self.store)
            empty(self.store)
            Scanner(self.store).scan([str(self.world.root)])
            assert not difference(found, snapshot(self.store))
        finally:
            self.folder.cleanup()


def test_any_history_comes_to_a_clean_scan(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(growing, "LEAST", 0)
    Machine.store = store
    examples = int(os.environ.get("INDEXER_TEST_EXAMPLES", "4"))
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=14 if examples < 10 else 35,
            deadline=None,
            derandomize=examples < 10,
            print_blob=True,
            phases=[Phase.generate] if examples > 4 else [Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        ),
    )
