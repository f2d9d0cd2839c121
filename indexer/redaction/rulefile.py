"""`--redact off|default|FILE`: the built-in rules, and a file that adds to them or leaves some out.

The file is TOML, or JSON where its name ends so:

    disable = ["jwt", "cookie"]             # names of built-in rules

    [[rules]]
    name = "lab-key"                        # stands in the marker: [redacted:lab-key]
    pattern = 'LAB key: (LK-[0-9a-f]{16})'  # RE2 syntax
    group = 1                               # what is replaced; the whole match without it

Patterns have RE2's syntax: no look-around and no back-references, and so none can run away on any text. A
pattern that matches the empty text, is longer than `LONGEST_PATTERN` characters or compiles to a huge program
is refused.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import re2

from indexer.redaction.builtin import builtin_rules
from indexer.redaction.engine import Redactor
from indexer.redaction.rule import Locate, Match, Rule, Span

LONGEST_PATTERN = 2000
MOST_RULES = 200
#: Instructions of a compiled pattern; nested counted repetitions (`(a{100}){100}`) grow beyond it.
LARGEST_PROGRAM = 5_000

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}\Z")


class RuleFileError(ValueError):
    """A rule file that cannot be used: one line with the file, the rule and the reason."""


def redactor_for(option: str) -> Redactor:
    """The redactor of `--redact`: `off`, `default` or the path of a rule file. Raises `RuleFileError`."""
    if option == "off":
        return Redactor(())
    if option == "default":
        return Redactor(builtin_rules())
    return Redactor(read_rules(option))


def read_rules(path: str | os.PathLike[str]) -> tuple[Rule, ...]:
    """The rules of a file, its own first, then the built-in ones it leaves on. Raises `RuleFileError`."""
    content = _read(Path(path))
    unknown = content.keys() - {"rules", "disable"}
    if unknown:
        raise RuleFileError(f"{path}: unknown key {min(unknown)!r}: only 'rules' and 'disable' are known")
    builtin = builtin_rules()
    disabled = _disabled(path, content.get("disable", []), {rule.name for rule in builtin})
    entries = content.get("rules", [])
    if not isinstance(entries, list):
        raise RuleFileError(f"{path}: 'rules' must be a list of tables, in TOML written [[rules]]")
    if len(entries) > MOST_RULES:
        raise RuleFileError(f"{path}: {len(entries)} rules: at most {MOST_RULES} are allowed")
    own = [_rule(path, number, entry) for number, entry in enumerate(entries, 1)]
    return (*own, *(rule for rule in builtin if rule.name not in disabled))


def _read(path: Path) -> dict[str, Any]:
    try:
        text = path.read_bytes().decode("utf-8")
        content = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except OSError as error:
        raise RuleFileError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RuleFileError(f"{path}: not UTF-8 text at byte {error.start}") from error
    except (json.JSONDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise RuleFileError(f"{path}: {_one_line(str(error)) or 'nested too deeply'}") from error
    if not isinstance(content, dict):
        raise RuleFileError(f"{path}: must hold a table with 'rules' and 'disable'")
    return content


def _disabled(path: str | os.PathLike[str], names: object, known: set[str]) -> set[str]:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise RuleFileError(f"{path}: 'disable' must be a list of names of built-in rules")
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f": did you mean {near[0]!r}?" if near else f"; known are {', '.join(sorted(known))}"
            raise RuleFileError(f"{path}: disable: no built-in rule {name!r}{hint}")
    return set(names)


def _rule(path: str | os.PathLike[str], number: int, entry: object) -> Rule:
    label = f"{path}: rule {number}"
    if not isinstance(entry, Mapping):
        raise RuleFileError(f"{label}: must be a table with 'name' and 'pattern'")
    unknown = entry.keys() - {"name", "pattern", "group"}
    if unknown:
        raise RuleFileError(f"{label}: unknown key {min(unknown)!r}: only name, pattern and group are known")
    name, pattern, group = entry.get("name"), entry.get("pattern"), entry.get("group", 0)
    if not isinstance(name, str) or not _NAME.match(name):
        raise RuleFileError(f"{label}: name must be lower-case letters, digits and '-', at most 63: {name!r}")
    label = f"{label} ({name})"
    if not isinstance(pattern, str) or not pattern:
        raise RuleFileError(f"{label}: pattern must be a text")
    if len(pattern) > LONGEST_PATTERN:
        raise RuleFileError(
            f"{label}: pattern has {len(pattern)} characters, at most {LONGEST_PATTERN} are allowed"
        )
    compiled = _compiled(label, pattern)
    if isinstance(group, bool) or not isinstance(group, int) or not 0 <= group <= compiled.groups:
        raise RuleFileError(
            f"{label}: group must be 0 to {compiled.groups}, the groups of the pattern: {group!r}"
        )
    return Rule(name, pattern.encode(), _group(group), utf8=True)


def _compiled(label: str, pattern: str) -> re2._Regexp:
    options = re2.Options()
    options.log_errors = False
    try:
        compiled = re2.compile(pattern, options)
    except (re2.error, UnicodeEncodeError) as error:
        reason = error.args[0] if error.args else error
        reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise RuleFileError(f"{label}: pattern is not RE2 syntax: {_one_line(reason)}") from error
    if compiled.programsize > LARGEST_PROGRAM:
        raise RuleFileError(
            f"{label}: pattern is too large: repetitions multiply to {compiled.programsize} steps"
        )
    if compiled.fullmatch("") or compiled.search("") or compiled.search("\n"):
        raise RuleFileError(f"{label}: pattern matches an empty text or line")
    return compiled


def _group(group: int) -> Locate:
    def locate(_data: bytes, match: Match) -> Span | None:
        span = match.span(group)
        return span if span[0] >= 0 else None

    return locate


def _one_line(text: str) -> str:
    return " ".join(text.split())
