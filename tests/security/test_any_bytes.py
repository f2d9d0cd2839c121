"""Any bytes give an answer or an error of the program's own, whatever reads them.

Chats are in tests/formats/test_chat_automaton.py, infos in tests/formats/test_job_infos.py (with a corpus of
what once broke them), heads of files in tests/discovery/test_kinds.py, Cypher in tests/test_readonly.py.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path

import orjson
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from indexer.discovery.ignore import IGNORE_FILE, IgnoreRules, read_ignore_file
from indexer.formats.calls import read_call, read_output
from indexer.formats.info import read_info
from indexer.formats.meta import parse_values, read_meta
from indexer.formats.records import JobInfo, Problem
from indexer.linking import facts
from indexer.linking.facts import ChatFacts, FactsError, JobFacts
from indexer.redaction import RuleFileError, redactor_for
from indexer.store.errors import LocalServerError
from indexer.store.local import backup, bundle

DEEP = 100_000
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
#: Envelopes whose fields have the right names and any values.
ENVELOPES = st.dictionaries(
    st.sampled_from(
        (
            *("name", "id", "call_id", "content", "arguments", "function", "agent_meta", "meta", "error"),
            *("step", "timestamp", "start_timestamp", "tool_call_id", "role"),
        )
    ),
    JSON | st.lists(st.fixed_dictionaries({"role": st.just("meta"), "content": JSON}), max_size=3),
)
TEXTS = st.text() | JSON.map(json.dumps) | ENVELOPES.map(json.dumps)
QUICK = settings(deadline=None)
FILES = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@QUICK
@given(TEXTS)
@example("[" * DEEP)
@example('{"content":' * DEEP)
@example('{"content": "' + "{" * DEEP + '"}')
@example('{"arguments": "' + "[" * DEEP + '"}')
@example('{"id": 1e999, "name": NaN}')
@example('{"agent_meta": [{"role": "meta", "content": "\\ud800=1"}]}')
@example('{"meta": [{"pt": 1e400, "job": {"a": []}, "\\ud800": 1}]}')
def test_calls_outputs_and_receipts(text: str) -> None:
    problems: list[Problem] = []
    read_call(text)
    output = read_output(text, problems, 0)
    if output is not None:
        assert output.status in ("success", "failure")


@QUICK
@given(
    st.text() | st.lists(st.sampled_from(["pt", "=", " ", '"', "\\", "reas", "job", "1", "\n"])).map("".join)
)
@example('reas="' + '\\"' * 50_000)
@example("a=" * 50_000)
@example('a="b" ' * 20_000)
def test_meta_lines(text: str) -> None:
    parse_values(text)
    read_meta(text, [], 0)


@pytest.mark.parametrize(
    "data",
    [
        b"a: &a [x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\n"
        + b"".join(b"%c: &%c [%s]\n" % (n, n, b",".join([b"*%c" % (n - 1)] * 9)) for n in range(99, 110)),
        b"- " * DEEP,
        b"[" * DEEP,
        b'{"a":' * DEEP,
        b"!!python/object/apply:os.system ['touch /tmp/never']",
        b"!ruby/object:Gem::Requirement\nrequirements: x",
        b"status: !!python/name:os.system",
        b"\x04\x08o:\x0bKernel\x06:\x06xi\x06",
        b"\x04\x08" + b"[\x06" * DEEP,
        b"\x04\x08I" * 1000,
        b"? " * 5000,
        b"&" * DEEP,
        b"{" * 5000 + b"}" * 5000,
    ],
    ids=lambda data: repr(data[:12]),
)
def test_infos_build_no_objects_and_do_not_grow(data: bytes) -> None:
    info = read_info(data)
    assert isinstance(info, JobInfo)
    assert not Path("/tmp/never").exists()
    assert len(repr(info)) < 100_000


@FILES
@given(data=st.binary() | st.text().map(lambda text: text.encode("utf-8", "replace")))
@example(data=b"[" * 5000)
@example(data=b"!" * 5000 + b"\n\\\n**/" * 300)
@example(data=b"a[!-]\n[z-a]\n***\n/\n\x00\n\xff\xfe")
def test_ignore_files(tmp_path: Path, data: bytes) -> None:
    (tmp_path / IGNORE_FILE).write_bytes(data)
    rules, _ = IgnoreRules().below(str(tmp_path), read_ignore_file(str(tmp_path)))
    rules.verdict(str(tmp_path / "a/b.chat"), False)


@FILES
@given(data=st.binary() | JSON.map(lambda value: json.dumps({"rules": value, "disable": value}).encode()))
@example(data=b"[[rules]]\nname='x'\npattern='" + b"(" * 1000 + b"'")
@example(data=b"a." * 5000 + b"b=1")
@example(data=b"[" * 5000)
@example(data=b"a = " + b"[" * 5000)
def test_rule_files(tmp_path: Path, data: bytes) -> None:
    for name in ("rules.toml", "rules.json"):
        (tmp_path / name).write_bytes(data)
        with suppress(RuleFileError):
            redactor_for(str(tmp_path / name)).redact("password=x1y2z3")


@QUICK
@given(st.binary() | JSON.map(lambda value: zlib.compress(json.dumps(value).encode())))
@example(zlib.compress(orjson.dumps(["chat", 0, *[None] * 19])))
@example(zlib.compress(orjson.dumps(["chat", facts.VERSION, *[None] * 19])))
@example(zlib.compress(orjson.dumps(["job", facts.VERSION, *[None] * 7])))
@example(zlib.compress(b"[" * DEEP))
@example(b"")
@example(ChatFacts("/a").to_bytes()[:-3])
def test_stored_facts(data: bytes) -> None:
    for kind in (ChatFacts, JobFacts):
        with suppress(FactsError):
            kind.from_bytes(data)


def archive(members: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members.items():
            made.writestr(name, data)
    return file.getvalue()


MEMBERS = st.dictionaries(
    st.sampled_from(
        [bundle.LOCK_NAME, backup.HEADER_NAME, backup.DUMP_NAME, "../../evil", "/evil", "jars/x.jar"]
    ),
    st.binary(max_size=50) | JSON.map(lambda value: json.dumps(value).encode()),
)


@FILES
@given(data=st.binary() | MEMBERS.map(archive))
@example(data=archive({backup.HEADER_NAME: b"[" * DEEP, backup.DUMP_NAME: b""}))
@example(data=archive({bundle.LOCK_NAME: b"[" * DEEP}))
@example(data=archive({bundle.LOCK_NAME: b"a = " + b"[" * 5000}))
@example(data=archive({backup.HEADER_NAME: b'{"neo4j":1,"made":2,"sha256":3}', backup.DUMP_NAME: b"x"}))
@example(data=archive({"../evil": b"x", backup.HEADER_NAME: b"{}"}))
def test_bundles_and_backups(tmp_path: Path, data: bytes) -> None:
    """Nothing is unpacked by a name that the archive chooses."""
    place = tmp_path / "given"
    place.write_bytes(data)
    before = sorted(os.listdir(tmp_path.parent))
    folder = tmp_path / "into"
    folder.mkdir(exist_ok=True)
    with pytest.raises(LocalServerError):
        backup._extract(place, folder)
    with pytest.raises(LocalServerError), bundle._opened(place) as opened:
        bundle._lock_of(opened, place)
    assert set(os.listdir(folder)) <= {backup.DUMP_NAME}
    assert sorted(os.listdir(tmp_path.parent)) == before
