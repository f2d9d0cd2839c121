import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.discovery.layout import (
    JobPath,
    chat_stem,
    has_chat_suffix,
    is_job_place,
    job_of_companion,
    jobs_root_of,
    owners,
    short_reference,
    split_job,
)

MD5 = "62e5246c018655544ff99d24db5e4152"


@pytest.mark.parametrize(
    ("name", "parts"),
    [  # FORMAT.md 3.1
        ("Default", ("Default", None, None)),
        ("Default.chat", ("Default", None, "chat")),
        (f"Default_{MD5}", ("Default", MD5, None)),
        (f"main_{MD5}.chat", ("main", MD5, "chat")),
        (f"R1_{MD5}.json", ("R1", MD5, "json")),
        ("Default_x.chat", ("Default_x", None, "chat")),
        ("a_b.tsv.gz", ("a_b", None, "tsv.gz")),
        (f"x_{MD5}_{MD5}.yaml", (f"x_{MD5}", MD5, "yaml")),
        (f"_{MD5}", (f"_{MD5}", None, None)),
    ],
)
def test_split_job(name: str, parts: tuple[str, str | None, str | None]) -> None:
    assert split_job(f"/h/var/jobs/Wf/task/{name}") == JobPath("/h/var/jobs", "Wf", "task", *parts)


@pytest.mark.parametrize("path", ["", "/", "/a", "/a/b", "a/b/c", "/a/b/", "//a/"])
def test_too_short_for_a_job(path: str) -> None:
    assert split_job(path) is None


def test_split_at_the_top_of_the_file_system() -> None:
    assert split_job("/W/t/N") == JobPath("/", "W", "t", "N", None, None)


@given(st.text(max_size=30))
def test_splitting_is_total(path: str) -> None:
    split_job(path)
    owners(path)
    jobs_root_of(path)
    job_of_companion(path)


JOB = "/r/var/jobs/Top/ask/Default_t.chat"
SAVED = "/c/chats/saved.chat"


@pytest.mark.parametrize(
    ("path", "owner", "place", "agent", "conversation"),
    [
        # generation L
        (f"{JOB}.files/log/agent.chat", JOB, "log", None, None),
        (f"{JOB}.files/log/b.chat", JOB, "log", None, None),
        (f"{JOB}.files/log/deep/er/x.chat", JOB, "log", None, None),
        (f"{JOB}.files/log/society/Auditor/fetch.chat", JOB, "log", "Auditor", "fetch"),
        (f"{JOB}.files/log/chats/Critic/work_A.chat", JOB, "log", "Critic", "work_A"),
        (f"{JOB}.files/log/society/Critic/strict/c1.chat", JOB, "log", "Critic/strict", "c1"),
        (f"{JOB}.files/log/society/agent/agent.chat", JOB, "log", "agent", "agent"),
        # generations M and N
        (f"{JOB}.files/agent.chat", JOB, "top", None, None),
        (f"{JOB}.files/Planner.chat", JOB, "top", "Planner", None),
        (f"{JOB}.files/agent.society/Worker/work_A/agent.chat", JOB, "society", "Worker", "work_A"),
        (f"{JOB}.files/agent.society/Worker/work_A/society/Sub/c1/agent.chat", JOB, "society", "Sub", "c1"),
        (f"{JOB}.files/agent.society/Critic/strict/c1/agent.chat", JOB, "society", "Critic/strict", "c1"),
        (f"{JOB}.files/agent.society/society/c1/agent.chat", JOB, "society", "society", "c1"),
        (f"{JOB}.files/agent.chat.gz", JOB, "top", None, None),
        # sidecars of saved chats
        (f"{SAVED}.files/agent.society/Critic/c/agent.chat", SAVED, "society", "Critic", "c"),
        (f"{SAVED}.files/agent.chat", SAVED, "top", None, None),
    ],
)
def test_owner_of_a_log(
    path: str, owner: str, place: str, agent: str | None, conversation: str | None
) -> None:
    (found,) = owners(path)
    assert (found.path, found.place, found.agent, found.conversation) == (owner, place, agent, conversation)


def test_nested_society_names_every_conversation_on_the_way() -> None:
    (found,) = owners(f"{JOB}.files/a.society/Auditor/fetch/society/Scout/audit/agent.chat")
    assert found.society == (("Auditor", "fetch"), ("Scout", "audit"))


def test_a_log_with_a_sidecar_folder_of_its_own_has_two_owners_innermost_first() -> None:
    log = f"{JOB}.files/agent.society/Worker/work_A/agent.chat"
    found = owners(f"{log}.files/agent.society/Sub/c/agent.chat")
    assert [owner.path for owner in found] == [log, JOB]


@pytest.mark.parametrize(
    "path",
    [
        f"{JOB}.files/resets/2026.chat",
        f"{JOB}.files/agent.society/W/c/resets/2026.chat",
        f"{JOB}.files/log/notes.txt",
        f"{JOB}.files/agent.jobs",
        f"{JOB}.files/sub/other.chat",
        f"{JOB}.chat",
        "/c/.files/agent.chat",
        "/c/chats/saved.chat",
    ],
)
def test_no_logs(path: str) -> None:
    assert owners(path) == ()


def test_job_places() -> None:
    assert is_job_place("/h/.scout/var/jobs/W/t/N")
    assert not is_job_place("/h/.scout/var/jobs/W/t")
    assert not is_job_place("/h/.scout/var/jobs/W/t/N.files/x")
    assert not is_job_place("/h/W/t/N")
    assert is_job_place("/bulk/W/t/N", ("/bulk",))
    assert not is_job_place("/bulk2/W/t/N", ("/bulk",))


def test_companions() -> None:
    assert job_of_companion("/r/W/t/N.chat.info") == "/r/W/t/N.chat"
    assert job_of_companion("/r/W/t/N.chat.files") == "/r/W/t/N.chat"
    assert job_of_companion("/r/W/t/N.chat") == "/r/W/t/N.chat"
    assert job_of_companion("/r/W/t/.info") == "/r/W/t/.info"


def test_jobs_root_of_results_companions_and_logs() -> None:
    for path in (JOB, f"{JOB}.info", f"{JOB}.files/log/agent.chat"):
        assert jobs_root_of(path) == "/r/var/jobs"
    assert jobs_root_of("/bulk/W/t/N.chat.files/agent.chat") == "/bulk"
    assert jobs_root_of("/home/u/chats/a.chat") is None


def test_short_reference_is_equal_for_all_spellings() -> None:
    assert short_reference(JOB) == short_reference("/old/var/jobs/Top/ask/Default_t.chat")


def test_chat_suffixes() -> None:
    for name in ("a.chat", "a.chat.gz", "a.chat.bgz", "a.chat.zip"):
        assert has_chat_suffix(name)
        assert chat_stem(name) == "a"
    assert not has_chat_suffix("a.gz")
    assert chat_stem("chain_a") == "chain_a"
