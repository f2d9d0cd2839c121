"""Addresses of pages: every id and message address leads to the page that shows it."""

from __future__ import annotations

import re
from urllib.parse import urlencode

#: Messages of one page of a transcript.
TURNS = 50
_INDEX = re.compile(r"#(\d+)(?:/\S*)?$")


def page(path: str, /, **params: object) -> str:
    """A page with its parameters; None is left out, a list is repeated."""
    pairs: list[tuple[str, str]] = []
    for name, value in params.items():
        values = value if isinstance(value, list | tuple) else [value]
        pairs += [(name, str(one)) for one in values if one is not None]
    return f"{path}?{urlencode(pairs)}" if pairs else path


def last(path: str) -> str:
    """The last part of a path."""
    return path.rstrip("/").rsplit("/", 1)[-1] or path


def place(address: str) -> str:
    """A message or receipt address without the folder: `plan.chat#12`, `plan.chat#12/meta/0`."""
    chat, sign, index = address.rpartition("#")
    return f"{last(chat)}#{index}" if sign else last(address)


def split_address(address: str) -> tuple[str, int] | None:
    """Chat and index of a message address, or of a receipt's; None where it is none."""
    found = _INDEX.search(address)
    return (address[: found.start()], int(found[1])) if found else None


def message(address: str) -> str:
    """The place of a message, or of a receipt entry, in its transcript."""
    found = split_address(address)
    if found is None:
        return page("/chat", id=address)
    chat, index = found
    number = index // TURNS + 1
    return page("/chat", id=chat, page=number if number > 1 else None) + f"#m{index}"


def node(kind: str, id: str, root: str | None = None) -> str:
    """The page of a chat or a job: what stands around it."""
    return page("/node", kind=kind, id=id, root=root)


def provenance(root: str, **params: object) -> str:
    """The provenance of a root."""
    return page("/root", id=root, **params)


def rows(name: str, /, root: str | None = None, **params: object) -> str:
    """The rows behind a figure."""
    return page(f"/rows/{name}", root=root, **params)
