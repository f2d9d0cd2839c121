"""The case study as a graph of any size, without files: sessions that hand their whole conversation on.

Each chat has rounds of (meta, call, output). Some of a log's rounds are copies of an earlier log's, and results
are projections of their logs, so that some 60 % of the messages are copies.
"""

from __future__ import annotations

from tests.support_graph import Told, at


def case(told: Told, name: str, jobs: int = 22, rounds: int = 253, handed: float = 0.5) -> str:
    """Add one conversation of `jobs` delegated jobs (two chats each) and give its root's id."""
    base = f"/home/researcher/projects/{name}/var/jobs"
    root = told.chat(f"/home/researcher/projects/{name}/chats/{name}.chat", agent="Lead", conversation=name)
    told.first(root)
    history: list[tuple[str, str, str]] = []
    before: str | None = None
    for number in range(jobs):
        job = told.job(
            f"{base}/Deskwork/task{number % 4}/main_{number:032x}.chat", issued=at(number), end=at(number + 1)
        )
        log = told.chat(
            f"{job}.files/log/agent.chat",
            "log",
            agent=f"Agent{number % 5}",
            conversation=name,
            started_at=at(number),
            ended_at=at(number + 1),
        )
        result = told.chat(job, "result", agent=f"Agent{number % 5}", conversation=name)
        told.log(job, log)
        told.result(job, result)
        marker = told.meta(root, job_ref=job)
        told.works(root, job, marker)
        if before is not None:
            told.depends(job, before)
            told.context(log, before, f"{log}#1", relation="job")
        before = job
        inherited = history[-int(rounds * handed) :]
        told.first(log)
        for k, (m, c, o) in enumerate(inherited):
            _round(told, log, f"{name}-h{number}-{k}", (m, c, o), "inherited")
        told.nodes[("Chat", log)]["handed_last"] = 3 * len(inherited)
        fresh = [
            _round(told, log, f"{name}-{number}-{k}", None, "own") for k in range(rounds - len(inherited))
        ]
        told.first(result)
        told.works(result, job, told.meta(result, job_ref=job), basis="self")
        for k, originals in enumerate((fresh * 2)[:rounds]):
            _round(told, result, f"{name}-r{number}-{k}", originals, "projection")
        history += fresh
    told.ran_with(log, f"digest-{name}", "Agent0", "You are the agent")
    return root


def _round(
    told: Told, chat: str, name: str, originals: tuple[str, str, str] | None, origin: str
) -> tuple[str, str, str]:
    m, c, o = originals or (None, None, None)
    inference = told.requests[m] if m else name
    meta = told.meta(
        chat,
        inference,
        (1000, 50, 1050, 600, 0, 10),
        copy_of=m,
        origin=origin,
        handed=origin == "inherited",
        at=at(len(told.nodes) / 1000),
        reas="because " * 8,
    )
    call = told.call(
        chat,
        "search" if len(inference) % 2 else "read",
        f"call_{inference}",
        f'{{"q":"{inference}"}}',
        copy_of=c,
        origin=origin,
    )
    output = told.output(chat, call, f"found {inference} " * 20, copy_of=o, origin=origin)
    return meta, call, output
