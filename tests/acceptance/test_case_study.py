"""The case study through the commands: every figure equals the books of the trees' generators."""

import json
import random
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner

from indexer.cli import main
from indexer.ingest.scan import Scanner
from indexer.store.connection import Store
from tests.casegen import expect
from tests.casegen.generate import generate
from tests.casegen.settings import Settings
from tests.support import TREES, materialise

LIMIT = 100_000


class Case:
    """A scanned case: its truth, its folder, and the commands run on it."""

    def __init__(self, truth: dict[str, Any], out: Path, address: str) -> None:
        self.truth, self.out, self.address = truth, out, address

    def root(self, key: str) -> str:
        return expect.root_path(self.truth, key, self.out)

    def ask(self, *words: str) -> Any:
        result = CliRunner().invoke(main, [*words, "--json", "--store", self.address])
        assert result.exit_code == 0, (words, result.output, result.exception)
        assert len(result.stdout) <= LIMIT
        summary = CliRunner().invoke(main, [*words, "--json", "--summary", "--store", self.address])
        assert len(summary.stdout) <= 4_000, (words, summary.stdout[:300])
        return orjson.loads(result.stdout)


def scan_shuffled(store: Store, home: Path, seed: int) -> None:
    """Scan the files below a home in random order, a few at a time."""
    files = sorted(str(path) for path in home.rglob("*") if path.is_file() and not path.is_symlink())
    random.Random(seed).shuffle(files)
    for start in range(0, len(files), 25):
        Scanner(store).scan(files[start : start + 25])
    Scanner(store).scan([str(home)])


CASES = ("case_legacy", "case_modern", "generated legacy", "generated modern")


@pytest.fixture(params=CASES)
def case(
    request: pytest.FixtureRequest,
    store: Store,
    store_address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Case:
    if request.param.startswith("generated"):
        out = tmp_path / "case"
        layout = request.param.split()[1]
        truth = generate(out, Settings(seed=11, layout=layout, scale=0.02))
    else:
        out = materialise(request.param, tmp_path)
        truth = json.loads((TREES / request.param / "truth.json").read_text())
    home = out / "home"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    scan_shuffled(store, home, seed=5)
    return Case(truth, out, store_address)


def totals(answer: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    return {name: answer["totals"][name] for name in wanted}


def test_answers_equal_the_books(case: Case) -> None:
    """One test per case: scanning is what takes time."""
    for key in case.truth["roots"]:
        for refs in ("all", "own"):
            check_scope(case, key, refs)
            check_tokens(case, key, refs)
            check_dedup(case, key, refs)
            check_instructions(case, key, refs)
    check_diff(case)
    check_conversations(case)


def check_scope(case: Case, key: str, refs: Any) -> None:
    answer = case.ask("scope", case.root(key), "--job-refs", refs)
    wanted = expect.scope(case.truth, key, refs, case.out)
    assert (answer["root"], answer["job_refs"]) == (wanted["root"], refs)
    assert sorted(answer["chats"]) == wanted["chats"]
    assert sorted(answer["jobs"]) == wanted["jobs"]
    assert totals(answer, wanted["totals"]) == wanted["totals"]
    edges, counts = answer["edges"], wanted["edges"]
    for relation in ("dependency", "log", "result"):
        assert edges[relation] == counts[relation], relation
    if refs == "own":
        assert {name: edges[name] for name in counts} == counts
        found = {(e["from"], e["to"], e["relation"], e["target_in_scope"]) for e in answer["context"]}
        told = {(e["from"], e["to"], e["relation"], e["target_in_scope"]) for e in wanted["context"]}
        assert found == told
    else:
        # In the truth a relation counts its context edges too; in the answer each edge is counted once.
        assert sum(edges.values()) == sum(counts.values()) - counts["context"]


def check_tokens(case: Case, key: str, refs: Any) -> None:
    answer = case.ask("tokens", case.root(key), "--job-refs", refs)
    wanted = expect.tokens(case.truth, key, refs)
    for scope, counts in wanted["totals"].items():
        assert answer["totals"][scope] == counts, scope
    assert answer["events"]["total"] == wanted["events"]


def check_dedup(case: Case, key: str, refs: Any) -> None:
    answer = case.ask("dedup", case.root(key), "--job-refs", refs)
    wanted = expect.dedup(case.truth, key, refs, case.out)
    assert totals(answer, wanted["totals"]) == wanted["totals"]
    told = {
        (b["chat"], b["first_index"], b["last_index"], b["job"], b["messages"]) for b in wanted["inlined"]
    }
    found = {
        (b["chat"], b["first_index"], b["last_index"], b["job"], b["messages"]) for b in answer["inlined"]
    }
    assert found == told


def check_instructions(case: Case, key: str, refs: Any) -> None:
    answer = case.ask("instructions", case.root(key), "--job-refs", refs)
    wanted = expect.instructions(case.truth, key, refs, case.out)
    found = sorted(sorted(version["chats"]) for version in answer["versions"])
    assert found == sorted(sorted(chats) for chats in wanted.values())


def check_diff(case: Case) -> None:
    wanted = expect.diff(case.truth, case.out)
    answer = case.ask("diff", case.root("E"), case.root("G"))
    assert (answer["a"], answer["b"]) == (wanted["a"], wanted["b"])
    for part in ("only_in_a", "only_in_b", "in_both"):
        assert sorted(answer[part]["chats"]) == wanted[part]["chats"], part
        assert sorted(answer[part]["jobs"]) == wanted[part]["jobs"], part
        assert answer[part]["tokens"] == wanted[part]["tokens"], part


def check_conversations(case: Case) -> None:
    answer = case.ask("conversations")
    by_root = {item["root"]: item for item in answer["items"]}
    for key in case.truth["roots"]:
        wanted = expect.conversations(case.truth, key, case.out)
        line = by_root[wanted["root"]]
        if case.truth.get("backups"):
            del wanted["shared_jobs"]  # a backup is one more root that reaches them all
        assert {name: line[name] for name in wanted} == wanted
