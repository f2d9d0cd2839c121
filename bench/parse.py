"""How fast chats are parsed, next to a plain line loop and to the literal automaton, in one run.

    python bench/parse.py [MEGABYTES]

The chats are made here. `session` has the proportions of an agent's session: prose of 60 to 100 characters
a line, tool calls, and tool outputs that are one long JSON line; `accents` is the same with a character
beyond ASCII in many lines; `prose` is conversation alone. Rates are megabytes (10^6) of file per second of
one core, best of several runs.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from indexer.formats.chat import parse
from indexer.formats.messages import derive
from tests.formats.literal_automaton import literal_parse

WORDS = (
    *(
        "the",
        "a",
        "of",
        "and",
        "to",
        "in",
        "is",
        "that",
        "it",
        "for",
        "on",
        "with",
        "as",
        "this",
        "by",
        "from",
    ),
    *(
        "index",
        "closure",
        "receipt",
        "lineage",
        "agent",
        "conversation",
        "reference",
        "dependency",
        "workflow",
    ),
    *("evidence", "inference", "message", "provenance", "token", "window", "structure"),
)


def prose(rng: random.Random, lines: int) -> str:
    out = []
    for _ in range(lines):
        width, line = rng.randint(60, 100), ""
        while len(line) < width:
            line += rng.choice(WORDS) + rng.choice((" ", " ", " ", ", ", ". "))
        out.append(line.rstrip() if rng.random() < 0.85 else "")
    return "\n".join(out)


def tool_round(rng: random.Random, call: int, accents: bool) -> list[str]:
    """The meta, call and output of one round."""
    counts = " ".join(
        f"{key}={rng.randint(0, 90000)}" for key in ("pt", "ct", "tt", "cct", "cwt", "rt", "pt_c", "tt_c")
    )
    reasoning = prose(rng, 3).replace("\n", " ")
    content = prose(rng, rng.choice((2, 10, 40, 200)))
    if accents:
        content = content.replace("closure", "clôture")
    arguments = {"path": f"lib/{rng.choice(WORDS)}.rb", "query": prose(rng, 1)}
    output = {
        "name": "read",
        "content": content,
        "id": f"call_{call}",
        "timestamp": "2026-08-01T10:00:00.123Z",
    }
    return [
        f"meta: {counts} timestamp=2026-08-01T10:00:{call % 60:02}.123Z "
        f"inference_id=0b0e7a1c-0000-4000-8000-{call:012} reas={reasoning}",
        "function_call: " + json.dumps({"name": "read", "arguments": arguments, "id": f"call_{call}"}),
        "function_call_output: " + json.dumps(output, ensure_ascii=False),
    ]


def make_chat(megabytes: float, kind: str, seed: int = 7) -> str:
    """A chat of about that size of the kind `session`, `accents` or `prose`."""
    rng = random.Random(seed)
    parts, size, call = ["system:\n\n" + prose(rng, 40)], 0, 0
    while size < megabytes * 1e6:
        turn = [f"user:\n\n{prose(rng, rng.randint(1, 12))}"]
        for _ in range(rng.randint(1, 6) if kind != "prose" else 0):
            call += 1
            turn += tool_round(rng, call, kind == "accents")
        answer = prose(rng, rng.randint(4, 30))
        if rng.random() < 0.4:
            answer += "\n\n```python\nfor x in y:\n    print(x)\n```\n\n" + prose(rng, 5)
        turn.append(f"assistant:\n\n{answer}")
        parts += turn
        size += sum(map(len, turn))
    return "\n" + "\n\n".join(parts)


def plain_loop(text: str) -> int:
    """What any reader that looks at each line pays at least."""
    headers = 0
    for line in text.split("\n"):
        if line.strip().startswith("user:"):
            headers += 1
    return headers


def best(work: Callable[[], object], tries: int = 5) -> float:
    """Processor seconds of the fastest of several runs."""
    times = []
    for _ in range(tries):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def report(kind: str, text: str) -> None:
    """Prints the rates for one chat."""
    data = text.encode()
    megabytes = len(data) / 1e6
    print(
        f"{kind}: {megabytes:.1f} MB, {text.count(chr(10)) + 1} lines, {len(parse(data).messages)} messages"
    )
    rates = {
        "parse": megabytes / best(lambda: parse(data)),
        "parse + derive": megabytes / best(lambda: list(derive(parse(data).messages)), 3),
        "plain line loop": megabytes / best(lambda: plain_loop(data.decode())),
        "literal automaton": megabytes / best(lambda: literal_parse(data.decode()), 2),
    }
    for what, rate in rates.items():
        print(f"  {what:18}{rate:8.1f} MB/s   parse is {rates['parse'] / rate:5.1f} times as fast")


if __name__ == "__main__":
    for name in ("session", "accents", "prose"):
        report(name, make_chat(float(sys.argv[1]) if len(sys.argv) > 1 else 16, name))
