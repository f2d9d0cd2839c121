"""What a root is best compared with."""

from __future__ import annotations

from indexer import Index
from tests.answers.conftest import LoadTold
from tests.answers.scenes import E, G
from tests.support_graph import Told, at


def test_what_is_imported_comes_first(index: Index) -> None:
    first = index.earlier(G).items[0]
    assert (first.other, first.continued, first.shared_jobs, first.before) == (E, True, 1, True)
    assert first.reason == "it is continued here"


def test_the_later_one_is_said_to_be_later(index: Index) -> None:
    (only,) = index.earlier(E).items
    assert (only.other, only.continued, only.shared_jobs, only.before) == (G, False, 1, False)
    assert only.reason == "shares 1 job, but is later"


def test_shared_work_then_the_same_folder_then_time(load: LoadTold) -> None:
    told = Told()
    chats = {
        name: told.chat(f"/h/chats/{name}.chat")
        for name in ("now/run4", "now/run2", "now/run3", "other/newest", "other/shares", "now/run5")
    }
    job = told.job("/h/j/W/t/one")
    for minute, name in enumerate(
        ("other/shares", "now/run2", "now/run3", "other/newest", "now/run4", "now/run5")
    ):
        told.nodes["Chat", chats[name]]["ended_at"] = at(minute)
    for name in ("now/run4", "other/shares"):
        told.works(chats[name], job)
    index = load(told)
    found = index.earlier(chats["now/run4"])
    names = [row.other.removeprefix("/h/chats/").removesuffix(".chat") for row in found.items]
    assert names == ["other/shares", "now/run3", "now/run2", "other/newest"]
    assert [row.reason for row in found.items] == [
        "shares 1 job", "before it, same place", "before it, same place", "before it",
    ]  # fmt: skip
    assert index.earlier(chats["now/run4"], page=2, per_page=3).items == found.items[3:]
    assert index.earlier(chats["other/shares"]).items[0].other == chats["now/run4"]


def test_a_job_is_compared_with_jobs_of_its_task(load: LoadTold) -> None:
    told = Told()
    for minute, name in enumerate(("t/old", "t/new", "t2/other")):
        job = told.job(f"/h/j/W/{name}")
        told.nodes["Job", job]["issued"] = at(minute)
    index = load(told)
    assert [row.other for row in index.earlier("/h/j/W/t/new").items] == ["/h/j/W/t/old"]
