"""Calls, outputs, their pairing and status, and the receipts inside outputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.formats.calls import MISSING_OUTPUT, is_delegation, output_status, pair, read_call, read_output
from indexer.formats.chat import iter_messages, parse
from indexer.formats.messages import derive
from indexer.formats.records import Call, MessageRecord, Output, Problem, Receipt, Tokens

TESTS = Path(__file__).resolve().parent.parent
PROVENANCE = TESTS / "trees" / "provenance"


def vectors(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((TESTS / "vectors" / f"{name}.json").read_text(encoding="utf-8"))
    return loaded


def call_records(records: list[MessageRecord]) -> list[dict[str, Any]]:
    """The calls of a chat as the reference reports them."""
    calls = [(record.index, record.body) for record in records if isinstance(record.body, Call)]
    outputs = {record.index: record.body for record in records if isinstance(record.body, Output)}
    pairs = pair(calls, outputs.items())
    success = {"success": True, "failure": False, "unknown": None}
    shown = []
    for index, call in calls:
        output = pairs.get(index)
        status, reason = (
            (outputs[output].status, outputs[output].reason) if output is not None else MISSING_OUTPUT
        )
        shown.append(
            {
                "call_id": call.call_id,
                "name": call.tool,
                "role": records[index].role,
                "call_index": index,
                "output_index": output,
                "success": success[status],
                "reason": reason,
            }
        )
    return shown


def expected_calls(recorded: list[dict[str, Any]]) -> list[dict[str, Any]]:
    keys = ("call_id", "name", "role", "call_index", "output_index")
    return [
        {
            **{key: call[key] for key in keys},
            "success": call["status"]["success"],
            "reason": call["status"]["reason"],
        }
        for call in recorded
    ]


@pytest.mark.parametrize(
    "case", [case for case in vectors("parse")["cases"] if "tool_calls" in case], ids=lambda case: case["id"]
)
def test_recorded_tool_calls(case: Any) -> None:
    assert call_records(list(derive(parse(case["input"]).messages))) == expected_calls(case["tool_calls"])


def test_tool_calls_of_the_tree() -> None:
    """REPORTS 22 and 23 among them: an id used twice, an output before its call, a call that is no JSON."""
    seen = 0
    for root in vectors("provenance")["roots"]:
        for name, recorded in (root.get("tool_calls") or {}).items():
            records = list(derive(iter_messages(name.replace("{ROOT}", str(PROVENANCE)), [])))
            assert call_records(records) == expected_calls(recorded), name
            seen += len(recorded)
    assert seen >= 17


RECEIPTS = [record for record in derive(iter_messages(PROVENANCE / "chats" / "receipts.chat", []))]


def receipts_of(call_id: str) -> tuple[Receipt, ...]:
    for record in RECEIPTS:
        if isinstance(record.body, Output) and record.body.call_id == call_id and record.body.receipts:
            return record.body.receipts
    return ()


def test_case_19_and_21_receipts_of_both_generations() -> None:
    legacy = receipts_of("k1")
    assert [(receipt.key, receipt.position) for receipt in legacy] == [("agent_meta", 0), ("agent_meta", 1)]
    assert [receipt.meta and receipt.meta.job for receipt in legacy] == [None, "Critic/ask/Default_c.chat"]
    assert legacy[0].meta is not None
    assert (legacy[0].meta.tokens, legacy[0].meta.inference_id) == (Tokens(30, 10, 40), "c1")
    modern = receipts_of("k10")
    assert [(receipt.key, receipt.position) for receipt in modern] == [("meta", 0), ("meta", 1)]
    assert modern[0].meta is not None
    assert (modern[0].meta.tokens, modern[0].meta.inference_id) == (Tokens(11, 1, 12), "modern1")
    assert receipts_of("k8") == (Receipt("agent_meta", None, None, "not_an_array"),)
    assert receipts_of("k9") == ()


def test_every_malformed_kind() -> None:
    assert receipts_of("k5") == (Receipt("agent_meta", None, None, "not_an_array"),)
    kinds = [(receipt.position, receipt.malformed) for receipt in receipts_of("k6")]
    assert kinds == [
        (0, "not_a_hash"),
        (1, "invalid_role"),
        (2, "invalid_content"),
        (3, "unparseable_meta"),
        (4, None),
    ]
    envelope = {"id": "x", "content": "", "meta": ["s", {}, {"pt": 1}, None], "agent_meta": False}
    output = read_output(json.dumps(envelope))
    assert output is not None
    assert [(receipt.key, receipt.position, receipt.malformed) for receipt in output.receipts] == [
        ("agent_meta", None, "not_an_array"),
        ("meta", 0, "not_a_hash"),
        ("meta", 1, "empty_meta"),
        ("meta", 2, None),
        ("meta", 3, "not_a_hash"),
    ]


def test_a_version_between_wrapped_meta_lines_in_the_new_key() -> None:
    output = read_output('{"id":"x","content":"","meta":[{"role":"meta","content":"pt=3 inference_id=w"}]}')
    assert output is not None
    assert output.receipts[0].meta is not None
    assert output.receipts[0].meta.tokens == Tokens(3)


def test_recorded_receipt_warnings() -> None:
    """The reference's warnings on the tree, less the one that needs the job tree."""
    root = next(root for root in vectors("provenance")["roots"] if root["root"].endswith("receipts.chat"))
    expected = [
        (warning["output_address"][1], warning["agent_meta_index"], warning["reason"])
        for warning in root["token_warnings"]
        if warning["reason"] != "unresolved_job_reference"
    ]
    found = [
        (record.index, receipt.position, receipt.malformed)
        for record in RECEIPTS
        if isinstance(record.body, Output)
        for receipt in record.body.receipts
        if receipt.malformed
    ]
    assert found == expected


@pytest.mark.parametrize(
    "content",
    [
        '{"name":"ls","arguments":{"a":1,"b":[2]},"id":"c1"}',
        '{"name":"ls","arguments":{"b":[2],"a":1},"call_id":"c1"}',
        '{"name":"ls","arguments":"{\\"b\\": [2], \\"a\\": 1}","tool_call_id":"c1"}',
        '{"function":{"name":"ls","arguments":{"a":1,"b":[2]}},"id":"c1"}',
        '{"function":{"name":"ls","arguments":"{\\"a\\":1,\\"b\\":[2]}"},"id":null,"call_id":"c1"}',
        '{"name":null,"function":{"name":"ls"},"arguments":{"a":1,"b":[2]},"id":false,"tool_call_id":"c1"}',
    ],
)
def test_every_shape_of_a_call(content: str) -> None:
    usual = read_call('{"name":"ls","arguments":{"a":1,"b":[2]},"id":"c1"}')
    assert usual is not None
    assert len(usual.arguments_key) == 32
    assert read_call(content) == usual


def test_arguments_that_differ() -> None:
    contents = [
        f'{{"name":"f","arguments":{arguments},"id":"c"}}'
        for arguments in (
            "{}",
            "null",
            '"x"',
            '"{\\"a\\""',
            "[1]",
            '{"a":1}',
            '{"a":"1"}',
            '{"a":{"b":1}}',
            '"5"',
            "true",
        )
    ]
    keys = [call.arguments_key for content in contents if (call := read_call(content))]
    assert len(keys) == len(set(keys)) == len(contents)


def test_ids() -> None:
    made = read_call('{"name":"ls","arguments":{},"id":"ls_0123456789abcdef0123456789abcdef"}')
    assert made is not None
    assert made.generated_id
    for call_id in (
        '"call_1"',
        '"toolu_0123456789abcdef0123456789abcde"',
        '"0123456789abcdef0123456789abcdef"',
        "12",
        "null",
    ):
        call = read_call(f'{{"name":"ls","arguments":{{}},"id":{call_id}}}')
        assert call is not None
        assert not call.generated_id
    number = read_call('{"name":5,"id":12}')
    assert number is not None
    assert (number.tool, number.call_id) == ("5", "12")
    nothing = read_call('{"id":"","name":""}')
    assert nothing is not None
    assert (nothing.tool, nothing.call_id) == (None, None)


@pytest.mark.parametrize(
    ("name", "arguments", "agent", "conversation"),
    [
        ("ask", {"agent": "Critic/brief", "prompt": "p", "conversation": "c1"}, "Critic/brief", "c1"),
        ("ask", {"prompt": "p"}, None, None),
        ("ask", "no object", None, None),
        ("hand_off_to_Worker", {"message": "m", "new_conversation": True}, "Worker", None),
        ("hand_off_to_", {}, None, None),
        ("cortex_continue", {"agent": "Scout", "conversation": "deep"}, "Scout", "deep"),
        ("cortex_brief", {"agent": ["x"]}, None, None),
        ("bash", {"agent": "x", "conversation": "y"}, None, None),
        ("asking", {"agent": "x"}, None, None),
    ],
)
def test_delegation(name: str, arguments: Any, agent: str | None, conversation: str | None) -> None:
    call = read_call(json.dumps({"name": name, "arguments": arguments, "id": "c"}))
    assert call is not None
    assert (call.target_agent, call.target_conversation) == (agent, conversation)
    assert is_delegation(name) == (name not in ("bash", "asking"))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("plain", ("success", "output")),
        ("", ("success", "output")),
        (None, ("success", "output")),
        ('{"exception":"boom","stack":[]}', ("failure", "exception")),
        (' \n{"exception":""}', ("failure", "exception")),
        ('{"exception":0}', ("failure", "exception")),
        ('{"exception":null}', ("success", "output")),
        ('{"exception":false,"exit_status":0}', ("success", "exit_status")),
        ('{"exception":"x","exit_status":0}', ("failure", "exception")),
        ('{"\\u0065xception":"x"}', ("failure", "exception")),
        ('{"exit_status":0}', ("success", "exit_status")),
        ('{"exit_status":2}', ("failure", "exit_status")),
        ('{"exit_status":"0"}', ("success", "exit_status")),
        ('{"exit_status":"1"}', ("failure", "exit_status")),
        ('{"exit_status":null}', ("success", "exit_status")),
        ('{"exit_status":true}', ("failure", "exit_status")),
        ('{"exit_status":[]}', ("failure", "exit_status")),
        ('[{"exception":"x"}]', ("success", "output")),
        ('{"exception":"x"', ("success", "output")),
        ('"exception"', ("success", "output")),
        ({"exception": "x"}, ("failure", "exception")),
        (["exception"], ("success", "output")),
        (5, ("success", "output")),
    ],
)
def test_status(content: Any, expected: tuple[str, str]) -> None:
    assert output_status(content) == expected
    output = read_output(json.dumps({"id": "c", "content": content, "error": "error"}))
    assert output is not None
    assert (output.status, output.reason, output.error) == (*expected, "error")


def test_an_envelope_in_full() -> None:
    output = read_output(
        '{"name":"run","content":"ok","id":"c","error":"truncated","stack":["a"],"step":"Wf/task/name",'
        '"start_timestamp":"2026-08-01T10:00:00.500Z","timestamp":"2026-08-01T12:00:01+02:00"}'
    )
    assert output == Output(
        "run",
        "c",
        "success",
        "output",
        "truncated",
        "Wf/task/name",
        "2026-08-01T10:00:00.500000Z",
        "2026-08-01T10:00:01.000000Z",
    )


def test_case_17_an_inspected_object_is_an_output_like_any() -> None:
    output = read_output('{"name":"ask","content":"#<LLM::Agent:0x1 @chat={\\"exception\\"=>1}>","id":"c"}')
    assert output is not None
    assert output.status == "success"


def test_case_22_an_output_that_could_not_be_written() -> None:
    text = (
        'function_call: {"name":"f","id":"c"}\n'
        "function_call_output: Error turning content into JSON (x)\nmcp_call: []\n"
    )
    problems: list[Problem] = []
    records = list(derive(parse(text).messages, problems))
    assert [record.body for record in records if record.role != "function_call"] == [None, None, None]
    assert [(problem.kind, problem.index, problem.line) for problem in problems] == [
        ("output_not_serialised", 2, 2),
        ("unreadable_call", 3, 3),
    ]


def test_case_23_ids_used_again_pair_in_order() -> None:
    def call(call_id: str | None) -> Call:
        return Call("t", call_id, "")

    def output(call_id: str | None) -> Output:
        return Output(None, call_id, "success")

    calls = [(2, call("a")), (4, call("b")), (6, call("a")), (8, call(None)), (10, call("a"))]
    outputs = [(1, output("a")), (3, output(None)), (5, output("x")), (7, output("b")), (9, output("a"))]
    assert pair(calls, outputs) == {2: 1, 4: 7, 6: 9}


def test_case_38_calls_without_assistant_text_are_no_problem() -> None:
    text = (
        'user: q\nmeta: pt=1\nfunction_call: {"name":"f","id":"c"}\n'
        'function_call_output: {"id":"c","content":""}\n'
    )
    problems: list[Problem] = []
    assert len(list(derive(parse(text).messages, problems))) == 5
    assert not problems


@pytest.mark.parametrize(
    "content",
    [
        "not json",
        "[]",
        "null",
        "5",
        '"x"',
        "",
        "{",
        "[" * 100_000,
        '{"a":' * 3000 + "1" + "}" * 3000,
        "NaN",
        "{'a':1}",
        "\ud800",
    ],
)
def test_no_object_no_record(content: str) -> None:
    assert read_call(content) is None
    assert read_output(content) is None


def test_hard_json() -> None:
    deep = read_call('{"name":"f","id":"c","arguments":' + "[" * 600 + "]" * 600 + "}")
    assert deep is not None
    call = read_call(
        '{"name":"\\ud800f","id":"\\udfffc","arguments":{"\\ud800":"\\udc00","n":%s}}' % ("9" * 400)
    )
    assert call is not None
    assert (call.tool, call.call_id) == ("\ufffdf", "\ufffdc")
    output = read_output('{"id":"c","id":"d","content":"x","step":"\\ud83d","meta":[{"job":"\\ud800"}]}')
    assert output is not None
    assert (output.call_id, output.step) == ("d", "\ufffd")
    assert output.receipts[0].meta is not None
    assert output.receipts[0].meta.job == "\ufffd"


json_values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=4),
        st.sampled_from(("meta", "pt=1")),
    ),
    lambda children: st.one_of(
        st.lists(children, max_size=3),
        st.dictionaries(
            st.sampled_from(
                (
                    "id",
                    "name",
                    "arguments",
                    "function",
                    "content",
                    "exception",
                    "exit_status",
                    "meta",
                    "agent_meta",
                    "role",
                    "pt",
                )
            ),
            children,
            max_size=5,
        ),
    ),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(json_values)
def test_any_json_is_read(value: Any) -> None:
    text = json.dumps(value)
    call, output = read_call(text), read_output(text)
    readable = isinstance(value, dict) and "NaN" not in text and "Infinity" not in text
    assert (call is not None) == readable
    assert (output is not None) == readable


@settings(max_examples=100, deadline=None)
@given(json_values, st.randoms())
def test_arguments_key_does_not_depend_on_spelling(value: Any, rng: Any) -> None:
    def shuffled(part: Any) -> Any:
        if isinstance(part, dict):
            items = list(part.items())
            rng.shuffle(items)
            return {key: shuffled(item) for key, item in items}
        return [shuffled(item) for item in part] if isinstance(part, list) else part

    if not isinstance(value, dict) or "NaN" in json.dumps(value) or "Infinity" in json.dumps(value):
        return
    as_object = read_call(json.dumps({"name": "f", "arguments": value}))
    as_text = read_call(json.dumps({"name": "f", "arguments": json.dumps(shuffled(value), indent=1)}))
    assert as_object is not None
    assert as_text is not None
    assert as_object.arguments_key == as_text.arguments_key
