"""The MCP server: every answer as a tool that only reads and always fits."""

from __future__ import annotations

from indexer.mcp import tools_of_graph, tools_of_parts, tools_of_roots
from indexer.mcp.graph import Graph
from indexer.mcp.tools import Server, Tools

INSTRUCTIONS = """\
Questions about LLM agents' chats and workflow jobs that are indexed in a graph. Begin with `conversations`,
or with `overview` of a ROOT (a chat or job: a path, a short reference, or a unique part of a name). `scope`
with job_refs "own" tells what belongs to this conversation, and its `context` what is only inherited or
shared; `diff` compares two roots; `dedup` tells raw from unique counts. Counts come in both kinds: raw as
written, unique without copies. Answers are short by default. Where one has `next`, call the same tool again
with that page and per_page; ask for more at once with per_page and max_characters. Addresses (`path#index`)
go into `message`. Everything is read-only.
"""


def create_server(store: str | None = None, graph: Graph | None = None) -> Server:
    """The server with all tools. `store` is what `--store` takes; it is opened when first asked."""
    server = Server(INSTRUCTIONS)
    tools = Tools(server, graph or Graph(store))
    for module in (tools_of_graph, tools_of_roots, tools_of_parts):
        module.register(tools)
    return server
