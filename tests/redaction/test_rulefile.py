"""`--redact FILE`: what a rule file adds and leaves out, and what is said of one that cannot be used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from indexer.redaction import RuleFileError, redactor_for

OWN = """
disable = ["password"]

[[rules]]
name = "lab-key"
pattern = 'LAB key: (LK-[0-9a-f]{8})'
group = 1

[[rules]]
name = "patient"
pattern = 'patient [A-ZÄÖÜ][a-zäöü]+'
"""


def written(folder: Path, text: str, name: str = "rules.toml") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_own_rules_beside_the_built_in_ones(tmp_path: Path) -> None:
    redactor = redactor_for(written(tmp_path, OWN))
    assert redactor.redact("LAB key: LK-0123abcd of patient Müller") == (
        "LAB key: [redacted:lab-key] of [redacted:patient]",
        2,
    )
    token = "gh" + "p_" + "a1" * 18
    assert redactor.redact(f"{token} LAB key: LK-0123abcd") == (
        "[redacted:github-token] LAB key: [redacted:lab-key]",
        2,
    )


def test_a_disabled_rule_is_off(tmp_path: Path) -> None:
    text = "password=" + "hun" + "ter2"
    assert redactor_for("default").redact(text)[1] == 1
    redactor = redactor_for(written(tmp_path, OWN))
    assert redactor.redact(text) == (text, 0)
    assert "password" not in redactor.names
    assert redactor.identity != redactor_for("default").identity


def test_json_says_the_same(tmp_path: Path) -> None:
    rules = {"disable": ["password"], "rules": [{"name": "lab-key", "pattern": "LK-[0-9a-f]{8}"}]}
    redactor = redactor_for(written(tmp_path, json.dumps(rules), "rules.json"))
    assert redactor.redact("LK-0123abcd") == ("[redacted:lab-key]", 1)


def test_an_empty_file_is_the_default(tmp_path: Path) -> None:
    assert redactor_for(written(tmp_path, "")).identity == redactor_for("default").identity


def test_own_patterns_over_lines_keep_the_lines(tmp_path: Path) -> None:
    redactor = redactor_for(written(tmp_path, "[[rules]]\nname = 'x'\npattern = 'b\\nC[^f]*'\n"))
    clean, count = redactor.redact("ab\nCde\nxyf: z")
    assert (clean, count) == ("a[redacted:x]\n\n[redacted:x]f: z", 1)
    assert redactor.redact(clean) == (clean, 0)


@pytest.mark.parametrize("pattern", [r"\w+", ".", "redacted", "[a-z:]+", r"\[redacted", "(?i)E"])
def test_greedy_patterns_leave_markers_alone(tmp_path: Path, pattern: str) -> None:
    redactor = redactor_for(written(tmp_path, f"[[rules]]\nname = 'x'\npattern = '{pattern}'\n"))
    clean, _ = redactor.redact("some [redacted:e] text, and Some more: redacted.\nuser: next")
    assert redactor.redact(clean) == (clean, 0)
    assert clean.count("\n") == 1
    assert "[redacted:e]" in clean


RULE = "[[rules]]\nname = 'x'\npattern = "
BROKEN = {
    "no TOML": ("rules = [", "at end of document"),
    "unknown key": ("rule = []", "unknown key 'rule'"),
    "rules no list": ("rules = 3", "'rules' must be a list"),
    "rule no table": ("rules = [3]", "rule 1: must be a table"),
    "unknown key of a rule": (RULE + "'a'\nflags = 'i'", "rule 1: unknown key 'flags'"),
    "no name": ("[[rules]]\npattern = 'a'", "rule 1: name must be"),
    "bad name": ("[[rules]]\nname = 'A b'\npattern = 'a'", "rule 1: name must be"),
    "no pattern": ("[[rules]]\nname = 'x'", "rule 1 (x): pattern must be a text"),
    "unbalanced": (RULE + "'('", "rule 1 (x): pattern is not RE2 syntax: missing )"),
    "look-ahead": (RULE + "'a(?=b)'", "rule 1 (x): pattern is not RE2 syntax: invalid perl operator"),
    "back-reference": (
        RULE + r"'(a)\1'",
        r"rule 1 (x): pattern is not RE2 syntax: invalid escape sequence: \1",
    ),
    "huge repetition": (RULE + "'((a{100}){100}){100}'", "rule 1 (x): pattern is not RE2 syntax"),
    "large program": (RULE + "'([^a]{100}){10}'", "rule 1 (x): pattern is too large"),
    "long": (RULE + f"'{'a' * 3000}'", "rule 1 (x): pattern has 3000 characters"),
    "empty match": (RULE + "'a*'", "rule 1 (x): pattern matches an empty text"),
    "empty line": (RULE + "'(?m)^$'", "rule 1 (x): pattern matches an empty text"),
    "no such group": (RULE + "'(a)'\ngroup = 2", "rule 1 (x): group must be 0 to 1"),
    "group no number": (RULE + "'(a)'\ngroup = true", "rule 1 (x): group must be 0 to 1"),
    "disable no list": ("disable = 'jwt'", "'disable' must be a list of names"),
    "disable unknown": ("disable = ['jtw']", "disable: no built-in rule 'jtw': did you mean 'jwt'?"),
    "too many": ("\n".join([RULE + "'a'"] * 201), "201 rules: at most 200"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_one_line_says_file_rule_and_reason(tmp_path: Path, case: str) -> None:
    text, reason = BROKEN[case]
    path = written(tmp_path, text)
    with pytest.raises(RuleFileError) as error:
        redactor_for(path)
    message = str(error.value)
    assert message.startswith(f"{path}: ")
    assert reason in message
    assert "\n" not in message


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RuleFileError, match="cannot be read: No such file"):
        redactor_for(str(tmp_path / "none.toml"))
    with pytest.raises(RuleFileError, match="cannot be read: Is a directory"):
        redactor_for(str(tmp_path))
    binary = tmp_path / "rules.toml"
    binary.write_bytes(b"a = '\xff'")
    with pytest.raises(RuleFileError, match="not UTF-8 text at byte 5"):
        redactor_for(str(binary))
    with pytest.raises(RuleFileError, match="must hold a table"):
        redactor_for(written(tmp_path, "[]", "rules.json"))
    with pytest.raises(RuleFileError, match=r"nested too deeply|recursion"):
        redactor_for(written(tmp_path, "[" * 100_000, "deep.json"))
