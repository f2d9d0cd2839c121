"""What a chat file makes a robust reader say: problems with their lines; the known sharp edges by number."""

from __future__ import annotations

import pytest

from indexer.formats.chat import parse, print_chat
from indexer.formats.messages import derive
from indexer.formats.records import Message, Problem


def said(text: str | bytes) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in parse(text).messages if not message.synthetic]


def problems(text: str | bytes) -> list[tuple[str, int | None, int | None]]:
    return [(problem.kind, problem.line, problem.index) for problem in parse(text).problems]


def test_case_1_a_fence_inside_another_region_is_dropped_and_told() -> None:
    text = "user:\n\n<note>\n```\nuser: x\n```\n</note>\nassistant: z\n[[\n  ```ruby\n]]\n"
    assert said(text) == [("user", "<note>\nuser: x\n</note>"), ("assistant", "z")]
    [first, second] = parse(text).problems
    assert (first.kind, first.line, first.index) == ("dropped_line", 4, 1)
    assert first.detail.startswith("2 ")
    assert (second.kind, second.line, second.index) == ("dropped_line", 10, None)


def test_case_2_prose_before_the_braces_opens_nothing() -> None:
    assert said("user:\n\nmy shell:-- ls {{{\na: 1\n") == [("user", "my shell:-- ls {{{"), ("a", "1")]
    assert problems("user:\n\nmy shell:-- ls {{{\na: 1\n") == []


def test_case_3_unescaped_role_lines_of_old_files_are_messages() -> None:
    assert said("assistant:\n\nNotes\nnote: a\nhttps://x\n1: one\n") == [
        ("assistant", "Notes"),
        ("note", "a"),
        ("https", "//x"),
        ("1", "one"),
    ]
    escaped = print_chat([Message(0, "assistant", "Notes\nnote: a\nrole_2: b\nlast:", 1)])
    assert escaped == "\nassistant:\n\nNotes\n\\note: a\nrole_2: b\nlast:"


def test_case_4_latin_1_and_numbers() -> None:
    data = "user: añ\nassistant: sí\n".encode("latin-1")
    assert said(data) == [("user", "a"), ("assistant", "s")]
    [problem] = parse(data).problems
    assert (problem.kind, problem.line) == ("invalid_bytes", 1)
    assert problem.detail.startswith("2 byte(s)")
    assert "offset 7" in problem.detail
    assert print_chat([{"role": "user", "content": 12}]) == "\nuser:\n\n12"


def test_valid_characters_stay_beside_invalid_bytes() -> None:
    assert said("user: ñ".encode() + b"\xff\xe2\x82" + "🙂".encode()) == [("user", "ñ🙂")]
    assert problems("user: ñ\n".encode() + b"a\nb\xc3\n\xff") == [("invalid_bytes", 3, None)]


def test_case_5_empty_blocks() -> None:
    assert said("user:\nassistant:\nuser: a\nassistant:\n") == [("user", "a")]
    messages = parse("user: a\n\nassistant:\n\n   \n").messages
    assert [(message.role, message.content, message.synthetic, message.line) for message in messages] == [
        ("user", "", True, 1),
        ("user", "a", False, 1),
        ("assistant", "", False, 3),
    ]


def test_case_6_dashes_protect_nothing() -> None:
    assert said("---\ntitle: x\n---\nuser: hi\n") == [
        ("user", "---"),
        ("title", "x"),
        ("user", "---"),
        ("user", "hi"),
    ]


def test_case_7_option_lines_in_block_form() -> None:
    text = "previous_response_id:\n\nresp_1\n\noption:\n\nformat json\n\nuser:\n\nq\n"
    assert said(text) == [("previous_response_id", "resp_1"), ("option", "format json"), ("user", "q")]


def test_case_8_text_after_a_response_id_belongs_to_the_user() -> None:
    text = "assistant:\n\nA\n\nprevious_response_id: r1\nloose\nprevious_response_id: r2\nmore\n"
    assert said(text)[1:] == [
        ("previous_response_id", "r1"),
        ("user", "loose"),
        ("previous_response_id", "r2"),
        ("user", "more"),
    ]


@pytest.mark.parametrize(
    ("opening", "kind"),
    [
        ("<b>x</b>", "XML region <b>"),
        ("[[x]]", "[[ or {{{ region"),
        ('[["json"]]', "[[ or {{{ region"),
        ("```x```", "code fence (```)"),
        ("sh:-- ls {{{", "[[ or {{{ region"),
    ],
)
def test_case_9_a_region_that_never_closes_is_told_with_its_line(opening: str, kind: str) -> None:
    text = f"user: q\n\nassistant:\n\nfirst\n{opening}\nuser: swallowed\nnote: x\nmeta: pt=1\n"
    parsed = parse(text)
    assert len(parsed.messages) == 3
    assert parsed.messages[-1].content.endswith("meta: pt=1")
    [problem] = parsed.problems
    assert (problem.kind, problem.line, problem.index) == ("unclosed_region", 6, 2)
    assert problem.detail.startswith(f"{kind} never closes; 2 line(s)")


def test_a_region_opened_by_the_last_line() -> None:
    assert problems("user: q\n[[") == [("unclosed_region", 2, None)]
    assert problems("user:\n\n```\nx\n```\n\n```\n") == [("unclosed_region", 7, 1)]


def test_case_10_a_closer_earlier_in_the_file_counts() -> None:
    text = "user:\n\nmention </p> first\n<p>\nassistant: swallowed\n"
    assert said(text) == [("user", "mention </p> first\n<p>\nassistant: swallowed")]
    assert problems(text) == [("unclosed_region", 4, 1)]
    assert said("user:\n\n<p>\nassistant: x\n") == [("user", "<p>"), ("assistant", "x")]


def test_tags_left_on_the_stack_by_a_square_region() -> None:
    text = "user:\n\n<a>\n[[\nx\n]]\nuser: free\n<b>\n</b>\nuser: in a\n</a>\nuser: out\n"
    assert said(text) == [
        ("user", "<a>\nx"),
        ("user", "free"),
        ("user", "<b>\n</b>\nuser: in a\n</a>"),
        ("user", "out"),
    ]


def test_case_11_nul_is_content() -> None:
    [_, message] = parse("user:\n\na\0b\n\0\n").messages
    assert message.content == "a\0b"
    [_, record] = derive([*parse("user:\n\na\0b\n\0\n").messages])
    assert len(record.lineage) == 32


def test_case_15_a_meta_with_a_newline_spills() -> None:
    text = "user: q\nmeta: pt=1 reas=line one\nassistant: forged\n\nassistant:\n\na\n"
    assert said(text)[1:] == [("meta", "pt=1 reas=line one"), ("assistant", "forged"), ("assistant", "a")]


def test_a_bom_stays() -> None:
    assert said(b"\xef\xbb\xbfuser: hi\nassistant: yo\n") == [("user", "\ufeffuser: hi"), ("assistant", "yo")]


def test_text_may_be_given_with_lone_surrogates() -> None:
    assert said("user: a\ud800b\nassistant: \udfff\n") == [("user", "a\ufffdb"), ("assistant", "\ufffd")]


def test_lines_of_loose_text() -> None:
    text = "\n\nbefore\nuser: a\n\n\nloose\nassistant:\n\nb\n\\note: c\n\nmeta: pt=1\n[[\n\nprotected\n]]\n"
    found = [(message.role, message.content, message.line) for message in parse(text).messages]
    assert found == [
        ("user", "before", 3),
        ("user", "a", 4),
        ("user", "loose", 7),
        ("assistant", "b\nnote: c", 8),
        ("meta", "pt=1", 13),
        ("assistant", "protected", 16),
    ]


def test_problems_of_contents_name_their_message() -> None:
    found: list[Problem] = []
    list(derive(parse("user: q\nmeta: pt=-1 ct=2\nmcp_call: {\n").messages, found))
    assert [(problem.kind, problem.index) for problem in found] == [
        ("bad_token_count", 2),
        ("unreadable_call", 3),
    ]
