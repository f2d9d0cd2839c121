"""Exit codes of all commands (DESIGN 5)."""

from enum import IntEnum


class Exit(IntEnum):
    """What a command ends with."""

    DONE = 0
    NO = 1
    """The answer is "no", or problems were found with --strict."""
    USAGE = 2
    UNREACHABLE = 3
    """The store cannot be used."""
    NOT_FOUND = 4
    """The root is not in the graph."""
