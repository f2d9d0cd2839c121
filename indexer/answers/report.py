"""The short report: eight tables of at most 15 rows, for agents (MCP) and `indexer report --json`.

`indexer.report` makes the long one, with a picture, for people: Markdown or one HTML file. Both ask the same
answers and write their tables with `indexer.answers.markdown`.
"""

from __future__ import annotations

from indexer.answers.base import Answer, Row, Tokens
from indexer.answers.closure import Closure
from indexer.answers.dedup import dedup
from indexer.answers.delegation import delegations
from indexer.answers.instructions import instructions
from indexer.answers.markdown import grid, plain
from indexer.answers.pages import Paging
from indexer.answers.problems import problems
from indexer.answers.roots import Root
from indexer.answers.runner import Runner
from indexer.answers.scope import Scope, scope
from indexer.answers.tokens import token_totals
from indexer.answers.tool_calls import tool_calls

FEW = Paging(1, 15)
Cell = str | int | None


class Section(Row):
    """One table of the page, under its title; `note` says what it shows."""

    title: str
    note: str
    columns: list[str]
    rows: list[list[Cell]]


class Report(Answer):
    """A page: a title and tables of at most 15 rows."""

    root: str
    kind: str
    sections: list[Section]

    def to_markdown(self) -> str:
        """The page as Markdown."""
        parts = [f"# {plain(self.root)}"]
        for section in self.sections:
            parts.append(f"## {plain(section.title)}\n\n{plain(section.note)}")
            if section.rows:
                parts.append("\n".join(grid(section.columns, section.rows)))
        return "\n\n".join(parts) + "\n"


def report(runner: Runner, root: Root, closure: Closure) -> Report:
    """The page about a root: own work against all it reaches; cost, copies and problems of `closure`."""
    own = scope(runner, root, Closure("own", closure.follow), FEW)
    whole = scope(runner, root, Closure("all", closure.follow), FEW)
    sections = [
        _figures(own, whole),
        _context(own),
        _agents(runner, root, closure),
        _tree(runner, root, closure),
        _failures(runner, root, closure),
        _instructions(runner, root, closure),
        _inlined(runner, root, closure),
        _problems(runner, root, closure),
    ]
    return Report(root=root.id, kind=root.kind, sections=sections)


def _figures(own: Scope, whole: Scope) -> Section:
    rows: list[list[Cell]] = []
    for name in type(own.totals).model_fields:
        if name != "tokens":
            rows.append([name.replace("_", " "), getattr(own.totals, name), getattr(whole.totals, name)])
    for name in Tokens.model_fields:
        rows.append([f"tokens {name}", getattr(own.totals.tokens, name), getattr(whole.totals.tokens, name)])
    return Section(
        title="Own work and everything reached",
        note="Own leaves out what the root only inherited or shares. Unique counts leave out copies.",
        columns=["", "own", "all"],
        rows=rows,
    )


def _context(own: Scope) -> Section:
    rows: list[list[Cell]] = [[c.from_, c.to, c.relation, c.basis] for c in own.context]
    return Section(
        title="Only context",
        note=f"{own.context_total} references of own chats lead to work that is not theirs.",
        columns=["chat", "job", "relation", "rule"],
        rows=rows,
    )


def _agents(runner: Runner, root: Root, closure: Closure) -> Section:
    found = token_totals(runner, root, closure, FEW, "agent")
    rows: list[list[Cell]] = [
        [group.key or "(none)", group.requests, group.tokens.pt, group.tokens.ct, group.tokens.tt]
        for group in (found.groups.items if found.groups else [])
    ]
    return Section(
        title="Cost by agent",
        note=f"{found.conflicts} conflicts, {found.unknown} requests that say nothing of their tokens.",
        columns=["agent", "requests", "prompt", "completion", "total"],
        rows=rows,
    )


def _tree(runner: Runner, root: Root, closure: Closure) -> Section:
    found = delegations(runner, root, closure, FEW)
    rows: list[list[Cell]] = [
        ["· " * (d.depth - 1) + d.ref, d.agent, d.tool, d.status, d.tt, d.total.tt] for d in found.items
    ]
    return Section(
        title="Delegation",
        note=f"{found.total} jobs; total tokens of each alone, and of all that it led to.",
        columns=["job", "agent", "tool", "status", "alone", "rolled up"],
        rows=rows,
    )


def _failures(runner: Runner, root: Root, closure: Closure) -> Section:
    found = tool_calls(runner, root, closure, FEW, status="failure", unique=True)
    return Section(
        title="Failed tool calls",
        note=f"{found.total} calls, copies left out.",
        columns=["call", "tool", "why"],
        rows=[[call.address, call.tool, call.status_reason] for call in found.items],
    )


def _instructions(runner: Runner, root: Root, closure: Closure) -> Section:
    found = instructions(runner, root, closure, FEW)
    return Section(
        title="Instructions",
        note=f"{found.total} versions.",
        columns=["agent", "version", "chats", "first used", "begins"],
        rows=[[v.agent, v.digest[:12], len(v.chats), v.first_used, v.preview[:80]] for v in found.versions],
    )


def _inlined(runner: Runner, root: Root, closure: Closure) -> Section:
    found = dedup(runner, root, closure, FEW)
    return Section(
        title="Inlined results",
        note=f"{found.inlined_total} blocks repeat the result of another job.",
        columns=["chat", "messages", "job", "bytes"],
        rows=[[b.chat, f"{b.first_index}-{b.last_index}", b.job, b.bytes] for b in found.inlined],
    )


def _problems(runner: Runner, root: Root, closure: Closure) -> Section:
    found = problems(runner, FEW, root=root, closure=closure)
    return Section(
        title="Problems",
        note=f"{found.total} things could not be read or resolved.",
        columns=["kind", "place", "line", "what"],
        rows=[[p.kind, p.address, p.line, p.detail[:200]] for p in found.items],
    )
