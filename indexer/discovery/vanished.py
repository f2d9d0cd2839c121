"""Which known files are gone for certain. A walk that could not look proves nothing."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable

from .paths import native, storable
from .walk import Walk


def vanished(known: Iterable[str], seen: Collection[str], walk: Walk) -> list[str]:
    """Known files (storable real paths) in the scope of a finished walk that are no longer on disk, sorted.

    Not gone: what the walk saw; what it passed over though it is there (an ignore rule is new); what stands
    below a folder, root or link it could not look into, an empty root among them (a mount that is not there
    looks like it).
    """
    starts = {storable(path) for path in walk.starts}
    gone = []
    for path in known:
        if path not in seen and _in_scope(path, starts, walk) and not os.path.lexists(native(path)):
            gone.append(path)
    return sorted(gone)


def _in_scope(path: str, starts: set[str], walk: Walk) -> bool:
    unread = walk.report.unread
    if path in unread:
        return False
    folder = os.path.dirname(path)
    if not walk.options.recursive:
        return folder in starts and not _below(folder, unread)
    return (path in starts or _below(folder, starts)) and not _below(folder, unread)


def _below(folder: str, folders: set[str]) -> bool:
    """True when `folder` or one above it is among `folders`."""
    while True:
        if folder in folders:
            return True
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
