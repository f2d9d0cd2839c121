"""Handed history: where it ends, and that nothing else is taken for it (DESIGN: Copies (d))."""

from __future__ import annotations

from tests.linking.scenes import LONG, Scene, assistant, call, marker, meta, output, path, system, user


def _last(scene: Scene, name: str) -> int:
    return scene.links.chats[path(name)].handed_last


def test_equals_a_chat_that_names_the_job() -> None:
    scene = Scene()
    scene.chat("root", user(LONG), meta("i1"), assistant("a"), user(LONG + "2"), marker("x"), assistant("b"))
    scene.chat(
        "x/log/agent",
        system("You are X"),
        user(LONG),
        meta("i1"),
        assistant("a"),
        user(LONG + "2"),
        meta("i2"),
    )
    scene.link()
    assert _last(scene, "x/log/agent") == 5
    assert [scene.original("x/log/agent", at) for at in (2, 3, 4, 5)] == [("root", at) for at in (1, 2, 3, 4)]
    assert scene.links.chats[path("x/log/agent")].origins == bytes([0, 0, 3, 3, 3, 3, 0])


def test_by_a_receipt_too() -> None:
    scene = Scene()
    receipt = output("c1", receipt=["job=Flow/task/x.chat"])
    scene.chat("root", user(LONG), meta("i1"), call("c1", "ask", "X"), receipt, meta("i2"), assistant("b"))
    scene.chat("x/log/agent", user(LONG), user("prompt"), meta("i3"))
    scene.link()
    assert _last(scene, "x/log/agent") == 1
    assert scene.original("x/log/agent", 1) == ("root", 1)


def test_equals_a_log_of_a_job_that_depends_on_it() -> None:
    """A stage that no chat names: only the next stage's info lists it."""
    scene = Scene()
    scene.job("plan", needs=[])
    scene.job("work", needs=["plan"])
    scene.chat("plan/log/agent", user(LONG), user("plan it"), meta("i1"), assistant("p"))
    scene.chat("work/log/agent", user(LONG), user("do it"), meta("i2"), assistant("w"))
    scene.link()
    assert _last(scene, "plan/log/agent") == 1
    assert _last(scene, "work/log/agent") == -1, "nobody is known to have handed it anything"


def test_equals_what_these_import() -> None:
    """And what that one imports in turn."""
    scene = Scene()
    scene.chat("first", user(LONG + "0"), meta("i0"), assistant("z"))
    scene.chat("earlier", ("import", "first"), user(LONG), meta("i1"), assistant("a"))
    scene.chat("root", ("import", "earlier"), user("hm"), marker("x"), assistant("b"))
    scene.chat(
        "x/log/agent",
        user(LONG + "0"),
        meta("i0"),
        assistant("z"),
        user(LONG),
        meta("i1"),
        assistant("a"),
        user("hm"),
        meta("i2"),
    )
    scene.link()
    assert _last(scene, "x/log/agent") == 7
    assert scene.original("x/log/agent", 1) == ("first", 1)
    assert scene.original("x/log/agent", 4) == ("earlier", 2)
    assert scene.original("x/log/agent", 7) == ("root", 2)


def test_equals_what_these_continue_or_take_the_last_of() -> None:
    for role in ("continue", "last"):
        scene = Scene()
        scene.chat("earlier", user("p"), meta("i1"), assistant(LONG))
        scene.chat("root", (role, "earlier"), user("hm"), marker("x"), assistant("b"))
        scene.chat("x/log/agent", assistant(LONG), user("hm"), meta("i2"))
        scene.link()
        assert _last(scene, "x/log/agent") == 2, role
        assert scene.original("x/log/agent", 1) == ("earlier", 3)
        assert scene.original("x/log/agent", 2) == ("root", 2)


def test_imports_in_a_circle() -> None:
    scene = Scene()
    scene.chat("one", ("import", "two"), user(LONG), marker("x"), assistant("b"))
    scene.chat("two", ("import", "one"), user(LONG + "2"))
    scene.chat("x/log/agent", user(LONG + "2"), user(LONG), meta("i2"))
    scene.link()
    assert _last(scene, "x/log/agent") == 2


def test_an_import_twice_over() -> None:
    """A conversation that two imports bring is in the log twice, and is the same both times."""
    scene = Scene()
    scene.chat("base", user(LONG), meta("i0"), assistant("ok"), user("short"), assistant("more"))
    scene.chat("one", ("import", "base"), user(LONG + "1"))
    scene.chat("root", ("import", "base"), ("import", "one"), user(LONG + "2"), marker("x"), assistant("b"))
    base = (user(LONG), meta("i0"), assistant("ok"), user("short"), assistant("more"))
    scene.chat("x/log/agent", *base, *base, user(LONG + "1"), user(LONG + "2"), meta("i2"))
    scene.link()
    assert _last(scene, "x/log/agent") == 12
    for at in range(1, 6):
        assert scene.original("x/log/agent", at) == scene.original("x/log/agent", at + 5) == ("base", at)


def test_a_message_must_tell_or_follow_one_that_tells() -> None:
    """A short message after a strong one is handed when the source goes on with it, too."""
    scene = Scene()
    scene.chat("root", user("q0"), user(LONG), user("yes"), user("go"), marker("x"), assistant("b"))
    scene.chat("x/log/agent", user(LONG), user("yes"), user("go"), meta("i2"))
    scene.chat("other", user("q1"), user(LONG), user("no"), user("yes"), marker("y"), assistant("b"))
    scene.chat("y/log/agent", user(LONG), user("yes"), meta("i3"))
    scene.link()
    assert _last(scene, "x/log/agent") == 3
    assert scene.original("x/log/agent", 3) == ("root", 4)
    assert _last(scene, "y/log/agent") == 1


def test_short_messages_alone_tell_nothing() -> None:
    """ "continue" and "ok" stand in both chats, but not as the beginning that was handed on."""
    scene = Scene()
    scene.chat("root", user("p"), user("continue"), assistant("ok"), user("q"), marker("x"), assistant("b"))
    scene.chat("x/log/agent", user("r"), user("continue"), assistant("ok"), meta("i2"))
    scene.link()
    assert _last(scene, "x/log/agent") == -1


def test_a_short_beginning_is_handed_when_it_is_the_whole_of_it() -> None:
    scene = Scene()
    scene.chat("root", user("hi"), marker("x"), assistant("b"))
    scene.chat("x/log/agent", user("hi"), meta("i2"), assistant("b"))
    scene.chat("two", user("hi"), user("there"), marker("y"), assistant("b"))
    scene.chat("y/log/agent", user("hi"), meta("i3"), assistant("b"))
    scene.link()
    assert _last(scene, "x/log/agent") == 1
    assert scene.original("x/log/agent", 1) == ("root", 1)
    assert _last(scene, "y/log/agent") == -1


def test_a_short_beginning_is_handed_when_a_marker_is_in_it() -> None:
    """The reference of an earlier session, carried into the log of a later one."""
    scene = Scene()
    scene.chat("earlier", user("first"), marker("old"), assistant("report"))
    scene.chat("root", ("import", "earlier"), user("update"), marker("x"), assistant("b"))
    scene.chat("x/log/agent", user("first"), marker("old"), assistant("report"), user("update"), meta("i2"))
    scene.chat("=old", marker("old"), assistant("report"))
    scene.link()
    assert _last(scene, "x/log/agent") == 4
    assert scene.verdict("x/log/agent", "old") == (False, "inherited")


def test_blocks_are_not_handed_by_themselves() -> None:
    """Two stages splice the same dependency; that is their own doing."""
    scene = Scene()
    for name, needs in (("a", []), ("b", ["a"]), ("c", ["b", "a"])):
        scene.job(name, needs=needs)
    scene.chat("=a", marker("a"), assistant(LONG + "a"))
    scene.chat("=b", marker("b"), assistant(LONG + "b"))
    scene.chat("b/log/agent", user(LONG), marker("a"), assistant(LONG + "a"), user("stage b"), meta("i1"))
    scene.chat(
        "c/log/agent", user(LONG), marker("a"), assistant(LONG + "a"), marker("b"), assistant(LONG + "b")
    )
    scene.link()
    assert _last(scene, "b/log/agent") == 1


def test_a_message_in_a_block_of_the_source_hands_nothing() -> None:
    """The answer of X stands, spliced, in the chat that names X."""
    scene = Scene()
    scene.chat("root", user("q"), marker("x"), assistant(LONG))
    scene.chat("=x", marker("x"), assistant(LONG))
    scene.chat("x/log/agent", user("p"), meta("i1"), assistant(LONG))
    scene.link()
    assert _last(scene, "x/log/agent") == -1


def test_the_jobs_own_chats_hand_it_nothing() -> None:
    scene = Scene()
    scene.chat("x/log/agent", user(LONG), meta("i1"), assistant(LONG), marker("x"))
    scene.chat("x/log/chats/Critic/a", user(LONG), marker("x"), meta("i1"), assistant(LONG))
    scene.link()
    assert _last(scene, "x/log/agent") == -1
    assert _last(scene, "x/log/chats/Critic/a") == -1


def test_what_a_chat_said_after_it_named_the_job_was_not_handed_to_it() -> None:
    """The same words again, in the root after the answer and in the log as its own."""
    scene = Scene()
    scene.chat("root", user(LONG), marker("x"), assistant("b"), user(LONG + "again"))
    scene.chat("x/log/agent", user(LONG), meta("i1"), assistant("b"), user(LONG + "again"))
    scene.link()
    assert _last(scene, "x/log/agent") == 1


def test_the_same_words_in_two_conversations_that_were_handed_on() -> None:
    """The n-th time answers the n-th time."""
    scene = Scene()
    scene.chat("earlier", user(LONG), meta("i0"), assistant("a"))
    scene.chat("root", ("import", "earlier"), user(LONG), marker("x"), assistant("b"))
    scene.chat("x/log/agent", user(LONG), meta("i0"), assistant("a"), user(LONG), meta("i1"))
    scene.link()
    assert _last(scene, "x/log/agent") == 4
    assert scene.original("x/log/agent", 1) == ("earlier", 1)
    assert scene.original("x/log/agent", 4) == ("root", 2)


def test_a_root_was_handed_nothing() -> None:
    scene = Scene()
    scene.chat("root", user(LONG), marker("x"), assistant("b"))
    scene.chat("fork", user(LONG), marker("x"), assistant("b"), user(LONG + "2"), marker("y"), assistant("c"))
    scene.link()
    assert _last(scene, "fork") == -1


def test_metas_older_than_the_job_end_the_history_with_their_response() -> None:
    """Also when nothing is known of the chat that handed it."""
    scene = Scene()
    scene.job("x", issued="10:00", start="10:05")
    history = (
        user("p"),
        meta("i0", at="09:00"),
        call("c0"),
        output("c0"),
        meta("i1", at="09:59"),
        assistant("a"),
    )
    scene.chat("x/log/agent", *history, user("now"), meta("i2", at="10:00"), assistant("b"))
    scene.link()
    assert _last(scene, "x/log/agent") == 6


def test_whichever_is_later() -> None:
    scene = Scene()
    scene.job("x", issued="10:00")
    history = (user(LONG), meta("i0", at="09:00"), assistant("a"))
    scene.chat("root", *history, user(LONG + "2"), marker("x"), assistant("b"))
    scene.chat("x/log/agent", *history, user(LONG + "2"), meta("i2", at="10:00"))
    scene.chat(
        "y/log/agent", *history, meta("i3", at="09:30"), assistant("c"), user("n"), meta("i4", at="10:01")
    )
    scene.job("y", issued="10:00")
    scene.chat("two", user(LONG), marker("y"), assistant("b"))
    scene.link()
    assert _last(scene, "x/log/agent") == 4
    assert _last(scene, "y/log/agent") == 5


def test_an_old_meta_in_a_block_ends_nothing() -> None:
    """A job that ended before, spliced after the prompt, which is the log's own."""
    scene = Scene()
    scene.job("old", issued="08:00", end="09:00")
    scene.job("x", issued="10:00")
    answer = (marker("old"), meta("i0", at="08:30"), assistant("a"))
    scene.chat("=old", *answer)
    scene.chat("x/log/agent", user("p"), *answer, user("now"), meta("i2", at="10:00"))
    scene.link()
    assert _last(scene, "x/log/agent") == -1


def test_a_replayed_answer_in_a_log_does_not_make_its_work_history() -> None:
    """REPORTS 16: a cached answer bears the time of the first asking."""
    scene = Scene()
    scene.job("x", issued="10:00")
    work = (user("p"), meta("i1", at="10:01"), call("c1"), output("c1"))
    scene.chat("x/log/agent", *work, meta("i0", at="07:00"), assistant("cached"), meta("i2", at="10:02"))
    scene.link()
    assert _last(scene, "x/log/agent") == -1


def test_what_the_job_wrote_itself_was_not_handed_to_it() -> None:
    """Somebody went on from a copy of the log, and named the job there at last."""
    scene = Scene()
    scene.job("x", issued="10:00", start="10:00", end="11:00")
    log = (
        user(LONG),
        meta("i1", at="10:00:02"),
        call("c1"),
        output("c1"),
        meta("i2", at="10:01"),
        assistant(LONG + "a"),
    )
    scene.chat("x/log/agent", *log)
    scene.chat("debug", *log, user("why?"), marker("x"), assistant("because"))
    scene.link()
    assert _last(scene, "x/log/agent") == 1


def test_a_whole_conversation_handed_on_as_one_user_message() -> None:
    """LINKING.md: there is nothing to compare; the log begins with what it was told, and that is its own."""
    scene = Scene()
    scene.job("x", issued="10:00")
    scene.chat(
        "root",
        user(LONG),
        meta("i1", at="09:00"),
        assistant("a"),
        user(LONG + "2"),
        marker("x"),
        assistant("b"),
    )
    scene.chat("x/log/agent", user(f"user: {LONG}\nassistant: a\nuser: {LONG}2"), meta("i2", at="10:00"))
    scene.link()
    assert _last(scene, "x/log/agent") == -1
    assert scene.verdict("root", "x") == (True, "default")
