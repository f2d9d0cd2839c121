import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from indexer.discovery.environment import FileSystem, job_identity
from indexer.discovery.links import Links
from indexer.discovery.walk import walk
from tests.support import touch


def test_spellings() -> None:
    links = Links({"/c/link.chat": "/c/saved.chat", "/home/chats": "/c", "/c/loop": "/c", "/x": "/other"})
    assert links.spellings("/c/saved.chat") == (
        "/c/saved.chat",
        "/c/link.chat",
        "/home/chats/link.chat",
        "/home/chats/saved.chat",
    )
    assert links.spellings("/d/a") == ("/d/a",)


def test_a_link_that_moved_or_is_gone() -> None:
    links = Links({"/l": "/a"})
    links.add("/l", "/b")
    assert links.spellings("/a/x") == ("/a/x",)
    assert links.spellings("/b/x") == ("/b/x", "/l/x")
    links.discard("/l")
    assert links.spellings("/b/x") == ("/b/x",)
    assert len(links) == 0


PATHS = st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(lambda parts: "/" + "/".join(parts))


@given(st.lists(st.tuples(PATHS, PATHS), max_size=8), PATHS)
def test_any_links_end(links: list[tuple[str, str]], path: str) -> None:
    names = Links(links).spellings(path)
    assert names[0] == path
    assert len(names) == len(set(names)) <= 64


def owners_on_disk(root: Path) -> dict[str, set[str]]:
    walked = walk([str(root)])
    files = [file.path for file in walked]
    identity = FileSystem()
    return {
        os.path.relpath(path, root): {
            os.path.relpath(owner.path, root)
            for owner in walked.report.links.owners(path, lambda name: job_identity(name, identity))
        }
        for path in files
    }


def test_case_35_the_sidecar_of_a_linked_chat_beside_the_link_and_beside_the_real_path(
    tmp_path: Path,
) -> None:
    root = Path(os.path.realpath(tmp_path))
    touch(root / "real/saved.chat")
    touch(root / "real/saved.chat.files/a.society/A/c/agent.chat")
    touch(root / "desk/link.chat.files/a.society/B/c/agent.chat")
    (root / "desk/link.chat").symlink_to("../real/saved.chat")
    owners = owners_on_disk(root)
    assert owners["real/saved.chat.files/a.society/A/c/agent.chat"] == {"real/saved.chat"}
    assert owners["desk/link.chat.files/a.society/B/c/agent.chat"] == {"real/saved.chat"}


def test_an_alias_job_whose_files_are_a_link_shares_the_logs(tmp_path: Path) -> None:
    root = Path(os.path.realpath(tmp_path))
    jobs = root / "var/jobs/W"
    touch(jobs / "ask/N.chat.files/log/agent.chat")
    for name in ("ask/N.chat", "ask/N.chat.info", "same/N.chat.info"):
        touch(jobs / name)
    (jobs / "same/N.chat").symlink_to("../ask/N.chat")
    (jobs / "same/N.chat.files").symlink_to("../ask/N.chat.files")
    assert owners_on_disk(root)["var/jobs/W/ask/N.chat.files/log/agent.chat"] == {
        "var/jobs/W/ask/N.chat",
        "var/jobs/W/same/N.chat",
    }
