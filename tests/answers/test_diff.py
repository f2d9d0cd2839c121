from __future__ import annotations

from indexer import Index
from tests.answers.scenes import J1, J2, J3, L1, L2, L3, E, G


def test_every_node_edge_and_request_is_on_one_side(index: Index) -> None:
    found = index.diff(E, G)
    assert (found.a, found.b) == (E, G)
    assert (found.only_in_a.chats, found.only_in_a.jobs, found.only_in_a.edges) == ([E], [], 1)
    assert found.only_in_a.tokens.tt == 0
    assert (found.in_both.chats, found.in_both.jobs, found.in_both.edges) == ([J1, L1], [J1], 3)
    assert (found.in_both.tokens.pt, found.in_both.tokens.tt, found.in_both.requests) == (300, 330, 2)
    assert found.only_in_b.chats == sorted([G, J2, L2, L3])
    assert (found.only_in_b.jobs, found.only_in_b.edges) == (sorted([J2, J3]), 7)
    assert (found.only_in_b.tokens.tt, found.only_in_b.requests) == (1485, 3)
    a, b = index.scope(E).totals, index.scope(G).totals
    assert found.only_in_a.tokens.tt + found.in_both.tokens.tt == a.tokens.tt
    assert found.only_in_b.tokens.tt + found.in_both.tokens.tt == b.tokens.tt


def test_own_scopes_share_nothing(index: Index) -> None:
    found = index.diff(E, G, job_refs="own")
    assert (found.in_both.chats, found.in_both.jobs, found.in_both.edges) == ([], [], 0)
    assert found.only_in_a.chats == sorted([E, J1, L1])
    assert (found.only_in_a.tokens.tt, found.only_in_b.tokens.tt) == (330, 1485)


def test_with_itself(index: Index) -> None:
    found = index.diff(G, G)
    assert found.only_in_a == found.only_in_b
    assert (found.only_in_a.chats, found.only_in_a.edges, found.only_in_a.tokens.tt) == ([], 0, 0)
    assert found.in_both.chats_total == 6
    assert sum(index.scope(G).edges.model_dump().values()) == found.in_both.edges


def test_pages(index: Index) -> None:
    pages = [index.diff(E, G, page=page, per_page=3).only_in_b for page in (1, 2)]
    assert [len(page.chats) for page in pages] == [3, 1]
    assert pages[0].chats + pages[1].chats == sorted([G, J2, L2, L3])
    assert pages[0].chats_total == 4
