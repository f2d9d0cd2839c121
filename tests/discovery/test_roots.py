import os
from pathlib import Path

import pytest

from indexer.discovery.environment import Environment
from indexer.discovery.roots import AmbiguousRoot, KnownIds, Root, RootNotFound, resolve_root
from tests.support import touch


@pytest.fixture
def base(tmp_path: Path) -> Path:
    root = Path(os.path.realpath(tmp_path))
    for name in (
        "cwd/plan.chat",
        "cwd/chats/talk",
        "cwd/chats/other.chat",
        "cwd/var/jobs/W/t/N.chat",
        "cwd/var/jobs/W/t/N.chat.info",
        "cwd/var/jobs/W/t/bare.chat",
        "cwd/var/jobs/W/t/waiting.info",
        "home/h.chat",
    ):
        touch(root / name)
    (root / "cwd/folder").mkdir()
    return root


@pytest.fixture
def env(base: Path) -> Environment:
    return Environment(f"{base}/cwd", f"{base}/home")


@pytest.mark.parametrize(
    ("text", "kind", "path"),
    [
        ("plan.chat", "chat", "cwd/plan.chat"),
        ("plan", "chat", "cwd/plan.chat"),
        ("./plan", "chat", "cwd/plan.chat"),
        (" plan ", "chat", "cwd/plan.chat"),
        ("talk", "chat", "cwd/chats/talk"),
        ("other", "chat", "cwd/chats/other.chat"),
        ("chats/other", "chat", "cwd/chats/other.chat"),
        ("~/h", "chat", "home/h.chat"),
        ("{BASE}/home/h.chat", "chat", "home/h.chat"),
        ("var/jobs/W/t/N.chat", "job", "cwd/var/jobs/W/t/N.chat"),
        ("W/t/N.chat", "job", "cwd/var/jobs/W/t/N.chat"),
        ("var/jobs/W/t/N", "job", "cwd/var/jobs/W/t/N.chat"),
        ("var/jobs/W/t/N.chat.info", "chat", "cwd/var/jobs/W/t/N.chat.info"),
        ("W/t/N.chat.info", "job", "cwd/var/jobs/W/t/N.chat"),
        ("/gone/var/jobs/W/t/N.chat", "job", "cwd/var/jobs/W/t/N.chat"),
        ("W/t/waiting", "job", "cwd/var/jobs/W/t/waiting"),
        ("W/t/bare.chat", "chat", "cwd/var/jobs/W/t/bare.chat"),
        ("job:W/t/bare.chat", "job", "cwd/var/jobs/W/t/bare.chat"),
        ("chat:var/jobs/W/t/N.chat", "chat", "cwd/var/jobs/W/t/N.chat"),
    ],
)
def test_on_disk(text: str, kind: str, path: str, base: Path, env: Environment) -> None:
    found = resolve_root(text.replace("{BASE}", str(base)), env, KnownIds())
    assert found == Root(kind, f"{base}/{path}")


def test_a_name_of_any_bytes_as_argument_and_as_printed_id(base: Path, env: Environment) -> None:
    raw = os.fsencode(base) + b"/cwd/caf\xe9.chat"
    with open(raw, "wb"):
        pass
    wanted = Root("chat", f"{base}/cwd/caf%E9.chat")
    for text in (os.fsdecode(raw), wanted.id, "caf%E9", os.fsdecode(b"caf\xe9")):
        assert resolve_root(text, env, KnownIds()) == wanted


def test_an_indexed_job_without_info_that_is_no_chat_is_a_job(base: Path, env: Environment) -> None:
    path = f"{base}/cwd/plan.chat"
    assert resolve_root("plan", env, KnownIds(jobs=[path])) == Root("job", path)
    assert resolve_root("plan", env, KnownIds(jobs=[path], chats=[path])) == Root("chat", path)


CHATS = ["/x/alpha.chat", "/x/alphabet.chat", "/x/my_alpha.chat", "/y/beta.chat", "/z/beta.chat", "/n/n.chat"]
JOBS = ["/j/var/jobs/W/t/gamma.chat", "/n/n.chat"]


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ("alpha.chat", Root("chat", "/x/alpha.chat")),
        ("alpha", Root("chat", "/x/alpha.chat")),
        ("alphab", Root("chat", "/x/alphabet.chat")),
        ("my_", Root("chat", "/x/my_alpha.chat")),
        ("phabet", Root("chat", "/x/alphabet.chat")),
        ("y/beta", Root("chat", "/y/beta.chat")),
        ("/y/beta.chat", Root("chat", "/y/beta.chat")),
        ("/y/beta", Root("chat", "/y/beta.chat")),
        ("gamma", Root("job", "/j/var/jobs/W/t/gamma.chat")),
        ("W/t/gamma.chat", Root("job", "/j/var/jobs/W/t/gamma.chat")),
        ("n.chat", Root("job", "/n/n.chat")),  # a job's result that is gone: one root, not two
        ("chat:n.chat", Root("chat", "/n/n.chat")),
    ],
)
def test_among_what_is_indexed(text: str, root: Root) -> None:
    env = Environment("/nowhere", "/nowhere")
    assert resolve_root(text, env, KnownIds(CHATS, JOBS)) == root


def test_ambiguous() -> None:
    env = Environment("/nowhere", "/nowhere")
    with pytest.raises(AmbiguousRoot) as raised:
        resolve_root("beta", env, KnownIds(CHATS, JOBS))
    assert raised.value.candidates == [Root("chat", "/y/beta.chat"), Root("chat", "/z/beta.chat")]
    assert "chat:/y/beta.chat" in str(raised.value)


@pytest.mark.parametrize(
    "text", ["", "  ", "/", "..", "chat:", "nope", "a/b/c/d", "job:alpha.chat", "folder", "a\0b", "x" * 5000]
)
def test_not_found(text: str, env: Environment) -> None:
    with pytest.raises(RootNotFound):
        resolve_root(text, env, KnownIds(CHATS, JOBS))
