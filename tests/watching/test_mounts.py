"""Network file systems are found by what is mounted."""

from indexer.watching.mounts import mounts, without_events

TEXT = """\
/dev/vda / ext4 rw 0 0
proc /proc proc rw 0 0
server:/x /net nfs4 rw,vers=4.2 0 0
//host/share /mnt/with\\040space cifs rw 0 0
user@host:/ /home/me/remote fuse.sshfs rw 0 0
gvfsd-fuse /run/user/0/gvfs fuse.gvfsd-fuse rw 0 0
tmpfs /net/local tmpfs rw 0 0
/dev/sdb /mnt/caf\\303\\251 ext4 rw 0 0
"""


def test_roots_on_network_mounts_and_mounts_below_roots() -> None:
    known = mounts(TEXT)
    assert without_events(["/net/data"], known) == ["/net/data"]
    assert without_events(["/net/local/data"], known) == []
    assert without_events(["/home/me"], known) == ["/home/me/remote"]
    assert without_events(["/home/me/remote/x"], known) == ["/home/me/remote/x"]
    assert without_events(["/mnt/with space"], known) == ["/mnt/with space"]
    assert without_events(["/home/you", "/mnt", "/run"], known) == ["/mnt/with space"]
    assert without_events(["/"], known) == ["/home/me/remote", "/mnt/with space", "/net"]


def test_the_last_mount_at_a_point_counts() -> None:
    assert without_events(["/a"], mounts("x / ext4 rw 0 0\ns:/ /a nfs rw 0 0\ny /a ext4 rw 0 0\n")) == []


def test_names_are_as_the_system_spells_them() -> None:
    assert "/mnt/café" in {mount.point for mount in mounts(TEXT)}


def test_this_machine_has_a_root() -> None:
    assert any(mount.point == "/" for mount in mounts())
