"""The lock, and putting jars in place: checked, resumable, all at once; from bundles; without a network."""

from __future__ import annotations

import dataclasses
import hashlib
import re
import socket
import zipfile
from importlib.resources import files
from pathlib import Path

import pytest

from indexer.store.errors import LocalServerError
from indexer.store.local import bundle, install, maven
from indexer.store.local.jars import LOCK_NAME, Jar, Lock, is_good, locked, missing, parse


def small_lock(*names: str) -> Lock:
    jars = tuple(
        Jar("g", name, "1", "", len(name), hashlib.sha256(name.encode()).hexdigest()) for name in names
    )
    return Lock("1.0", jars, hashlib.sha256("".join(names).encode()).hexdigest())


def write_name(jar: Jar, folder: Path) -> None:
    (folder / jar.name).write_text(jar.artifact)


@pytest.fixture
def lock(monkeypatch: pytest.MonkeyPatch) -> Lock:
    """A lock of three tiny jars in place of the program's."""
    made = small_lock("one", "two", "three")
    monkeypatch.setattr(install, "locked", lambda: made)
    monkeypatch.setattr(bundle, "locked", lambda: made)
    return made


def test_the_lock_names_every_jar_exactly():
    lock = locked()
    assert len(lock.jars) > 200
    assert len({jar.name for jar in lock.jars}) == len(lock.jars)
    for jar in lock.jars:
        assert re.fullmatch(r"[0-9a-f]{64}", jar.sha256), jar
        assert re.fullmatch(r"[A-Za-z0-9._-]+", jar.version), f"{jar} has no plain version"
        assert jar.size > 0
    names = {(jar.artifact, jar.version) for jar in lock.jars}
    assert {("neo4j", lock.neo4j_version), ("neo4j-server", lock.neo4j_version)} <= names
    assert any(jar.artifact == "neo4j-browser" for jar in lock.jars)
    assert "://" not in files("indexer.store.local").joinpath(LOCK_NAME).read_text()


def test_installed_jars_are_those_of_the_lock(local_lib):
    folder = install.jar_folder(local_lib)
    assert {path.name for path in folder.iterdir()} == {jar.name for jar in locked().jars}
    assert all(is_good(folder / jar.name, jar) for jar in locked().jars)


def test_install_reports_and_publishes_at_once(lock, tmp_path):
    seen: list[tuple[int, int]] = []
    final = install.jar_folder(tmp_path, lock)

    def fetch(jar: Jar, folder: Path) -> None:
        assert not final.exists()
        write_name(jar, folder)

    assert install.install(tmp_path, lambda *bytes_: seen.append(bytes_), fetch) == final
    assert seen[0] == (0, lock.size)
    assert seen[-1] == (lock.size, lock.size)
    assert not missing(final, lock.jars)
    assert {path.name for path in tmp_path.iterdir()} == {final.name, ".install.lock"}


def test_an_install_that_was_cut_short_goes_on(lock, tmp_path):
    def cut_short(jar: Jar, folder: Path) -> None:
        if jar.artifact == "three":
            raise ConnectionError
        write_name(jar, folder)

    with pytest.raises(LocalServerError, match=r"three-1\.jar cannot be had") as caught:
        install.install(tmp_path, fetch=cut_short)
    assert "NEO4J_URI" in caught.value.remedy
    assert "install --from" in caught.value.remedy
    assert not install.jar_folder(tmp_path, lock).exists()

    fetched: list[str] = []

    def note(jar: Jar, folder: Path) -> None:
        fetched.append(jar.artifact)
        write_name(jar, folder)

    install.install(tmp_path, fetch=note)
    assert fetched == ["three"]


def test_a_file_that_is_not_the_locks_is_refused_and_not_kept(lock, tmp_path):
    def tampered(jar: Jar, folder: Path) -> None:
        (folder / jar.name).write_text(jar.artifact.upper())  # the right length

    with pytest.raises(LocalServerError, match="SHA-256"):
        install.install(tmp_path, fetch=tampered)
    assert not install.is_installed(tmp_path)
    install.install(tmp_path, fetch=write_name)
    assert install.is_installed(tmp_path)


def test_check_finds_and_mends_damage_and_strangers(lock, tmp_path):
    folder = install.install(tmp_path, fetch=write_name)
    (folder / "two-1.jar").write_text("TWO")
    (folder / "evil.jar").write_text("x")
    fetched: list[str] = []

    def note(jar: Jar, into: Path) -> None:
        fetched.append(jar.artifact)
        write_name(jar, into)

    install.install(tmp_path, fetch=note)
    assert fetched == []  # the quick look sees sizes only
    install.install(tmp_path, fetch=note, force=True)
    assert fetched == ["two"]
    assert {path.name for path in folder.iterdir()} == {jar.name for jar in lock.jars}


def test_without_a_network_there_is_one_clear_line(monkeypatch, tmp_path):
    with socket.socket() as closed:  # bound and not listening: nobody can answer there
        closed.bind(("127.0.0.1", 0))
        monkeypatch.setenv(maven.ENVIRONMENT_NAME, f"http://127.0.0.1:{closed.getsockname()[1]}/maven2")
        monkeypatch.setattr(maven, "TRIES", 1)
        with pytest.raises(LocalServerError) as caught:
            install.install(tmp_path)
    assert caught.value.exit_code == 3
    assert "\n" not in str(caught.value)
    assert "NEO4J_URI" in str(caught.value)


def test_repositories_of_this_machine(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv(maven.ENVIRONMENT_NAME, raising=False)
    monkeypatch.setenv("JGO_CONFIG_FILE", str(tmp_path / "jgo.conf"))
    assert maven.remote_repositories() is None
    (tmp_path / ".m2").mkdir()
    (tmp_path / ".m2" / "settings.xml").write_text(
        '<settings xmlns="http://maven.apache.org/SETTINGS/1.0.0"><mirrors>'
        "<mirror><id>a</id><mirrorOf>other,!central</mirrorOf><url>https://a.example/</url></mirror>"
        "<mirror><id>b</id><mirrorOf>*, !internal</mirrorOf><url>https://b.example/maven/</url></mirror>"
        "</mirrors></settings>"
    )
    assert maven.remote_repositories() == {"mirror": "https://b.example/maven"}
    (tmp_path / "jgo.conf").write_text("[repositories]\nours = https://c.example\n")
    assert maven.remote_repositories() == {"ours": "https://c.example"}
    monkeypatch.setenv(maven.ENVIRONMENT_NAME, "https://d.example/")
    assert maven.remote_repositories() == {"environment": "https://d.example"}


def test_bundle_of_other_jars_is_refused(lock, tmp_path):
    path = tmp_path / "other.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(LOCK_NAME, files("indexer.store.local").joinpath(LOCK_NAME).read_bytes())
    with pytest.raises(LocalServerError, match="another version of this program"):
        bundle.install_from(tmp_path / "lib", path)


@pytest.mark.parametrize("content", [b"", b"PK", b"hello"])
def test_no_bundle_at_all(tmp_path, content):
    path = tmp_path / "bundle.zip"
    path.write_bytes(content)
    with pytest.raises(LocalServerError, match="no bundle, or is damaged"):
        bundle.install_from(tmp_path / "lib", path)
    with pytest.raises(LocalServerError, match="cannot be read"):
        bundle.install_from(tmp_path / "lib", tmp_path / "absent.zip")


def test_a_bundle_installs_without_a_network_and_notices_damage(local_lib, monkeypatch, tmp_path):
    monkeypatch.setenv(maven.ENVIRONMENT_NAME, "http://127.0.0.1:9/nowhere")
    path = bundle.write_bundle(local_lib, tmp_path)
    assert path.name == f"neo4j-{locked().neo4j_version}-bundle.zip"
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
    bundle.install_from(tmp_path / "lib", path)
    folder = install.jar_folder(tmp_path / "lib")
    assert all(is_good(folder / jar.name, jar) for jar in locked().jars)

    with zipfile.ZipFile(path) as archive:
        offset = archive.getinfo(f"jars/{locked().jars[3].name}").header_offset
    with path.open("r+b") as file:
        file.seek(offset + 2000)
        file.write(b"tampered")
    with pytest.raises(LocalServerError, match=re.escape(locked().jars[3].name)):
        bundle.install_from(tmp_path / "again", path)
    assert not install.is_installed(tmp_path / "again")


def test_lock_files_parse_strictly():
    with pytest.raises((KeyError, TypeError, ValueError)):
        parse(b"[environment]\nneo4j_version = '1'\n[[dependencies]]\ngroupId = 'g'\n")
    jar = locked().jars[0]
    assert dataclasses.replace(jar, classifier="x").name == f"{jar.artifact}-{jar.version}-x.jar"
