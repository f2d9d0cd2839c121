"""Where jars come from: the Maven repositories this machine is set up for.

In this order: INDEXER_MAVEN_REPOSITORY (one URL); the repositories of jgo's own settings file; a mirror of
the central repository in Maven's `settings.xml`; the central repository. Proxies, certificate bundles and
`.netrc` are found in the usual environment variables and files by the HTTP library.
"""

from __future__ import annotations

import logging
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from indexer.store.local.jars import Jar
    from jgo.maven import MavenContext

ENVIRONMENT_NAME = "INDEXER_MAVEN_REPOSITORY"
TIMEOUT_SECONDS = 30
TRIES = 3


def context(repository: Path) -> MavenContext:
    """A jgo context that downloads into `repository` (a folder of our own, never the user's Maven cache)."""
    from jgo.maven import MavenContext, PythonResolver

    logging.getLogger("jgo").addHandler(logging.NullHandler())
    return MavenContext(
        resolver=PythonResolver(),
        repo_cache=repository,
        remote_repos=remote_repositories(),
        timeout=TIMEOUT_SECONDS,
    )


def remote_repositories() -> dict[str, str] | None:
    """Name to URL of the repositories to ask; None for jgo's default, the central repository."""
    from jgo.config import GlobalSettings

    if url := os.environ.get(ENVIRONMENT_NAME):
        return {"environment": url.rstrip("/")}
    if configured := GlobalSettings.load().repositories:
        return {name: url.rstrip("/") for name, url in configured.items()}
    if url := central_mirror(Path.home() / ".m2" / "settings.xml"):
        return {"mirror": url.rstrip("/")}
    return None


def central_mirror(settings: Path) -> str | None:
    """The URL of the first mirror of the central repository in Maven's user settings, if there is one."""
    try:
        root = ElementTree.parse(settings).getroot()
    except (OSError, ElementTree.ParseError):
        return None
    for mirror in root.iterfind(".//{*}mirrors/{*}mirror"):
        of = {part.strip() for part in (mirror.findtext("{*}mirrorOf") or "").split(",")}
        url = (mirror.findtext("{*}url") or "").strip()
        if url and "!central" not in of and of & {"*", "central", "external:*"}:
            return url
    return None


def download(maven: MavenContext, jar: Jar) -> Path:
    """Fetch one jar, with a few tries. Raises OSError (as all of `requests`' errors are) or RuntimeError."""
    artifact = maven.project(jar.group, jar.artifact).at_version(jar.version).artifact(jar.classifier, "jar")
    for attempt in range(1, TRIES + 1):
        # A download that was cut short lies there under its final name, and jgo would take it for done.
        if artifact.cached_path is not None:
            artifact.cached_path.unlink(missing_ok=True)
        try:
            return Path(artifact.resolve())
        except OSError:
            if attempt == TRIES:
                raise
            time.sleep(attempt)
    raise AssertionError("unreachable")
