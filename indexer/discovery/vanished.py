"""Which known files are gone for certain. A walk that could not look proves nothing."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable

from .paths import native
from .walk import Walk


def vanished(known: Iterable[str], seen: Collection[str], walk: Walk) -> list[str]:
    """Known files (storable real paths) in the scope of a finished walk that are no longer on disk, sorted.

    Not gone: what the walk saw; what it passed over though it is there (an ignore rule is new); what stands
    below a folder, root or link it could not look into, an empty root among them (a mount that is not there
    looks like it). Gone: also what a folder, a fifo or a link to elsewhere has taken the place of.
    """
    return sorted(path for path in known if path not in seen and walk.covers(path) and not is_there(path))


def is_there(path: str) -> bool:
    """True for a regular file, and where it cannot be told.

    Not for another file that a link in place of a folder leads to.
    """
    try:
        if not stat.S_ISREG(os.lstat(native(path)).st_mode):
            return False
        folder = os.path.dirname(native(path))
        return os.path.realpath(folder) == folder
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError):
        return True
