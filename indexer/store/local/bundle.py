"""The offline bundle: all of the server's jars and their lock in one file, for machines that cannot download.

A zip file with the lock file and `jars/NAME`. What is taken from it is checked against this program's own
lock, so a bundle that was damaged or changed is refused however it names itself.
"""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from indexer.store.errors import LocalServerError
from indexer.store.local.install import Fetch, install
from indexer.store.local.jars import LOCK_NAME, UNREADABLE, Jar, Lock, is_good, locked, parse
from indexer.store.local.progress import Report, silent

MAKE_ANEW = "make a new one with `indexer neo4j bundle` of the same program version"


def default_name() -> str:
    """The file name of this program's bundle."""
    return f"neo4j-{locked().neo4j_version}-bundle.zip"


def write_bundle(lib: Path, bundle: Path, report: Report = silent) -> Path:
    """Write the bundle, installing first if need be, and return its path. It only appears once complete."""
    if bundle.is_dir():
        bundle /= default_name()
    folder = install(lib, report)
    part = bundle.with_name(f".{bundle.name}.{os.getpid()}.part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr(LOCK_NAME, files("indexer.store.local").joinpath(LOCK_NAME).read_bytes())
            for jar in locked().jars:
                if not is_good(folder / jar.name, jar):
                    raise LocalServerError(
                        f"the installed {jar.name} is damaged", "run `indexer neo4j install --check`"
                    )
                archive.write(folder / jar.name, _member(jar))
        part.chmod(0o600)
        os.replace(part, bundle)
    except OSError as error:
        raise LocalServerError(f"{bundle} cannot be written ({error.strerror or error})") from error
    finally:
        part.unlink(missing_ok=True)
    return bundle


def install_from(lib: Path, bundle: Path, report: Report = silent, *, force: bool = False) -> Path:
    """Install the server's jars from a bundle, without the network. Raises LocalServerError."""
    with _opened(bundle) as archive:
        held = _lock_of(archive, bundle)
        if held.digest != locked().digest:
            raise LocalServerError(
                f"{bundle} holds Neo4j {held.neo4j_version} of another version of this program", MAKE_ANEW
            )
        return install(lib, report, _fetcher(archive), force=force)


def _fetcher(archive: zipfile.ZipFile) -> Fetch:
    def fetch(jar: Jar, folder: Path) -> None:
        try:
            with archive.open(_member(jar)) as member, (folder / jar.name).open("wb") as file:
                shutil.copyfileobj(member, file, 1 << 20)
        except (zipfile.BadZipFile, EOFError) as error:
            raise OSError(str(error)) from error

    return fetch


@contextmanager
def _opened(bundle: Path) -> Iterator[zipfile.ZipFile]:
    try:
        archive = zipfile.ZipFile(bundle)
    except zipfile.BadZipFile as error:
        raise LocalServerError(f"{bundle} is no bundle, or is damaged", MAKE_ANEW) from error
    except OSError as error:
        raise LocalServerError(f"{bundle} cannot be read ({error.strerror or error})") from error
    with archive:
        yield archive


def _lock_of(archive: zipfile.ZipFile, bundle: Path) -> Lock:
    try:
        return parse(archive.read(LOCK_NAME))
    except (*UNREADABLE, zipfile.BadZipFile, OSError) as error:
        raise LocalServerError(f"{bundle} is no bundle, or is damaged", MAKE_ANEW) from error


def _member(jar: Jar) -> str:
    return f"jars/{jar.name}"
