"""Write a case from the command line: `python -m tests.casegen OUT --seed 7 --layout modern --scale 1`."""

from __future__ import annotations

import argparse
from dataclasses import fields

from .generate import generate
from .settings import Settings


def main() -> None:
    """Parse the options, write the tree and `OUT/truth.json`, and say how large it became."""
    parser = argparse.ArgumentParser(prog="casegen", description=__doc__)
    parser.add_argument("out", help="a new folder")
    parser.add_argument("--layout", choices=("legacy", "modern", "mixed"), default="modern")
    parser.add_argument("--backup", choices=("none", "after", "before"), default="after")
    parser.add_argument("--jobs-root", default=".rbbt/var/jobs")
    parser.add_argument("--scale", type=float, default=0.03)
    for name, value in (("seed", 7), ("sessions", 2), ("bulk", 0), ("bulk-calls", 12)):
        parser.add_argument(f"--{name}", type=int, default=value)
    for name in ("info-times", "message-times", "import-line", "earlier-root"):
        parser.add_argument(f"--no-{name}", dest=name.replace("-", "_"), action="store_false")
    given = vars(parser.parse_args())
    settings = Settings(**{field.name: given[field.name] for field in fields(Settings)})
    truth = generate(given["out"], settings, write_truth=True)
    union = truth["union"]
    size = sum(chat["file_bytes"] for chat in truth["chats"].values())
    print(
        f"{union['chats']} chats, {union['messages']['raw']} messages,"
        f" {union['tool_calls']['raw']} tool-call records, {size / 1e6:.1f} MB"
    )


if __name__ == "__main__":
    main()
