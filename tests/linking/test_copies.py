"""Which messages are one, clause by clause (DESIGN: Copies (a), (b), originals)."""

from __future__ import annotations

from indexer.linking.records import ORIGINS
from tests.linking.scenes import LONG, Scene, assistant, call, marker, meta, output, path, system, user


def _related() -> Scene:
    """Chats that name the running job X are related by it, and it has given no answer yet."""
    scene = Scene()
    scene.job("x", status="start")
    return scene


def test_equal_text_in_unrelated_chats_is_new() -> None:
    """Also with an inference's id: a replayed answer is said anew."""
    scene = Scene()
    for name in ("one", "two"):
        scene.chat(name, user(LONG), meta("i1"), assistant(LONG + "answer"))
    scene.link()
    assert scene.unique() == 6


def test_continue_ok_in_related_chats_is_new_too() -> None:
    """Two short messages tell nothing, related or not."""
    scene = Scene()
    scene.chat("one", marker("x"), assistant("a"), user("continue"), assistant("ok"))
    scene.chat("two", marker("x"), assistant("a"), user("go on"), user("continue"), assistant("ok"))
    scene.chat("=x", marker("x"), assistant("a"))
    scene.link()
    assert scene.original("two", 4) == ("two", 4)
    assert scene.original("two", 5) == ("two", 5)


def test_a_call_with_an_id_needs_no_neighbour() -> None:
    scene = _related()
    scene.chat("one", marker("x"), call("c1"), user("p"), output("c1", "t"))
    scene.chat("two", marker("x"), user("q"), call("c1"), user("r"), output("c1", "t"), output("c1", "u"))
    scene.link()
    assert scene.original("two", 3) == ("one", 2)
    assert scene.original("two", 5) == ("one", 4)
    assert scene.original("two", 6) == ("two", 6), "the whole text must be equal"


def test_an_id_made_from_the_arguments_needs_a_neighbour() -> None:
    generated = "read_" + "0123456789abcdef" * 2
    scene = _related()
    scene.chat("one", marker("x"), user("p"), call(generated), output(generated, "t" * 70))
    scene.chat("two", marker("x"), user("q"), call(generated), user("r"))
    scene.chat("three", marker("x"), user("s"), call(generated), output(generated, "t" * 70))
    scene.link()
    assert scene.original("two", 3) == ("two", 3)
    assert scene.original("three", 3) == ("one", 3)
    assert scene.original("three", 4) == ("one", 4)


def test_a_meta_is_told_by_its_inference_not_by_its_text() -> None:
    """LINKING.md: newer results drop the reasoning, so two copies of one meta differ in text."""
    scene = _related()
    scene.chat("one", marker("x"), meta("i1", reas="because"), assistant("a"))
    scene.chat("two", marker("x"), user("q"), meta("i1"), assistant("b"))
    scene.link()
    assert scene.original("two", 3) == ("one", 2)


def test_a_provider_id_is_an_identity_where_there_is_no_inference() -> None:
    scene = _related()
    scene.chat("one", marker("x"), meta(provider_response_id="p1", reas="because"))
    scene.chat("two", marker("x"), user("q"), meta(provider_response_id="p1"))
    scene.link()
    assert scene.original("two", 3) == ("one", 2)


def test_neighbours_hold_an_identity() -> None:
    scene = _related()
    scene.chat("one", marker("x"), user("k"), user("ok"), meta("i1"), assistant("fine"), user("n"))
    scene.chat("two", marker("x"), user("l"), user("ok"), meta("i1"), assistant("fine"), user("m"))
    scene.link()
    assert [scene.original("two", at) for at in (3, 4, 5)] == [("one", at) for at in (3, 4, 5)]
    assert scene.original("two", 2) == ("two", 2)


def test_neighbours_hold_a_marker() -> None:
    """A poll handed on: the marker has no block, the pair tells."""
    scene = Scene()
    scene.job("x", status="start")
    for name in ("one", "two"):
        scene.chat(name, user("q"), marker("x"), assistant("No answer yet"), user(name))
    scene.link()
    assert scene.original("two", 1) == ("one", 1)
    assert scene.original("two", 2) == ("one", 2)
    assert scene.original("two", 3) == ("one", 3)
    assert scene.original("two", 4) == ("two", 4)


def test_neighbours_hold_64_bytes() -> None:
    scene = Scene()
    light, heavy = "s" * 31, "t" * 32
    scene.chat(
        "one", marker("x"), user("a"), user(light), assistant(heavy), user("b"), user(heavy), assistant(heavy)
    )
    scene.chat(
        "two", marker("x"), user("c"), user(light), assistant(heavy), user("d"), user(heavy), assistant(heavy)
    )
    scene.link()
    assert scene.original("two", 3) == ("two", 3), "63 bytes"
    assert scene.original("two", 4) == ("two", 4)
    assert scene.original("two", 6) == ("one", 6), "64 bytes"
    assert scene.original("two", 7) == ("one", 7)


def test_one_long_text_alone_is_no_copy() -> None:
    scene = Scene()
    scene.chat("one", marker("x"), user("a"), user(LONG), user("b"))
    scene.chat("two", marker("x"), user("c"), user(LONG), user("d"))
    scene.link()
    assert scene.original("two", 3) == ("two", 3)


def test_neighbours_with_token_metas_left_out() -> None:
    """An older result holds no token metas: its neighbours are those of the log without them."""
    scene = Scene()
    scene.chat("one", marker("x"), user(LONG), meta("i1"), assistant("short"))
    scene.chat("two", marker("x"), user(LONG), assistant("short"))
    scene.link()
    assert scene.original("two", 2) == ("one", 2)
    assert scene.original("two", 3) == ("one", 4)


def test_what_is_said_twice_in_one_chat_was_said_twice() -> None:
    """Both times in the same words, and once more in the copy of it all."""
    words = (user(LONG), assistant("ok"))
    scene = Scene()
    scene.chat("one", marker("x"), user("p"), *words, user("q"), *words)
    scene.chat("two", marker("x"), user("p"), *words, user("q"), *words)
    scene.link()
    assert scene.original("one", 6) == ("one", 6)
    assert scene.original("two", 3) == ("one", 3)
    assert scene.original("two", 6) == ("one", 6)
    assert scene.original("two", 7) == ("one", 7)


def test_three_polls_of_one_running_job_are_three_messages() -> None:
    """LINKING.md; also when the answer is the same each time."""
    scene = Scene()
    scene.job("x", issued="10:00", status="start")
    said = (user("ask"), marker("x"), assistant("No answer yet"))
    scene.chat("root", *said, *said, *said)
    scene.link()
    assert scene.unique() == 9
    assert scene.links.chats[path("root")].blocks == ()


def test_copies_differ_in_blanks_and_escapes() -> None:
    scene = Scene()
    scene.chat("one", marker("x"), user("note: this\nline  \nend " + "t" * 64), meta("i1"))
    scene.chat("two", marker("x"), user("  \\note: this\r\nline\nend " + "t" * 64), meta("i1"))
    scene.link()
    assert scene.original("two", 2) == ("one", 2)


def test_head_and_synthetic_message_take_no_part() -> None:
    scene = Scene()
    for name in ("one", "two"):
        scene.chat(
            name, system(LONG), system(LONG + "2"), user("q " + name), marker("x"), system(LONG), system(LONG)
        )
    scene.link()
    copies = scene.links.chats[path("two")].copies
    assert 0 not in copies
    assert 1 not in copies
    assert 2 not in copies
    assert scene.original("two", 5) == ("one", 5), "a later system message does"


def test_original_is_not_inherited() -> None:
    """The log sorts before the root and began earlier; what it was handed is the root's all the same."""
    scene = Scene()
    scene.job("x", issued="08:00", end="23:00")
    scene.chat("root", user(LONG), meta("i1", at="07:00"), assistant("a"), user(LONG + "2"), marker("x"))
    scene.chat(
        "x/log/agent", user(LONG), meta("i1", at="07:00"), assistant("a"), user(LONG + "2"), meta("i2")
    )
    scene.link()
    assert [scene.original("x/log/agent", at) for at in (1, 2, 3, 4)] == [("root", at) for at in (1, 2, 3, 4)]


def test_original_is_outside_a_block_and_in_the_log_before_the_result() -> None:
    scene = _answered()
    scene.link()
    assert scene.original("root", 3) == ("x/log/agent", 3)
    assert scene.original("=x", 2) == ("x/log/agent", 3)
    assert scene.original("x/log/agent", 3) == ("x/log/agent", 3)
    assert scene.original("root", 2) == ("=x", 1), "the marker was first written in the result"


def _answered() -> Scene:
    scene = Scene()
    scene.job("x", issued="10:00", end="11:00")
    scene.chat("=x", marker("x"), assistant(LONG + "answer"))
    scene.chat("root", user(LONG), marker("x"), assistant(LONG + "answer"))
    scene.chat("x/log/agent", user(LONG), meta("i1"), assistant(LONG + "answer"))
    return scene


def test_without_the_log_the_result_is_the_original() -> None:
    scene = _answered()
    del scene.chats[path("x/log/agent")]
    scene.link()
    assert scene.original("root", 3) == ("=x", 2)
    assert scene.links.chats[path("=x")].origins == bytes(3)


def test_the_earliest_start_is_the_original() -> None:
    scene = Scene()
    scene.chat("a", marker("x"), call("c1"), meta("i1", at="12:00"))
    scene.chat("b", marker("x"), call("c1"), meta("i2", at="11:00"))
    scene.link()
    assert scene.original("a", 2) == ("b", 2)


def test_a_backup_takes_no_originals_away_whatever_its_name() -> None:
    """Both are chats of their own: both keep their work and what they said."""
    for name in ("root_backup", "a_backup"):
        scene = _answered()
        scene.chat(name, user(LONG), marker("x"), assistant(LONG + "answer"))
        scene.link()
        assert scene.verdict("root", "x")[0]
        assert scene.verdict(name, "x")[0]
        assert scene.links.chats[path("root")].handed_last == -1
        assert scene.original("root", 3) == scene.original(name, 3) == ("x/log/agent", 3)


def test_origins() -> None:
    scene = _answered()
    scene.chat(
        "later/log/agent", user(LONG), marker("x"), assistant(LONG + "answer"), user(LONG + "2"), meta("i3")
    )
    scene.chat("next", user(LONG), marker("x"), assistant(LONG + "answer"), user(LONG + "2"), marker("later"))
    scene.link()
    told = {
        name: [ORIGINS[code] for code in scene.links.chats[path(name)].origins] for name in ("root", "=x")
    }
    assert told["root"] == ["own", "own", "inlined", "inlined"]
    assert told["=x"] == ["own", "own", "projection"]
    log = [ORIGINS[code] for code in scene.links.chats[path("later/log/agent")].origins]
    assert log == ["own", "inherited", "inherited", "inherited", "inherited", "own"]


def test_a_star_never_a_chain() -> None:
    scene = _answered()
    for name in ("c1", "c2", "c3"):
        scene.chat(name, user(LONG), marker("x"), assistant(LONG + "answer"))
    scene.link()
    for links in scene.links.chats.values():
        for address in links.copies.values():
            chat, _, index = address.rpartition("#")
            assert int(index) not in scene.links.chats[chat].copies


def test_related_by_import_alone() -> None:
    scene = Scene()
    scene.chat("one", user("p"), call("c1"))
    scene.chat("two", ("import", "one"), user("q"), call("c1"))
    scene.link()
    assert scene.original("two", 3) == ("one", 2)
    assert [(c.type, c.chat, c.indexes, c.refs) for c in scene.links.chats[path("two")].composed] == [
        ("IMPORTS", path("one"), (1,), ("one",))
    ]
