"""Boxes, folding, layout and drawing."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.report.fold import LIMIT, Folding, fold
from indexer.report.graph import Box, Edge, Node, Picture, picture
from indexer.report.layout import layered
from indexer.report.svg import INSET, LARGE, SMALL, WIDTH, describe, draw, width
from tests.report.graphs import asks, chat, job, tree

SVG = "{http://www.w3.org/2000/svg}"


def test_a_job_its_log_and_its_result_are_one_box() -> None:
    found = tree(jobs=2, context=0)
    assert set(found.boxes) == {"chat:root", "job:j0", "job:j1"}
    assert [node.key for node in found.boxes["job:j0"].members] == [
        ("job", "j0"),
        ("chat", "j0"),
        ("chat", "j0.log"),
    ]
    assert [(arrow.source, arrow.target, dict(arrow.relations)) for arrow in found.arrows] == [
        ("chat:root", "job:j0", {"job": 1}),
        ("chat:root", "job:j1", {"job": 1}),
    ]
    assert found.nodes == 7


def test_a_root_that_is_a_result_stays_a_box() -> None:
    found = picture([chat("x"), job("x")], [Edge(("job", "x"), ("chat", "x"), "result")], ("chat", "x"))
    assert set(found.boxes) == {"chat:x", "job:x"}
    assert found.boxes["chat:x"].root


def test_an_arrow_is_context_only_while_all_of_it_is() -> None:
    both = picture([chat("r"), job("j")], [asks(("chat", "r"), "j"), asks(("chat", "r"), "j", context=True)])
    assert [arrow.context for arrow in both.arrows] == [False]
    one = picture([chat("r"), job("j")], [asks(("chat", "r"), "j", context=True)])
    assert [arrow.context for arrow in one.arrows] == [True]


def test_context_is_folded_and_nothing_is_lost() -> None:
    whole = tree(jobs=3, context=5)
    folded = fold(whole, Folding())
    assert len(whole.boxes) == 9
    assert len(folded.boxes) == 5
    (box,) = [box for box in folded.boxes.values() if box.folded > 1]
    assert (box.folded, box.standing, box.subtitle) == (5, "context", "5 jobs, 0 chats")
    assert folded.nodes == whole.nodes
    assert fold(whole, Folding(context=False)).boxes.keys() == whole.boxes.keys()


def test_context_is_folded_by_conversation() -> None:
    nodes = [chat("r"), *(job(f"c{n}", "context", conversation=f"conv{n % 2}") for n in range(4))]
    folded = fold(
        picture(nodes, [asks(("chat", "r"), f"c{n}", True) for n in range(4)], ("chat", "r")), Folding()
    )
    assert sorted(box.title for box in folded.boxes.values()) == ["Context: conv0", "Context: conv1", "r"]


def test_equal_steps_are_folded_where_there_are_many() -> None:
    nodes = [
        chat("r"),
        *(job(f"j{n:03}", title="gate", status="error" if n == 7 else "done") for n in range(100)),
    ]
    many = picture(nodes, [asks(("chat", "r"), f"j{n:03}") for n in range(100)], ("chat", "r"))
    folded = fold(many, Folding())
    assert {(box.folded, box.status) for box in folded.boxes.values()} == {
        (1, None),
        (1, "error"),
        (99, "done"),
    }
    assert len(fold(many, Folding(steps=False)).boxes) == 101


def test_never_more_boxes_than_the_limit() -> None:
    nodes = [chat("r"), *(job(f"j{n}", title=f"t{n}") for n in range(LIMIT + 100))]
    many = picture(nodes, [asks(("chat", "r"), f"j{n}") for n in range(LIMIT + 100)], ("chat", "r"))
    folded = fold(many, Folding(steps=False))
    assert len(folded.boxes) <= LIMIT
    assert folded.nodes == many.nodes


NAMES = st.sampled_from([f"n{number}" for number in range(14)])
PAIRS = st.lists(st.tuples(NAMES, NAMES).filter(lambda pair: pair[0] != pair[1]), max_size=50)


@given(PAIRS)
@settings(max_examples=200, deadline=None)
def test_layout_of_any_graph(pairs: list[tuple[str, str]]) -> None:
    keys = sorted({key for pair in pairs for key in pair} | {"n0"})
    placed = layered(keys, pairs, "n0")
    assert set(placed.places) == set(keys)
    for source, target in set(pairs):
        first, last = placed.places[source][0], placed.places[target][0]
        assert first < last or (source, target) in placed.backward
    for column in range(placed.columns):
        rows = sorted(row for key, (at, row) in placed.places.items() if at == column)
        assert all(below - above >= 0.999 for above, below in pairwise(rows))
        assert all(row >= -1e-9 for row in rows)
    assert layered(keys, list(reversed(pairs)), "n0").places == placed.places


def test_a_tree_has_no_way_back() -> None:
    pairs = [(f"n{number // 3}", f"n{number}") for number in range(1, 40)]
    placed = layered([f"n{number}" for number in range(40)], pairs, "n0")
    assert not placed.backward
    assert placed.places["n0"][0] == 0


def test_600_boxes_are_placed_quickly() -> None:
    keys = [f"n{number}" for number in range(600)]
    pairs = [(f"n{number // 4}", f"n{number}") for number in range(1, 600)]
    pairs += [
        (f"n{number}", f"n{(number * 7) % 600}") for number in range(1, 200) if number != (number * 7) % 600
    ]
    layered(keys, pairs, "n0")


def test_a_chain_of_thousands_needs_no_recursion() -> None:
    keys = [f"n{number}" for number in range(5_000)]
    placed = layered(keys, list(pairwise(keys)), "n0")
    assert placed.columns == 5_000


def test_the_drawing_is_xml_with_words_for_everything() -> None:
    nodes = [
        chat("root"),
        job("a", "own", 'x"><script>alert(1)</script>\x00', inlined=2),
        job("b", "shared", status="error"),
        job("c", "context", missing=True),
    ]
    edges = [
        asks(("chat", "root"), "a"),
        asks(("chat", "root"), "b"),
        asks(("chat", "root"), "c", context=True),
    ]
    drawn = draw(
        fold(picture(nodes, edges, ("chat", "root")), Folding(context=False)),
        "A <title>",
        lambda box: f"/x?{box.key}&y",
    )
    svg = ElementTree.fromstring(drawn)
    assert svg.find(f"{SVG}title").text == "A <title>"  # type: ignore[union-attr]
    links = svg.findall(f".//{SVG}a")
    assert links[0].get("href") == "/x?chat:root&y"
    titles = [link.find(f".//{SVG}title").text or "" for link in links]  # type: ignore[union-attr]
    said = {title.splitlines()[-1]: title for title in titles}
    assert "inlined 2 times" in said["a"]
    assert "shared, status error" in said["b"]
    assert "context" in said["c"]
    assert "file missing" in said["c"]
    words = {link.get("href"): "".join(link.itertext()) for link in links}
    assert "✗ error" in words["/x?job:b&y"]
    assert "? missing" in words["/x?job:c&y"]
    for kind in ("own", "shared", "context"):
        assert len(svg.findall(f".//{SVG}g[@class='box {kind}']")) == 1, kind
    assert not [e for e in svg.iter() if e.tag.endswith("script") or "style" in e.attrib]


def test_shared_is_double_and_inlined_is_hatched() -> None:
    drawn = ElementTree.fromstring(draw(picture([job("a", "shared", inlined=1), job("b")], []), "t"))
    assert len(drawn.findall(f".//{SVG}rect[@class='inner']")) == 1
    assert [rect.get("fill") for rect in drawn.findall(f".//{SVG}rect[@class='hatched']")] == ["url(#hatch)"]


def test_an_empty_picture() -> None:
    nothing = picture([], [])
    assert describe(nothing) == "0 jobs and 0 chats in 0 steps: ."
    ElementTree.fromstring(draw(nothing, "nothing"))


@given(st.text(max_size=60), st.text(max_size=200))
@settings(max_examples=100, deadline=None)
def test_any_name_can_be_drawn(title: str, id: str) -> None:
    ElementTree.fromstring(draw(picture([Node("chat", id, title, id)], []), title, lambda box: id))


def test_texts_stay_inside_their_box_and_off_the_hatched_corner() -> None:
    """Whatever a box says: long and wide names, every state, many folded steps."""
    for title in ("x" * 80, "short", "日本語の長いなまえをもつ仕事のなまえ", "👩‍👩‍👧‍👦" * 20, "W" * 30):
        for folded in (1, 2, 12_345):
            node = Node(
                "job", f"/j/{title}", title, title * 2, "context", "aborted", missing=True, inlined=1234
            )
            drawn = Box(f"job:{title}", title, title * 2, "context", [node], "aborted", folded=folded)
            markup = draw(Picture({drawn.key: drawn}, []), "one box")
            texts = re.findall(r'<text class="(\w+)"[^>]*?>(.*?)</text>', markup)
            for class_, said in texts:
                words = re.sub("<[^>]*>", "", said)
                size = LARGE if class_ == "name" else SMALL
                room = WIDTH - INSET - (26 if class_ == "name" else 8)
                assert width(words, size) <= room or "textLength" in markup, (class_, words)
            assert f"×{folded:,}</text>" in markup or folded == 1
            corner = re.search(r'class="hatched"[^>]*?y="(\d+)"[^>]*?height="(\d+)"', markup)
            assert corner
            assert int(corner[1]) + int(corner[2]) < 35 - SMALL + 3  # above the second line


def test_many_ends_of_many_tasks_become_one_box() -> None:
    root = Node("chat", "/r.chat", "r.chat", chat_kind="root")
    jobs = [Node("job", f"/j/t{n % 300}/n{n}", f"t{n % 300}", about="done") for n in range(1_600)]
    edges = [Edge(root.key, job.key, "job") for job in jobs]
    every = picture([root, *jobs], edges, root.key)
    assert len(every.boxes) == 1_601
    folded = fold(every, Folding())
    assert sorted((box.title, box.folded) for box in folded.boxes.values()) == [
        ("300 tasks", 1_600),
        ("r.chat", 1),
    ]
    assert folded.nodes == every.nodes
    assert len(fold(every, Folding(steps=False)).boxes) <= 1_500
