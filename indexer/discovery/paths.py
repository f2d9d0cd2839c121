"""Paths as strings: the storable spelling, its way back, and small helpers without any file system.

Everything outside this package sees *storable* paths only: a file name may hold any bytes, the graph holds
UTF-8. Bytes that are no UTF-8 are written `%XX` (upper-case hex, 80 and above). So that the way back is
exact, a `%` that would read as such an escape (or as an escaped `%`) is written `%25`; every other `%` stays
as it is, so ordinary names, `100%.chat` and `a%20b.chat` among them, keep their spelling.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable

_AMBIGUOUS = re.compile(r"%(?=25|[89A-F][0-9A-F])")
_SURROGATES = re.compile("[\ud800-\udfff]+")
_ESCAPE = re.compile(rb"%(25|[89A-F][0-9A-F])")


def _escape(match: re.Match[str]) -> str:
    try:
        raw = match[0].encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a lone surrogate that no file name gives: from JSON text, say
        raw = match[0].encode("utf-8", "surrogatepass")
    return "".join(f"%{byte:02X}" for byte in raw)


def storable(path: str) -> str:
    """Spelling of an operating system path (with surrogate escapes) that UTF-8 can hold."""
    if "%" in path:
        path = _AMBIGUOUS.sub("%25", path)
    if path.isascii():
        return path
    return _SURROGATES.sub(_escape, path)


def native(path: str) -> str:
    """The operating system's path of a storable one: `native(storable(p)) == p` for every path of a file."""
    if "%" not in path:
        return path
    raw = _ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), path.encode("utf-8", "surrogatepass"))
    return raw.decode("utf-8", "surrogateescape")


def expand(text: str, home: str) -> str:
    """`text` with a leading `~` or `~/` replaced; `~name` stays, since whose home that is cannot be told."""
    if text == "~":
        return home
    if text.startswith("~/"):
        return f"{home}/{text[2:].lstrip('/')}"
    return text


def absolute(text: str, cwd: str, home: str) -> str:
    """Absolute spelling of `text` as read in `cwd`; `..` stays, since links decide where it leads."""
    text = expand(text, home)
    return text if text.startswith("/") else f"{cwd}/{text}"


def last_components(path: str, count: int = 3) -> str:
    """The last `count` components (fewer when there are not as many): the short reference of a job's path."""
    return "/".join([part for part in path.split("/") if part][-count:])


def parent(path: str, levels: int = 1) -> str:
    """Folder `levels` up, without asking the file system."""
    for _ in range(levels):
        path = os.path.dirname(path)
    return path


def within(path: str, folder: str) -> bool:
    """True when `path` is `folder` or stands below it."""
    return path == folder or folder == "/" or path.startswith(f"{folder}/")


def outermost(folders: Iterable[str]) -> set[str]:
    """The folders that stand in no other one of them."""
    kept: set[str] = set()
    for folder in sorted(folders, key=len):
        if not below(folder, kept):
            kept.add(folder)
    return kept


def below(folder: str, folders: Collection[str]) -> bool:
    """True when `folder` or one above it is among `folders`."""
    while folder not in folders:
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
    return True


def common_components(left: str, right: str) -> int:
    """Number of leading components two absolute paths share."""
    shared = 0
    for one, other in zip(left.split("/"), right.split("/"), strict=False):
        if one != other:
            break
        shared += 1
    return shared
