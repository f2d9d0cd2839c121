"""Symbolic links found on a walk, and the further names they give to files.

A file is one node by its real path. A link still matters where a name decides ownership: the sidecar folder
beside a linked chat, or the `.files` of an alias job that leads to its dependency's. REPORTS case 35: a
sidecar is looked for beside the link and beside the real path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from .layout import Owner, owners

_MOST_SPELLINGS = 32  # links can nest without end; names beyond this add no owner that people meant


class Links:
    """Link path -> real path of its target, both storable; asked for the other names of a real path."""

    def __init__(self, links: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> None:
        self._by_target: dict[str, set[str]] = {}
        self._all: dict[str, str] = {}
        for link, target in links.items() if isinstance(links, Mapping) else links:
            self.add(link, target)

    def __len__(self) -> int:
        return len(self._all)

    def add(self, link: str, target: str) -> None:
        """Remember that `link` (its folder's real path and its name) leads to the real path `target`."""
        self.discard(link)
        self._all[link] = target
        self._by_target.setdefault(target, set()).add(link)

    def discard(self, link: str) -> None:
        """Forget a link that is gone."""
        target = self._all.pop(link, None)
        if target is not None:
            self._by_target[target].discard(link)
            if not self._by_target[target]:
                del self._by_target[target]

    def items(self) -> Iterable[tuple[str, str]]:
        """(link, target) of all of them."""
        return self._all.items()

    def target(self, link: str) -> str | None:
        """Where a link leads, as far as is known."""
        return self._all.get(link)

    def spellings(self, path: str) -> tuple[str, ...]:
        """The path itself, then every name that a link gives it, sorted; at most 32."""
        if not self._by_target:
            return (path,)
        seen = {path}
        queue = [path]
        while queue and len(seen) < _MOST_SPELLINGS:
            name = queue.pop()
            end = len(name)
            while end > 0:
                for link in sorted(self._by_target.get(name[:end], ())):
                    other = link + name[end:]
                    if other not in seen and not other.startswith(f"{name[:end]}/"):
                        seen.add(other)
                        queue.append(other)
                end = name.rfind("/", 0, end)
        return (path, *sorted(seen - {path}))

    def owners(self, path: str, identity: Callable[[str], str]) -> tuple[Owner, ...]:
        """Owners of a log or sidecar by all its names (`layout.owners`); `identity` makes their paths ids."""
        found: dict[str, Owner] = {}
        for spelling in self.spellings(path):
            for owner in owners(spelling):
                owner = owner._replace(path=identity(owner.path))
                found.setdefault(owner.path, owner)
        return tuple(found.values())
