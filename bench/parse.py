"""How fast chats are parsed, next to a plain line loop and to the literal automaton, in one run.

    python bench/parse.py [MEGABYTES]

The chats are made here, in the proportions of real sessions: prose of 60 to 100 characters a line, tool calls, and
tool outputs that are one long JSON line. Rates are megabytes (10^6) of file per second on one core, best of several.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.formats.literal_automaton import literal_parse

from indexer.formats.chat import parse
from indexer.formats.messages import derive

WORDS = (
    "the a of and to in is that it for on with as this by from at are be which index closure receipt lineage agent "
    "conversation reference dependency workflow evidence inference message provenance token window structure"
).split()


def prose(rng: random.Random, lines: int) -> str:
    out = []
    for _ in range(lines):
        width, line = rng.randint(60, 100), ""
        while len(line) < width:
            line += rng.choice(WORDS) + rng.choice((" ", " ", " ", ", ", ". "))
        out.append(line.rstrip() if rng.random() < 0.85 else "")
    return "\n".join(out)


def make_chat(megabytes: float, seed: int = 7, non_ascii: bool = False) -> str:
    """A chat of about that size; with `non_ascii` one line in twenty holds a character beyond ASCII."""
    rng = random.Random(seed)
    parts, size, call = ["system:\n\n" + prose(rng, 40)], 0, 0
    while size < megabytes * 1e6:
        turn = [f"user:\n\n{prose(rng, rng.randint(1, 12))}"]
        for _ in range(rng.randint(1, 6)):
            call += 1
            turn.append(
                f"meta: pt={rng.randint(1, 90000)} ct={rng.randint(1, 900)} tt={rng.randint(1, 90000)} cct=0 cwt=0 rt=3 "
                f"pt_c=1 ct_c=2 tt_c=3 timestamp=2026-08-01T10:00:{call % 60:02}.123Z "
                f"inference_id=0b0e7a1c-0000-4000-8000-{call:012} reas={prose(rng, 3).replace(chr(10), ' ')}"
            )
            arguments = {"path": f"lib/{rng.choice(WORDS)}.rb", "query": prose(rng, 1)}
            turn.append("function_call: " + json.dumps({"name": "read", "arguments": arguments, "id": f"call_{call}"}))
            content = prose(rng, rng.choice((2, 10, 40, 200)))
            if non_ascii:
                content = content.replace("closure", "clôture")
            output = {"name": "read", "content": content, "id": f"call_{call}", "timestamp": "2026-08-01T10:00:00.123Z"}
            turn.append("function_call_output: " + json.dumps(output, ensure_ascii=False))
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
    """Seconds of the fastest of several runs."""
    times = []
    for _ in range(tries):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    megabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 16
    for name, non_ascii in (("ASCII", False), ("with accents", True)):
        text = make_chat(megabytes, non_ascii=non_ascii)
        data = text.encode()
        messages = parse(data).messages
        lines = text.count("\n") + 1
        print(f"{name}: {len(data) / 1e6:.1f} MB, {lines} lines, {len(messages)} messages")
        rates = {
            "parse": len(data) / best(lambda: parse(data)) / 1e6,
            "parse + derive": len(data) / best(lambda: list(derive(parse(data).messages))) / 1e6,
            "plain line loop": len(data) / best(lambda: plain_loop(data.decode())) / 1e6,
            "literal automaton": len(data) / best(lambda: literal_parse(data.decode()), 2) / 1e6,
        }
        for what, rate in rates.items():
            print(f"  {what:18} {rate:8.1f} MB/s   parse is {rates['parse'] / rate:5.1f} times as fast")


if __name__ == "__main__":
    main()
