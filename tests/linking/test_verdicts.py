"""Own or context, rule by rule in their order (DESIGN section 4)."""

from __future__ import annotations

import pytest

from tests.linking.scenes import LONG, Scene, assistant, call, marker, meta, output, path, user


def _delegated() -> Scene:
    """A root that delegates to X, which was handed the root's first message."""
    scene = Scene()
    scene.chat("root", user(LONG + "ask"), marker("x"), assistant(LONG + "answer"))
    scene.chat("x/log/agent", user(LONG + "ask"), meta("i1"), assistant(LONG + "answer"))
    scene.chat("=x", marker("x"), assistant(LONG + "answer"))
    scene.job("x", issued="10:00", end="11:00")
    return scene


def test_default_is_own() -> None:
    scene = _delegated().link()
    assert scene.verdict("root", "x") == (True, "default")


def test_self() -> None:
    scene = _delegated()
    scene.chat("x/log/chats/Critic/a", user("q"), marker("x"))
    scene.link()
    assert scene.verdict("=x", "x") == (True, "self")
    assert scene.verdict("x/log/chats/Critic/a", "x") == (True, "self")


@pytest.mark.parametrize(("theirs", "verdict"), [("one", True), ("two", False)])
def test_conversation_decides_first(theirs: str, verdict: bool) -> None:
    """Even over a dependency; the job's side is said by the reference."""
    scene = _delegated()
    scene.chat("y/log/agent", user("q"), marker("x", conversation=theirs), meta("i9", conversation="one"))
    scene.job("y", needs=["x"])
    scene.link()
    assert scene.verdict("y/log/agent", "x") == (verdict, "conversation")


def test_conversation_is_said_by_the_jobs_own_chats_too() -> None:
    scene = _delegated()
    scene.chat("x/log/agent", user("q"), meta("i1", conversation="one"), assistant("a"))
    scene.chat("y/log/agent", user("q"), meta("i9", conversation="two"), marker("x"))
    scene.link()
    assert scene.verdict("y/log/agent", "x") == (False, "conversation")
    assert scene.verdict("root", "x") == (True, "default"), "the root says none"


def test_a_conversation_in_handed_history_is_not_the_chats_own() -> None:
    scene = Scene()
    scene.chat(
        "root", user(LONG), meta("i1", conversation="one"), assistant("a"), marker("x"), assistant("b")
    )
    scene.chat(
        "x/log/agent", user(LONG), meta("i1", conversation="one"), assistant("a"), meta("i2"), assistant("b")
    )
    scene.chat("=x", marker("x"), assistant("b"))
    scene.link()
    assert scene.links.chats[path("x/log/agent")].handed_last == 3
    assert scene.verdict("=x", "x") == (True, "self")
    assert scene.links.chats[path("x/log/agent")].conversation == "one", "by the root that owns it"


def test_dependency_before_inherited_and_interval() -> None:
    """A stage's log names what it depends on, in its handed history, ended long before: own."""
    scene = Scene()
    scene.job("dep", issued="08:00", end="09:00")
    scene.job("x", issued="10:00", end="11:00", needs=["dep"])
    scene.chat(
        "root", user(LONG), marker("dep"), assistant("d"), user(LONG + "more"), marker("x"), assistant("e")
    )
    scene.chat("x/log/agent", user(LONG), marker("dep"), assistant("d"), user(LONG + "more"), meta("i1"))
    scene.chat("=dep", marker("dep"), assistant("d"))
    scene.chat("=x", marker("x"), assistant("e"), marker("dep"))
    scene.link()
    assert scene.links.chats[path("x/log/agent")].handed_last == 4
    assert scene.verdict("x/log/agent", "dep") == (True, "dependency")
    assert scene.verdict("=x", "dep") == (True, "dependency")


def test_inherited() -> None:
    scene = Scene()
    scene.chat(
        "root", user(LONG), marker("old"), assistant("d"), user(LONG + "more"), marker("x"), assistant("e")
    )
    scene.chat("x/log/agent", user(LONG), marker("old"), assistant("d"), user(LONG + "more"), meta("i1"))
    scene.chat("=old", marker("old"), assistant("d"))
    scene.link()
    assert scene.verdict("x/log/agent", "old") == (False, "inherited")
    assert scene.verdict("root", "old") == (True, "default"), "never a root's own file"


def test_one_own_reference_makes_the_edge_own() -> None:
    """The log inherits one reference and asks the job again later."""
    scene = Scene()
    scene.chat(
        "root", user(LONG), marker("old"), assistant("d"), user(LONG + "more"), marker("x"), assistant("e")
    )
    history = (user(LONG), marker("old"), assistant("d"), user(LONG + "more"))
    scene.chat("x/log/agent", *history, meta("i1"), user("again"), marker("old"), assistant("d"))
    scene.chat("=old", marker("old"), assistant("d"))
    scene.link()
    reference = scene.reference("x/log/agent", "old")
    log = path("x/log/agent")
    assert (reference.own, reference.basis) == (True, "default")
    assert reference.addresses == (f"{log}#2", f"{log}#7")


def test_a_fork_does_not_take_a_chats_work_away() -> None:
    """Rule 4 never holds for a root: a copy of a chat and the chat both own their references."""
    scene = _delegated()
    scene.chat("backup", user(LONG + "ask"), marker("x"), assistant(LONG + "answer"))
    scene.link()
    assert scene.verdict("root", "x")[0]
    assert scene.verdict("backup", "x")[0]


def _caller(at: str | None, *, handed: bool = False, issued: str | None = "10:00") -> Scene:
    """Y's log calls X; X ended before Y was asked for."""
    receipt = output("c1", receipt=["job=Flow/task/x.chat"], at=at)
    scene = Scene()
    scene.job("x", issued="08:00", end="09:00")
    scene.job("y", issued=issued, end="12:00")
    scene.chat("x/log/agent", user("q"), assistant("a"))
    scene.chat("y/log/agent", user("do"), call("c1", "ask", "Critic"), receipt)
    if handed:
        scene.chat(
            "root", user("do"), call("c1", "ask", "Critic"), receipt, user("now"), marker("y"), assistant("z")
        )
    return scene.link()


def test_called_also_when_the_job_is_older() -> None:
    assert _caller("10:30").verdict("y/log/agent", "x", "agent_job") == (True, "called")


def test_called_tells_nothing_without_a_time_or_before_the_job_was_asked_for() -> None:
    assert _caller(None).verdict("y/log/agent", "x", "agent_job") == (False, "interval")
    assert _caller("09:30").verdict("y/log/agent", "x", "agent_job") == (False, "interval")
    assert _caller("10:30", issued=None).verdict("y/log/agent", "x", "agent_job") == (True, "default")


def test_a_receipt_in_handed_history_is_inherited() -> None:
    scene = _caller("10:30", handed=True)
    assert scene.verdict("y/log/agent", "x", "agent_job") == (False, "inherited")
    assert scene.verdict("root", "x", "agent_job") == (True, "called")


def test_a_receipt_in_a_block_has_the_verdict_of_its_marker() -> None:
    receipt = output("c1", receipt=["job=Flow/task/gate.chat"], at="10:30")
    work = (meta("i1"), call("c1", "ask", "Critic"), receipt, meta("i2"), assistant("done"))
    scene = Scene()
    scene.job("gate", issued="10:10", end="10:20")
    scene.chat("gate/log/agent", user("g"), assistant("ok"))
    scene.job("x", issued="10:00", end="11:00")
    scene.chat("=x", marker("x"), *work)
    scene.chat("x/log/agent", user(LONG), *work)
    scene.chat("root", user(LONG), marker("x"), *work)
    # A later job that was asked for after X had ended, and one that lists X as its dependency.
    scene.job("later", issued="12:00", end="13:00")
    scene.chat("later/log/agent", marker("x"), *work, user("own"), meta("i3"))
    scene.job("next", issued="12:00", end="13:00", needs=["x"])
    scene.chat("next/log/agent", marker("x"), *work, user("own"), meta("i4"))
    scene.link()
    assert scene.verdict("x/log/agent", "gate", "agent_job") == (True, "called")
    assert scene.verdict("=x", "gate", "agent_job") == (True, "block")
    assert scene.verdict("root", "gate", "agent_job") == (True, "block")
    assert scene.verdict("later/log/agent", "x") == (False, "interval")
    assert scene.verdict("later/log/agent", "gate", "agent_job") == (False, "block")
    assert scene.verdict("next/log/agent", "gate", "agent_job") == (True, "block")


@pytest.mark.parametrize(
    ("issued", "end", "mine", "verdict"),
    [
        (
            "08:00",
            "10:00",
            {"issued": "10:00", "end": "12:00"},
            (False, "interval"),
        ),  # ended as this was asked for
        ("10:00", "13:00", {"issued": "10:00", "end": "12:00"}, (True, "interval")),  # asked for meanwhile
        ("12:00", None, {"issued": "10:00", "end": "12:00"}, (True, "interval")),
        ("12:01", "13:00", {"issued": "10:00", "end": "12:00"}, (True, "default")),  # asked for later
        ("09:00", "10:30", {"issued": "10:00", "end": "12:00"}, (True, "default")),  # still running then
        ("23:00", None, {"issued": "10:00", "status": "start"}, (True, "interval")),  # while it is still open
        (
            "23:00",
            None,
            {"issued": "10:00", "status": "done"},
            (True, "default"),
        ),  # a missing time tells nothing
        (None, "09:00", {"issued": "10:00", "end": "12:00"}, (False, "interval")),
        (None, None, {"issued": "10:00", "end": "12:00"}, (True, "default")),
        ("08:00", "09:00", {"end": "12:00"}, (True, "default")),
    ],
)
def test_interval(
    issued: str | None, end: str | None, mine: dict[str, str], verdict: tuple[bool, str]
) -> None:
    scene = Scene()
    scene.job("x", issued=issued, end=end)
    scene.job("y", **mine)  # type: ignore[arg-type]
    scene.chat("y/log/agent", user("do"), meta("i1"), marker("x"), assistant("a"))
    assert scene.link().verdict("y/log/agent", "x") == verdict


def test_a_gate_is_asked_for_while_its_caller_still_waits_to_start() -> None:
    """LINKING.md: an interval runs from `issued`, not from `start`."""
    scene = Scene()
    scene.job("gate", issued="10:05", end="10:30")
    scene.job("y", issued="10:00", start="10:20", end="12:00")
    scene.chat("y/log/agent", user("do"), meta("i1"), marker("gate"), assistant("a"))
    assert scene.link().verdict("y/log/agent", "gate") == (True, "interval")


def test_interval_is_for_chats_of_jobs_only() -> None:
    scene = Scene()
    scene.job("x", issued="08:00", end="09:00")
    scene.chat("root", user("do"), meta("i1", at="10:00"), marker("x"), assistant("a"))
    assert scene.link().verdict("root", "x") == (True, "default")


def test_first_user_is_the_fallback_where_asked_for() -> None:
    scene = Scene()
    scene.chat("root", user("one question"), marker("x"), assistant("a"))
    scene.chat("other", user("another"), marker("x"), assistant("a"))
    scene.chat("x/log/agent", user("one question"), meta("i1"), assistant("a"))
    scene.link()
    assert scene.verdict("other", "x") == (True, "default")
    scene.link("first_user")
    assert scene.verdict("other", "x") == (False, "first_user")
    assert scene.verdict("root", "x") == (True, "default")


def test_first_user_does_not_overrule_what_is_known() -> None:
    scene = Scene()
    scene.job("x", issued="10:10", end="10:20")
    scene.job("y", issued="10:00", end="12:00")
    scene.chat("y/log/agent", user("one question"), marker("x"), assistant("a"))
    scene.chat("x/log/agent", user("starts afresh"), meta("i1"), assistant("a"))
    scene.link("first_user")
    assert scene.verdict("y/log/agent", "x") == (True, "interval")


def test_first_user_needs_both_sides() -> None:
    """A job without a log, and a chat where nobody said anything."""
    scene = Scene()
    scene.chat("root", user("q"), marker("x"), assistant("a"))
    scene.chat("silent", marker("y"), assistant("a"))
    scene.chat("y/log/agent", user("q"))
    scene.link("first_user")
    assert scene.verdict("root", "x") == (True, "default")
    assert scene.verdict("silent", "y") == (True, "default")


def test_unknown_boundary() -> None:
    with pytest.raises(ValueError, match="boundary"):
        _delegated().link("lineage")


def test_job_and_receipt_references_are_decided_apart() -> None:
    """The same pair can have JOB and CONTEXT(agent_job)."""
    scene = Scene()
    receipt = output("c1", receipt=["job=Flow/task/x.chat"])
    scene.chat("root", user(LONG), call("c1", "ask"), receipt, user(LONG + "2"), marker("y"), assistant("z"))
    scene.chat(
        "y/log/agent", user(LONG), call("c1", "ask"), receipt, user(LONG + "2"), meta("i1"), marker("x")
    )
    scene.chat("x/log/agent", user("q"))
    scene.link()
    assert scene.verdict("y/log/agent", "x") == (True, "default")
    assert scene.verdict("y/log/agent", "x", "agent_job") == (False, "inherited")
    assert scene.reference("y/log/agent", "x", "agent_job").call_ids == ("c1",)
    assert scene.reference("y/log/agent", "x", "agent_job").tools == ("ask",)


def test_if_every_copy_were_context_a_roots_own_jobs_would_vanish() -> None:
    """The root's reference also stands, inherited, in later logs; that does not touch the root's."""
    scene = Scene()
    scene.chat(
        "root", user(LONG), marker("a"), assistant("d"), user(LONG + "more"), marker("b"), assistant("e")
    )
    scene.chat("a/log/agent", user(LONG), meta("i0"), assistant("d"))
    scene.chat("=a", marker("a"), assistant("d"))
    scene.chat(
        "b/log/agent",
        user(LONG),
        marker("a"),
        assistant("d"),
        user(LONG + "more"),
        meta("i1"),
        assistant("e"),
    )
    scene.chat("=b", marker("b"), assistant("e"))
    scene.link()
    assert scene.verdict("root", "a") == (True, "default")
    assert scene.verdict("b/log/agent", "a") == (False, "inherited")
