"""The instructions an agent began with, without the lines generated for each run (DESIGN: Instructions).

FORMAT.md 4, "Agent logs": a log begins with system messages, of which some tell where the run takes place,
which jobs it depends on and which others the chat names. They differ from run to run and say nothing of the
agent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha1

from indexer.formats.lineage import fingerprint, normalise
from indexer.linking.facts import Head

#: A generated line by its beginning.
_LINE = re.compile(
    r"Your current working directory is "
    r"|You are working through an? \w+ job with path "
    r"|Tool call content may be truncated after "
    r"|Their input should already be incorporated"
)
#: The beginning of a generated list of paths or references; the spelling is the producers'.
_LIST = re.compile(
    r"This workflow job has the following depen[cd]encies:|There are other jobs found in this chat:"
)
#: An item of such a list: one path or reference, nothing else.
_ITEM = re.compile(r"\S*/\S*|[/~.].*")
_NAMED = re.compile(
    r"^(?:# )?(?:You are|I am) (?:the )?(?P<is>[A-Z][\w.-]*)|^# (?P<title>[A-Z][\w.-]*) agent\b",
    re.MULTILINE | re.ASCII,
)


def read_head(systems: Iterable[str]) -> Head | None:
    """The instructions in the system messages at the head of a chat; None where all of it is generated.

    An agent's own messages come before the generated ones, those of a conversation handed to it after them:
    what stands after is taken only where nothing stands before.
    """
    before: list[str] = []
    after: list[str] = []
    generated = False
    for text in systems:
        kept, found = strip_generated(normalise(text))
        if kept:
            (after if generated else before).append(kept)
        generated = generated or found
    text = "\n\n".join(before or after)
    if not text:
        return None
    encoded = text.encode("utf-8", "replace")
    return Head(
        sha1(encoded, usedforsecurity=False).hexdigest(), fingerprint(text), len(encoded), _agent_in(text)
    )


def strip_generated(text: str) -> tuple[str, bool]:
    """`text` without its generated lines, and whether there were any."""
    if not (_LINE.search(text) or _LIST.search(text)):
        return text, False
    kept = []
    listing = found = False
    for line in text.split("\n"):
        if _LIST.match(line) or _LINE.match(line):
            listing = found = True
        elif not listing or (line.strip() and not _ITEM.fullmatch(line)):
            listing = False
            kept.append(line)
    return ("\n".join(kept).strip() if found else text), found


def _agent_in(text: str) -> str | None:
    """The agent that the instructions name: `You are Critic`, or the title `# Critic agent ...`."""
    found = _NAMED.search(text)
    return (found["is"] or found["title"]).rstrip(".-") if found else None


def instructions_digest(agent: str | None, text_sha1: str) -> str:
    """32 hex digits that name one version of one agent's instructions."""
    return sha1(f"{agent or ''}\0{text_sha1}".encode(), usedforsecurity=False).hexdigest()[:32]
