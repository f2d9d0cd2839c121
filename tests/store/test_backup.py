"""Backups: what comes back is what was there, and nothing is lost on the way."""

from __future__ import annotations

import hashlib
import json
import stat
import zipfile

import pytest

from indexer.store.connection import local_server, open_store
from indexer.store.errors import LocalServerError
from indexer.store.local.backup import DUMP_NAME, HEADER_NAME, back_up, restore

CONTENT = "MATCH (a:Kept)-[r:TO]->(b) RETURN a.id AS a, r.n AS n, b.id AS b, b.text AS text ORDER BY a"


def content(target):
    with open_store(target) as store:
        names = [record["name"] for record in store.read("SHOW CONSTRAINTS YIELD name")]
        return names, [record.data() for record in store.read(CONTENT)]


def test_round_trip(own_target, new_target, tmp_path):
    """Backup of a running server, restored into a new store, then over a graph that changed."""
    with open_store(own_target) as store:
        store.write("CREATE CONSTRAINT kept_id IF NOT EXISTS FOR (k:Kept) REQUIRE k.id IS UNIQUE")
        store.write(
            "UNWIND range(1, 500) AS i CREATE (:Kept {id: i})-[:TO {n: i * 2}]->(:Kept {id: -i, text: 'é\n'})"
        )
    before = content(own_target)
    assert len(before[1]) == 500
    server = local_server(own_target)
    backup = tmp_path / "graph.backup"
    header = back_up(server, backup)
    assert header.neo4j == "5.26.30"
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert server.running() is not None  # it ran before, and so it does again
    with pytest.raises(LocalServerError, match="exists"):
        back_up(server, backup)

    other = new_target("restored")
    assert restore(local_server(other), backup) == header
    assert content(other) == before
    local_server(other).stop()

    with open_store(own_target) as store:
        store.write("MATCH (k:Kept) WHERE k.id > 10 DETACH DELETE k")
    changed = content(own_target)
    with pytest.raises(LocalServerError, match=r"already holds a graph") as caught:
        restore(server, backup)
    assert "--force" in caught.value.remedy
    for damaged in damages(backup):
        with pytest.raises(LocalServerError, match=r"damaged|could not"):
            restore(server, damaged, force=True)
    assert content(own_target) == changed  # nothing was given up for a backup that is no good

    restore(server, backup, force=True)
    assert content(own_target) == before
    leftovers = {path.name for path in own_target.folder.iterdir()}
    assert not any(name.startswith((".work", "data.")) for name in leftovers)


def damages(backup):
    """The backup cut short, with one byte changed, and with a dump that is none but has the right SHA-256."""
    whole = backup.read_bytes()
    cut = backup.with_name("cut")
    cut.write_bytes(whole[: len(whole) // 2])
    yield cut
    changed = backup.with_name("changed")
    changed.write_bytes(whole[:3000] + bytes([whole[3000] ^ 1]) + whole[3001:])
    yield changed
    forged = backup.with_name("forged")
    with zipfile.ZipFile(backup) as archive:
        header = json.loads(archive.read(HEADER_NAME))
    with zipfile.ZipFile(forged, "w") as archive:
        archive.writestr(HEADER_NAME, json.dumps({**header, "sha256": hashlib.sha256(b"x").hexdigest()}))
        archive.writestr(DUMP_NAME, b"x")
    yield forged


def test_backup_of_nothing(new_target, tmp_path):
    with pytest.raises(LocalServerError, match="no graph yet"):
        back_up(local_server(new_target()), tmp_path / "graph.backup")
    assert not (tmp_path / "graph.backup").exists()


def test_a_backup_of_a_newer_server_is_refused(new_target, tmp_path):
    backup = tmp_path / "newer"
    header = {"neo4j": "2026.08.1", "created_at": "2026-12-01T00:00:00+00:00", "sha256": "", "bytes": 0}
    with zipfile.ZipFile(backup, "w") as archive:
        archive.writestr(HEADER_NAME, json.dumps(header))
        archive.writestr(DUMP_NAME, b"")
    with pytest.raises(LocalServerError, match=r"2026\.08\.1"):
        restore(local_server(new_target()), backup)
