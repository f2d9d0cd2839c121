"""The `indexer` command: puts the commands together; each lives in a module of its own.

Modules are imported only when their command is run, so that `--help` and quick commands stay quick.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

import click

#: Command -> (module, attribute). The order is that of `--help`.
COMMANDS: dict[str, tuple[str, str]] = {
    "scan": ("indexer.commands.scan", "scan"),
    "watch": ("indexer.commands.watch", "watch"),
    "status": ("indexer.commands.status", "status"),
    "doctor": ("indexer.commands.doctor", "doctor"),
    "conversations": ("indexer.commands.conversations", "command"),
    "overview": ("indexer.commands.overview", "command"),
    "scope": ("indexer.commands.scope", "command"),
    "edges": ("indexer.commands.edges", "command"),
    "diff": ("indexer.commands.diff", "command"),
    "dedup": ("indexer.commands.dedup", "command"),
    "tokens": ("indexer.commands.tokens", "command"),
    "tool-calls": ("indexer.commands.tool_calls", "command"),
    "messages": ("indexer.commands.messages", "command"),
    "message": ("indexer.commands.message", "command"),
    "reasoning": ("indexer.commands.reasoning", "command"),
    "receipts": ("indexer.commands.receipts", "command"),
    "agents": ("indexer.commands.agents", "command"),
    "instructions": ("indexer.commands.instructions", "command"),
    "accounting": ("indexer.commands.accounting", "command"),
    "context": ("indexer.commands.context", "command"),
    "delegations": ("indexer.commands.delegations", "command"),
    "earlier": ("indexer.commands.earlier", "command"),
    "changes": ("indexer.commands.changes", "command"),
    "evidence": ("indexer.commands.evidence", "command"),
    "copies": ("indexer.commands.copies", "command"),
    "jobs": ("indexer.commands.jobs", "command"),
    "why": ("indexer.commands.why", "command"),
    "find": ("indexer.commands.find", "command"),
    "problems": ("indexer.commands.problems", "command"),
    "report": ("indexer.commands.report", "command"),
    "serve": ("indexer.commands.serve", "command"),
    "queries": ("indexer.commands.queries", "queries"),
    "query": ("indexer.commands.queries", "query"),
    "cypher": ("indexer.commands.cypher", "cypher"),
    "export": ("indexer.commands.export", "command"),
    "mcp": ("indexer.commands.mcp", "command"),
    "neo4j": ("indexer.commands.neo4j", "neo4j"),
    "schema": ("indexer.commands.schema", "schema"),
    "forget": ("indexer.commands.forget", "forget"),
    "prune": ("indexer.commands.prune", "prune"),
}


class Commands(click.Group):
    """A group whose commands are imported when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None where there is no such command."""
        place = COMMANDS.get(cmd_name)
        if place is None:
            return None
        command = getattr(import_module(place[0]), place[1])
        assert isinstance(command, click.Command)
        return command


def _version() -> str:
    try:
        return version("provenance-indexer")
    except PackageNotFoundError:
        return "unknown"


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(_version(), prog_name="indexer")
def main() -> None:
    """Index LLM agents' chats and workflow jobs into Neo4j, and ask what belongs to whom.

    ROOT is a chat or job: a path, a short reference (Workflow/task/name), or a unique part of a name.
    Exit codes: 0 done, 1 the answer is no or problems were found with --strict, 2 usage, 3 store unreachable,
    4 root not found.
    """


if __name__ == "__main__":
    main()
