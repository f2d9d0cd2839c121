"""Write one case and give its truth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .books import Books
from .jobs import info_text
from .settings import Settings
from .stories import earlier, later
from .truth import truth_of
from .unrelated import backup, bulk, third


def generate(
    out: Path | str, settings: Settings | None = None, *, write_truth: bool = False
) -> dict[str, Any]:
    """Write the tree under `out`/home and give the truth; with `write_truth` also write `out`/truth.json.

    `out` must be new or empty: nothing there is removed.
    """
    settings = settings or Settings()
    folder = Path(out).resolve()
    books = Books(str(folder), settings)
    imported, history, replayed = earlier(books)
    talk = later(books, imported, history)
    third(books, replayed)
    if settings.backup != "none":
        backup(books, talk)
    for number in range(settings.bulk):
        bulk(books, number)
    if not settings.earlier_root:
        books.gone.add(imported.root.path)
    _write(books, folder)
    truth = truth_of(books)
    if write_truth:
        (folder / "truth.json").write_text(json.dumps(truth, ensure_ascii=False, indent=1), encoding="utf-8")
    return truth


def _write(books: Books, folder: Path) -> None:
    """Write chats, infos, further files and links."""
    texts: dict[str, str] = {}
    for path, chat in books.chats.items():
        if path not in books.gone:
            texts[path] = chat.text()
    for job in books.jobs.values():
        if job.status == "missing":
            continue
        times = books.settings.info_times
        texts[f"{job.path}.info"] = info_text(job, books.names.workflow, books.names.host, times)
        texts |= job.files
    for path, text in texts.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())
    for path, to in books.links.items():
        (folder / path).symlink_to(to, target_is_directory=True)
