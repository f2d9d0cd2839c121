"""Job infos in every serialisation, whole and damaged."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.formats.info import read_info
from indexer.formats.records import JobInfo

TREES = Path(__file__).resolve().parent.parent / "trees"
CORPUS = Path(__file__).resolve().parent / "corpus"
INFOS = sorted(path for path in TREES.rglob("*.info") if path.is_file())


def info(*parts: str) -> JobInfo:
    return read_info(TREES.joinpath(*parts).read_bytes())


def test_there_are_infos() -> None:
    assert len(INFOS) > 50


@pytest.mark.parametrize("path", INFOS, ids=lambda path: str(path.relative_to(TREES)))
def test_every_recorded_info(path: Path) -> None:
    data = path.read_bytes()
    read = read_info(data)
    if "Bad" in path.parts:
        assert read.status is None
        return
    assert read.format == {"yaml": "yaml", "marshal": "marshal"}.get(path.relative_to(TREES).parts[0], "json")
    assert not read.problems
    if read.status == "waiting":
        assert read == JobInfo("json", status="waiting")
        return
    assert read.workflow
    assert read.task == path.parent.name
    for time in (read.issued, read.start, read.end):
        assert time is None or (len(time) == 27 and time.endswith("Z") and time[10] == "T")
    if read.format == "json":
        raw = json.loads(data)
        assert (read.status, read.pid, read.host) == (raw["status"], raw["pid"], raw["pid_hostname"])
        paths = [item if isinstance(item, str) else item[-1] for item in raw["dependencies"]]
        assert list(read.dependencies) == paths


def test_three_serialisations_of_one_job_say_the_same() -> None:
    jobs = [
        info("plain", "var/jobs/LabFlow/shout/R1_34fdcac9c095810f41dc017ce8a0aa09.info"),
        info("yaml", "var/jobs/LabFlow/shout/R1_7c7c599f548d21166197d6e6e85e5268.info"),
        info("marshal", "var/jobs/LabFlow/shout/R1_9f52ddeb27eb5978a9a0551e282a5f86.info"),
    ]
    for job in jobs:
        assert (job.status, job.workflow, job.task, job.type) == ("done", "LabFlow", "shout", "array")
        assert job.host == "vm"
        assert job.input_names == ("times",)
        assert len(job.dependencies) == 1
        assert "/var/jobs/LabFlow/hello/R1_" in job.dependencies[0]
        assert job.issued is not None
        assert job.start is not None
        assert job.end is not None
        assert job.issued <= job.start <= job.end
        assert job.time_elapsed is not None
    assert jobs[1].issued == "2026-11-30T23:08:06.585795Z"
    assert jobs[2].issued == "2026-11-30T23:08:05.964955Z"
    assert jobs[0].issued == "2026-11-30T23:08:02.000000Z"


def test_case_28_unreadable_infos_are_problems() -> None:
    """REPORTS 28: an array in `.info` crashes the reference; 29: what cannot be dumped is cut short."""
    for data in (
        b"[1, 2]",
        b'"text"',
        b"12",
        b'{"status": "done", "depend',
        b"\x04\x08{",
        b"\x04\x08[\x06i\x06",
        b"\x04\x08",
    ):
        read = read_info(data)
        assert read.format == "unreadable", data
        assert [problem.kind for problem in read.problems] == ["unreadable_info"]
        assert read.status is None
    for data in (b"", b" \n", b"null", b"\x04\x080", b"~", b"--- \n"):
        assert read_info(data).format == "empty", data
        assert not read_info(data).problems
    assert read_info(b"{}") == JobInfo("json")


def test_case_29_truncated_at_every_byte() -> None:
    whole = [
        TREES / "marshal/var/jobs/LabFlow/boom/Default.info",
        TREES / "plain/var/jobs/LabFlow/shout/R1_34fdcac9c095810f41dc017ce8a0aa09.info",
        *CORPUS.glob("marshal_*.info"),
    ]
    for path in whole:
        data = path.read_bytes()
        for end in range(len(data)):
            read = read_info(data[:end])
            assert read.format in ("unreadable", "empty"), (path, end)


def test_case_32_archived_infos() -> None:
    job = info("forget", "var/jobs/LabFlow/hola/Default.info")
    [path] = job.dependencies
    assert list(job.archived) == [path]
    archived = job.archived[path]
    assert (archived["status"], archived["task_name"], archived["pid"]) == ("done", "hello", 15086)
    assert archived["issued"] == "2026-11-30T23:08:07.000000Z"


def test_case_33_triples_missing_and_repeated_dependencies() -> None:
    job = info("provenance", "var/jobs/Top/ask/Default_t.chat.info")
    names = [path.rpartition("/")[2] for path in job.dependencies]
    assert names == ["Default_1", "Default_2", "Default_missing", "Default_noinfo", "Default", "Default_1"]


def test_case_34_the_waiting_wrapper() -> None:
    assert read_info(b'{"status":"waiting"}') == JobInfo("json", status="waiting")


def test_an_error_keeps_its_last_message_and_not_its_exception() -> None:
    for tree in ("plain", "yaml", "marshal", "forget"):
        job = info(tree, "var/jobs/LabFlow/boom/Default.info")
        assert job.status == "error"
        assert job.messages == ("ScoutException: Expected failure: bad input",)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ext", {"status": "done", "dependencies": ("/home/a/var/jobs/W/t/N", "/home/b/é")}),
        ("ext", {"issued": "2026-01-02T03:04:05.678901Z"}),
        ("sub", {"status": "done", "dependencies": ("/x/y",), "workflow": "W"}),
        ("obj", {"status": "done", "dependencies": ("/p/q",)}),
        ("hd", {"status": "start", "pid": 123, "time_elapsed": 1.25}),
        ("lat", {"status": "héllo", "task": "日本"}),
        ("loc", {"issued": "2026-03-04T03:06:07.000000Z", "start": "1970-01-01T00:00:00.000000Z"}),
        ("loc", {"end": "1950-01-01T00:00:00.000000Z"}),
        ("cyc", {"status": "done"}),
        ("link", {"workflow": "same", "messages": ("same", "same")}),
        ("strkeys", {"workflow": "Wf", "task": "t", "pid": 70000, "dependencies": ("/a",)}),
    ],
)
def test_marshal_of_uncommon_values(name: str, expected: dict[str, Any]) -> None:
    """Written by Ruby: paths with a module, string subclasses, structs, objects, default hashes, cycles."""
    read = read_info((CORPUS / f"marshal_{name}.info").read_bytes())
    assert read.format == "marshal"
    assert {key: getattr(read, key) for key in expected} == expected


def test_a_marshal_bomb_is_refused() -> None:
    # [[], then 40 arrays each holding the one before twice by link: small on disk, 2**40 values spelled out.
    data = b"[\x00"
    for depth in range(40):
        data = b"[\x07" + data + b"@" + bytes([6 + 40 - depth])
    read = read_info(b"\x04\x08{\x06:\x0bstatus" + data)
    assert read.format in ("unreadable", "marshal")


def test_yaml_builds_nothing() -> None:
    read = read_info(
        b"---\n:status: !ruby/object:Kernel done\n:pid: '12'\n:start: !!timestamp 2026-01-01\n"
        b":dependencies: [&a [W, t, /x], *a]\n:task_name: !!python/object/apply:os.system [ls]\n"
    )
    assert (read.status, read.pid, read.start, read.task) == ("done", 12, None, None)
    assert read.dependencies == ("/x", "/x")


def test_numbers_beyond_all_measure() -> None:
    read = read_info(
        b'{"status":"done","pid":99999999999999999999999,"time_elapsed":1e999,"total_time_elapsed":"x"}'
    )
    assert (read.pid, read.time_elapsed, read.total_time_elapsed) == (None, None, None)
    read = read_info(
        b'{"status":"\\ud800","pid":true,"messages":{"a":1},"dependencies":[null,[],[[1]],5,{"a":1}]}'
    )
    assert (read.status, read.pid, read.messages, read.dependencies) == ("\ufffd", None, (), ())


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=300),
        st.binary(max_size=60).map(lambda data: b"\x04\x08" + data),
        st.text(max_size=200).map(str.encode),
    )
)
def test_any_bytes_give_an_info(data: bytes) -> None:
    read = read_info(data)
    assert read.format in ("json", "yaml", "marshal", "empty", "unreadable")
    assert (read.format == "unreadable") == bool(read.problems)


def test_damaged_dumps_give_an_info() -> None:
    rng = random.Random(5)
    for path in sorted(CORPUS.glob("marshal_*.info")):
        data = path.read_bytes()
        for _ in range(200):
            damaged = bytearray(data)
            for _ in range(rng.randint(1, 4)):
                damaged[rng.randrange(2, len(damaged))] = rng.randrange(256)
            read_info(bytes(damaged))
