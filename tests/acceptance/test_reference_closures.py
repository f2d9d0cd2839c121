"""vectors/provenance.json: the reference's closure of each root comes out of the graph, equal as sets."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner

from indexer.cli import main
from indexer.ingest.scan import Scanner
from indexer.store.connection import Store
from tests.support import materialise

VECTORS = json.loads((Path(__file__).parent.parent / "vectors" / "provenance.json").read_text())
ROOTS = VECTORS["roots"]
#: The note of the vectors: a modern receipt (call k10) gives one more edge and one more token event.
MODERN = "/chats/receipts.chat"
#: FORMAT.md (REPORTS 35): a linked chat is its real file, with the sidecar beside that.
LINKED = "/chats/link.chat"


def ask(address: str, *words: str) -> Any:
    result = CliRunner().invoke(main, [*words, "--json", "--per-page", "1000", "--store", address])
    assert result.exit_code == 0, (words, result.output, result.exception)
    return orjson.loads(result.stdout)


def test_closures_and_tokens(
    store: Store, store_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = materialise("provenance", tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tree)
    Scanner(store).scan([str(tree)])
    for recorded in ROOTS:
        told = json.loads(json.dumps(recorded).replace("{ROOT}", str(tree)))
        if told["root"].endswith(LINKED):
            continue
        check_closure(store_address, told)
        check_tokens(store_address, told)


def test_a_linked_chat_is_its_file(
    store: Store, store_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = materialise("provenance", tmp_path)
    monkeypatch.chdir(tree)
    Scanner(store).scan([str(tree)])
    linked, real = (
        ask(store_address, "scope", str(tree / f"chats/{name}.chat")) for name in ("link", "saved")
    )
    assert linked == real
    assert len(real["chats"]) == 2


def check_closure(address: str, told: dict[str, Any]) -> None:
    root = told["root"]
    scope = ask(address, "scope", root)
    jobs = {job["path"] for job in told["jobs"]}
    assert set(scope["chats"]) == set(told["chat_files"]), root
    assert set(scope["jobs"]) == jobs, root
    found = Counter(edge_of(edge) for edge in ask(address, "edges", root)["items"])
    wanted = Counter((e["relation"], e["from"], e["to"]) for e in told["edges"])
    if told["root"].endswith(MODERN):
        wanted["agent_job", told["root"], next(iter(jobs))] += 1
    assert found == wanted, root


def edge_of(edge: dict[str, Any]) -> tuple[str, str, str]:
    relation = edge["detail"]["relation"] if edge["relation"] == "context" else edge["relation"]
    return relation, edge["from"], edge["to"]


def check_tokens(address: str, told: dict[str, Any]) -> None:
    answer = ask(address, "tokens", told["root"])
    totals = {name: Counter(counts) for name, counts in told["totals"].items()}
    events = len(told["token_events"])
    if told["root"].endswith(MODERN):
        events += 1
        for scope in ("deduplicated_total", "receipt_evidence", "receipt_only"):
            totals[scope].update({"pt": 11, "ct": 1, "tt": 12})
    for scope, counts in totals.items():
        assert Counter(answer["totals"][scope]) == counts, (told["root"], scope)
    assert answer["events"]["total"] == events
    assert answer["conflicts"] == told["conflicts"]["events"]
    assert answer["incomplete_evidence"] == told["conflicts"]["incomplete_evidence_events"]
