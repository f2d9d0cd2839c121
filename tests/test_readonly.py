"""Only what reads is let through: by the text alone, and by what the server says of its plan."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.readonly import PROCEDURES, NotReadOnly, check_read_only, explain_is_read
from indexer.store.connection import Store
from indexer.store.errors import StoreError

READING = [
    "MATCH (n) RETURN n",
    "match (n) return n limit 3",
    "OPTIONAL MATCH (n) RETURN n",
    "MATCH (n:Set) RETURN n.set, n.delete, n . create",
    "MATCH (n:Create|Delete)-[:SET|MERGE]->(m:!Drop&Remove) RETURN m",
    "RETURN 'CREATE (n)' AS x",
    'RETURN "it\'s; DROP" AS x // SET n.x = 1',
    "/* CREATE (n) */ RETURN 1 AS x",
    "RETURN 1 AS x // a\u2028SET",
    "RETURN /* ' */ 1 AS x // '",
    "RETURN 'a\\'b CREATE' AS x, \"a\\\"b; SET\" AS y",
    "RETURN '\\\\' AS x, 'CREATE' AS y",
    "RETURN 'a\nCREATE\nb' AS x",
    "MATCH (n) WHERE n.`set` = 1 RETURN n.`a``b` AS `create`",
    "RETURN {set: 1, create: {delete: 2}} AS m",
    "WITH {load: 1} AS m RETURN m.load",
    "WITH $set AS x RETURN x, $create, $`drop`",
    "MATCH (set)-->(b) RETURN b",
    "MATCH (create:Chat) WHERE create.id = 'x' RETURN [create, 1]",
    "MATCH create = (a)-->(b) RETURN length(create)",
    "MATCH (start)-->(stop) RETURN start, stop ORDER BY start.load",
    "MATCH (n) RETURN n{.set, .create}",
    "RETURN [1, 2][0] AS x, [{set: 3}][0].set AS y",
    "CALL db.labels()",
    "CALL db.labels() YIELD label RETURN label",
    "OPTIONAL CALL db.labels() YIELD label RETURN label",
    "CALL `db`.`labels`()",
    "CALL db /* here */ . labels ( )",
    "CALL db.schema.visualization()",
    "CALL db.index.fulltext.queryNodes('texts', $q) YIELD node, score RETURN node, score",
    "CALL dbms.components() YIELD name, versions RETURN name, versions",
    "SHOW INDEXES",
    "SHOW FULLTEXT INDEXES YIELD name RETURN name",
    "SHOW ALL CONSTRAINTS YIELD name RETURN name",
    "SHOW UNIQUENESS CONSTRAINTS",
    "SHOW USER DEFINED FUNCTIONS",
    "SHOW BUILT IN FUNCTIONS YIELD name",
    "SHOW PROCEDURES EXECUTABLE",
    "EXPLAIN MATCH (n) RETURN n",
    "PROFILE MATCH (n) RETURN n",
    "// first\nEXPLAIN RETURN 1 AS x",
    "CYPHER 5 MATCH (n) RETURN n",
    "CYPHER runtime=slotted planner=cost RETURN 1 AS x",
    "CYPHER 5 runtime=slotted PROFILE RETURN 1 AS x",
    "MATCH (n) CALL (n) { MATCH (n)--(m) RETURN count(m) AS c } RETURN c",
    "CALL () { RETURN 1 AS x } RETURN x",
    "CALL { MATCH (n) RETURN n } RETURN n",
    "MATCH (n) RETURN COUNT { (n)--() } AS c",
    "MATCH (n) WHERE EXISTS { MATCH (n)-[:USE]->() } RETURN n",
    "UNWIND [1, 2] AS x RETURN [y IN range(1, 3) WHERE y > x | y] AS l",
    "RETURN date.truncate('day', date()) AS d, DATETIME.realtime() AS e",
    "RETURN duration.inDays(date(), date()) AS d, point.distance($a, $b) AS p",
    "RETURN vector.similarity.cosine($a, $b) AS v",
    "MATCH p = SHORTEST 1 (a)-[:JOB]-+(b) RETURN p",
    "MATCH (a)-[:JOB|LOG*0..3]->(b) RETURN DISTINCT b",
    "RETURN 1 AS x;",
    "RETURN 1 AS x ; // done",
    "RETURN '\\u00e9\\u0041' AS x",
    "RETURN 1 AS x UNION RETURN 2 AS x",
    "FINISH",
    "MATCH (n) WHERE n.a IN [1] AND {a: 1} IN [{a: 1}] RETURN n",
    "RETURN " + "(" * 30 + "1" + ")" * 30 + " AS x",
    "CALL {" * 4 + "RETURN 1 AS x" + "} RETURN x" * 4,
]

REFUSED = [
    ("CREATE (n:Chat)", "CREATE"),
    ("create (n)", "create"),
    ("MATCH (n) CREATE (m)", "CREATE writes"),
    ("MERGE (n:Chat {id: 1})", "MERGE"),
    ("MATCH (n) SET n.x = 1", "SET writes"),
    ("MATCH (n) SET n:Chat", "SET writes"),
    ("MATCH (n)\nset\nn += $p", "SET writes"),
    ("MATCH (n)/**/SET/**/n.x = 1", "SET writes"),
    ("MATCH (n)SET n.x = 1", "SET writes"),
    ("MATCH (n)\u00a0SET n.x = 1", "SET writes"),
    ("MATCH (n)\u2028SET n.x = 1", "SET writes"),
    ("MATCH (n) WHERE n.as SET n.x = 1", "SET writes"),
    ("MATCH (as) WITH as SET as.x = 1", "SET writes"),
    ("MATCH (n) \\u0053ET n.x = 1", "SET writes"),
    ("RETURN 1 AS x // a\rCREATE (n)", "CREATE writes"),
    ("RETURN '\\u0027 CREATE (n) //'", "u0027 stands for a character"),
    ("RETURN 1 AS x // \\u000aCREATE (n)", "u000a stands for a character"),
    ("RETURN '\\u00' AS x", "four hexadecimal digits"),
    ("RETURN 1 /\\u002a x *\\u002f AS y", "u002a stands for a character"),
    ("MATCH (n) DELETE n", "DELETE writes"),
    ("MATCH (n) DETACH DELETE n", "DETACH writes"),
    ("MATCH (n) NODETACH DELETE n", "NODETACH writes"),
    ("MATCH (n) REMOVE n.x", "REMOVE writes"),
    ("MATCH (n) REMOVE n:Chat", "REMOVE writes"),
    ("INSERT (n:Chat)", "INSERT"),
    ("FOREACH (x IN [1] | CREATE (n))", "FOREACH"),
    ("MATCH (n) FOREACH (x IN [1] | SET n.x = x)", "FOREACH writes"),
    ("RETURN 1.SET", "SET writes"),
    ("CALL { CREATE (n) RETURN n } RETURN n", "CREATE writes"),
    ("MATCH (n) CALL (n) { SET n.x = 1 }", "SET writes"),
    ("RETURN 1 AS x UNION CREATE (n) RETURN 1 AS x", "CREATE writes"),
    ("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS", "DETACH writes"),
    ("MATCH (n) CALL (n) { RETURN 1 AS x } IN TRANSACTIONS RETURN x", "IN TRANSACTIONS"),
    (
        "MATCH (n) CALL (n) { RETURN 1 AS x } in 4 concurrent transactions of 10 rows RETURN x",
        "IN TRANSACTIONS",
    ),
    ("LOAD CSV FROM 'file:///etc/passwd' AS r RETURN r", "LOAD"),
    ("MATCH (n) LOAD CSV FROM 'http://h/?' + n.id AS r RETURN r", "LOAD CSV reads files and the network"),
    ("WITH 1 AS x load /* */ csv WITH HEADERS FROM 'file:///a' AS r RETURN r", "LOAD CSV"),
    ("USING PERIODIC COMMIT LOAD CSV FROM 'file:///a' AS r CREATE (n)", "USING"),
    ("CALL db.createLabel('X')", "procedure 'db.createLabel'"),
    ("CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()", "procedure"),
    ("CALL db.clearQueryCaches()", "procedure 'db.clearQueryCaches'"),
    ("CALL dbms.killConnection('bolt-1')", "procedure 'dbms.killConnection'"),
    ("CALL dbms.listConfig()", "procedure 'dbms.listConfig'"),
    ("CALL DB.LABELS()", "procedure 'DB.LABELS'"),
    ("CALL tx.setMetaData({a: 1})", "procedure 'tx.setMetaData'"),
    ("CALL apoc.load.json('http://h/')", "procedure 'apoc.load.json'"),
    ("CALL `apoc` . /* */ `cypher`.doIt('CREATE (n)', {})", "procedure 'apoc.cypher.doIt'"),
    ("MATCH (n) CALL apoc.create.setProperty(n, 'x', 1) YIELD node RETURN node", "procedure"),
    ("CALL { CALL apoc.help('x') YIELD name RETURN name } RETURN name", "procedure 'apoc.help'"),
    ("OPTIONAL CALL `a\nb`.c()", "procedure 'a\\nb.c'"),
    ("CALL", "procedure ''"),
    ("RETURN apoc.text.join([], '') AS x", "function 'apoc.text.join'"),
    ("RETURN apoc . cypher . runFirstColumnSingle('CREATE (n)', {}) AS x", "function"),
    ("MATCH (n) WHERE `apoc`.`any`.isDeleted(n) RETURN n", "function 'apoc.any.isDeleted'"),
    ("RETURN genai.vector.encode('x', 'OpenAI', {token: $t}) AS x", "function 'genai.vector.encode'"),
    ("USE system SHOW USERS", "USE"),
    ("USE other MATCH (n) RETURN n", "USE"),
    ("CALL { USE other MATCH (n) RETURN n } RETURN n", "USE leaves"),
    ("RETURN 1; RETURN 2", "more than one statement"),
    ("RETURN 1; CREATE (n)", "more than one statement"),
    ("; RETURN 1", "begins with ';'"),
    ("EXPLAIN CREATE (n)", "CREATE"),
    ("PROFILE CREATE (n)", "CREATE"),
    ("CYPHER 5 runtime=slotted CREATE (n)", "CREATE"),
    ("CREATE INDEX x FOR (n:Chat) ON (n.id)", "CREATE"),
    ("DROP CONSTRAINT x", "DROP"),
    ("CREATE USER bob SET PASSWORD 'x'", "CREATE"),
    ("ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'b'", "ALTER"),
    ("GRANT ROLE reader TO bob", "GRANT"),
    ("DENY TRAVERSE ON GRAPH * TO bob", "DENY"),
    ("REVOKE ROLE reader FROM bob", "REVOKE"),
    ("RENAME USER a TO b", "RENAME"),
    ("START DATABASE neo4j", "START"),
    ("STOP DATABASE neo4j", "STOP"),
    ("TERMINATE TRANSACTIONS 'neo4j-transaction-1'", "TERMINATE"),
    ("SHOW TRANSACTIONS", "SHOW is allowed for"),
    ("SHOW TRANSACTIONS YIELD transactionId AS t TERMINATE TRANSACTIONS t", "SHOW is allowed for"),
    ("SHOW SETTINGS", "SHOW is allowed for"),
    ("SHOW USERS", "SHOW is allowed for"),
    ("SHOW USER PRIVILEGES", "SHOW is allowed for"),
    ("SHOW CURRENT USER", "SHOW is allowed for"),
    ("SHOW DATABASES", "SHOW is allowed for"),
    ("SHOW", "SHOW is allowed for"),
    (":use system", "begins with ':'"),
    ("", "no statement"),
    (" // nothing\n", "no statement"),
    ("EXPLAIN", "no statement"),
    ("RETURN 'a", "a ' is opened"),
    ('RETURN "a', 'a " is opened'),
    ("RETURN `a", "a ` is opened"),
    ("RETURN 1 /* a", "a comment is opened"),
    ("RETURN " + "(" * 65 + "1" + ")" * 65, "nested too deeply"),
    ("RETURN " + "[" * 5000, "nested too deeply"),
    ("CALL {" * 11 + "RETURN 1 AS x" + "} RETURN x" * 11, "nested too deeply"),
    ("RETURN 1 + " + "EXISTS { MATCH () WHERE " * 11 + "true" + "}" * 11, "nested too deeply"),
    (f"RETURN '{'a' * 100_000}'", "100,009 characters"),
    ("WHEN true THEN CREATE (n)", "CREATE writes"),
    ("{ { CREATE (n) } }", "CREATE writes"),
    ("MATCH (n) SET n[$k] = 1", "SET writes"),
    ("MATCH (n) SET n:$($l)", "SET writes"),
    ("MATCH (n) WITH n AS SET SET SET.x = 1", "SET writes"),
    ("RETURN EXISTS { CREATE (n) }", "CREATE writes"),
    ("RETURN COLLECT { MATCH (n) SET n.x = 1 RETURN n }", "SET writes"),
    ("CALL `db.createLabel`('x')", "procedure 'db.createLabel'"),
    ("CALL db.`createLabel`('x')", "procedure 'db.createLabel'"),
    ("MATCH (n)\ufeffSET n.x = 1", "U+FEFF"),
    ("MATCH (n)\x00SET n.x = 1", "U+0000"),
    ("MATCH (n)\x1cSET n.x = 1", "SET writes"),
    ("MATCH (n) \\uu0053ET n.x = 1", "hexadecimal"),
    ("ENABLE SERVER 'x'", "ENABLE"),
    ("DEALLOCATE DATABASES FROM SERVER 'x'", "DEALLOCATE"),
    ("CALL\u200bdb.createLabel('X')", "U+200B"),
    ("LOAD\u180eCSV FROM 'file:///a' AS r RETURN r", "U+180E"),
]


@pytest.mark.parametrize("text", READING)
def test_reading_texts_pass(text: str) -> None:
    check_read_only(text)


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_other_texts_are_refused_in_one_line(text: str, reason: str) -> None:
    with pytest.raises(NotReadOnly) as refused:
        check_read_only(text)
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


WRITES = ["CREATE (n)", "SET n.x = 1", "DETACH DELETE n", "LOAD CSV FROM 'x' AS r RETURN r", "CALL apoc.a()"]


@given(
    st.sampled_from(WRITES),
    st.sampled_from(["", "MATCH (n)", "WITH 1 AS x", "MATCH (n) WHERE n.set = 'SET' AND n:Set", "CALL {"]),
    st.lists(st.sampled_from([" ", "\n", "\t", "/* ' */", '// "\n', "\u00a0"]), min_size=1).map("".join),
)
def test_blanks_and_comments_hide_nothing(write: str, before: str, blanks: str) -> None:
    with pytest.raises(NotReadOnly):
        check_read_only(before + blanks + blanks.join(write.split(" ")))


@given(st.text())
def test_any_text_passes_or_is_refused(text: str) -> None:
    with suppress(NotReadOnly):
        check_read_only(text)


@pytest.mark.parametrize("text", READING)
def test_the_server_agrees_on_what_reads(neo4j_store: Store, text: str) -> None:
    assert neo4j_store.read(lambda transaction: explain_is_read(transaction, text)) is True


@pytest.mark.parametrize("text", [text for text, _ in REFUSED])
def test_nothing_refused_reaches_the_server(neo4j_store: Store, text: str) -> None:
    with pytest.raises(NotReadOnly):
        neo4j_store.read(lambda transaction: explain_is_read(transaction, text))


@pytest.mark.parametrize(
    "text",
    [
        "EXPLAIN LOAD CSV FROM 'file:///etc/passwd' AS r RETURN r",
        "EXPLAIN TERMINATE TRANSACTION 'neo4j-transaction-1'",
        "EXPLAIN SHOW TRANSACTIONS",
        "EXPLAIN SHOW SETTINGS",
        "EXPLAIN CALL db.stats.clear('QUERIES')",
        "EXPLAIN MATCH (n) CALL (n) { RETURN 1 AS x } IN TRANSACTIONS RETURN x",
    ],
)
def test_what_the_server_alone_would_let_through(neo4j_store: Store, text: str) -> None:
    with neo4j_store.driver.session(database=neo4j_store.database) as session:
        assert session.run(text).consume().query_type == "r"
    with pytest.raises(NotReadOnly):
        check_read_only(text)


PIECES = [
    *(
        "MATCH (n)",
        "MATCH (as:as {set: 1})",
        "WITH n",
        "WITH 1 AS create",
        "WITH *",
        "RETURN n",
        "RETURN *",
        "n",
        "as",
    ),
    *(
        "CREATE (m)",
        "SET n.x = 1",
        "SET",
        "DELETE n",
        "REMOVE n:X",
        "MERGE (k)",
        "FOREACH (x IN [1] | SET n.x = x)",
    ),
    *(
        ".set",
        ":Set",
        "$set",
        "AS set",
        "AS",
        ",",
        "=",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "|",
        "1.",
        "1..",
        "*",
        "'",
        '"',
    ),
    *(
        "`",
        "//",
        "/*",
        "*/",
        "\n",
        "\r",
        "\\",
        "\\u0053ET n.x = 1",
        "\\u0027",
        "CALL {",
        "CALL (n) {",
        "UNION",
        "1",
        ";",
    ),
    *(
        "CALL db.labels()",
        "CALL db.createLabel('X')",
        "YIELD label",
        "WHERE n.x = 1",
        "UNWIND [1] AS x",
        "CYPHER 5",
    ),
]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=7))
def test_what_passes_the_server_does_not_call_writing(neo4j_store: Store, pieces: list[str]) -> None:
    text = " ".join(pieces)
    with suppress(NotReadOnly, StoreError):
        assert neo4j_store.read(lambda transaction: explain_is_read(transaction, text)) is True


def test_explaining_runs_nothing(neo4j_store: Store) -> None:
    with neo4j_store.driver.session(database=neo4j_store.database) as session:
        assert explain_is_read(session, "PROFILE UNWIND range(1, 100000000000) AS x RETURN count(x) AS n")
        assert explain_is_read(session, "RETURN $missing AS x")


def test_allowed_procedures_are_there(neo4j_store: Store) -> None:
    shown = neo4j_store.read("SHOW PROCEDURES YIELD name, mode RETURN name, mode")
    modes = {record["name"]: record["mode"] for record in shown}
    assert {modes[name] for name in PROCEDURES - {"dbms.components"}} == {"READ"}
    assert modes["dbms.components"] == "DBMS"
