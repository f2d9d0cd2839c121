"""Blocks: a job's answer in another chat (DESIGN: Copies (c))."""

from __future__ import annotations

from indexer.linking.records import Block
from tests.linking.scenes import LONG, Scene, assistant, call, marker, meta, output, path, system, user


def _spans(scene: Scene, name: str) -> list[tuple[int, int]]:
    return [(block.marker, block.last) for block in scene.links.chats[path(name)].blocks]


def test_a_block_equals_the_result_one_by_one() -> None:
    answer = (meta("i1"), call("c1"), output("c1"), meta("i2"), assistant("ok"))
    scene = Scene()
    scene.job("x")
    scene.chat("=x", marker("x"), *answer)
    scene.chat("root", user("q"), marker("x"), *answer, assistant("ok"), user("next"))
    scene.link()
    assert _spans(scene, "root") == [(2, 7)]
    (block,) = scene.links.chats[path("root")].blocks
    assert block == Block(2, 7, path("=x"), sum(scene.chats[path("root")].sizes[2:8]))


def test_a_short_answer_is_a_block_too() -> None:
    """A gate that answers "ok"."""
    scene = Scene()
    scene.job("x")
    scene.chat("=x", marker("x"), assistant("ok"))
    scene.chat("x/log/agent", user("q"), meta("i1"), assistant("ok"))
    scene.chat("root", user("q"), marker("x"), assistant("ok"), user("ok"))
    scene.link()
    assert _spans(scene, "root") == [(2, 3)]
    assert scene.original("root", 3) == ("x/log/agent", 3)


def test_an_answer_cut_short() -> None:
    scene = Scene()
    scene.job("x")
    scene.chat("=x", marker("x"), call("c1"), output("c1"), assistant("a"))
    scene.chat("root", marker("x"), call("c1"), user("stop"))
    scene.link()
    assert _spans(scene, "root") == [(1, 2)]


def test_without_a_result_the_log_is_compared_in_order_with_gaps() -> None:
    scene = Scene()
    scene.job("x")
    log = (user(LONG), meta("i1"), call("c1"), output("c1"), meta("i2"), assistant("a"))
    scene.chat("x/log/agent", *log)
    scene.chat("root", user(LONG), marker("x"), call("c1"), output("c1"), assistant("a"), user("next"))
    scene.link()
    assert _spans(scene, "root") == [(2, 5)]
    assert [scene.original("root", at) for at in (3, 4, 5)] == [("x/log/agent", at) for at in (3, 4, 6)]


def test_a_result_that_differs_leaves_the_word_to_the_log() -> None:
    """The answer was taken from the log while the job ran, token metas and all."""
    scene = Scene()
    scene.job("x")
    scene.chat("=x", marker("x"), call("c1"), output("c1"), assistant("a"))
    scene.chat("x/log/agent", user(LONG), meta("i1"), call("c1"), output("c1"), meta("i2"), assistant("a"))
    scene.chat("root", user(LONG), marker("x"), meta("i1"), call("c1"), output("c1"), user("more"))
    scene.link()
    assert _spans(scene, "root") == [(2, 5)]
    assert scene.original("root", 2) == ("=x", 1)


def test_an_answer_never_begins_with_what_a_user_said() -> None:
    """The log was handed the question; the chat repeats it after a poll without an answer."""
    scene = Scene()
    scene.job("x", status="start")
    scene.chat("x/log/agent", user("hello?"), meta("i1"), assistant("working"))
    scene.chat("root", user("hello?"), marker("x"), user("hello?"), marker("x"), assistant("No answer yet"))
    scene.link()
    assert _spans(scene, "root") == []


def test_what_a_log_was_handed_is_no_answer_of_it() -> None:
    """Short words of an older conversation in the log's history are no answer of the running job."""
    scene = Scene()
    scene.job("x", issued="10:00", status="start")
    history = (user(LONG), meta("i0", at="09:00"), assistant("ok"), user(LONG + "2"))
    scene.chat("x/log/agent", *history, meta("i1", at="10:30"), assistant("working"))
    scene.chat("root", *history, marker("x"), assistant("ok"), user("hm"))
    scene.link()
    assert _spans(scene, "root") == []


def test_a_job_that_can_no_longer_be_read() -> None:
    """Up to the next meta, user or system message."""
    scene = Scene()
    scene.chat("root", marker("x"), call("c1"), output("c1"), assistant("a"), meta("i1"), assistant("b"))
    scene.chat("two", marker("x"), assistant("a"), user("q"), assistant("b"))
    scene.chat("three", marker("x"), assistant("a"), system("s"))
    scene.chat("four", marker("x"), assistant("a"), marker("y"), assistant("b"))
    scene.link()
    assert _spans(scene, "root") == [(1, 4)]
    assert _spans(scene, "two") == [(1, 2)]
    assert _spans(scene, "three") == [(1, 2)]
    assert _spans(scene, "four") == [(1, 2), (3, 4)]
    assert scene.links.jobs[path("=x")].missing


def test_a_job_that_can_no_longer_be_read_and_left_its_metas_in_the_answer() -> None:
    """Where a token meta comes first, up to the next user, system or `job=` message."""
    answer = (meta("i1"), call("c1"), output("c1"), meta("i2"), assistant("a"))
    scene = Scene()
    scene.chat("root", marker("x"), *answer, user("q"))
    scene.chat("two", marker("x"), *answer, marker("y"), *answer)
    scene.link()
    assert _spans(scene, "root") == [(1, 6)]
    assert _spans(scene, "two") == [(1, 6), (7, 12)]


def test_a_finished_job_without_files_is_no_longer_readable() -> None:
    for status, spans in (("done", [(1, 2)]), ("error", [(1, 2)]), ("start", []), ("waiting", [])):
        scene = Scene()
        scene.job("x", status=status)
        scene.chat("root", marker("x"), assistant("a"), user("q"))
        scene.link()
        assert _spans(scene, "root") == spans, status


def test_a_marker_without_a_block_is_no_copy() -> None:
    """The result has come meanwhile, but this poll had no answer."""
    scene = Scene()
    scene.job("x")
    scene.chat("=x", marker("x"), assistant("the answer"))
    scene.chat(
        "root",
        user("q"),
        marker("x"),
        assistant("No answer yet"),
        user("r"),
        marker("x"),
        assistant("the answer"),
    )
    scene.link()
    assert _spans(scene, "root") == [(5, 6)]
    assert scene.original("root", 2) == ("root", 2)
    assert scene.original("root", 5) == ("=x", 1)


def test_one_answer_spliced_twice_is_one_message() -> None:
    scene = Scene()
    scene.job("x")
    scene.chat("=x", marker("x"), assistant("a"))
    scene.chat("root", user("q"), marker("x"), assistant("a"), user("r"), marker("x"), assistant("a"))
    scene.link()
    assert scene.original("root", 3) == scene.original("root", 6) == ("=x", 2)
    assert scene.unique() == 4


def test_copies_of_a_lost_answer_are_one_message() -> None:
    """Two chats hold it, at the same place of the block."""
    scene = Scene()
    scene.chat("one", user("p"), marker("x"), assistant("a"), assistant("b"))
    scene.chat("two", user("q"), marker("x"), assistant("a"), assistant("b"))
    scene.link()
    assert [scene.original("two", at) for at in (2, 3, 4)] == [("one", at) for at in (2, 3, 4)]


def test_a_nested_block_belongs_to_the_outer_one() -> None:
    inner = (marker("y"), assistant("inner"))
    scene = Scene()
    scene.job("x")
    scene.job("y")
    scene.chat("=y", *inner)
    scene.chat("=x", marker("x"), *inner, assistant("outer"))
    scene.chat("root", user("q"), marker("x"), *inner, assistant("outer"))
    scene.link()
    assert _spans(scene, "root") == [(2, 5)]
    assert _spans(scene, "=x") == [(2, 3)]
    assert scene.original("root", 4) == ("=y", 2)
    assert scene.original("root", 3) == ("=y", 1)
    assert scene.original("root", 5) == ("=x", 4)


def test_a_log_that_names_its_own_job_holds_no_block_of_it() -> None:
    """`job=` may be written at dispatch, before the child runs, and so be handed to it."""
    scene = Scene()
    scene.job("x", issued="10:00", end="11:00")
    scene.chat("root", user(LONG), marker("x"), meta("i1"), assistant("a"))
    scene.chat("x/log/agent", user(LONG), marker("x"), meta("i1"), assistant("a"))
    scene.chat("=x", marker("x"), meta("i1"), assistant("a"))
    scene.link()
    assert _spans(scene, "x/log/agent") == []
    assert scene.links.chats[path("x/log/agent")].handed_last == 1
    assert scene.original("root", 4) == ("x/log/agent", 4)


def test_a_short_answer_is_matched_at_the_end_of_its_log() -> None:
    """The log said "ok" before as well."""
    scene = Scene()
    scene.job("x")
    scene.chat("x/log/agent", user("p"), meta("i1"), assistant("ok"), user("q"), meta("i2"), assistant("ok"))
    scene.chat("=x", marker("x"), assistant("ok"))
    scene.chat("root", user("p"), marker("x"), assistant("ok"))
    scene.link()
    assert scene.original("=x", 2) == ("x/log/agent", 6)
    assert scene.original("root", 3) == ("x/log/agent", 6)


def test_a_result_that_dropped_messages_of_its_log() -> None:
    """Newer results drop other `job=` metas; gaps on both sides do no harm."""
    scene = Scene()
    scene.job("x")
    scene.chat("x/log/agent", user(LONG), meta("i1"), marker("y"), assistant("b"), meta("i2"), assistant("c"))
    scene.chat("=x", marker("x"), meta("i1"), assistant("b"), assistant("added"), meta("i2"), assistant("c"))
    scene.link()
    assert scene.links.chats[path("=x")].origins == bytes([0, 0, 1, 1, 0, 1, 1])
    assert scene.original("=x", 6) == ("x/log/agent", 6)
