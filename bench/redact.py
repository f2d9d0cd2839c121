"""How fast secrets are looked for, message by message as in a scan, next to parsing in the same run.

    python bench/redact.py [MEGABYTES]

The chats are those of `bench/parse.py`. Rates are megabytes (10^6) of message text per second of one core, best
of several runs; `with secrets` has one in every tenth message.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from parse import best, make_chat

from indexer.formats.chat import parse
from indexer.redaction import redactor_for


def report(kind: str, megabytes: float) -> None:
    """Prints the rates for one chat."""
    redact = redactor_for("default").redact
    data = make_chat(megabytes, kind).encode()
    texts = [message.content for message in parse(data).messages]
    rng = random.Random(7)
    secret = "".join(rng.choice("abcdefgh01234567") for _ in range(32))
    planted = [f"api_key={secret}\n{text}" if rng.random() < 0.1 else text for text in texts]
    size = sum(len(text.encode()) for text in texts) / 1e6
    rates = {
        "redact": size / best(lambda: [redact(text) for text in texts]),
        "redact, with secrets": size / best(lambda: [redact(text) for text in planted]),
        "parse": len(data) / 1e6 / best(lambda: parse(data)),
    }
    print(
        f"{kind}: {size:.1f} MB, {len(texts)} messages, {sum(redact(text)[1] for text in texts)} redactions"
    )
    for what, rate in rates.items():
        print(f"  {what:22}{rate:8.1f} MB/s")


if __name__ == "__main__":
    for name in ("session", "accents", "prose"):
        report(name, float(sys.argv[1]) if len(sys.argv) > 1 else 8)
