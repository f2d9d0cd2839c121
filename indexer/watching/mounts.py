"""File systems from which no events come: network mounts change without this machine's doing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from indexer.discovery.paths import within

_MOUNTS = Path("/proc/self/mounts")
_OCTAL = re.compile(rb"\\([0-3][0-7]{2})")

#: Types whose changes other machines (or the host of this one) make. What FUSE serves is taken for such, too.
NETWORK_TYPES = frozenset(
    """
    nfs nfs4 cifs smb smb2 smb3 smbfs ncpfs 9p virtiofs afs auristorfs coda ceph glusterfs lustre beegfs gpfs
    pvfs2 orangefs davfs vboxsf vmhgfs prl_fs drvfs ocfs2 gfs gfs2
    """.split()  # noqa: SIM905
)
_LOCAL_FUSE = frozenset({"fuseblk", "fuse.lxcfs", "fuse.gvfsd-fuse", "fuse.portal", "fusectl"})


@dataclass(frozen=True, slots=True)
class Mount:
    """One mounted file system."""

    point: str
    type: str

    @property
    def is_network(self) -> bool:
        """True where changes may come from elsewhere, without events."""
        return self.type in NETWORK_TYPES or (self.type.startswith("fuse") and self.type not in _LOCAL_FUSE)


def mounts(text: str | None = None) -> list[Mount]:
    """What is mounted, in order: the last one at a point is seen there. [] where it cannot be told."""
    if text is None:
        try:
            text = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return []
    found = []
    for line in text.splitlines():
        fields = line.split(" ")
        if len(fields) >= 3:
            # The kernel escapes bytes; together they are the path's own, whatever its encoding.
            raw = fields[1].encode("utf-8", "surrogateescape")
            point = _OCTAL.sub(lambda match: bytes([int(match[1], 8)]), raw)
            found.append(Mount(point.decode("utf-8", "surrogateescape"), fields[2]))
    return found


def without_events(roots: Iterable[str], known: Iterable[Mount]) -> list[str]:
    """Roots that stand on network file systems, and mount points of such below roots."""
    by_point = {mount.point: mount for mount in known}
    found: set[str] = set()
    for root in roots:
        over = max((point for point in by_point if within(root, point)), key=len, default=None)
        if over is not None and by_point[over].is_network:
            found.add(root)
            continue
        found |= {point for point, mount in by_point.items() if mount.is_network and within(point, root)}
    return sorted(found)
