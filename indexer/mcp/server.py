"""The MCP server: every answer as a tool that only reads and always fits.

An error is a sentence that says what to do, never a stack trace: AnswerError and StoreError are written for
that.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import ValidationError

from indexer.answers.errors import AnswerError
from indexer.mcp.fitting import Json, dumps
from indexer.mcp.graph import Graph
from indexer.readonly import NotReadOnly
from indexer.store.errors import StoreError

INSTRUCTIONS = """\
Questions about LLM agents' chats and workflow jobs that are indexed in a graph. Begin with `conversations`,
or with `overview` of a ROOT (a chat or job: a path, a short reference, or a unique part of a name). `scope`
with job_refs "own" tells what belongs to this conversation, and its `context` what is only inherited or
shared; `diff` compares two roots; `dedup` tells raw from unique counts. Counts come in both kinds: raw as
written, unique without copies. Answers are short by default. Where one has `next`, call the same tool again
with that page and per_page; ask for more at once with per_page and max_characters. Addresses (`path#index`)
go into `message`. Everything is read-only.
"""

T = TypeVar("T", bound=Callable[..., Json])


class Server(MCPServer[Any]):
    """The SDK's server with errors that say what an agent can do about its arguments."""

    def __init__(self) -> None:
        super().__init__(
            "provenance-indexer",
            title="Provenance of agents' work",
            instructions=INSTRUCTIONS,
            version=_version(),
            log_level="WARNING",
        )
        self.takes: dict[str, list[str]] = {}
        """Names of each tool's arguments."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool. Raises ToolError, also for arguments that it does not take (the SDK ignores these)."""
        takes = self.takes.get(name)
        if takes is None:
            raise ToolError(f"there is no tool {name}; there are {', '.join(self.takes)}")
        unknown = sorted(set(arguments) - set(takes))
        if unknown:
            raise ToolError(f"{name} does not take {', '.join(unknown)}; it takes {', '.join(takes)}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(f"{name}: {_told(error.__cause__)}") from error
            raise


class Tools:
    """Registers functions that give JSON as tools of a server."""

    def __init__(self, server: Server, graph: Graph) -> None:
        self._server = server
        self.graph = graph

    def add(self, function: T) -> T:
        """Make the function a tool of its name; its docstring is what agents read."""

        @functools.wraps(function)
        def tool(*args: Any, **kwargs: Any) -> str:
            try:
                return dumps(function(*args, **kwargs))
            except (AnswerError, StoreError, NotReadOnly) as error:
                raise ToolError(str(error)) from error

        tool.__annotations__ = {**function.__annotations__, "return": "str"}
        title = function.__name__.replace("_", " ").capitalize()
        hints = ToolAnnotations(
            title=title,
            read_only_hint=True,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=False,
        )
        # One text, no structured copy of it: an agent pays for every character.
        self._server.takes[function.__name__] = list(inspect.signature(function).parameters)
        self._server.tool(title=title, annotations=hints, structured_output=False)(tool)
        return function


def create_server(store: str | None = None, graph: Graph | None = None) -> Server:
    """The server with all tools. `store` is what `--store` takes; it is opened when first asked."""
    from indexer.mcp import tools_of_graph, tools_of_parts, tools_of_roots

    server = Server()
    tools = Tools(server, graph or Graph(store))
    for module in (tools_of_graph, tools_of_roots, tools_of_parts):
        module.register(tools)
    return server


def _told(error: ValidationError) -> str:
    """What is wrong with arguments, on one line."""
    return "; ".join(
        f"{'.'.join(map(str, one['loc']))}: {one['msg'][0].lower()}{one['msg'][1:]}" for one in error.errors()
    )


def _version() -> str:
    try:
        return version("provenance-indexer")
    except PackageNotFoundError:
        return "0"
