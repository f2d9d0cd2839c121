"""What a scan opens and lists: nothing outside the paths given, no device, no fifo; told by the interpreter itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from indexer.store.connection import Store
from tests.conftest import ServerUnderTest

#: A scan that writes down every path that is opened or listed while it runs.
WATCHED = """
import os, sys
from indexer.ingest.scan import Scanner, ScanOptions
from indexer.redaction import redactor_for
from indexer.store.connection import open_store
address, log, root, follow = sys.argv[1:5]
seen, here = [], [False]
def hook(event, arguments):
    if here[0] and event in ("open", "os.listdir", "os.scandir", "subprocess.Popen", "os.system", "os.exec"):
        seen.append(f"{event} {os.fsdecode(arguments[0]) if isinstance(arguments[0], (str, bytes)) else arguments[0]}")
with open_store(address) as store:
    options = ScanOptions(redact=redactor_for("default"), follow_jobs=follow == "follow")
    Scanner(store, options).scan([root + "/empty"])  # modules are loaded by then
    sys.addaudithook(hook)
    here[0] = True
    report = Scanner(store, options).scan([root])
    here[0] = False
with open(log, "w") as file:
    file.write("\\n".join(seen))
print(report.chats, report.jobs)
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """`root` with chats that name, and links that lead to, what lies outside."""
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "empty").mkdir(parents=True)
    (root / "chats").mkdir()
    jobs = outside / "var/jobs/Wf/t"
    (jobs / "real.files/log").mkdir(parents=True)
    (jobs / "real").write_text("user: elsewhere\n")
    (jobs / "real.info").write_text('{"status":"done","type":"chat","workflow":"Wf","task_name":"t"}')
    (jobs / "real.files/log/agent.chat").write_text("user: elsewhere\n")
    os.mkfifo(jobs / "fifo.info")
    os.mkfifo(jobs / "fifo")
    (outside / "other.chat").write_text("user: elsewhere too\n")
    chat = [f"meta: job={jobs}/real", f"meta: job={jobs}/fifo", "meta: job=../../outside/var/jobs/Wf/t/real"]
    chat += [f"import: {outside}/other.chat", "continue: ../../outside/other.chat", "last: /dev/zero"]
    chat += [
        "file: /etc/passwd",
        "directory: /etc",
        "import: /proc/self/mem",
        "task: Wf t",
        "import: ~/.ssh/id_rsa",
    ]
    chat += ["mcp: stdio 'touch /tmp/never'", "import: file:///etc/shadow", "meta: job=/dev/stdin"]
    (root / "chats/a.chat").write_text("user: hello\n" + "\n".join(chat) + "\nassistant: done\n")
    (root / "chats/link.chat").symlink_to(outside / "other.chat")
    (root / "chats/zero.chat").symlink_to("/dev/zero")
    (root / "chats/away").symlink_to(outside)
    (root / "chats/round").symlink_to(root)
    os.mkfifo(root / "chats/fifo.chat")
    os.mkfifo(root / "chats/fifo.chat.gz")
    os.mkfifo(root / "chats/.indexerignore")
    own = root / "var/jobs/Wf/t"
    own.mkdir(parents=True)
    (own / "x.info").write_text(json.dumps({"status": "done", "dependencies": [f"{jobs}/real", "/dev/tty"]}))
    (own / "x.files").symlink_to(outside)
    os.mkfifo(own / "y.info")
    (own / "z.info").symlink_to(jobs / "real.info")
    return tmp_path


def opened(tree: Path, server: ServerUnderTest, follow: str) -> list[str]:
    log = tree / "log"
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, server.address, str(log), str(tree / "root"), follow],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return log.read_text().splitlines()


def is_private(line: str) -> bool:
    """True for a path that a scan has no business with; the interpreter's own files and the driver's are no such."""
    path = line.split(" ", 1)[1]
    return path.startswith(("/dev", "/etc/passwd", "/etc/shadow", "/proc/self/mem")) or ".ssh" in path


def test_nothing_outside_is_opened(store: Store, tree: Path, neo4j_server: ServerUnderTest) -> None:
    seen = opened(tree, neo4j_server, "stay")
    outside = str(tree / "outside")
    assert [line for line in seen if outside in line or is_private(line)] == []
    assert [line for line in seen if "fifo" in line or line.endswith(("y.info", ".indexerignore"))] == []
    assert [line for line in seen if line.startswith(("subprocess", "os.system", "os.exec"))] == []
    assert any(line.endswith("chats/a.chat") for line in seen)
    names = {row["id"] for row in store.read("MATCH (c:Chat)-[:HAS_MESSAGE]->() RETURN DISTINCT c.id AS id")}
    assert names == {str(tree / "root/chats/a.chat")}
    assert "elsewhere" not in str(store.read("MATCH (c:Content) RETURN collect(c.text) AS t")[0]["t"])


def test_jobs_outside_are_opened_where_asked_for(
    store: Store, tree: Path, neo4j_server: ServerUnderTest
) -> None:
    seen = opened(tree, neo4j_server, "follow")
    outside = str(tree / "outside")
    jobs = [line.split(" ", 1)[1].removeprefix(outside) for line in seen if outside in line]
    assert "/var/jobs/Wf/t/real.info" in jobs
    assert "/var/jobs/Wf/t/real.files/log/agent.chat" in jobs
    # Another chat there is no job, a fifo is never opened, and no device.
    assert not [path for path in jobs if "other.chat" in path or "fifo" in path]
    assert not [line for line in seen if is_private(line)]
