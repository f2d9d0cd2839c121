"""Known bugs and sharp edges of the reference, one small file each, through scan, graph and commands.

Numbers are those of the project's list of reports (REPORTS n in other tests). All files are scanned once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner

from indexer.cli import main
from indexer.ingest.scan import Scanner
from indexer.store.connection import Store
from tests.conftest import ServerUnderTest, empty
from tests.support import TREES, touch

TOKENS = "pt=10 ct=1 tt=11"
CALL = '{{"name":"ask","arguments":{{"agent":"X"}},"id":"{}"}}'

#: Chats by name, as bytes on disk.
CHATS: dict[str, bytes] = {
    "r01": b"user:\n\n<f>\n```\nkept\n</f>\nassistant: z",
    "r02": b"user:\n\nmany words sh:-- ls {{{\nassistant: z",
    "r02_region": b"user:\n\nsh:-- ls {{{\na: 1\nsh:-- ls }}}\nassistant: z",
    "r03_escaped": b"user:\n\n\\note: x\nassistant: z",
    "r03_before": b"user:\n\nsee\nhttps://x.org/a\nassistant: z",
    "r04": b"user: caf\xe9 and tea\nassistant: z",
    "r05": b"user: a\nsystem:\n\nassistant:\n  \n",
    "r06": b"user:\n\n---\nkey: v\n---\nassistant: z",
    "r07": b"user: a\noption:\n\nvalue\nprevious_response_id:\n\nresp_1\nassistant: z",
    "r08": b"assistant:\n\nhi\nprevious_response_id: one\nprevious_response_id: two\nthen I ask",
    "r09_xml": b"user:\n\n<b>x</b>\nassistant: z\nuser: q",
    "r09_json": b'user:\n\n[["a"],["b"]]\nassistant: z',
    "r10": b"user:\n\n</f>\nassistant:\n\n<f>\nuser: q",
    "r11": b"user: a\x00b\nassistant: z",
    "r12": f"user: a\nmeta: {TOKENS} inference_id=r12 reas=so pt=99 and tt=99\nassistant: z".encode(),
    "r13": f"meta: {TOKENS} inference_id=00123\nassistant: a\nmeta: {TOKENS} inference_id=123\n".encode(),
    "r14": f"meta: {TOKENS} pt_s=500 ct_s=5 tt_s=505 pt_c=900 ct_c=9 tt_c=909 inference_id=r14\n"
    "assistant: a\nmeta: pt_s=1 ct_s=1 tt_s=2 pt_c=1 ct_c=1 tt_c=2\nassistant: b".encode(),
    "r15": f"user: a\nmeta: {TOKENS} inference_id=r15 reas=first line\nsecond: line\nassistant: z".encode(),
    "r16_a": f"user: the same\nmeta: {TOKENS} inference_id=r16 timestamp=2026-01-01T00:00:00.000Z\n"
    "assistant: an answer long enough to be told from others".encode(),
    "r16_b": f"user: again\nmeta: {TOKENS} inference_id=r16 timestamp=2026-01-01T00:00:00.000Z\n"
    "assistant: an answer long enough to be told from others".encode(),
    "r17": f"function_call: {CALL.format('k')}\nfunction_call_output: "
    '{"name":"ask","content":"#<LLM::Agent:0x1 @x=1>","id":"k"}\n'.encode(),
    "r19": f"function_call: {CALL.format('k')}\nfunction_call_output: "
    '{"id":"k","content":"c","agent_meta":null}\n'
    f"function_call: {CALL.format('l')}\nfunction_call_output: "
    '{"id":"l","content":"c","agent_meta":false}\n'
    f"function_call: {CALL.format('m')}\nfunction_call_output: "
    '{"id":"m","content":"c","agent_meta":[{"role":"meta","content":"job=W/t/old"},'
    '{"role":"meta","content":"job=W/t/old"}]}\n'.encode(),
    "r21_legacy": f"meta: job=W/t/old\nfunction_call: {CALL.format('k')}\nfunction_call_output: "
    '{"id":"k","content":"c","agent_meta":[{"role":"meta","content":"pt=30 ct=10 tt=40 inference_id=r21"}]}'
    "\n".encode(),
    "r22": f"function_call: {CALL.format('k')}\nfunction_call_output: Error turning content into JSON (k)\n"
    "assistant: z".encode(),
    "r23": f"function_call: {CALL.format('k')}\nfunction_call: {CALL.format('k')}\n"
    'function_call_output: {"id":"k","content":"first"}\n'
    'function_call_output: {"id":"k","content":"{\\"exit_status\\": 3}"}\n'.encode(),
    "r24": b"meta: job=A.chat\nmeta: job=t/A.chat\nmeta: job=/\nmeta: job=W/t/old\nassistant: z",
    "r26": b"meta: job=W/t/old\nmeta: job=@ROOT@/var/jobs/W/t/old\nmeta: job=/home/gone/var/jobs/W/t/old\n",
    "r38": f"user: a\nmeta: {TOKENS} inference_id=r38\nfunction_call: {CALL.format('k')}\n"
    'function_call_output: {"id":"k","content":"c"}\n'
    f"meta: {TOKENS} inference_id=r38b orphan=true\nuser: b".encode(),
    "r39": f"user: a\nmeta: timestamp=2026-01-01T00:00:00.000Z reas=hm\nassistant: x\n"
    f"meta: {TOKENS} inference_id=r39\nassistant: y".encode(),
}

#: Job infos by name below W/t.
INFOS: dict[str, Any] = {
    "old": {"status": "done", "workflow": "W", "task_name": "t", "type": "string"},
    "list": ["an", "array"],
    "waiting": {"status": "waiting"},
    "running": {"status": "start", "pid": 4194303, "pid_hostname": "elsewhere"},
    "many": {
        "status": "done",
        "dependencies": [["W", "t", "@ROOT@/var/jobs/W/t/old"], "@ROOT@/var/jobs/W/t/old",
                         "@ROOT@/var/jobs/W/t/gone", "@ROOT@/var/jobs/W/t/round"],
    },
    "round": {"status": "done", "dependencies": ["@ROOT@/var/jobs/W/t/many", "@ROOT@/var/jobs/W/t/round"]},
}  # fmt: skip


class Reports:
    """The scanned files, and questions about them."""

    def __init__(self, root: Path, store: Store, address: str) -> None:
        self.root, self.store, self.address = root, store, address

    def chat(self, name: str) -> str:
        return str(self.root / f"chats/{name}.chat")

    def job(self, name: str) -> str:
        return str(self.root / f"var/jobs/W/t/{name}")

    def ask(self, *words: str) -> Any:
        result = CliRunner().invoke(main, [*words, "--json", "--store", self.address])
        assert result.exit_code == 0, (words, result.output, result.exception)
        return orjson.loads(result.stdout)

    def said(self, name: str) -> list[tuple[str, str]]:
        """Role and text of the messages of a chat."""
        rows = self.store.read(
            "MATCH (:Chat {id: $chat})-[:HAS_MESSAGE]->(m)-[:HAS_CONTENT]->(c) "
            "RETURN m.role AS role, c.text AS text ORDER BY m.index",
            {"chat": self.chat(name)},
        )
        return [(row["role"], row["text"]) for row in rows]

    def problems(self, name: str) -> list[tuple[str, int | None]]:
        """Kind and line of the problems of a chat."""
        found = self.ask("problems", "--path", self.chat(name))["items"]
        return sorted((row["kind"], row["line"]) for row in found)

    def status(self, job: str) -> str:
        """Status of a job below W/t."""
        (row,) = self.ask("overview", self.job(job), "--root-only")["jobs"]["items"]
        return str(row["status"])

    def tokens(self, name: str) -> Any:
        return self.ask("tokens", self.chat(name), "--root-only")

    def calls(self, name: str) -> list[tuple[str, str, str | None]]:
        found = self.ask("tool-calls", self.chat(name), "--root-only")["items"]
        return [(row["call_id"], row["status"], row["status_reason"]) for row in found]


@pytest.fixture(scope="module")
def reports(
    neo4j_store: Store, neo4j_server: ServerUnderTest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Reports]:
    """All files, scanned from a working directory that is not the jobs root's parent (REPORTS 25, 26)."""
    root = Path(os.path.realpath(tmp_path_factory.mktemp("reports")))
    for name, data in CHATS.items():
        path = touch(root / f"chats/{name}.chat")
        path.write_bytes(data.replace(b"@ROOT@", str(root).encode()))
    for name, info in INFOS.items():
        touch(root / f"var/jobs/W/t/{name}.info", json.dumps(info).replace("@ROOT@", str(root)))
        touch(root / f"var/jobs/W/t/{name}")
    touch(root / "var/jobs/W/t/cut.info", '{"status": "error", "exception": "BAhv')
    touch(root / "var/jobs/W/t/empty.info", "")
    touch(root / "var/jobs/W/t/old.files/log/agent.chat", f"meta: {TOKENS} inference_id=r21log\nassistant: l")
    for source in (TREES / "forget/var/jobs").rglob("*"):
        if source.is_file():
            touch(root / source.relative_to(TREES / "forget")).write_bytes(source.read_bytes())
    elsewhere = root / "elsewhere"
    elsewhere.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(elsewhere))
        patch.chdir(elsewhere)
        empty(neo4j_store)
        Scanner(neo4j_store).scan([str(root)])
        yield Reports(root, neo4j_store, neo4j_server.address)


def test_01_a_fence_inside_a_region_is_dropped_with_a_warning(reports: Reports) -> None:
    assert reports.said("r01") == [("user", ""), ("user", "<f>\nkept\n</f>"), ("assistant", "z")]
    assert reports.problems("r01") == [("dropped_line", 4)]


def test_02_prose_before_a_command_opens_nothing(reports: Reports) -> None:
    assert reports.said("r02")[1:] == [("user", "many words sh:-- ls {{{"), ("assistant", "z")]
    region = '<cmd_output cmd="ls">\na: 1\n</cmd_output>'
    assert reports.said("r02_region")[1:] == [("user", region), ("assistant", "z")]
    assert not reports.problems("r02")


def test_03_escaped_role_lines_are_text_and_old_ones_bogus_roles(reports: Reports) -> None:
    assert reports.said("r03_escaped")[1:] == [("user", "note: x"), ("assistant", "z")]
    assert reports.said("r03_before")[1:] == [("user", "see"), ("https", "//x.org/a"), ("assistant", "z")]


def test_04_bytes_that_are_not_utf8_are_dropped_and_told(reports: Reports) -> None:
    assert reports.said("r04")[1:] == [("user", "caf and tea"), ("assistant", "z")]
    assert reports.problems("r04") == [("invalid_bytes", 1)]


def test_05_only_the_last_header_gives_an_empty_message(reports: Reports) -> None:
    assert reports.said("r05") == [("user", ""), ("user", "a"), ("assistant", "")]


def test_06_dashes_protect_nothing(reports: Reports) -> None:
    assert reports.said("r06")[1:] == [("user", "---"), ("key", "v"), ("user", "---"), ("assistant", "z")]


def test_07_options_in_block_form(reports: Reports) -> None:
    wanted = [("user", "a"), ("option", "value"), ("previous_response_id", "resp_1"), ("assistant", "z")]
    assert reports.said("r07")[1:] == wanted


def test_08_text_after_response_ids_is_the_users(reports: Reports) -> None:
    wanted = [
        ("assistant", "hi"),
        ("previous_response_id", "one"),
        ("previous_response_id", "two"),
        ("user", "then I ask"),
    ]
    assert reports.said("r08")[1:] == wanted


def test_09_a_region_that_never_closes_is_told_with_its_line(reports: Reports) -> None:
    assert reports.said("r09_xml")[1:] == [("user", "<b>x</b>\nassistant: z\nuser: q")]
    assert reports.problems("r09_xml") == [("unclosed_region", 3)]
    assert reports.said("r09_json")[1:] == [("user", '"a"],["b"]]\nassistant: z')]
    assert reports.problems("r09_json") == [("unclosed_region", 3)]


def test_10_a_closer_earlier_in_the_file_counts(reports: Reports) -> None:
    assert reports.said("r10")[1:] == [("user", "</f>"), ("assistant", "<f>\nuser: q")]
    assert reports.problems("r10") == [("unclosed_region", 6)]


def test_11_a_nul_byte_is_content(reports: Reports) -> None:
    assert reports.said("r11")[1:] == [("user", "a\0b"), ("assistant", "z")]
    assert len({row["lineage"] for row in reports.ask("messages", reports.chat("r11"))["items"]}) == 3


def test_12_reasoning_forges_no_tokens(reports: Reports) -> None:
    total = reports.tokens("r12")["totals"]["deduplicated_total"]
    assert (total["pt"], total["ct"], total["tt"]) == (10, 1, 11)


def test_13_ids_keep_their_zeros(reports: Reports) -> None:
    events = reports.tokens("r13")["events"]["items"]
    assert {event["id"] for event in events} == {"inference_id:00123", "inference_id:123"}


def test_14_running_totals_are_never_summed(reports: Reports) -> None:
    answer = reports.tokens("r14")
    assert answer["totals"]["deduplicated_total"]["tt"] == 11
    assert answer["events"]["total"] == 1


def test_15_reasoning_over_several_lines_spills(reports: Reports) -> None:
    assert [role for role, _ in reports.said("r15")] == ["user", "user", "meta", "second", "assistant"]
    assert reports.tokens("r15")["totals"]["deduplicated_total"]["tt"] == 11


def test_16_a_replayed_answer_is_paid_once_and_no_copy(reports: Reports) -> None:
    own = [
        reports.ask("tokens", reports.chat(name), "--job-refs", "own")["totals"]["deduplicated_total"]["tt"]
        for name in ("r16_a", "r16_b")
    ]
    assert sorted(own) == [0, 11]
    for name in ("r16_a", "r16_b"):
        assert all(row["copy_of"] is None for row in reports.ask("messages", reports.chat(name))["items"])


def test_17_an_inspected_object_is_an_answer(reports: Reports) -> None:
    assert [status for _, status, _ in reports.calls("r17")] == ["success"]
    assert "#<LLM::Agent:0x1 @x=1>" in reports.said("r17")[-1][1]


def test_19_empty_receipts_are_malformed_and_equal_ones_all_kept(reports: Reports) -> None:
    rows = reports.ask("receipts", reports.chat("r19"), "--root-only")["items"]
    by_call = [(row["call_id"], row["warning"], row["job_ref"]) for row in rows]
    assert by_call == [
        ("k", "not_an_array", None),
        ("l", "not_an_array", None),
        ("m", None, "W/t/old"),
        ("m", None, "W/t/old"),
    ]
    assert reports.ask("scope", reports.chat("r19"))["edges"]["agent_job"] == 2


def test_21_legacy_logs_and_receipts_count(reports: Reports) -> None:
    answer = reports.ask("tokens", reports.chat("r21_legacy"))
    assert answer["totals"]["deduplicated_total"]["tt"] == 51
    assert answer["totals"]["receipt_only"]["tt"] == 40


def test_22_an_output_in_plain_text_leaves_the_call_unanswered(reports: Reports) -> None:
    assert reports.calls("r22") == [("k", "unknown", "missing_output")]


def test_23_a_call_id_used_twice_pairs_in_order(reports: Reports) -> None:
    rows = reports.ask("tool-calls", reports.chat("r23"))["items"]
    assert [row["status"] for row in rows] == ["success", "failure"]
    assert [row["output_address"].rpartition("#")[2] for row in rows] == ["3", "4"]


def test_24_short_references_are_read(reports: Reports) -> None:
    jobs = reports.ask("scope", reports.chat("r24"), "--follow", "job")["jobs"]
    assert reports.job("old") in jobs
    dangling = [kind for kind, _ in reports.problems("r24")]
    assert set(dangling) == {"dangling_reference"}


def test_26_every_spelling_of_a_job_is_one_node(reports: Reports) -> None:
    assert reports.ask("scope", reports.chat("r26"))["jobs"] == [reports.job("old")]
    edges = reports.ask("edges", reports.chat("r26"), "--relation", "job")
    assert [edge["to"] for edge in edges["items"]] == [reports.job("old")]


@pytest.mark.parametrize(("name", "problems"), [("list", 1), ("cut", 1), ("empty", 0)])
def test_28_29_infos_that_cannot_be_read(reports: Reports, name: str, problems: int) -> None:
    assert reports.status(name) == "noinfo"
    found = reports.ask("problems", "--path", f"{reports.job(name)}.info")["items"]
    assert [row["kind"] for row in found] == ["unreadable_info"] * problems


def test_32_an_alias_keeps_its_dependency(reports: Reports) -> None:
    jobs = reports.root / "var/jobs/LabFlow"
    edges = reports.ask("edges", str(jobs / "hola/Default"))["items"]
    hello = str(jobs / "hello/Default_62e5246c018655544ff99d24db5e4152")
    assert [(edge["relation"], edge["to"]) for edge in edges] == [("dependency", hello)]


def test_33_dependencies_of_all_kinds(reports: Reports) -> None:
    answer = reports.ask("scope", reports.job("many"))
    assert set(answer["jobs"]) == {reports.job(name) for name in ("many", "old", "gone", "round")}
    # many: old (named twice), gone, round; round: many and itself.
    assert answer["edges"]["dependency"] == 5
    assert reports.ask("scope", reports.job("round"))["totals"]["jobs"] == 4


def test_34_a_waiting_job_is_no_crashed_one(reports: Reports) -> None:
    assert (reports.status("waiting"), reports.status("running")) == ("waiting", "start")


def test_38_a_round_without_text_is_normal(reports: Reports) -> None:
    assert not reports.problems("r38")
    assert reports.tokens("r38")["totals"]["deduplicated_total"]["tt"] == 22


def test_39_unknown_tokens_are_not_zero_tokens(reports: Reports) -> None:
    answer = reports.tokens("r39")
    assert (answer["unknown"], answer["events"]["total"]) == (1, 1)
    assert answer["totals"]["deduplicated_total"]["tt"] == 11
