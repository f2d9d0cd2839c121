"""Put the server's jars in place: downloaded or from a bundle, each checked, all published at once.

Jars are gathered in a work folder beside the final one and kept there when an install is cut short, so the
next install goes on from them. Only a complete folder in which every SHA-256 was right is renamed to its
final name.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from filelock import FileLock

from indexer.store.errors import LocalServerError
from indexer.store.local.jars import Jar, Lock, is_good, locked, missing
from indexer.store.local.progress import Report, silent

DOWNLOADS_AT_ONCE = 6
REMEDY = (
    "point NEO4J_URI at a running Neo4j, or run `indexer neo4j bundle` on a machine that can download "
    "and `indexer neo4j install --from BUNDLE` here"
)
# Puts one jar into a folder under `jar.name`; may raise OSError or LookupError.
Fetch = Callable[[Jar, Path], None]


def jar_folder(lib: Path, lock: Lock | None = None) -> Path:
    """The folder under `lib` that holds the jars of this lock once installed."""
    return lib / (lock or locked()).folder_name


def is_installed(lib: Path) -> bool:
    """Whether every jar is there at its size (a quick look)."""
    return not missing(jar_folder(lib), locked().jars)


def install(lib: Path, report: Report = silent, fetch: Fetch | None = None, *, force: bool = False) -> Path:
    """Make sure that the jars are in place and return their folder.

    Without `force`, a folder that looks complete is taken as it is; with it, every jar is read and checked
    again. Two installs at once wait for each other. Raises LocalServerError.
    """
    lock = locked()
    final = jar_folder(lib, lock)
    if not force and is_installed(lib):
        return final
    try:
        lib.mkdir(parents=True, exist_ok=True, mode=0o700)
        with FileLock(lib / ".install.lock"):
            if force or not is_installed(lib):
                _gather(lock, final, report, fetch)
    except OSError as error:
        raise LocalServerError(
            f"the server cannot be installed in {lib} ({error.strerror or error})"
        ) from error
    return final


def _gather(lock: Lock, final: Path, report: Report, fetch: Fetch | None) -> None:
    work = final.with_name(f".{final.name}.part")
    work.mkdir(exist_ok=True)
    if final.is_dir():  # damaged, or to be checked again: its good jars need not be fetched
        for jar in lock.jars:
            if (final / jar.name).is_file() and not (work / jar.name).exists():
                os.replace(final / jar.name, work / jar.name)
    wanted = []
    done = 0
    for jar in lock.jars:
        if is_good(work / jar.name, jar):
            done += jar.size
        else:
            (work / jar.name).unlink(missing_ok=True)
            wanted.append(jar)
    report(done, lock.size)
    repository = work.with_name(f"{work.name}.m2")
    with ThreadPoolExecutor(DOWNLOADS_AT_ONCE) as pool:
        getter = fetch or _downloader(repository)
        futures = [pool.submit(_fetch_checked, getter, jar, work) for jar in wanted]
        try:
            for jar, future in zip(wanted, futures, strict=True):
                future.result()
                done += jar.size
                report(done, lock.size)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    for path in work.iterdir():
        if path.name not in {jar.name for jar in lock.jars}:
            path.unlink()
    shutil.rmtree(repository, ignore_errors=True)
    if final.is_dir():
        shutil.rmtree(final)
    for archive in final.parent.glob(f"{final.name}.*.jsa*"):  # a class archive holds for its very files only
        archive.unlink(missing_ok=True)
    os.replace(work, final)


def _fetch_checked(fetch: Fetch, jar: Jar, folder: Path) -> None:
    try:
        fetch(jar, folder)
    except (OSError, LookupError) as error:
        raise LocalServerError(f"{jar.name} cannot be had ({type(error).__name__})", REMEDY) from error
    if not is_good(folder / jar.name, jar):
        (folder / jar.name).unlink(missing_ok=True)
        raise LocalServerError(f"{jar.name} is not the file the lock names (its SHA-256 differs)", REMEDY)


def _downloader(repository: Path) -> Fetch:
    from indexer.store.local import maven  # jgo and its HTTP library take time to import

    context = maven.context(repository)

    def fetch(jar: Jar, folder: Path) -> None:
        os.replace(maven.download(context, jar), folder / jar.name)

    return fetch
