"""Small graphs with figures that can be counted by hand."""

from __future__ import annotations

from tests.support_graph import Told, at

E = "/h/chats/e.chat"
G = "/h/chats/g.chat"
J1 = "/h/var/jobs/Flow/ask/E1.chat"
J2 = "/h/var/jobs/Flow/ask/G1.chat"
J3 = "/h/var/jobs/Review/gate/C1"
L1, L2, L3 = (f"{job}.files/log/agent.chat" for job in (J1, J2, J3))


def two_conversations() -> Told:
    """E delegates J1. G imports E and delegates J2 with the conversation so far; J2 has J3 review its work.

    L2 begins with handed history: E's question and the inlined result of J1.
    """
    told = Told()
    for path, agent, kind in (
        (E, "Lead", "root"),
        (G, "Lead", "root"),
        (L1, "Planner", "log"),
        (L2, "Planner", "log"),
        (L3, "Critic", "log"),
        (J1, "Planner", "result"),
        (J2, "Planner", "result"),
    ):
        ended = {E: 10, L1: 9, G: 30, L2: 29}.get(path)
        told.chat(path, kind, agent=agent, ended_at=None if ended is None else at(ended))
    told.job(J1, issued=at(1), start=at(1), end=at(9), type="chat")
    told.job(J2, issued=at(20), start=at(20), end=at(29), type="chat")
    told.job(J3, issued=at(22), start=at(22), end=at(25), type="text")

    told.first(E)
    question = told.say(
        E, "user", "Which of the tide tables is the one that the harbour used in 1911, and why?"
    )
    told.first(L1)
    told.say(
        L1,
        "user",
        "Which of the tide tables is the one that the harbour used in 1911, and why?",
        copy_of=question,
        origin="inherited",
    )
    told.nodes["Chat", L1]["handed_last"] = 1
    told.meta(L1, "e1", (100, 10, 110), at=at(2), reas="first I look at the archive")
    call = told.call(L1, "search", "k1", '{"q":"tide"}')
    told.output(L1, call, "three tables")
    told.meta(L1, "e2", (200, 20, 220), at=at(3))
    answer1 = told.say(
        L1, "assistant", "It used the second table, since its pages carry the harbour's stamp."
    )
    told.first(J1)
    marker1 = told.meta(J1, job_ref="Flow/ask/E1.chat")
    told.say(
        J1,
        "assistant",
        "It used the second table, since its pages carry the harbour's stamp.",
        copy_of=answer1,
        origin="projection",
    )
    told.meta(E, job_ref="Flow/ask/E1.chat", copy_of=marker1, origin="inlined", block_last=3, block_bytes=90)
    told.say(
        E,
        "assistant",
        "It used the second table, since its pages carry the harbour's stamp.",
        copy_of=answer1,
        origin="inlined",
    )

    told.first(G)
    told.say(G, "user", "Go on and write it up.")
    told.first(L2)
    told.say(
        L2,
        "user",
        "Which of the tide tables is the one that the harbour used in 1911, and why?",
        copy_of=question,
        origin="inherited",
    )
    told.meta(L2, job_ref=J1, copy_of=marker1, origin="inherited", block_last=3, block_bytes=95)
    told.say(
        L2,
        "assistant",
        "It used the second table, since its pages carry the harbour's stamp.",
        copy_of=answer1,
        origin="inherited",
    )
    told.nodes["Chat", L2]["handed_last"] = 3
    told.meta(L2, "g1", (1000, 100, 1100), at=at(21))
    ask = told.call(L2, "ask", "k2", '{"agent":"Critic"}', target_agent="Critic")
    output = told.output(L2, ask, "fine")
    told.meta(L2, "g2", (300, 30, 330), at=at(26))
    answer2 = told.say(L2, "assistant", "The harbour used the second of the three tide tables.")
    told.first(J2)
    marker2 = told.meta(J2, job_ref="Flow/ask/G1.chat")
    told.say(
        J2,
        "assistant",
        "The harbour used the second of the three tide tables.",
        copy_of=answer2,
        origin="projection",
    )
    told.meta(G, job_ref="Flow/ask/G1.chat", copy_of=marker2, origin="inlined", block_last=3, block_bytes=80)
    told.say(
        G,
        "assistant",
        "The harbour used the second of the three tide tables.",
        copy_of=answer2,
        origin="inlined",
    )

    told.first(L3)
    told.say(L3, "user", "Review this text.")
    told.meta(L3, "c1", (50, 5, 55), at=at(23))
    told.say(L3, "assistant", "fine")
    job_entry = told.receipt(ask, output, 0, job=J3)
    told.receipt(ask, output, 1, inference="c1", tokens=(50, 5, 55))

    told.works(E, J1, f"{E}#2")
    told.works(J1, J1, f"{J1}#1", basis="self")
    told.works(G, J2, f"{G}#2")
    told.works(J2, J2, f"{J2}#1", basis="self")
    told.context(L2, J1, f"{L2}#2")
    told.asks(L2, J3, job_entry, call_id="k2")
    for job, log in ((J1, L1), (J2, L2), (J3, L3)):
        told.log(job, log)
    told.result(J1, J1)
    told.result(J2, J2)
    told.rel("IMPORTS", ("Chat", G), ("Chat", E), indexes=[1], refs=["e.chat"])
    told.ran_with(L1, "planner-1", "Planner", "You plan.")
    told.ran_with(L2, "planner-2", "Planner", "You plan with care.")
    told.ran_with(L3, "critic-1", "Critic", "You review.")
    return told


def lattice(depth: int) -> tuple[Told, str]:
    """A root job over `depth` layers of two jobs, each depending on both of the next: 2^depth paths."""
    told = Told()
    top = told.job("/h/var/jobs/Flow/top/T")
    layer = [top]
    for level in range(depth):
        below = [told.job(f"/h/var/jobs/Flow/step/{level}-{side}") for side in "ab"]
        for job in layer:
            for position, dependency in enumerate(below):
                told.depends(job, dependency, position)
        layer = below
    return told, top


def cycle() -> tuple[Told, str]:
    """Two jobs that depend on each other, one with a result chat that refers to both."""
    told = Told()
    a, b = told.job("/h/var/jobs/Cyc/a/Default"), told.job("/h/var/jobs/Cyc/b/Default")
    told.depends(a, b)
    told.depends(b, a)
    chat = told.chat(a, "result")
    told.first(chat)
    told.result(a, chat)
    told.works(chat, a, told.meta(chat, job_ref="Cyc/a/Default"), basis="self")
    told.works(chat, b, told.meta(chat, job_ref="Cyc/b/Default"), basis="dependency")
    return told, a
