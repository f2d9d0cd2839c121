"""Which folders a walk enters: the rules that hold in a folder, put together from its root downwards."""

from __future__ import annotations

import os
from collections.abc import Set

from .found import Report
from .ignore import IGNORE_FILE, MARKERS, IgnoreRules, folder_reason, read_ignore_file
from .layout import FILES
from .paths import storable, within

_SPECIAL_NAMES = frozenset({*MARKERS, IGNORE_FILE})


class Gate:
    """Decides about folders by real path; roots are always entered, and the rules start anew in each."""

    def __init__(self, roots: set[str], exclude: Set[str], report: Report) -> None:
        self.roots = roots
        self._exclude = exclude
        self._report = report
        self._known_above: dict[str, IgnoreRules | None] = {}

    def above(self, folder: str) -> IgnoreRules | None:
        """Rules that the folders between its root and `folder` make for it; None when they leave it out."""
        root = max((root for root in self.roots if within(folder, root)), key=len, default=folder)
        return self._above(root, folder)

    def _above(self, root: str, folder: str) -> IgnoreRules | None:
        if folder == root:
            return IgnoreRules()
        if folder not in self._known_above:
            at, name = os.path.split(folder)
            rules = self._above(root, at)
            if rules is not None and self._marked(at, rules):
                rules = None
            if rules is not None:
                rules = self._own_rules(at, rules)
                if self.leaves_out(at, name, folder, rules, f"{FILES}/" in f"{at}/"):
                    rules = None
            self._known_above[folder] = rules
        return self._known_above[folder]

    def _marked(self, folder: str, rules: IgnoreRules) -> bool:
        if folder in self.roots or rules.verdict(folder, True) is False:
            return False
        return any(os.path.lexists(os.path.join(folder, name)) for name in MARKERS)

    def leaves_out(self, folder: str, name: str, path: str, rules: IgnoreRules, in_files: bool) -> bool:
        """True when the folder `path` = `folder/name` is not entered; the reason is noted."""
        if path in self.roots:
            return False
        said = rules.verdict(path, True) if rules else None
        if path in self._exclude:
            reason: str | None = "data of the local server"
        elif said is not None:
            reason = IGNORE_FILE if said else None
        else:
            reason = folder_reason(folder, name, in_files)
        if reason is None:
            return False
        self._note(path, reason)
        return True

    def inside(self, folder: str, entries: list[os.DirEntry[str]], rules: IgnoreRules) -> IgnoreRules | None:
        """Rules for a folder's entries, its own ignore file included; None when a marker says to leave."""
        special = [entry.name for entry in entries if entry.name in _SPECIAL_NAMES]
        if not special:
            return rules
        marker = next((MARKERS[name] for name in special if name in MARKERS), None)
        if marker and folder not in self.roots and rules.verdict(folder, True) is not False:
            self._note(folder, marker)
            return None
        return self._own_rules(folder, rules) if IGNORE_FILE in special else rules

    def _own_rules(self, folder: str, rules: IgnoreRules) -> IgnoreRules:
        path = os.path.join(folder, IGNORE_FILE)
        try:
            lines = read_ignore_file(folder)
        except OSError as error:
            self._report.problem(
                path, "unreadable_ignore_file", f"{error.strerror}; its rules are not applied"
            )
            return rules
        rules, bad = rules.below(folder, lines) if lines else (rules, [])
        if bad:
            detail = f"no pattern of .gitignore syntax: {storable(bad[0])[:100]!r}"
            self._report.problem(path, "bad_ignore_line", detail)
        return rules

    def _note(self, folder: str, reason: str) -> None:
        self._report.ignored[reason] += 1
        self._report.left_out[storable(folder)] = reason
