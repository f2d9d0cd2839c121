"""Plants secrets, indexes them into a local server of its own, and looks for them in every byte that was written.

    python -m tests.security.search_bytes [FOLDER]

FOLDER (else a temporary one) gets the planted files, the store, and the outputs of the commands. Searched, as
UTF-8 and UTF-16: the store's folder after the server has stopped (store files, transaction logs, its own
logs), what commands printed with `-vv` and `--json`, reports and exports. Ends with 1 where anything is found.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.security.kinds import Kind, pieces
from tests.security.places import plant

#: Shorter pieces occur in megabytes of anything.
LEAST = 8
COMMANDS = (
    ("scan", "@work", "-vv", "--follow-jobs"),
    ("scan", "@work", "--json", "--strict"),
    ("watch", "@work", "--once", "-vv"),
    ("status", "--json"),
    ("doctor",),
    ("problems", "--per-page", "100000"),
    ("problems", "--json", "--per-page", "100000"),
    ("conversations", "--json", "--per-page", "100000"),
    ("messages", "@chat", "--json"),
    ("tool-calls", "@chat", "--json"),
    ("instructions", "@chat", "--json"),
    ("reasoning", "@chat", "--json"),
    ("receipts", "@chat", "--json"),
    ("agents", "@chat", "--json"),
    ("find", "redacted", "--json", "--per-page", "100000"),
    ("cypher", "MATCH (n) RETURN n LIMIT 1000", "--json"),
    ("report", "@chat", "--html", "-o", "@out/report.html"),
    ("report", "@chat"),
    ("export", "neo4j-csv", "-o", "@out/csv"),
    ("export", "mermaid", "@chat"),
    ("neo4j", "backup", "@out/backup"),
    ("jobs", "shared", "--json"),
)


def run(folder: Path) -> int:
    """Plant, index, stop, search. Gives the number of kinds that were found."""
    work, out, store = folder / "work", folder / "out", folder / "store"
    out.mkdir(parents=True, exist_ok=True)
    planted = plant(work)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NEO4J_")}
    environment["HOME"] = str(folder)
    names = {"@work": str(work), "@chat": str(work / "chats/k001.chat")}
    for number, command in enumerate((*COMMANDS, ("neo4j", "stop"))):
        words = [names.get(word, word.replace("@out", str(out))) for word in command]
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                "from indexer.cli import main; main()",
                *words,
                "--store",
                f"local:{store}",
            ],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        (out / f"{number:02}.stdout").write_bytes(done.stdout)
        (out / f"{number:02}.stderr").write_bytes(done.stderr)
        print(f"{done.returncode} {' '.join(command)}: {len(done.stdout) + len(done.stderr)} bytes")
    found = searched = 0
    for place in (store, out):
        for path in sorted(path for path in place.rglob("*") if path.is_file()):
            data = path.read_bytes()
            searched += len(data)
            for name in found_in_bytes(planted, data):
                print(f"FOUND {name} in {path.relative_to(folder)}")
                found += 1
    print(f"{len(planted)} kinds, {searched:,} bytes searched, {found} found")
    return found


def found_in_bytes(planted: dict[str, tuple[Kind, str]], data: bytes) -> list[str]:
    """The kinds of which a piece stands in `data`, as UTF-8 or UTF-16 of either order."""
    found = []
    for name, (kind, secret) in planted.items():
        texts = [piece for piece in pieces(secret) if len(piece) >= LEAST]
        if any(text.encode(code) in data for text in texts for code in ("utf-8", "utf-16-le", "utf-16-be")):
            found.append(f"{name} {kind.name}")
    return found


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(run(Path(sys.argv[1])) > 0)
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(run(Path(temporary)) > 0)
