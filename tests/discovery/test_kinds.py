from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.discovery.kinds import (
    Kind,
    chat_kind,
    is_job,
    kind_by_name,
    looks_like_chat,
    looks_like_info,
    owner_is_job,
    place_of,
)
from indexer.discovery.layout import owners

TREES = Path(__file__).parents[1] / "trees"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/h/a.chat", Kind.CHAT),
        ("/h/a.chat.gz", Kind.CHAT),
        ("/h/Agent/start_chat", Kind.CHAT),
        ("/h/chats/chain_a", Kind.CANDIDATE),
        ("/h/chats/Agent/doctrine", Kind.CANDIDATE),
        ("/h/chat/v1.2 plan", Kind.CANDIDATE),
        ("/h/chats/notes.md", Kind.IGNORED),
        ("/h/chats/a.chat.bak", Kind.IGNORED),
        ("/h/chats/a.chat~", Kind.IGNORED),
        ("/h/chats/a.chat.files/blob", Kind.IGNORED),
        ("/h/notes", Kind.IGNORED),
        ("/h/chatter/notes", Kind.IGNORED),
        ("/h/emacs.info", Kind.MAYBE_INFO),
        ("/h/var/jobs/W/t/Default.info", Kind.INFO),
        ("/h/var/jobs/W/t/Default.chat.info", Kind.INFO),
        ("/h/var/jobs/W/t/Default", Kind.RESULT),
        ("/h/var/jobs/W/t/Default.tsv", Kind.RESULT),
        ("/h/var/jobs/W/t/Default.chat", Kind.CHAT),
        ("/h/var/jobs/W/t/Default.md5", Kind.IGNORED),
        ("/h/var/jobs/W/t/Default.files/log.txt", Kind.IGNORED),
        ("/h/var/jobs/W/t/Default.files/log/agent.chat", Kind.CHAT),
        ("/h/var/jobs/W/readme", Kind.IGNORED),
    ],
)
def test_kind_by_name(path: str, kind: Kind) -> None:
    folder, _, name = path.rpartition("/")
    assert kind_by_name(name, place_of(folder)) is kind


def test_a_jobs_root_that_is_told_makes_job_places() -> None:
    assert kind_by_name("N", place_of("/bulk/W/t", ("/bulk",))) is Kind.RESULT
    assert kind_by_name("N.info", place_of("/bulk/W/t", ("/bulk",))) is Kind.INFO


def test_a_link_called_chats_makes_candidates() -> None:
    assert kind_by_name("plan", place_of("/data/talks", (), chats=True)) is Kind.CANDIDATE


@pytest.mark.parametrize(
    ("head", "answer"),
    [
        (b"user: hello", True),
        (b"\nuser:\n\nhello", True),
        (b"import: chain_a\n\nuser: x", True),
        (b"some text first\nassistant:\nyes", True),
        (b"system:\r\n\r\nYou are", True),
        (b"user: caf\xe9 latin-1", True),
        (b"user: " + "é".encode() * 40_000, True),  # cut within a character
        (b"", False),
        (b"just prose", False),
        (b" user: indented", False),
        (b"User: x", False),
        (b"https://x", False),
        (b"else:\n  pass", False),
        (b"user::Name", False),
        (b"```\nuser: in a fence\n```\n", False),
        (b"```\nx\n```\nuser: after it", True),
        (b"user: x\0y", False),
        (b"\x89PNG\r\nuser: x" + bytes(range(128, 256)) * 4, False),
        (b"x\n" * 40_000 + b"user: too late", False),
    ],
)
def test_looks_like_chat(head: bytes, answer: bool) -> None:
    assert looks_like_chat(head) is answer


@given(st.binary(max_size=300))
def test_sniffs_are_total(head: bytes) -> None:
    looks_like_chat(head)
    looks_like_info(head)


@pytest.mark.parametrize("tree", ["case_legacy", "case_modern"])
def test_every_file_of_the_trees_is_told_by_its_content(tree: str) -> None:
    for path in (TREES / tree).rglob("*"):
        if path.is_file() and path.name.endswith((".chat", ".info")):
            head = path.read_bytes()[:65536]
            assert looks_like_chat(head) is path.name.endswith(".chat"), path
            assert looks_like_info(head) is path.name.endswith(".info"), path


@pytest.mark.parametrize(
    ("head", "answer"),
    [
        (b'{"status":"waiting"}', True),
        (b"---\n:status: :done\n:issued: 2026", True),
        (b"\x04\x08{\x0c:\x0bstatus:\x09done:\x0bissued", True),
        (b'{"status": "done", "depend', True),
        (b'{"name":"package"}', False),
        (b"This is emacs.info, produced by makeinfo; status: fine", False),
        (b"", False),
        (b"null", False),
    ],
)
def test_looks_like_info(head: bytes, answer: bool) -> None:
    assert looks_like_info(head) is answer


@pytest.mark.parametrize(
    ("path", "infos", "kind"),
    [
        ("/c/saved.chat", (), "root"),
        ("/r/var/jobs/W/t/N.chat", (), "result"),
        ("/x/N.chat", ("/x/N.chat",), "result"),
        ("/r/var/jobs/W/t/N.chat.files/agent.chat", (), "log"),
        ("/x/N.chat.files/agent.chat", ("/x/N.chat",), "log"),
        ("/x/N.files/log/agent.chat", (), "log"),
        ("/c/saved.chat.files/agent.chat", (), "sidecar"),
        ("/c/saved.chat.files/a.society/A/c/agent.chat", (), "sidecar"),
    ],
)
def test_chat_kind(path: str, infos: tuple[str, ...], kind: str) -> None:
    found = owners(path)
    jobs = tuple(owner_is_job(owner, owner.path in infos) for owner in found)
    assert chat_kind(found, jobs, is_job(path, path in infos)) == kind
