"""Where jars come from: the Maven repositories this machine is set up for, asked through jgo.

In this order: INDEXER_MAVEN_REPOSITORY (one URL); the repositories of jgo's own settings file; a mirror of
the central repository in Maven's `settings.xml`; the central repository. Proxies, certificate bundles and
`.netrc` are found in the usual environment variables and files by the HTTP library.
"""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from xml.etree import ElementTree

import requests
from jgo.config import GlobalSettings
from jgo.maven import Artifact, MavenContext, PythonResolver

from indexer.store.local.jars import Jar

ENVIRONMENT_NAME = "INDEXER_MAVEN_REPOSITORY"
CONNECT_SECONDS = 10
READ_SECONDS = 60
TRIES = 3
CHUNK_BYTES = 1 << 16


class KeepAliveResolver(PythonResolver):
    """jgo's resolver with one connection per thread, and no half a file under a final name.

    jgo opens a connection for each jar and one more for its checksum, which makes ten times the work of the
    whole download; our lock has a better checksum.
    """

    def __init__(self) -> None:
        super().__init__()
        self._threads = threading.local()

    def download(self, artifact: Artifact) -> Path:
        """Fetch one file from the first repository that has it. Raises OSError; LookupError if none has."""
        if not hasattr(self._threads, "session"):
            self._threads.session = requests.Session()
        for repository in artifact.context.remote_repos.values():
            url = f"{repository}/{artifact.component.path_prefix.as_posix()}/{artifact.filename}"
            timeout = (CONNECT_SECONDS, READ_SECONDS)
            with self._threads.session.get(url, stream=True, timeout=timeout) as response:
                if response.status_code == requests.codes.not_found:
                    continue
                response.raise_for_status()
                target = artifact.context.repo_cache / artifact.component.path_prefix / artifact.filename
                target.parent.mkdir(parents=True, exist_ok=True)
                part = target.with_name(f"{target.name}.part")
                with part.open("wb") as file:
                    for chunk in response.iter_content(CHUNK_BYTES):
                        file.write(chunk)
                part.replace(target)
                return target
        raise LookupError(artifact.filename)


def context(repository: Path) -> MavenContext:
    """A jgo context that downloads into `repository` (a folder of our own, never the user's Maven cache)."""
    return MavenContext(
        resolver=KeepAliveResolver(), repo_cache=repository, remote_repos=remote_repositories()
    )


def remote_repositories() -> dict[str, str] | None:
    """Name to URL of the repositories to ask; None for jgo's default, the central repository."""
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
    """Fetch one jar, with a few tries. Raises OSError (as all of `requests`' errors are) or LookupError."""
    artifact = maven.project(jar.group, jar.artifact).at_version(jar.version).artifact(jar.classifier, "jar")
    for attempt in range(1, TRIES + 1):
        try:
            return Path(artifact.resolve())
        except OSError:
            if attempt == TRIES:
                raise
            time.sleep(attempt)
    raise AssertionError("unreachable")
