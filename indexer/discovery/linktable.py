"""The links that earlier walks found: what a walk of a part must know of the rest.

A link gives files further names, makes a folder one of chats by its own name, or a file a chat. Whoever looks
again at some folders only would lose that where the link stands elsewhere.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from .kinds import CHAT_FOLDERS, Kind, kind_by_name, place_of
from .links import Links
from .paths import below


class LinkTable:
    """Links by their paths (storable, like their targets), brought up to date by each walk.

    chat_folders  link named `chats` or `chat` -> target: what stands there may be a chat without the suffix
    telling       link whose own name makes its target a chat or an info -> that kind
    """

    def __init__(self, pairs: Iterable[tuple[str, str]] = (), jobs_roots: tuple[str, ...] = ()) -> None:
        self.links = Links()
        self.chat_folders: dict[str, str] = {}
        self.telling: dict[str, Kind] = {}
        self._jobs_roots = jobs_roots
        self._in_folder: defaultdict[str, set[str]] = defaultdict(set)
        for link, target in pairs:
            self.add(link, target)

    def __len__(self) -> int:
        return len(self.links)

    def add(self, link: str, target: str) -> None:
        """Note a link."""
        self.discard(link)
        self.links.add(link, target)
        folder, _, name = link.rpartition("/")
        self._in_folder[folder].add(link)
        if name in CHAT_FOLDERS:
            self.chat_folders[link] = target
        kind = kind_by_name(name, place_of(folder, self._jobs_roots))
        if kind in (Kind.CHAT, Kind.INFO):
            at, _, own = target.rpartition("/")
            if kind is not kind_by_name(own, place_of(at, self._jobs_roots)):
                self.telling[link] = kind

    def discard(self, link: str) -> None:
        """Forget a link."""
        self.links.discard(link)
        self.chat_folders.pop(link, None)
        self.telling.pop(link, None)
        folder = os.path.dirname(link)
        if folder in self._in_folder:
            self._in_folder[folder].discard(link)
            if not self._in_folder[folder]:
                del self._in_folder[folder]

    def directly_in(self, folder: str) -> set[str]:
        """Links whose own folder this is."""
        return set(self._in_folder.get(folder, ()))

    def all_below(self, folders: set[str]) -> set[str]:
        """Links anywhere below the folders."""
        return {link for at, links in self._in_folder.items() if below(at, folders) for link in links}

    def update(
        self, looked_for: Iterable[str], found: Mapping[str, str]
    ) -> dict[str, tuple[str | None, str | None]]:
        """Take what a walk found in place of the links it looked for: link -> (target before, target now)."""
        changes: dict[str, tuple[str | None, str | None]] = {}
        for link in {*looked_for, *found}:
            before, now = self.links.target(link), found.get(link)
            if before == now:
                continue
            changes[link] = (before, now)
            if now is None:
                self.discard(link)
            else:
                self.add(link, now)
        return changes

    def outside(self, roots: Callable[[str], bool]) -> set[str]:
        """Targets that stand in none of the roots."""
        return {target for _, target in self.links.items() if not roots(target)}
