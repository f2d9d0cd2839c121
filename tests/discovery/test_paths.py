import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.discovery.paths import absolute, expand, last_components, native, outermost, storable, within

NAMES = st.binary(min_size=1, max_size=40).filter(lambda raw: b"\0" not in raw).map(os.fsdecode)
TRICKY = st.text("%25FfE9a/\udcff\udc80é", max_size=20)


@given(st.one_of(NAMES, TRICKY))
def test_every_file_name_has_a_storable_spelling_and_a_way_back(name: str) -> None:
    spelled = storable(name)
    spelled.encode("utf-8")  # a lone surrogate would raise, as it does in the driver
    assert native(spelled) == name


@given(st.one_of(NAMES, TRICKY), st.one_of(NAMES, TRICKY))
def test_two_names_never_share_a_spelling(one: str, other: str) -> None:
    assert (storable(one) == storable(other)) == (one == other)


@given(NAMES, NAMES)
def test_the_spelling_of_a_path_is_that_of_its_parts(folder: str, name: str) -> None:
    assert storable(f"{folder}/{name}") == f"{storable(folder)}/{storable(name)}"


@pytest.mark.parametrize(
    ("raw", "spelled"),
    [
        (b"plain.chat", "plain.chat"),
        ("niño.chat".encode(), "niño.chat"),
        (b"caf\xe9.chat", "caf%E9.chat"),
        (b"100%.chat", "100%.chat"),
        (b"a%20b.chat", "a%20b.chat"),
        (b"a%E9.chat", "a%25E9.chat"),
        (b"a%e9.chat", "a%e9.chat"),
        (b"a%25.chat", "a%2525.chat"),
        (b"\xff\xfe", "%FF%FE"),
    ],
)
def test_spellings(raw: bytes, spelled: str) -> None:
    assert storable(os.fsdecode(raw)) == spelled
    assert os.fsencode(native(spelled)) == raw


@given(st.text(st.characters(), max_size=30))
def test_any_text_of_a_reference_becomes_storable(text: str) -> None:
    storable(text + "\ud800").encode("utf-8")


def test_home_and_working_directory() -> None:
    assert expand("~/a", "/h") == "/h/a"
    assert expand("~", "/h") == "/h"
    assert expand("~other/a", "/h") == "~other/a"
    assert absolute("a/b", "/c", "/h") == "/c/a/b"
    assert absolute("~//a", "/c", "/h") == "/h/a"
    assert absolute("/a", "/c", "/h") == "/a"


def test_components() -> None:
    assert last_components("/r/var/jobs/W/t/N.chat") == "W/t/N.chat"
    assert last_components("t//N.chat/") == "t/N.chat"
    assert within("/a/b", "/a")
    assert within("/a", "/a")
    assert within("/a", "/")
    assert not within("/ab", "/a")
    assert outermost({"/a/b", "/a", "/ab", "/c/d"}) == {"/a", "/ab", "/c/d"}
