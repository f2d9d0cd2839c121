"""Functions as tools of an MCP server.

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

T = TypeVar("T", bound=Callable[..., Json])


class Server(MCPServer[Any]):
    """The SDK's server with errors that say what an agent can do about its arguments."""

    def __init__(self, instructions: str) -> None:
        super().__init__(
            "provenance-indexer",
            title="Provenance of agents' work",
            instructions=instructions,
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
