"""The one writer of what files say: batches of file plans, each committed with its checkpoints.

A transaction is bounded by rows and bytes. A chat is replaced or extended as a unit: the tail that changed is
deleted and written again in one transaction, unless the chat alone is beyond the bounds; then its checkpoint
is voided first and set last, so that an interruption leaves a file that the next scan reads again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, LiteralString

from neo4j import ManagedTransaction, Result

from indexer.ingest import statements as cypher
from indexer.ingest.plans import MARK, ChatPlan, FilePlan
from indexer.ingest.rows import Row, chunks, message_id
from indexer.store.errors import TransactionTooLarge
from indexer.store.store import Store

#: Bounds of one transaction.
MAX_ROWS = 12_000
MAX_BYTES = 24_000_000
_STEP = 5_000
_REMEMBERED = 1_000_000


class Writer:
    """Collects file plans and writes them in batches; a context manager, or call `flush()` at the end."""

    def __init__(self, store: Store, max_rows: int = MAX_ROWS, max_bytes: int = MAX_BYTES) -> None:
        self._store = store
        self._max_rows = max_rows
        self._max_bytes = max_bytes
        self._batch: list[FilePlan] = []
        self._rows = 0
        self._bytes = 0
        #: Texts that are surely in the graph, so that they are not sent again.
        self._stored: set[str] = set()

    def add(self, plan: FilePlan) -> None:
        """Queue one file's plan; writes when a batch is full."""
        rows, size = _weight(plan)
        if rows > self._max_rows or size > self._max_bytes or (plan.chat is not None and plan.chat.stream):
            self.flush()
            self._write_long(plan)
            return
        if self._rows + rows > self._max_rows or self._bytes + size > self._max_bytes:
            self.flush()
        self._batch.append(plan)
        self._rows += rows
        self._bytes += size

    def flush(self) -> None:
        """Write what is queued."""
        batch, self._batch, self._rows, self._bytes = self._batch, [], 0, 0
        if batch:
            self._write(batch)

    def _write(self, batch: list[FilePlan]) -> None:
        try:
            self._store.write(lambda tx: self._write_batch(tx, batch))
        except TransactionTooLarge:
            if len(batch) == 1:
                self._write_long(batch[0])
                return
            half = len(batch) // 2
            self._write(batch[:half])
            self._write(batch[half:])
            return
        for plan in batch:
            if plan.chat is not None:
                self._remember(plan.chat)

    def _remember(self, chat: ChatPlan) -> None:
        if len(self._stored) > _REMEMBERED:
            self._stored.clear()
        self._stored.update(chat.contents)

    def _write_batch(self, tx: ManagedTransaction, batch: Sequence[FilePlan]) -> None:
        paths = [plan.path for plan in batch]
        held = {row["path"]: row["digest"] for row in tx.run(cypher.FILE_DIGESTS, paths=paths)}
        # After a commit whose answer was lost, the work runs again: what is there already is left alone.
        todo = [
            plan
            for plan in batch
            if held.get(plan.path) != plan.stamp.digest or plan.expected == plan.stamp.digest
        ]
        known = [plan.path for plan in todo if plan.path in held]
        if known:
            _run(tx, cypher.DELETE_PROBLEMS, paths=known, stage="read")
        freed = Freed()
        chats = [plan.chat for plan in todo if plan.chat is not None]
        replaced: list[str] = []
        for chat in chats:
            if chat.held is not None:
                path = chat.props["id"]
                replaced += [message_id(path, index) for index in range(chat.keep, chat.held)]
            elif not chat.fresh:
                freed |= _delete_tail(tx, chat)
        for start in range(0, len(replaced), _STEP):
            ids = replaced[start : start + _STEP]
            freed |= _freed(tx, tx.run(cypher.DELETE_MESSAGES, ids=ids), set(paths))
        self._create(tx, chats)
        _run_rows(tx, cypher.WRITE_JOBS, [plan.job for plan in todo if plan.job is not None])
        self._finish(tx, todo, freed)

    def _create(self, tx: ManagedTransaction, chats: Sequence[ChatPlan]) -> None:
        _run_rows(tx, cypher.WRITE_CHATS, [_chat_row(chat) for chat in chats])
        texts = {key: row for chat in chats for key, row in chat.contents.items() if key not in self._stored}
        _run_rows(tx, cypher.WRITE_CONTENTS, list(texts.values()))
        _run_rows(
            tx,
            cypher.CREATE_MESSAGES,
            [{"id": chat.props["id"], "messages": chat.messages} for chat in chats if chat.messages],
        )
        _run_rows(tx, cypher.JOIN_MESSAGES, [row for chat in chats for row in _joins(chat)])
        _run_rows(tx, cypher.CREATE_RETURNED, [row for chat in chats for row in chat.returned])
        _run_rows(tx, cypher.CREATE_RECEIPTS, [row for chat in chats for row in chat.receipts])

    def _finish(self, tx: ManagedTransaction, plans: Sequence[FilePlan], freed: Freed) -> None:
        written = {key for plan in plans if plan.chat for key in plan.chat.contents}
        unused = freed.contents - written
        if unused:
            _run(tx, cypher.DELETE_UNUSED_CONTENTS, keys=sorted(unused))
            self._stored -= unused
        _run_rows(tx, cypher.WRITE_PROBLEMS, [row for plan in plans for row in plan.problems])
        _run_rows(tx, cypher.WRITE_FILES, [plan.file_row() for plan in plans])
        if freed.others:  # last: what has a file by now is in use
            _run(tx, cypher.DELETE_UNUSED, ids=sorted(freed.others))

    def _write_long(self, plan: FilePlan) -> None:
        """Write a chat that is too large for one transaction, in pieces, its checkpoint last.

        Raises ChangedMeanwhile where its file is no longer what was planned; then it has no checkpoint.
        """
        chat = plan.chat
        if chat is None:
            self._store.write(lambda tx: self._write_batch(tx, [plan]))
            return
        self._store.write(
            cypher.BEGIN_LONG_FILE,
            {
                "path": plan.path,
                "folder": plan.path.rpartition("/")[0],
                "marks": (plan.marks or b"")[: chat.keep * MARK],
            },
        )
        while freed := self._store.write(
            lambda tx: delete_messages_for_good(tx, chat.props["id"], chat.keep)
        ):
            self._stored -= freed.contents
        before = chat.keep
        pieces = chat.stream or partial(_pieces, chat)
        for piece in pieces(self._max_rows // 2, self._max_bytes // 2):
            self._write_piece(piece)
            self._remember(piece)
            before += len(piece.messages)
        rest = ChatPlan(props=chat.props, keep=before, fresh=False)

        def finish(tx: ManagedTransaction) -> None:
            _run(tx, cypher.DELETE_PROBLEMS, paths=[plan.path], stage="read")
            self._create(tx, [rest])
            self._finish(tx, [plan], Freed())

        write_rows(self._store, cypher.MERGE_RETURNED, chat.returned, self._max_rows)
        write_rows(self._store, cypher.MERGE_RECEIPTS, chat.receipts, self._max_rows)
        self._store.write(finish)

    def _write_piece(self, piece: ChatPlan) -> None:
        """Create a piece unless a commit whose answer was lost did so already."""
        last = piece.messages[-1]["props"]["id"]

        def work(tx: ManagedTransaction) -> None:
            if tx.run(cypher.HAS_MESSAGE_NODE, id=last).single() is None:
                self._create(tx, [piece])

        try:
            self._store.write(work)
        except TransactionTooLarge:
            half = len(piece.messages) // 2
            if not half:
                raise
            for part in _pieces(piece, half + 1, self._max_bytes):
                self._write_piece(part)

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.flush()


def write_rows(store: Store, statement: LiteralString, rows: Sequence[Row], size: int = MAX_ROWS) -> None:
    """Run a statement that may be repeated over rows, in as many transactions as it takes."""
    for some in chunks(rows, size):
        try:
            store.write(statement, {"rows": some})
        except TransactionTooLarge:
            if len(some) == 1:
                raise
            write_rows(store, statement, some, len(some) // 2)


def _weight(plan: FilePlan) -> tuple[int, int]:
    if plan.chat is None:
        return 2 + len(plan.problems), 1000 + len(plan.facts or b"")
    chat = plan.chat
    rows = 2 + len(chat.messages) + len(chat.receipts) + len(plan.problems)
    return rows, chat.size + len(plan.facts or b"")


def _chat_row(chat: ChatPlan) -> Row:
    return {"id": chat.props["id"], "props": chat.props}


def _joins(chat: ChatPlan) -> Iterator[Row]:
    if chat.keep and chat.messages:
        path = chat.props["id"]
        yield {"before": message_id(path, chat.keep - 1), "after": message_id(path, chat.keep)}


def _pieces(chat: ChatPlan, rows: int, size: int) -> Iterator[ChatPlan]:
    """A long chat in parts that join one another."""
    keep = chat.keep
    for run in _runs(chat, rows, size):
        contents = {row["content"]: chat.contents[row["content"]] for row in run}
        yield ChatPlan(props=chat.props, keep=keep, fresh=False, messages=run, contents=contents)
        keep += len(run)


def _runs(chat: ChatPlan, rows: int, size: int) -> Iterator[list[Row]]:
    run: list[Row] = []
    weight = 0
    for row in chat.messages:
        own = 400 + int(row["props"]["bytes"])
        if run and (len(run) >= rows or weight + own > size):
            yield run
            run, weight = [], 0
        run.append(row)
        weight += own
    if run:
        yield run


@dataclass(slots=True)
class Freed:
    """What may be used by nobody after messages were deleted: keys of contents; ids of requests and jobs."""

    contents: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.contents)  # every message has one

    def __ior__(self, other: Freed) -> Freed:
        self.contents |= other.contents
        self.others |= other.others
        return self


def _delete_tail(tx: ManagedTransaction, chat: ChatPlan) -> Freed:
    freed = Freed()
    while more := delete_messages(tx, chat.props["id"], chat.keep):
        freed |= more
    return freed


def delete_messages(tx: ManagedTransaction, chat: str, keep: int) -> Freed:
    """Delete up to 5,000 messages of the tail; empty when none was left."""
    return _freed(tx, tx.run(cypher.DELETE_TAIL, chat=chat, keep=keep, limit=_STEP), {chat})


def _freed(tx: ManagedTransaction, deleted: Result, written: set[str]) -> Freed:
    """What deleted messages leave; chats with copies of them, other than those written now, are unlinked."""
    found = deleted.single(strict=True)
    copying = {other for others in found["copying"] for other in others} - written
    if copying:
        _run(tx, cypher.UNLINK_FILES, chats=sorted(copying))
    return Freed(
        {key for keys in found["contents"] for key in keys}, {id for ids in found["used"] for id in ids}
    )


def delete_messages_for_good(tx: ManagedTransaction, chat: str, keep: int) -> Freed:
    """The same, and what nobody else uses: nothing is left over if this is the last that is done."""
    freed = delete_messages(tx, chat, keep)
    _run(tx, cypher.DELETE_UNUSED_CONTENTS, keys=sorted(freed.contents))
    _run(tx, cypher.DELETE_UNUSED, ids=sorted(freed.others))
    return freed


def _run(tx: ManagedTransaction, statement: LiteralString, **parameters: Any) -> None:
    tx.run(statement, parameters).consume()


def _run_rows(tx: ManagedTransaction, statement: LiteralString, rows: Sequence[Row]) -> None:
    if rows:
        tx.run(statement, rows=rows).consume()
