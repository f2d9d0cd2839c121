"""Helpers that tests of all packages share."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

TREES = Path(__file__).parent / "trees"
PLACEHOLDER = b"@ROOT@"

#: Links inside the trees: made anew, since not every checkout keeps them.
_LINKS = {
    "provenance": {"chats/link.chat": "saved.chat"},
    "case_legacy": {"home/jobs_here": ".rbbt/var/jobs"},
    "case_modern": {"home/jobs_here": ".rbbt/var/jobs"},
}


def materialise(name: str, tmp_path: Path) -> Path:
    """Copy the tree `tests/trees/<name>` to `tmp_path/<name>` as its producer left it; gives its real path.

    `@ROOT@` becomes the folder of the copy in every file; links are links again. Files are writable.
    """
    root = Path(os.path.realpath(tmp_path)) / name
    links = _LINKS.get(name, {})
    shutil.copytree(TREES / name, root, symlinks=True, copy_function=_copy(str(root).encode()))
    for link, target in links.items():
        path = root / link
        path.unlink(missing_ok=True)
        path.symlink_to(target)
    return root


def _copy(root: bytes):  # type: ignore[no-untyped-def]
    def copy(source: str, target: str) -> str:
        data = Path(source).read_bytes()
        Path(target).write_bytes(data.replace(PLACEHOLDER, root))
        return target

    return copy


def touch(path: Path, text: str = "x") -> Path:
    """Write a small file, and the folders above it; gives the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path
