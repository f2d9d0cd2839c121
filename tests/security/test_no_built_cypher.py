"""No Cypher is put together from pieces: read off the syntax tree of every module of the package.

Two rules. What reaches a driver is a constant of a module, a parameter typed `LiteralString`, or comes through
one of the few gates below. And no text that reads like Cypher is an f-string with a value in it, an operand of
`+` or `%`, or the subject of `format`, `join` or `replace`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import indexer

ROOT = Path(indexer.__file__).parent
MODULES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))
#: Pure parsers: they have no driver, and a `read` of their own.
PURE = ("formats/",)

#: What runs statements, by the last name of the receiver and the method.
RECEIVERS = re.compile(r"(?:\b|_)(?:tx|transaction|session|driver|graph|store|Store)$|^super\(\)$|\brunner$")
METHODS = {"run", "read", "write", "implicit", "read_once", "execute_query", "execute_read", "execute_write"}
#: Where a statement that is no constant reaches a driver, and why it may.
GATES = {
    ("answers/runner.py", "run", "load(name).text"): "a file of queries/, by a name that is looked up",
    ("reading_cypher.py", "run", "text"): "typed by the user: checked, planned, run for reading",
    (
        "exports/asked_rows.py",
        "work",
        "text",
    ): "a file of queries/, or typed by the user and checked as above",
    ("readonly.py", "explain_is_read", "explained"): "EXPLAIN before what the user typed and was checked",
    ("store/store.py", "_statement", "query"): "what `Store.read` and `Store.write` were given",
    ("store/store.py", "implicit", "Query(query)"): "what `Store.implicit` was given",
    ("store/store.py", "implicit", "query"): "the same",
    ("ingest/lease.py", "write", "query"): "what `Store.write` was given, behind the lease",
    ("ingest/sync.py", "_write_batch", "statement"): "a function that `_held` calls with constants",
    ("migrations.py", "run", "statement"): "statements of schema/*.cypher",
}
#: Calls of `Runner.run`, whose argument is the name of a query file.
NAMES = {"answers", "api.py", "report", "exports"}

CYPHER = re.compile(
    r"\b(?:MATCH|MERGE|CREATE|INSERT|UNWIND|WITH|RETURN|SET|DELETE|REMOVE|CALL|WHERE|FOREACH|LOAD CSV|USE|ORDER BY|"
    r"YIELD|EXPLAIN|PROFILE|DROP|ALTER|SHOW)\b(?:\s+[a-z$`*]|\s*[({\[`$]|\s*$)"
)
#: Texts for people, and the one word that is put before a checked statement.
ALLOWED = {("readonly.py", "'EXPLAIN ' + statement")}


@cache
def tree(module: str) -> ast.Module:
    parsed = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    for node in ast.walk(parsed):
        for child in ast.iter_child_nodes(node):
            child.parent = node  # type: ignore[attr-defined]
    return parsed


def functions_around(node: ast.AST) -> Iterator[ast.FunctionDef | ast.Lambda]:
    while (node := getattr(node, "parent", None)) is not None:  # type: ignore[assignment]
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            yield node


@cache
def constants(module: str) -> dict[str, ast.expr]:
    """Names that a module gives one value, at its top."""
    found: dict[str, ast.expr] = {}
    for node in tree(module).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            found[node.target.id] = node.value
    return found


@cache
def imported(module: str) -> dict[str, str]:
    """The modules of the package that names come from, by name: modules and constants."""
    found: dict[str, str] = {}
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("indexer"):
            folder = node.module.replace(".", "/").removeprefix("indexer").lstrip("/")
            for alias in node.names:
                for file in (
                    f"{folder}.py",
                    f"{folder}/{alias.name}.py".lstrip("/"),
                    f"{folder}/__init__.py",
                ):
                    if (ROOT / file).is_file():
                        found.setdefault(alias.asname or alias.name, file)
                if (ROOT / f"{folder}/{alias.name}.py").is_file():
                    found[alias.asname or alias.name] = f"{folder}/{alias.name}.py".lstrip("/")
    return found


def is_text(value: ast.expr | None) -> bool:
    """True for a plain text, and for a tuple of texts."""
    if isinstance(value, ast.Tuple):
        return all(is_text(item) for item in value.elts)
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def is_constant(module: str, argument: ast.expr) -> bool:
    """True for a text, or the name of one at the top of this module or of another of the package."""
    if is_text(argument):
        return True
    if isinstance(argument, ast.Name):
        here = constants(module).get(argument.id)
        if here is not None:
            return is_text(here)
        home = imported(module).get(argument.id)
        return home is not None and is_text(constants(home).get(argument.id))
    if isinstance(argument, ast.Attribute) and isinstance(argument.value, ast.Name):
        home = imported(module).get(argument.value.id)
        return home is not None and is_text(constants(home).get(argument.attr))
    return False


def is_loop_over_constants(module: str, argument: ast.expr) -> bool:
    """True for the variable of a `for` over constants."""
    if not isinstance(argument, ast.Name):
        return False
    node: ast.AST | None = argument
    while (node := getattr(node, "parent", None)) is not None:
        if isinstance(node, ast.For) and argument.id in ast.unparse(node.target):
            parts = [node.iter]
            if isinstance(node.iter, ast.Tuple):
                position = [
                    number
                    for number, name in enumerate(getattr(node.target, "elts", [node.target]))
                    if isinstance(name, ast.Name) and name.id == argument.id
                ]
                parts = [
                    item.elts[position[0]] if isinstance(item, ast.Tuple) else item for item in node.iter.elts
                ]
            return all(is_constant(module, part) for part in parts)
    return False


def is_work(module: str, argument: ast.expr) -> bool:
    """True for a function of a transaction."""
    if isinstance(argument, ast.Lambda):
        return True
    if isinstance(argument, ast.Call):
        return ast.unparse(argument.func) in {"self._work", "self._fenced"}
    defined = {node.name for node in ast.walk(tree(module)) if isinstance(node, ast.FunctionDef)}
    return isinstance(argument, ast.Name) and argument.id in defined | {"work", "fenced"}


def is_typed(argument: ast.expr) -> bool:
    """True for a parameter of `LiteralString`, to which a type checker lets nothing else."""
    if not isinstance(argument, ast.Name):
        return False
    for function in functions_around(argument):
        for parameter in (*function.args.args, *function.args.kwonlyargs):
            if parameter.arg == argument.id:
                return (
                    parameter.annotation is not None and ast.unparse(parameter.annotation) == "LiteralString"
                )
    return False


def sinks(module: str) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Calls that hand a statement to a driver, and the statement."""
    for node in ast.walk(tree(module)):
        if not isinstance(node, ast.Call):
            continue
        statement = next(
            (word.value for word in node.keywords if word.arg in ("query", "query_", "work")),
            node.args[0] if node.args else None,
        )
        if statement is None:
            continue
        if (isinstance(node.func, ast.Name) and node.func.id == "Query") or (
            isinstance(node.func, ast.Attribute)
            and node.func.attr in METHODS
            and RECEIVERS.search(ast.unparse(node.func.value))
        ):
            yield node, statement


def is_name_of_a_query(module: str, call: ast.Call) -> bool:
    return ast.unparse(call.func) in {"runner.run", "self.runner.run"} and module.split("/")[0] in NAMES


used: set[tuple[str, str, str]] = set()


@pytest.mark.parametrize("module", MODULES)
def test_only_constants_reach_a_driver(module: str) -> None:
    wrong = []
    for call, statement in () if module.startswith(PURE) else sinks(module):
        function = next((f.name for f in functions_around(call) if isinstance(f, ast.FunctionDef)), "")
        gate = (module, function, ast.unparse(statement))
        if gate in GATES:
            used.add(gate)
        elif not (
            is_constant(module, statement)
            or is_typed(statement)
            or is_loop_over_constants(module, statement)
            or is_work(module, statement)
            or is_name_of_a_query(module, call)
        ):
            wrong.append(f"{module}:{call.lineno} {function}: {ast.unparse(call)[:90]}")
    assert not wrong


def test_all_gates_are_there() -> None:
    """A gate that nothing passes any more must go: it would let something else through."""
    for module in MODULES:
        test_only_constants_reach_a_driver(module)
    assert used == set(GATES)


@pytest.mark.parametrize("module", MODULES)
def test_no_cypher_is_put_together(module: str) -> None:
    wrong = []
    for node in ast.walk(tree(module)):
        pieces: list[ast.expr] = []
        if isinstance(node, ast.JoinedStr) and any(isinstance(v, ast.FormattedValue) for v in node.values):
            pieces = list(node.values)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
            pieces = [node.left, node.right]
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("format", "join", "replace", "format_map", "substitute")
        ):
            pieces = [node.func.value, *node.args]
        for piece in pieces:
            value = piece.value if isinstance(piece, ast.Constant) else None
            if isinstance(piece, ast.Name) and is_constant(module, piece):
                value = getattr(constants(module).get(piece.id), "value", None)
            if isinstance(value, str) and CYPHER.search(value) and (module, ast.unparse(node)) not in ALLOWED:
                wrong.append(f"{module}:{node.lineno} {ast.unparse(node)[:90]}")
    assert not wrong


@pytest.mark.parametrize(
    "text",
    [
        'tx.run(f"MATCH (n:{label}) RETURN n")',
        'tx.run("MATCH (n:" + label + ") RETURN n")',
        "store.read(\"MATCH (n) WHERE n.id = '%s' RETURN n\" % name)",
        'session.run("MATCH (n {}) RETURN n".format(x))',
        "self._store.write(statement)",
        'query = "MATCH (n) RETURN n"\ntx.run(query.replace("n", x))',
        "Query(text)",
        "driver.execute_query(query_=text)",
        "super().write(text)",
    ],
)
def test_the_rule_finds_what_it_is_for(text: str) -> None:
    parsed = ast.parse(text)
    for node in ast.walk(parsed):
        for child in ast.iter_child_nodes(node):
            child.parent = node  # type: ignore[attr-defined]
    before = tree
    globals()["tree"] = lambda module: parsed
    constants.cache_clear()
    try:
        with pytest.raises(AssertionError):
            test_only_constants_reach_a_driver("x.py")
    finally:
        globals()["tree"] = before
        constants.cache_clear()
