"""For maintainers: `python -m indexer.store.local.resolve` writes the lock file anew for the versions below.

It resolves with jgo and without its bill-of-materials management (the `!`), which gives exactly the class
path that Maven gives for these coordinates. Run it when a new patch release of the server is out, then run
the tests.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import tomli_w

from indexer.store.local import maven
from indexer.store.local.jars import LOCK_NAME, sha256_of

NEO4J_VERSION = "5.26.30"
BROWSER_VERSION = "5.24.0"
ROOTS = (
    f"org.neo4j:neo4j:{NEO4J_VERSION}!",
    f"org.neo4j.app:neo4j-server:{NEO4J_VERSION}!",
    f"org.neo4j.client:neo4j-browser:{BROWSER_VERSION}!",
)


def main() -> None:
    """Resolve, download to a temporary repository, hash, write."""
    with tempfile.TemporaryDirectory() as folder:
        context = maven.context(Path(folder))
        roots, rest = context.resolver.resolve([context.create_dependency(root) for root in ROOTS])
        entries = []
        for dependency in sorted([*roots, *rest], key=lambda found: found.artifact.filename):
            path = Path(dependency.artifact.resolve())
            entry = {
                "groupId": dependency.groupId,
                "artifactId": dependency.artifactId,
                "version": dependency.version,
                "size": path.stat().st_size,
                "sha256": sha256_of(path),
            }
            if dependency.classifier:
                entry["classifier"] = dependency.classifier
            entries.append(entry)
    table = {"environment": {"neo4j_version": NEO4J_VERSION, "roots": list(ROOTS)}, "dependencies": entries}
    (Path(__file__).parent / LOCK_NAME).write_text(tomli_w.dumps(table), encoding="utf-8")


if __name__ == "__main__":
    main()
