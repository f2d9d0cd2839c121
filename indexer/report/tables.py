"""The tables of a report: what stands behind its figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from shlex import quote

from indexer.report.content import Cell, Table, below
from indexer.report.figures import ROWS, Figures


def tables(found: Figures, base: str) -> Iterable[Table]:
    """The tables, those without rows left out."""
    root = quote(found.root.id)
    made = (
        _jobs(found, base, root),
        _chats(found, base, root),
        _agents(found, root),
        _inlined(found, base, root),
        _context(found, base, root),
        _versions(found, base, root),
        _changes(found, base, root),
        _problems(found, base, root),
    )
    return (table for table in made if table.rows)


def _standings(found: Figures) -> dict[tuple[str, str], str]:
    return {node.key: node.standing for box in found.picture.boxes.values() for node in box.members}


def _jobs(found: Figures, base: str, root: str) -> Table:
    standing = _standings(found)
    rows = [
        (
            job.ref or below(job.path, base),
            standing.get(("job", job.path), ""),
            job.status,
            job.issued,
            job.end,
            job.time_elapsed,
            job.error,
        )
        for job in found.overview.jobs.items
    ]
    columns = ("job", "standing", "status", "issued", "end", "#seconds", "error")
    return Table(
        "Jobs", columns, _own_first(rows), found.overview.jobs.total, command=f"indexer overview {root}"
    )


def _chats(found: Figures, base: str, root: str) -> Table:
    standing = _standings(found)
    rows = [
        (
            below(chat.path, base),
            standing.get(("chat", chat.path), ""),
            chat.kind,
            chat.agent,
            chat.messages,
            chat.originals,
            chat.tool_calls,
            chat.ended_at,
        )
        for chat in found.overview.chats.items
    ]
    columns = ("chat", "standing", "kind", "agent", "#messages", "#originals", "#tool calls", "last")
    return Table(
        "Chats", columns, _own_first(rows), found.overview.chats.total, command=f"indexer overview {root}"
    )


def _own_first(rows: Sequence[Sequence[Cell]]) -> list[Sequence[Cell]]:
    return sorted(rows, key=lambda row: row[1] == "context")


def _agents(found: Figures, root: str) -> Table:
    groups, own = found.cost.groups, found.own_cost.groups
    if groups is None or own is None:
        raise ValueError("tokens were not asked for by agent")
    paid = {group.key: group for group in own.items}
    rows = [
        (
            group.key or "(no agent named)",
            paid[group.key].requests if group.key in paid else 0,
            paid[group.key].tokens.tt if group.key in paid else 0,
            group.requests,
            group.tokens.tt,
        )
        for group in groups.items
    ]
    columns = ("agent", "#requests, own", "#tokens, own", "#requests, with context", "#tokens, with context")
    return Table("Who spent what", columns, rows, groups.total, command=f"indexer tokens {root} --by agent")


def _inlined(found: Figures, base: str, root: str) -> Table:
    rows = [
        (
            f"{below(block.chat, base)}#{block.first_index}",
            block.last_index,
            block.messages,
            block.bytes,
            below(block.job, base),
            below(block.original, base),
        )
        for block in found.copies.inlined
    ]
    columns = ("stands at", "#to", "#messages", "#bytes", "result of", "first stood in")
    note = "Results of other jobs whose whole text stands in a chat."
    return Table("Inlined blocks", columns, rows, found.copies.inlined_total, note, f"indexer dedup {root}")


def _context(found: Figures, base: str, root: str) -> Table:
    counted = Counter((ref.to, ref.relation, ref.basis, ref.target_in_scope) for ref in found.own.context)
    ordered = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    rows = [
        (below(job, base), relation, basis, count, "yes" if inside else "no")
        for (job, relation, basis, inside), count in ordered[:ROWS]
    ]
    columns = ("job", "relation", "rule", "#references", "own another way")
    note = "References of own chats that are not own work, and the rule that says so."
    return Table(
        "Context references", columns, rows, len(ordered), note, f"indexer scope {root} --job-refs own"
    )


def _versions(found: Figures, base: str, root: str) -> Table:
    rows = [
        (
            version.agent,
            version.digest[:12],
            len(version.chats),
            version.first_used,
            version.last_used,
            version.preview,
        )
        for version in found.versions.versions
    ]
    columns = ("agent", "version", "#chats", "first used", "last used", "begins")
    return Table("Instructions", columns, rows, found.versions.total, command=f"indexer instructions {root}")


def _changes(found: Figures, base: str, root: str) -> Table:
    rows = [(below(item.path, base), item.kind, item.change, item.at) for item in found.changes.items]
    note = "A rewritten chat says something else now than when it was first indexed; figures are of what it says now."
    return Table(
        *("Changed after it was indexed", ("file", "kind", "change", "seen"), rows, found.changes.total),
        *(note, f"indexer changes {root}"),
    )


def _problems(found: Figures, base: str, root: str) -> Table:
    page = found.overview.warnings
    rows = [(item.kind, below(item.path, base), item.line, item.detail) for item in page.items]
    return Table(
        "Problems", ("kind", "file", "#line", "what"), rows, page.total, command=f"indexer problems {root}"
    )
