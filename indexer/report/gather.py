"""Asks for everything that a report says. Every figure is one of an answer; sums and differences are of those."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from shlex import quote

from indexer.answers.closure import closure
from indexer.answers.dedup import Dedup
from indexer.answers.instructions import InstructionVersions
from indexer.answers.overview import Overview
from indexer.answers.roots import Root
from indexer.answers.scope import Scope
from indexer.answers.tokens import TokenAnswer
from indexer.api import Index
from indexer.report import pictures
from indexer.report.content import Card, Cell, Content, Table, below, common_folder, number, plural, share, size
from indexer.report.graph import Picture

#: Rows of a table at most, where the caller does not say.
ROWS = 50
#: Ids of a scope in one go.
IDS = 100_000


@dataclass(slots=True)
class Figures:
    """The answers behind a report."""

    root: Root
    own: Scope
    whole: Scope
    overview: Overview
    copies: Dedup
    own_copies: Dedup
    cost: TokenAnswer
    own_cost: TokenAnswer
    versions: InstructionVersions
    picture: Picture


def figures(index: Index, root: str, follow: Iterable[str] | None = None, rows: int = ROWS) -> Figures:
    """Ask. Raises AnswerError where the root is not in the graph or a relation does not exist."""
    found = index.resolve(root)
    kept = None if follow is None else list(follow)
    at = found.id
    return Figures(
        root=found,
        own=index.scope(at, job_refs="own", follow=kept, per_page=IDS),
        whole=index.scope(at, follow=kept, per_page=IDS),
        overview=index.overview(at, follow=kept, per_page=rows),
        copies=index.dedup(at, follow=kept, per_page=rows),
        own_copies=index.dedup(at, job_refs="own", follow=kept, per_page=1),
        cost=index.tokens(at, by="agent", follow=kept, per_page=rows),
        own_cost=index.tokens(at, by="agent", job_refs="own", follow=kept, per_page=rows),
        versions=index.instructions(at, follow=kept, per_page=rows),
        picture=pictures.provenance(index.runner, found, closure("all", kept)),
    )


def content(found: Figures) -> Content:
    """What the report says of the figures."""
    base = common_folder([*found.whole.chats, *found.whole.jobs])
    root = found.root.id
    page = Content(title=root.rsplit("/", 1)[-1], root=root, kind=found.root.kind, base=base)
    page.cards = cards(found)
    page.warnings = warnings(found)
    page.tables = list(tables(found, base))
    page.remarks = [
        "Own: reached from the root without context references. Context: reached only with them. Raw counts are "
        "occurrences as written; unique counts count every message, call and paid request once.",
    ]
    return page


def cards(found: Figures) -> list[Card]:
    """Own, context, copied, cost: the four things that a reader wants to know."""
    own, whole, copies = found.own.totals, found.whole.totals, found.copies.totals
    tokens, all_tokens = found.own_cost.totals.deduplicated_total, found.cost.totals.deduplicated_total
    copied = copies.messages - copies.unique_messages
    return [
        Card(
            "This conversation's own work",
            own.jobs,
            "job" if own.jobs == 1 else "jobs",
            (
                plural(own.chats, "chat"),
                f"{plural(own.unique_tool_calls, 'tool call')} ({number(own.tool_calls)} as written)",
                f"{plural(own.unique_messages, 'message')} ({number(own.messages)} as written)",
            ),
            "own",
        ),
        Card(
            "Only context",
            whole.jobs - own.jobs,
            "job" if whole.jobs - own.jobs == 1 else "jobs",
            (
                plural(whole.chats - own.chats, "chat"),
                plural(found.own.context_total, "reference")
                + " that this conversation only inherited or shares",
            ),
            "context",
        ),
        Card(
            "Copied",
            copied,
            "message copies",
            (
                f"{share(copied, copies.messages)} of {number(copies.messages)} messages as written",
                f"{number(copies.tool_calls)} tool-call records are {number(copies.unique_tool_calls)} calls",
                f"{plural(found.copies.inlined_total, 'inlined block')}; {size(copies.bytes)} are "
                f"{size(copies.unique_bytes)} of text",
            ),
            "copied",
        ),
        Card(
            "Cost",
            tokens.tt,
            "tokens, own",
            (
                f"{number(tokens.pt)} in, {number(tokens.ct)} out, {number(tokens.cct)} from cache",
                f"{plural(own.requests, 'paid request')}; with context {number(all_tokens.tt)} tokens",
            ),
        ),
    ]


def warnings(found: Figures) -> list[str]:
    """What a reader must know before relying on the figures."""
    totals, problems = found.overview.totals, found.overview.warnings
    said = [
        (
            found.cost.conflicts,
            "paid request has evidence that disagrees",
            "paid requests have evidence that disagrees",
        ),
        (
            found.cost.incomplete_evidence,
            "paid request has incomplete evidence",
            "paid requests have incomplete evidence",
        ),
        (
            found.cost.unknown,
            "request says nothing of its tokens and is in no total",
            "requests say nothing of their tokens and are in no total",
        ),
        (
            totals.receipt_only_events,
            "paid request is known by a receipt only",
            "paid requests are known by receipts only",
        ),
    ]
    listed = [plural(count, one, many) for count, one, many in said if count]
    nodes = [node for box in found.picture.boxes.values() for node in box.members]
    gone = sum(node.missing for node in nodes)
    if gone:
        listed.append(
            f"{plural(gone, 'chat or job is', 'chats or jobs are')} gone from disk; the graph keeps what it read"
        )
    states = Counter(
        node.about for node in nodes if node.kind == "job" and node.about in ("error", "aborted", "crashed")
    )
    listed += [
        f"{plural(count, 'job')} ended with {state}" for state, count in sorted(states.items(), key=str)
    ]
    if problems.total:
        listed.append(f"{plural(problems.total, 'problem')} found while reading or linking (below)")
    return listed


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
        _problems(found, base, root),
    )
    return (table for table in made if table.rows)


def _standings(found: Figures) -> dict[tuple[str, str], str]:
    return {node.key: node.standing for box in found.picture.boxes.values() for node in box.members}


def _jobs(found: Figures, base: str, root: str) -> Table:
    standing = _standings(found)
    rows = [
        (job.ref or below(job.path, base), standing.get(("job", job.path), ""), job.status, job.issued, job.end,
         job.time_elapsed, job.error)
        for job in found.overview.jobs.items
    ]  # fmt: skip
    columns = ("job", "standing", "status", "issued", "end", "#seconds", "error")
    return Table(
        "Jobs", columns, _own_first(rows), found.overview.jobs.total, command=f"indexer overview {root}"
    )


def _chats(found: Figures, base: str, root: str) -> Table:
    standing = _standings(found)
    rows = [
        (below(chat.path, base), standing.get(("chat", chat.path), ""), chat.kind, chat.agent, chat.messages,
         chat.originals, chat.tool_calls, chat.ended_at)
        for chat in found.overview.chats.items
    ]  # fmt: skip
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
        (f"{below(block.chat, base)}#{block.first_index}", block.last_index, block.messages, block.bytes,
         below(block.job, base), below(block.original, base))
        for block in found.copies.inlined
    ]  # fmt: skip
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


def _problems(found: Figures, base: str, root: str) -> Table:
    page = found.overview.warnings
    rows = [(item.kind, below(item.path, base), item.line, item.detail) for item in page.items]
    return Table(
        "Problems", ("kind", "file", "#line", "what"), rows, page.total, command=f"indexer problems {root}"
    )
