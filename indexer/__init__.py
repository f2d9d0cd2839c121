"""Index LLM agents' chats and workflow jobs into Neo4j; answer scoping, diff and dedup questions about them.

from indexer import Index
index = Index("local:")
index.scope("chats/plan.chat", job_refs="own").totals.unique_tool_calls
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from indexer.api import Index

__all__ = ["Index"]


def __getattr__(name: str) -> Any:
    # Imported on first use: the command line needs only small parts of the package at a time.
    if name == "Index":
        from indexer.api import Index

        return Index
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
