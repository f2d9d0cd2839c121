"""What a report says of its figures: cards, warnings, tables."""

from __future__ import annotations

from collections import Counter

from indexer.report.content import Card, Content, common_folder, number, plural, share, size
from indexer.report.figures import Figures, figures
from indexer.report.tables import tables

__all__ = ["Figures", "cards", "content", "figures", "warnings"]


def content(found: Figures) -> Content:
    """What the report says of the figures."""
    base = common_folder([*found.whole.chats, *found.whole.jobs])
    root = found.root.id
    page = Content(title=root.rsplit("/", 1)[-1], root=root, kind=found.root.kind, base=base)
    page.cards = cards(found)
    page.warnings = warnings(found)
    page.tables = list(tables(found, base))
    page.remarks = [
        "Own: reached from the root without context references. Context: reached only with them. Raw counts "
        "are occurrences as written; unique counts count every message, call and paid request once.",
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
        listed.append(f"{plural(gone, 'chat or job is', 'chats or jobs are')} not on disk")
    if found.changes.total:
        were = plural(found.changes.total, "file was", "files were")
        listed.append(f"{were} rewritten, or went away, after being indexed (below)")
    states = Counter(
        node.about for node in nodes if node.kind == "job" and node.about in ("error", "aborted", "crashed")
    )
    listed += [
        f"{plural(count, 'job')} ended with {state}" for state, count in sorted(states.items(), key=str)
    ]
    if problems.total:
        listed.append(f"{plural(problems.total, 'problem')} found while reading or linking (below)")
    return listed
