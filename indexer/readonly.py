"""Does a Cypher text only read? Asked before ad-hoc Cypher of a person or an agent is run.

Two answers, both needed. The server's own: `explain_is_read` has the statement planned without running it.
And the lexical `check_read_only`, for what the server counts as reading and this program does not: LOAD CSV
(files, network), procedures and functions beyond an allowed few, TERMINATE, SHOW of users or running queries,
transactions of their own. The caller still runs it in a read transaction with a timeout and a row cap.

What may be a clause is taken for one: a variable named `create` must be written in backticks, while a
property, a label, a map key, a parameter, a string or a comment of any name is let through.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neo4j import ManagedTransaction, Session, Transaction

from indexer.cypher_tokens import NOTHING, NotCypher, Token, decoded, tokens_of

#: Clauses that a reading statement may begin with.
_FIRST = {
    *(
        "MATCH",
        "OPTIONAL",
        "WITH",
        "UNWIND",
        "RETURN",
        "CALL",
        "SHOW",
        "FINISH",
        "LET",
        "FILTER",
        "FOR",
        "ORDER",
    ),
    *("LIMIT", "OFFSET", "SKIP", "WHEN"),
}
_WRITING = {
    *("CREATE", "MERGE", "SET", "DELETE", "DETACH", "NODETACH", "REMOVE", "DROP", "FOREACH", "INSERT"),
}
_SHOWN = {
    *("INDEX", "INDEXES", "CONSTRAINT", "CONSTRAINTS", "PROCEDURE", "PROCEDURES", "FUNCTION", "FUNCTIONS"),
}
#: What may stand between SHOW and these.
_SHOWN_KINDS = {
    *("ALL", "BUILT", "DEFINED", "EXIST", "EXISTENCE", "FULLTEXT", "IN", "KEY", "LOOKUP", "NODE", "POINT"),
    *("PROPERTY", "RANGE", "REL", "RELATIONSHIP", "TEXT", "TYPE", "UNIQUE", "UNIQUENESS", "USER", "VECTOR"),
}
_TRANSACTIONS = {"TRANSACTION", "TRANSACTIONS"}
#: Procedures that give what is in this database and change, load and reach nothing.
PROCEDURES = {
    *("db.labels", "db.relationshipTypes", "db.propertyKeys", "db.info", "db.ping", "dbms.components"),
    *("db.schema.visualization", "db.schema.nodeTypeProperties", "db.schema.relTypeProperties"),
    *("db.index.fulltext.queryNodes", "db.index.fulltext.queryRelationships"),
    *("db.index.fulltext.listAvailableAnalyzers",),
    *("db.index.vector.queryNodes", "db.index.vector.queryRelationships"),
}
#: Of these the server says that they administer (query type `s`).
_ADMINISTERING = {"dbms.components"}
#: A server reads and plans deep nesting for minutes, and its time limit begins only behind that (5.26 took 13 s
#: for 16 EXISTS in each other and did not come back from 5,000 brackets).
LONGEST = 100_000
DEEPEST = 64
DEEPEST_BRACES = 10
_CLOCKS = ("date", "datetime", "localdatetime", "localtime", "time")
#: Built-in functions with a namespace; any other comes from a plugin (apoc, genai) and may do anything.
_FUNCTIONS = {
    *(
        f"{clock}.{form}"
        for clock in _CLOCKS
        for form in ("realtime", "statement", "transaction", "truncate")
    ),
    *("datetime.fromepoch", "datetime.fromepochmillis"),
    *("duration.between", "duration.indays", "duration.inmonths", "duration.inseconds"),
    *("point.distance", "point.withinbbox", "vector.similarity.cosine", "vector.similarity.euclidean"),
    *("coll.distinct", "coll.flatten", "coll.indexof", "coll.insert", "coll.max", "coll.min", "coll.remove"),
    *("coll.sort",),
}


class NotReadOnly(ValueError):
    """A text that is not run because it does more than read, or may; the message is one line."""


def check_read_only(text: str) -> None:
    """Refuse a text that is not one reading statement. Raises `NotReadOnly`, with the reason."""
    _check(_tokens(text))


def explain_is_read(
    runner: Session | Transaction | ManagedTransaction,
    text: str,
    parameters: Mapping[str, Any] | None = None,
) -> bool:
    """Whether the server plans `text` as a statement that only reads. Nothing is run.

    Raises `NotReadOnly` as `check_read_only` does, and the driver's error where the text is no Cypher.
    """
    tokens = _tokens(text)
    _check(tokens)
    statement = decoded(text)
    for token in reversed(tokens[: _prefix(tokens)]):
        if token.keyword in ("EXPLAIN", "PROFILE"):
            statement = statement[: token.start] + statement[token.start + len(token.text) :]
    # The one place that puts a word before a statement: EXPLAIN takes no parameter.
    explained: Any = "EXPLAIN " + statement
    planned = runner.run(explained, dict(parameters or {})).consume().query_type
    return planned == "r" or (planned == "s" and not _ADMINISTERING.isdisjoint(_called(tokens)))


def _tokens(text: str) -> list[Token]:
    if len(text) > LONGEST:
        raise NotReadOnly(f"a statement of {len(text):,} characters: at most {LONGEST:,} are sent")
    try:
        tokens = tokens_of(text)
    except NotCypher as error:
        raise NotReadOnly(str(error)) from error
    _check_depth(tokens)
    return tokens


def _check_depth(tokens: list[Token]) -> None:
    brackets = braces = 0
    for token in tokens:
        if token.is_symbol("(", "[", "{"):
            brackets += 1
            braces += token.text == "{"
        elif token.is_symbol(")", "]", "}"):
            brackets -= 1
            braces -= token.text == "}"
        if brackets > DEEPEST or braces > DEEPEST_BRACES:
            raise NotReadOnly(
                f"nested too deeply: at most {DEEPEST} brackets and {DEEPEST_BRACES} braces in each other"
            )


def _check(tokens: list[Token]) -> None:
    first = _prefix(tokens)
    if first == len(tokens):
        raise NotReadOnly("there is no statement in this text")
    if tokens[first].keyword not in _FIRST and not tokens[first].is_symbol("{"):
        raise NotReadOnly(
            f"a statement that begins with {tokens[first].text!r} is not among the reading ones"
        )
    for position in range(first, len(tokens)):
        _check_token(tokens, position)
    for name in _called(tokens):
        if name not in PROCEDURES:
            allowed = ", ".join(sorted(PROCEDURES))
            raise NotReadOnly(f"procedure {name!r} is not among the allowed ones: {allowed}")
    for name in _functions(tokens):
        if name.lower() not in _FUNCTIONS:
            raise NotReadOnly(
                f"function {name!r} is not a built-in one: functions of plugins are not allowed"
            )


def _check_token(tokens: list[Token], position: int) -> None:
    token = tokens[position]
    if token.is_symbol(";") and position + 1 < len(tokens):
        raise NotReadOnly("more than one statement: only one is run at a time")
    if not _is_clause(tokens, position):
        return
    following = [each.keyword for each in tokens[position + 1 : position + 8]]
    word = token.keyword
    if word in _WRITING:
        raise NotReadOnly(f"{word} writes (a name that reads so must be written in backticks)")
    if word == "LOAD" and following[:1] == ["CSV"]:
        raise NotReadOnly("LOAD CSV reads files and the network")
    if word in ("USE", "TERMINATE"):
        raise NotReadOnly(f"{word} leaves this database or its data (a name that reads so needs backticks)")
    closed = tokens[position - 1].is_symbol("}")
    if word == "IN" and closed and not _TRANSACTIONS.isdisjoint(following[:4]):
        raise NotReadOnly("CALL { } IN TRANSACTIONS has transactions of its own")
    if word == "SHOW":
        shown = next((each for each in following if each not in _SHOWN_KINDS), "")
        if shown not in _SHOWN:
            raise NotReadOnly("SHOW is allowed for INDEXES, CONSTRAINTS, PROCEDURES and FUNCTIONS only")


def _is_clause(tokens: list[Token], position: int) -> bool:
    """True where a bare word may begin a clause; False where grammar makes it a name whatever it is."""
    if tokens[position].kind != "word":
        return False
    before = tokens[position - 1] if position else NOTHING
    after = tokens[position + 1] if position + 1 < len(tokens) else NOTHING
    if before.is_symbol("$", ":", "|", "&", "!", "(", "[", ","):
        return False
    if before.is_symbol("."):  # a property, unless the dot belongs to a number or a range
        return position >= 2 and (
            tokens[position - 2].kind == "number" or tokens[position - 2].is_symbol(".")
        )
    return not after.is_symbol(":", ".", "=", ")", ",", "]")


def _prefix(tokens: list[Token]) -> int:
    """The number of tokens before the statement: EXPLAIN, PROFILE, CYPHER with its version and options."""
    position = 0
    while position < len(tokens):
        if tokens[position].keyword in ("EXPLAIN", "PROFILE"):
            position += 1
        elif tokens[position].keyword == "CYPHER":
            position += 1
            if position < len(tokens) and tokens[position].kind == "number":
                position += 1
            while position + 2 < len(tokens) and tokens[position + 1].is_symbol("="):
                position += 3
        else:
            break
    return position


def _called(tokens: list[Token]) -> Iterator[str]:
    """The names of all procedures that are called, nothing for subqueries."""
    for position, token in enumerate(tokens):
        if token.keyword == "CALL" and _is_clause(tokens, position):
            after = tokens[position + 1] if position + 1 < len(tokens) else NOTHING
            if not after.is_symbol("{", "("):
                yield ".".join(_path(tokens, position + 1))


def _functions(tokens: list[Token]) -> Iterator[str]:
    """The names with a namespace that are called as functions."""
    for position in range(len(tokens)):
        before = tokens[position - 1] if position else NOTHING
        if before.is_symbol(".") or before.keyword == "CALL":
            continue
        path = _path(tokens, position)
        end = position + 2 * len(path) - 1
        if len(path) > 1 and end < len(tokens) and tokens[end].is_symbol("("):
            yield ".".join(path)


def _path(tokens: list[Token], position: int) -> list[str]:
    """The parts of the dotted name that begins at `position`; none where no name does."""
    parts: list[str] = []
    while position < len(tokens) and tokens[position].kind in ("word", "quoted"):
        parts.append(tokens[position].text)
        if position + 1 == len(tokens) or not tokens[position + 1].is_symbol("."):
            break
        position += 2
    return parts
