"""Instructions, agents and conversations of chats (DESIGN: Instructions)."""

from __future__ import annotations

from hashlib import sha1

import pytest

from indexer.linking.instructions import read_head, strip_generated
from tests.linking.scenes import LONG, Scene, assistant, call, marker, meta, output, path, system, user

CWD = """Your current working directory is /home/me/work.
You are working through an ask job with path /home/me/jobs/F/ask/x.chat and files_dir /home/me/x.chat.files.
Tool call content may be truncated after 20, and forgoten after 60."""
NEEDS = """This workflow job has the following depencencies:

/home/me/var/jobs/F/plan/a.chat
/home/me/var/jobs/F/plan/b c.chat

Their input should already be incorporated, but they might have artifacts"""
OTHERS = """There are other jobs found in this chat:

F/ask/y.chat"""
RULES = "# Critic agent operating instructions\n\nYou are Critic. Be fair."


def _sha1(text: str) -> str:
    return sha1(text.encode()).hexdigest()


def test_generated_messages_are_left_out() -> None:
    head = read_head([RULES, CWD, NEEDS, OTHERS])
    assert head is not None
    assert (head.sha1, head.bytes, head.preview, head.agent) == (_sha1(RULES), len(RULES), RULES, "Critic")


@pytest.mark.parametrize("text", [CWD, NEEDS, OTHERS])
def test_nothing_is_left_of_a_generated_message(text: str) -> None:
    assert strip_generated(text) == ("", True)
    assert read_head([text]) is None


def test_generated_lines_inside_a_message() -> None:
    assert strip_generated(f"{RULES}\n\n{OTHERS}\n\nAnd now a rule/of mine.") == (
        f"{RULES}\n\nAnd now a rule/of mine.",
        True,
    )


def test_text_that_only_mentions_such_lines_is_kept() -> None:
    text = "Say where you are: Your current working directory is told to you."
    assert strip_generated(text) == (text, False)


def test_the_system_text_of_a_handed_conversation_is_not_the_agents() -> None:
    """It comes after the generated messages; alone, it is all there is."""
    assert read_head([RULES, CWD, "root start"]) == read_head([RULES])
    assert read_head([CWD, "root start"]) == read_head(["root start"])


def test_line_ends_do_not_make_another_version() -> None:
    assert read_head([RULES.replace("\n", "\r\n")]) == read_head([RULES])


def test_versions_and_agents() -> None:
    scene = Scene()
    scene.chat("a/log/agent", system(RULES), system(CWD), user("q"), system("not of the head"))
    scene.chat("b/log/agent", system(RULES), system(CWD.replace("x.chat", "z.chat")), user("r"))
    scene.chat("c/log/agent", system(RULES + " Revised."), user("q"))
    scene.chat("root", system("You are the Lead"), user("q"))
    scene.chat("=a", system(RULES), marker("a"))
    scene.link()
    ran = {
        name: scene.links.chats[path(name)].instructions
        for name in ("a/log/agent", "b/log/agent", "c/log/agent")
    }
    one, two, three = ran.values()
    assert one == two
    assert one is not None
    assert three is not None
    assert one.digest != three.digest
    assert (one.agent, one.text_key) == ("Critic", _sha1(RULES))
    assert scene.links.chats[path("root")].instructions is None
    assert scene.links.chats[path("=a")].instructions is None
    assert scene.links.chats[path("=a")].agent == "Critic"


def test_the_agent_by_the_path_before_the_receipt_before_the_text() -> None:
    receipt = output("c1", receipt=["job=Flow/task/x.chat"])
    scene = Scene()
    scene.chat("root", user("q"), call("c1", "ask", "Auditor"), receipt)
    scene.chat("x/log/agent", system(RULES), user("q"))
    scene.chat("x/log/society/Scout/a", system(RULES), user("q"), agent="Scout")
    scene.chat("y/log/agent", system(RULES), user("q"))
    scene.link()
    agents = {
        name: scene.links.chats[path(name)].agent
        for name in ("x/log/agent", "x/log/society/Scout/a", "y/log/agent")
    }
    assert list(agents.values()) == ["Auditor", "Scout", "Critic"]


def test_the_same_text_for_two_agents_is_two_versions() -> None:
    scene = Scene()
    for agent in ("Scout", "Critic"):
        scene.chat(f"x/log/society/{agent}/a", system("Be fair."), user("q"), agent=agent)
    scene.link()
    digests = {links.instructions.digest for links in scene.links.chats.values() if links.instructions}
    assert len(digests) == 2


def test_what_a_meta_line_says_wins() -> None:
    scene = Scene()
    said = meta("i1", agent="Named", instructions_digest="d1", conversation="talk")
    scene.chat("x/log/society/Scout/a", system(RULES), user("q"), said, agent="Scout")
    scene.chat("root", user("q"), meta("i2", instructions_digest="d2"))
    scene.link()
    links = scene.links.chats[path("x/log/society/Scout/a")]
    assert (links.agent, links.conversation) == ("Named", "talk")
    assert links.instructions is not None
    assert (links.instructions.digest, links.instructions.explicit) == ("d1", True)
    root = scene.links.chats[path("root")].instructions
    assert root is not None
    assert (root.digest, root.text_key) == ("d2", None)


def test_what_a_handed_or_spliced_meta_says_does_not_count() -> None:
    theirs = {"agent": "Other", "conversation": "other", "instructions_digest": "d9"}
    scene = Scene()
    scene.chat(
        "root",
        user(LONG),
        meta("i1", **theirs),
        assistant("a"),
        user(LONG + "2"),
        marker("x"),
        assistant("b"),
    )
    scene.chat(
        "x/log/agent",
        system(RULES),
        user(LONG),
        meta("i1", **theirs),
        assistant("a"),
        user(LONG + "2"),
        meta("i2"),
        marker("y"),
        meta("i3", **theirs),
        assistant("c"),
    )
    scene.chat("=y", marker("y"), meta("i3", **theirs), assistant("c"))
    scene.link()
    links = scene.links.chats[path("x/log/agent")]
    assert (links.agent, links.conversation) == ("Critic", "other")  # by the root that owns it
    assert links.instructions is not None
    assert not links.instructions.explicit


def test_a_marker_speaks_of_its_job_not_of_the_chat() -> None:
    scene = Scene()
    scene.chat("root", user("q"), marker("x", agent="Other", conversation="other"), assistant("a"))
    scene.chat("=x", marker("x", agent="Critic", conversation="talk"), assistant("a"))
    scene.link()
    assert scene.links.chats[path("root")].agent is None
    assert scene.links.chats[path("root")].conversation == path("root")
    assert scene.links.chats[path("=x")].agent == "Critic"
    assert scene.links.chats[path("=x")].conversation == "talk"


def test_conversation_by_the_single_root_that_owns_a_chat() -> None:
    scene = Scene()
    for name, job in (("one", "x"), ("two", "y")):
        scene.chat(name, user(LONG + name), marker(job), assistant(job), marker("shared"), assistant("s"))
        scene.chat(f"{job}/log/agent", user(LONG + name), meta(f"i{job}"), assistant(job))
    scene.chat("shared/log/agent", user("q"), meta("i9"))
    scene.chat("lost/log/agent", user("q"), meta("i8"))
    scene.link()
    told = {
        name: scene.links.chats[path(name)].conversation
        for name in ("one", "x/log/agent", "shared/log/agent")
    }
    assert told == {"one": path("one"), "x/log/agent": path("one"), "shared/log/agent": None}
    assert scene.links.chats[path("lost/log/agent")].conversation is None


def test_context_is_no_part_of_a_conversation() -> None:
    scene = Scene()
    scene.chat("earlier", user(LONG), marker("old"), assistant("d"))
    scene.chat("root", ("import", "earlier"), user(LONG + "2"), marker("x"), assistant("e"))
    scene.chat("x/log/agent", user(LONG), marker("old"), assistant("d"), user(LONG + "2"), meta("i1"))
    scene.chat("=old", marker("old"), assistant("d"))
    scene.link()
    assert scene.links.chats[path("=old")].conversation == path("earlier")
    assert scene.links.chats[path("x/log/agent")].conversation == path("root")
