"""Turn a truth into what the program must answer (DESIGN: JSON of the answers).

All functions take a truth (recorded or generated), the key of a root (E, G, U) and the folder `out` that the
tree is under now; the paths they give are absolute. Lists of ids are sorted. What a recorded truth does not
tell is left out.
"""

from __future__ import annotations

from .expected_copies import (
    conversations,
    dedup,
    inlined,
    instructions,
    origins,
    session_instructions,
    wrong_copies,
)
from .expected_scope import context, diff, doubtful, edge_counts, members, root_path, scope, tokens, totals

__all__ = [
    "context",
    "conversations",
    "dedup",
    "diff",
    "doubtful",
    "edge_counts",
    "inlined",
    "instructions",
    "members",
    "origins",
    "root_path",
    "scope",
    "session_instructions",
    "tokens",
    "totals",
    "wrong_copies",
]
