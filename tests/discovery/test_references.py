"""References to jobs: vectors/reference_resolution.json, better where it records known failures."""

import itertools
import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.discovery.environment import Environment, FileSystem, Index
from indexer.discovery.references import Resolver, resolve_job
from indexer.discovery.walk import walk
from tests.support import materialise, touch

VECTOR = json.loads((Path(__file__).parents[1] / "vectors/reference_resolution.json").read_text())
MD5 = "62e5246c018655544ff99d24db5e4152"


@pytest.fixture
def base(tmp_path: Path) -> Path:
    root = Path(os.path.realpath(tmp_path))
    for name in VECTOR["layout"]:
        touch(Path(name.replace("{BASE}", str(root))))
    return root


@pytest.fixture
def env(base: Path) -> Environment:
    return Environment(f"{base}/cwd", f"{base}/home")


#: Right answers where the reference's are known defects (FORMAT.md 3.3) or name a file that is not there.
BETTER = {
    # case 25: found only in ~/.scout/var/jobs
    "Wscout/t/A.chat": ("home/.scout/var/jobs/Wscout/t/A.chat", True),
    "var/jobs/Wscout/t/A.chat": ("home/.scout/var/jobs/Wscout/t/A.chat", True),
    "/old/machine/home/.scout/var/jobs/Wscout/t/A.chat": ("home/.scout/var/jobs/Wscout/t/A.chat", True),
    # `~` is expanded
    "~/.scout/var/jobs/Wscout/t/A.chat": ("home/.scout/var/jobs/Wscout/t/A.chat", True),
    # relocated to where the last three components are
    "/old/machine/.rbbt/var/jobs/Wrbbt/t/A.chat": ("home/.rbbt/var/jobs/Wrbbt/t/A.chat", True),
    # nowhere: the id is below the primary jobs root
    "Winfo/t/A.chat": ("cwd/var/jobs/Winfo/t/A.chat", False),
    "Whome/t/A.chat": ("cwd/var/jobs/Whome/t/A.chat", False),
    "Wnone/t/A.chat": ("cwd/var/jobs/Wnone/t/A.chat", False),
    # case 24: fewer than three components
    "A.chat": ("cwd/var/jobs/A.chat", False),
    "t/A.chat": ("cwd/var/jobs/t/A.chat", False),
}


@pytest.mark.parametrize("case", VECTOR["cases"], ids=lambda case: case["reference"])
def test_recorded_references(case: dict[str, object], base: Path, env: Environment) -> None:
    reference = str(case["reference"])
    wanted = (str(case["node_path"]).replace("{BASE}/", ""), bool(case["resolved"]))
    wanted = BETTER.get(reference, wanted)
    found = resolve_job(reference.replace("{BASE}", str(base)), None, env)
    assert (found.path, not found.missing) == (f"{base}/{wanted[0]}", wanted[1])


def test_the_better_answers_only_replace_failures() -> None:
    """A recorded success stands, but `Winfo`: the recording found an info that the layout does not list."""
    recorded = {case["reference"] for case in VECTOR["cases"] if case["resolved"]}
    assert recorded & BETTER.keys() == {"Winfo/t/A.chat"}


def test_an_info_alone_is_enough(base: Path, env: Environment) -> None:
    touch(base / "home/.rbbt/var/jobs/Winfo/t/A.chat.info", "{}")
    found = resolve_job("Winfo/t/A.chat", None, env)
    assert (found.path, found.how, found.missing) == (
        f"{base}/home/.rbbt/var/jobs/Winfo/t/A.chat",
        "root",
        False,
    )


@pytest.mark.parametrize(
    "reference",
    [
        "Wscout/t/A.chat",
        "Wscout/t/A.chat/",
        " Wscout/t/A.chat ",
        "Wscout//t/./A.chat",
        "Wscout/x/../t/A.chat",
        "Wscout/t/A.chat.info",
        "Wscout/t/A.chat.files",
        "~/.scout/var/jobs/Wscout/t/A.chat",
        "~/.scout/var/jobs/Wscout/t/A.chat.info",
        "../home/.scout/var/jobs/Wscout/t/A.chat",
        "/gone/var/jobs/Wscout/t/A.chat",
        "/gone/Wscout/t/A.chat",
        "/gone/var/jobs/Wscout/t/A.chat.files/",
    ],
)
def test_every_spelling_of_one_job_is_one_id(reference: str, base: Path, env: Environment) -> None:
    found = resolve_job(reference, None, env)
    assert (found.path, found.missing) == (f"{base}/home/.scout/var/jobs/Wscout/t/A.chat", False)


def test_case_26_short_and_absolute_reference_from_another_working_directory(tmp_path: Path) -> None:
    root = materialise("case_legacy", tmp_path)  # any tree will do; its jobs are below home/.rbbt
    jobs = root / "home/.rbbt/var/jobs"
    job = sorted(jobs.glob("*/*/*.chat"))[0]
    short = str(job.relative_to(jobs))
    env = Environment(f"{root}/home/git", "/nowhere")
    referring = f"{job}.files/log/agent.chat"
    assert resolve_job(short, referring, env).path == str(job)
    assert resolve_job(str(job), None, env).path == str(job)
    # a link to the jobs root, another machine's home, and a chat beside the root all lead there too
    assert resolve_job(f"{root}/home/jobs_here/{short}", None, env).path == str(job)
    assert resolve_job(f"/home/jnovak/.rbbt/var/jobs/{short}", referring, env).path == str(job)
    assert resolve_job(short, f"{root}/home/chats/naming.chat", env).path == str(job)
    # and with nothing to go by, what is indexed
    bare = Environment("/nowhere", "/nowhere", index=Index(jobs=[str(job)]))
    assert resolve_job(short, "/elsewhere/a.chat", bare).path == str(job)


def test_order_of_the_jobs_roots(base: Path) -> None:
    """Given roots, the referring file's, cwd, ~/.scout, ~/.rbbt, above the referring file, indexed."""
    short = "W/t/N.chat"
    places = [
        "given/W/t/N.chat",
        "proj/var/jobs/W/t/N.chat",
        "cwd/var/jobs/W/t/N.chat",
        "home/.scout/var/jobs/W/t/N.chat",
        "home/.rbbt/var/jobs/W/t/N.chat",
        "far/W/t/N.chat",
    ]
    for place in places:
        touch(base / place)
    index = Index(jobs=[f"{base}/far/{short}"])
    for place in places:
        env = Environment(f"{base}/cwd", f"{base}/home", (f"{base}/given",), index=index)
        referring = f"{base}/proj/var/jobs/X/y/Z.chat.files/log/agent.chat"
        assert resolve_job(short, referring, env).path == f"{base}/{place}"
        (base / place).unlink()
    # `far` is gone from disk and still known
    found = resolve_job(short, None, env)
    assert (found.path, found.how, found.missing) == (f"{base}/far/{short}", "indexed", False)


def test_a_literal_path_comes_before_every_root(base: Path, env: Environment) -> None:
    touch(base / "cwd/var/jobs/Wplain/t/A.chat")
    assert resolve_job("Wplain/t/A.chat", None, env).path == f"{base}/cwd/Wplain/t/A.chat"


def test_a_folder_is_no_job_unless_it_has_an_info(base: Path, env: Environment) -> None:
    (base / "cwd/var/jobs/W/t/N").mkdir(parents=True)
    assert resolve_job("W/t/N", None, env).missing
    touch(base / "cwd/var/jobs/W/t/N.info", "{}")
    assert not resolve_job("W/t/N", None, Environment(env.cwd, env.home)).missing


def test_missing_id_does_not_depend_on_who_asks(base: Path, env: Environment) -> None:
    asked = [
        ("Wnone/t/A.chat", None),
        ("Wnone/t/A.chat", f"{base}/home/.scout/var/jobs/Wscout/t/A.chat"),
        ("Wnone/t/A.chat", f"{base}/home/chats/x.chat"),
        ("/old/machine/var/jobs/Wnone/t/A.chat", None),
        ("var/jobs/Wnone/t/A.chat", f"{base}/cwd/a.chat"),
        ("../../Wnone/t/A.chat", f"{base}/cwd/a.chat"),
    ]
    answers = {resolve_job(reference, referring, env) for reference, referring in asked}
    assert {(a.path, a.how, a.missing) for a in answers} == {
        (f"{base}/cwd/var/jobs/Wnone/t/A.chat", "guess", True)
    }


def test_the_primary_root_is_the_first_that_exists(tmp_path: Path) -> None:
    root = os.path.realpath(tmp_path)
    env = Environment(f"{root}/cwd", f"{root}/home", (f"{root}/given",))
    for expected in ("cwd/var/jobs", "home/.rbbt/var/jobs", "home/.scout/var/jobs", "cwd/var/jobs", "given"):
        if expected != "cwd/var/jobs" or Path(root, "home").exists():
            Path(root, expected).mkdir(parents=True)
        env.files = FileSystem()
        assert resolve_job("W/t/N", None, env).path == f"{root}/{expected}/W/t/N"


def test_a_literal_path_below_an_existing_jobs_root_keeps_its_place(base: Path, env: Environment) -> None:
    gone = f"{base}/home/.scout/var/jobs/Wgone/t/N.chat"
    found = resolve_job(gone, None, env)
    assert (found.path, found.how, found.missing) == (gone, "literal", True)
    # a short reference to the same job joins it once it is known
    env.index.add_named(gone)
    found = resolve_job("Wgone/t/N.chat", None, env)
    assert (found.path, found.how, found.missing) == (gone, "indexed", True)


def test_a_namesake_elsewhere_is_the_same_job_only_by_its_digest(base: Path, env: Environment) -> None:
    other = "/other/project/var/jobs/W/t"
    env.index.add_job(f"{other}/Default")
    env.index.add_job(f"{other}/Default_{MD5}")
    here = f"{base}/home/.scout/var/jobs/W/t"
    assert resolve_job(f"{here}/Default", None, env).path == f"{here}/Default"
    assert resolve_job(f"{here}/Default_{MD5}", None, env).path == f"{other}/Default_{MD5}"
    # from a machine whose folders are not here, the namesake is all there is
    assert resolve_job("/gone/var/jobs/W/t/Default", None, env).path == f"{other}/Default"


def test_several_indexed_jobs_the_nearest_wins_and_it_is_told(env: Environment) -> None:
    for home in ("/b/one", "/a/two", "/a/three"):
        env.index.add_job(f"{home}/var/jobs/W/t/N")
    near = resolve_job("W/t/N", "/a/two/chats/x.chat", env)
    assert near.path == "/a/two/var/jobs/W/t/N"
    assert near.ambiguous
    assert near.candidates == tuple(f"{home}/var/jobs/W/t/N" for home in ("/a/three", "/a/two", "/b/one"))
    assert resolve_job("W/t/N", None, env).path == "/a/three/var/jobs/W/t/N"  # the smallest
    assert not resolve_job("Wscout/t/A.chat", None, env).ambiguous


def test_a_job_with_evidence_is_preferred_to_one_that_is_only_named(env: Environment) -> None:
    env.index.add_named("/a/var/jobs/W/t/N")
    assert resolve_job("W/t/N", None, env).missing
    env.index.add_job("/z/var/jobs/W/t/N")
    found = resolve_job("W/t/N", None, env)
    assert (found.path, found.missing, found.ambiguous) == ("/z/var/jobs/W/t/N", False, False)


def test_an_alias_that_is_a_link_is_a_step_of_its_own(base: Path, env: Environment) -> None:
    """FORMAT.md 3.2: `X` is a hard link (or symlink) to the dependency's result; both give the same graph."""
    jobs = base / "cwd/var/jobs/W"
    touch(jobs / "hello/Default")
    (jobs / "hola").mkdir()
    (jobs / "hola/Default").symlink_to("../hello/Default")
    assert resolve_job("W/hola/Default", None, env).path == f"{jobs}/hello/Default"
    touch(jobs / "hola/Default.info", "{}")
    env = Environment(env.cwd, env.home)
    assert resolve_job("W/hola/Default", None, env).path == f"{jobs}/hola/Default"


def test_a_jobs_root_that_no_name_marks(base: Path, env: Environment) -> None:
    """An info refers to its sibling: its own root is tried, three folders above it."""
    for name in ("W/t/N", "W/t/N.info", "W/u/M", "W/u/M.info"):
        touch(base / "bulk" / name, "{}")
    for referring in ("W/t/N.info", "W/t/N", "W/t/N.files/agent.chat"):
        found = resolve_job("/old/var/jobs/W/u/M", f"{base}/bulk/{referring}", env)
        assert (found.path, found.how) == (f"{base}/bulk/W/u/M", "root")


@pytest.mark.parametrize("text", ["", '{"status": "done", "depend', "[1]", "\x04\x08"])
def test_cases_28_29_an_info_that_cannot_be_read_is_still_a_job(
    text: str, base: Path, env: Environment
) -> None:
    path = touch(base / "cwd/var/jobs/Bad/ask/Default_b.info", text)
    assert not resolve_job("Bad/ask/Default_b", None, env).missing
    assert {str(file.kind) for file in walk([str(path)])} == {"info"}


def test_case_33_dependencies_that_are_missing_or_without_info(base: Path, env: Environment) -> None:
    root = base / "cwd/var/jobs/Dep/load"
    touch(root / "Default_noinfo")
    touch(root / "Default_2.info", "{}")
    assert not resolve_job(f"{root}/Default_noinfo", None, env).missing
    assert not resolve_job(f"{root}/Default_2", None, env).missing
    gone = resolve_job(f"{root}/Default_missing", None, env)
    assert (gone.path, gone.missing) == (f"{root}/Default_missing", True)


@pytest.mark.parametrize("reference", ["", " ", "/", "~", "~/", ".", "..", "./", "../..", "///"])
def test_references_that_name_nothing(reference: str, env: Environment) -> None:
    found = resolve_job(reference, None, env)
    assert (found.path, found.how, found.missing) == ("", "empty", True)


@pytest.mark.parametrize(
    "reference", ["a\0b", "x" * 5000, "/" + "y/" * 3000, "\ud800/\udcff/N", "*/?/[", "a\nb/c/d"]
)
def test_case_24_no_reference_crashes(reference: str, env: Environment) -> None:
    found = resolve_job(reference, "/r/var/jobs/W/t/N.files/log/agent.chat", env)
    assert found.missing
    found.path.encode("utf-8")


class NoFiles:
    """A file system with nothing but a few jobs."""

    def __init__(self, files: frozenset[str]) -> None:
        self.files = files

    def is_file(self, path: str) -> bool:
        return os.path.normpath(path) in self.files

    def is_folder(self, path: str) -> bool:
        return any(name.startswith(f"{os.path.normpath(path)}/") for name in self.files)

    def is_link(self, path: str) -> bool:
        return False

    def real(self, path: str) -> str:
        return os.path.normpath(path)


PARTS = st.sampled_from(["W", "t", "N.chat", "..", ".", "", "~", "var", "jobs", "x", ".info", "N.chat.info"])


@given(
    st.lists(PARTS, max_size=8).map("/".join), st.sampled_from([None, "/r/var/jobs/W/t/N.chat", "/c/a.chat"])
)
@settings(max_examples=400)
def test_any_reference_gives_an_absolute_normal_path(reference: str, referring: str | None) -> None:
    env = Environment(
        "/c", "/h", files=NoFiles(frozenset({"/r/var/jobs/W/t/N.chat", "/c/var/jobs/W/t/M.info"}))
    )
    found = resolve_job(reference, referring, env)
    assert found.how == "empty" or (found.path.startswith("/") and os.path.normpath(found.path) == found.path)


def test_the_order_of_questions_does_not_matter() -> None:
    """Jobs that are `literal` and missing are added to the index; then all is asked again, in any order."""
    files = NoFiles(frozenset({"/m/var/jobs/W/t/other", "/c/var/jobs/W/t/M.info"}))
    references = [
        "W/t/N",
        "/m/var/jobs/W/t/N",
        "/gone/var/jobs/W/t/N",
        f"W/t/N_{MD5}",
        f"/m/var/jobs/W/t/N_{MD5}",
    ]
    outcomes = set()
    for order in itertools.permutations(references):
        resolver = Resolver(Environment("/c", "/h", files=files))
        for reference in order:
            found = resolver.job(reference)
            if found.missing and found.how == "literal":
                resolver.environment.index.add_named(found.path)
        outcomes.add(tuple(sorted((reference, resolver.job(reference).path) for reference in references)))
    (outcome,) = outcomes
    assert {path for _, path in outcome} == {"/m/var/jobs/W/t/N", f"/m/var/jobs/W/t/N_{MD5}"}


def test_thousands_of_references_are_quick(base: Path, env: Environment) -> None:
    """A reference seen before costs a dictionary look-up; the file system is asked once for each path."""
    resolver = Resolver(env)
    asked = []
    is_file = env.files.is_file
    env.files.is_file = lambda path: asked.append(path) or is_file(path)  # type: ignore[method-assign]
    for _ in range(1000):
        resolver.job("Wnone/t/A.chat", f"{base}/cwd/chats/a.chat")
    assert len(asked) < 40
