"""Agent logs and job results: how text gets copied (FORMAT.md 4, "Agent logs and projections")."""

from __future__ import annotations

from typing import Literal

from .books import Books, Conversation, Head
from .chats import Chat, Piece, Placed
from .jobs import Job

Extent = Literal["whole", "final"]


def log_path(job: Job, layout: str, name: str = "agent") -> str:
    """Where the log of a job's agent is."""
    return f"{job.path}.files/log/agent.chat" if layout == "legacy" else f"{job.path}.files/{name}.chat"


def open_log(
    books: Books,
    talk: Conversation,
    job: Job,
    version: int,
    history: list[Piece],
    *,
    crlf: bool = False,
    name: str = "agent",
) -> Chat:
    """A log with the head that is generated for each job, and the history handed to it."""
    log = books.chat(Chat(log_path(job, talk.layout, name), "log", talk.key, job, crlf=crlf))
    job.logs.append(log)
    agent = books.names.agents[job.role]
    foreign = f"{books.names.foreign_root}/{job.short}"
    systems = [
        books.instruct(agent, version),
        f"Your current working directory is {talk.cwd}.\n"
        f"You are working through an ask job with path {foreign} and files_dir {foreign}.files.\n"
        "Tool call content may be truncated after 20, and forgoten after 60.",
    ]
    if job.dependencies:
        paths = "\n".join(
            f"{books.names.foreign_root}/{dependency.short}" for dependency, _ in job.dependencies
        )
        systems.append(
            f"This workflow job has the following depencencies:\n\n{paths}\n\n"
            "Their input should already be incorporated, but they might have artifacts"
        )
    others = [piece.job.short for piece in history if piece.job is not None]
    if others:
        systems.append("There are other jobs found in this chat:\n\n" + "\n".join(others))
    for text in systems:
        log.say(books.new(talk.key, "system", text))
    log.inherit(history)
    books.heads.append(Head(log, agent, job.session, version, tuple(systems)))
    return log


def result_piece(job: Job) -> Piece:
    """A job's result as it is spliced elsewhere."""
    assert job.result is not None
    placed = [one for one in job.result.placed if one.said is not None]
    return Piece(tuple((one.said, style_of(one)) for one in placed if one.said is not None), job)


def style_of(placed: Placed) -> str:
    """The style in which a message stands where it is."""
    assert placed.said is not None
    return next(style for (style, _), form in placed.said.forms.items() if form is placed.form)


def project(
    books: Books, talk: Conversation, job: Job, log: Chat, start: int, extent: Extent, style: str = "printed"
) -> Chat:
    """Write the result of `job`: what its log holds from message `start` on, or the final answer alone.

    The older generation leaves metas out; the newer one keeps them without their reasoning.
    """
    result = books.chat(Chat(job.path, "result", talk.key, job))
    job.result = result
    result.say(books.new(talk.key, "meta", job.marker(), job=job))
    new = [placed.said for placed in log.placed[start:] if placed.said is not None]
    if extent == "final":
        new = new[-2:] if new[-2].role == "meta" else new[-1:]
    for said in new:
        if said.role != "meta":
            result.say(said, style, "projection")
        elif talk.layout != "legacy":
            result.say(said, "bare", "projection")
    return result
