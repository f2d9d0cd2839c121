"""The generator is deterministic; its books agree with the disk and mean what the recorded ones mean."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from . import expect
from .check import check
from .generate import generate
from .literal import read
from .settings import Settings

RECORDED = Path(__file__).parents[1] / "trees"
SMALL = 0.003
VARIANTS = (
    Settings(seed=1, scale=SMALL),
    Settings(seed=2, scale=SMALL, layout="legacy", jobs_root=".scout/var/jobs"),
    Settings(seed=3, scale=SMALL, layout="mixed", sessions=4, jobs_root="var/jobs", bulk=3),
    Settings(seed=4, scale=SMALL, info_times=False, message_times=False, backup="before"),
    Settings(seed=5, scale=SMALL, import_line=False, earlier_root=False, backup="none"),
    Settings(seed=6, scale=SMALL, layout="legacy", sessions=1, info_times=False, earlier_root=False),
)


@pytest.mark.parametrize("settings", VARIANTS, ids=lambda s: f"seed{s.seed}")
def test_books_agree_with_the_tree(tmp_path: Path, settings: Settings) -> None:
    assert check(tmp_path, generate(tmp_path, settings)) == []


@pytest.mark.parametrize("name", ["case_legacy", "case_modern"])
def test_the_same_check_holds_for_recorded_trees(tmp_path: Path, name: str) -> None:
    truth = _recorded(tmp_path, name)
    assert check(tmp_path, truth) == []


def test_the_check_notices_a_changed_chat(tmp_path: Path) -> None:
    truth = generate(tmp_path, VARIANTS[0])
    host = tmp_path / truth["conversations"]["G"]
    host.write_text(host.read_text() + "\n\nuser:\n\none more turn")
    found = check(tmp_path, truth)
    assert any(line.startswith(truth["conversations"]["G"]) for line in found)
    assert any(line.startswith("union raw") for line in found)
    assert any(line.startswith("origins of") for line in found)


def test_equal_settings_give_equal_bytes(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "two"
    truths = [json.dumps(generate(folder, VARIANTS[2])) for folder in (one, other)]
    assert truths[0].replace(str(one), "@") == truths[1].replace(str(other), "@")
    assert _bytes(one) == _bytes(other)


def test_seeds_differ_in_names_and_shapes(tmp_path: Path) -> None:
    truths = [generate(tmp_path / str(seed), Settings(seed=seed, scale=SMALL)) for seed in range(4)]
    assert len({next(iter(truth["jobs"].values()))["short"].split("/")[0] for truth in truths}) > 1
    assert len({truth["conversations"]["E"] for truth in truths}) > 2
    assert len({truth["union"]["messages"]["raw"] for truth in truths}) == 4


def test_every_log_of_a_session_begins_with_what_was_said_before(tmp_path: Path) -> None:
    truth = generate(tmp_path, VARIANTS[0])
    jobs = truth["jobs"]
    asks = {job["session"]: path for path, job in jobs.items() if job["role"] == "ask"}
    blocks = {(entry["host"], entry["job"]) for entry in truth["inlined"]}
    for job in jobs.values():
        if job["role"] in ("request", "plan", "work", "ask") and job["session"] in "AB":
            assert (job["logs"][0], asks["C"]) in blocks
            assert ((job["logs"][0], asks["A"]) in blocks) == (job["session"] == "B")


def test_own_and_context_part_the_closure(tmp_path: Path) -> None:
    truth = generate(tmp_path, VARIANTS[0])
    root = truth["roots"]["G"]
    roles = [truth["jobs"][path]["role"] for path in root["own_jobs"]]
    assert sorted(roles) == sorted(["request", "plan", "work", "ask"] * 2 + ["search", "inventory"])
    assert {truth["jobs"][path]["session"] for path in root["context_jobs"]} == {"C"}
    assert len(root["context_edges"]) == 8  # one from each log of the two sessions
    assert root["tokens"]["all"]["tt"] == root["tokens"]["own"]["tt"] + root["tokens"]["context"]["tt"]
    replayed = truth["roots"]["U"]["tokens"]
    assert replayed["own_stored"]["events"] == replayed["own"]["events"] + len(replayed["replayed"]) > 1


def test_copies_differ_on_disk_but_not_in_origin(tmp_path: Path) -> None:
    truth = generate(tmp_path, VARIANTS[0])
    blocks = [entry for entry in truth["inlined"] if entry["original_exists"]]
    assert {entry["identical"] for entry in blocks} == {True, False}
    fence = next(case for case in truth["hard_cases"] if case["case"] == "fence line gains a backslash")
    texts = [read(tmp_path / path)[1][index].content for path, index in fence["places"][0]]
    assert "\nuser: hello" in texts[0]
    assert all("\n\\user: hello" in text for text in texts[1:])
    assert len(texts) > 8


def test_links_and_crlf_are_on_disk(tmp_path: Path) -> None:
    truth = generate(tmp_path, VARIANTS[0])
    assert (tmp_path / "home/jobs_here").is_symlink()
    crlf = [path for path, chat in truth["chats"].items() if chat["crlf"]]
    assert crlf
    assert all(b"\r\n" in (tmp_path / path).read_bytes() for path in crlf)


def test_expected_scopes(tmp_path: Path) -> None:
    truth = _recorded(tmp_path, "case_modern")
    every = expect.scope(truth, "G", "all", tmp_path)
    own = expect.scope(truth, "G", "own", tmp_path)
    assert every["edges"] == {
        "job": 50, "dependency": 18, "log": 20, "result": 17, "agent_job": 11, "context": 13,
    }  # fmt: skip
    assert own["edges"] == {
        "job": 23, "dependency": 12, "log": 12, "result": 9, "agent_job": 6, "context": 13,
    }  # fmt: skip
    assert [sum(entry["target_in_scope"] for entry in own["context"]), len(own["context"])] == [5, 13]
    assert own["totals"]["unique_messages"] == 440
    assert all(path.startswith(f"{tmp_path}/home/") for path in own["chats"])
    assert expect.diff(truth, tmp_path)["only_in_a"]["jobs"] == []
    assert (
        expect.session_instructions(truth)["C"]["Auditor"]
        != expect.session_instructions(truth)["B"]["Auditor"]
    )


def test_expected_context_of_a_generated_case(tmp_path: Path) -> None:
    truth = generate(tmp_path, VARIANTS[2])
    entries = expect.context(truth, "G", tmp_path)
    assert {entry["basis"] for entry in entries} == {"inherited", "interval", "block"}
    assert {entry["relation"] for entry in entries if entry["basis"] == "block"} == {"agent_job"}
    assert expect.doubtful(truth, "G", tmp_path) == []
    words = {how for how, _ in expect.origins(truth, tmp_path).values()}
    assert words == {"own", "projection", "inlined", "inherited"}


def _recorded(folder: Path, name: str) -> dict[str, Any]:
    """A recorded case, copied to `folder`, and its truth."""
    for source in sorted((RECORDED / name).rglob("*")):
        if source.is_file() and source.name not in ("jobs_here", "truth.json"):
            target = folder / source.relative_to(RECORDED / name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes().replace(b"@ROOT@", str(folder.resolve()).encode()))
    (folder / "home/jobs_here").symlink_to(".rbbt/var/jobs")
    return json.loads((RECORDED / name / "truth.json").read_text())  # type: ignore[no-any-return]


def _bytes(folder: Path) -> dict[str, bytes]:
    here = str(folder).encode()
    files = [path for path in folder.rglob("*") if path.is_file() and "jobs_here" not in path.parts]
    return {str(path.relative_to(folder)): path.read_bytes().replace(here, b"@") for path in files}
