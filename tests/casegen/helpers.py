"""What agents launch while they work: gates and searches by receipts, society chats, one-shot agents."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from .agentlog import open_log, project
from .books import Books, Conversation, Head
from .chats import Chat, Piece
from .jobs import Job
from .meter import Meter
from .said import Said
from .tools import call, output, receipt_of
from .work import Special, polls, rounds

Maker = Callable[[Chat], Special]


def generation(talk: Conversation, other: bool = False) -> str:
    """The receipt generation of a conversation, or the other one."""
    legacy = (talk.layout == "legacy") != other
    return "legacy" if legacy else "modern"


def launch(
    books: Books,
    talk: Conversation,
    label: str,
    role: str,
    prompt: str,
    *,
    calls: int,
    seconds: int,
    version: int = 1,
    ids: str = "call",
    crlf: bool = False,
    answer: str | None = None,
    early: bool = False,
    dependencies: list[Job] | None = None,
    keep: list[Job] | None = None,
) -> Maker:
    """A job run for the caller and named by its receipt. `early`: issued while the caller waits to start."""

    def maker(log: Chat) -> Special:
        def special(at: datetime) -> list[Said]:
            job = books.job(talk.key, label, role)
            assert log.job is not None
            assert log.job.start is not None
            job.issued = log.job.start - timedelta(seconds=30) if early else at + timedelta(seconds=1)
            job.start = at + timedelta(seconds=2)
            job.end = job.start + timedelta(seconds=seconds)
            job.prompt = prompt
            job.dependencies = [(one, books.spellings(one)["absolute"]) for one in dependencies or ()]
            history = [Piece(((books.new(talk.key, "user", prompt), "printed"),))]
            name = books.names.agents[role] if role == "search" else "agent"
            own = open_log(books, talk, job, version, history, crlf=crlf, name=name)
            stage = books.prose.turn(f"You have been assigned the {role} stage.")
            own.say(books.new(talk.key, "user", stage))
            start = len(own.placed)
            meter = Meter(books, talk.key, "untold" if ids == "md5" else "both")
            specials = [polls(books, talk.key, "the long one")] if ids == "md5" else []
            text = answer or books.prose.markdown(role.capitalize(), 1)
            rounds(
                books,
                own,
                meter,
                job.start,
                seconds,
                calls,
                answer=text,
                specials=specials,
                ids=ids,
                thinking=0 if ids == "md5" else 40,
            )
            project(books, talk, job, own, start, "whole")
            if keep is not None:
                keep.append(job)
            arguments = {"agent": books.names.agents[role], "prompt": " ".join(prompt.split()[:2])}
            asked = call(books, talk.key, books.names.tools.ask, arguments)
            keys, entries = receipt_of(books, generation(talk), (job, job.short), meter.paid)
            ended = job.end + timedelta(seconds=1)
            return [asked, output(books, asked, "Answered", at, ended, receipt=keys, entries=entries)]

        return special

    return maker


def ask_again(books: Books, talk: Conversation, made: list[Job], spelling: str, tool: str) -> Maker:
    """A second receipt for a job already run, spelled otherwise."""

    def maker(_: Chat) -> Special:
        def special(at: datetime) -> list[Said]:
            job = made[0]
            asked = call(books, talk.key, tool, {"agent": books.names.agents[job.role], "prompt": "Again"})
            reference = (job, books.spellings(job)[spelling])
            keys, entries = receipt_of(books, generation(talk), reference, ())
            return [asked, output(books, asked, "As before", at, at, receipt=keys, entries=entries)]

        return special

    return maker


def one_shot(books: Books, talk: Conversation, other: bool = False) -> Maker:
    """A plain agent that leaves no chat: its paid requests are known by the receipt alone."""

    def maker(_: Chat) -> Special:
        def special(at: datetime) -> list[Said]:
            meter = Meter(books, talk.key)
            meter.request(at)
            asked = call(
                books, talk.key, books.names.tools.ask, {"agent": "Plain", "prompt": "Summarise in a line"}
            )
            keys, entries = receipt_of(books, generation(talk, other), None, meter.paid)
            return [asked, output(books, asked, "ok", at, at, receipt=keys, entries=entries)]

        return special

    return maker


def society(
    books: Books,
    talk: Conversation,
    role: str,
    conversation: str,
    version: int,
    nested: tuple[str, str] | None = None,
) -> Maker:
    """A chat kept by a helper agent of the work; `nested`: (role, name) of a chat within it."""

    def maker(log: Chat) -> Special:
        def special(at: datetime) -> list[Said]:
            assert log.job is not None
            agent = books.names.agents[role]
            files = f"{log.job.path}.files"
            legacy = talk.layout == "legacy"
            path = f"{files}/log/society/{agent}/{conversation}.chat"
            if not legacy:
                path = f"{files}/agent.society/{agent}/{conversation}/agent.chat"
            paid = _society_chat(books, talk, log.job, path, role, version, at)
            if nested is not None:
                inner = books.names.agents[nested[0]]
                below = f"{files}/log/chats/{inner}/{nested[1]}.chat"
                if not legacy:
                    below = f"{path.rsplit('/', 1)[0]}/society/{inner}/{nested[1]}/agent.chat"
                _society_chat(books, talk, log.job, below, nested[0], 1, at)
            arguments = {"agent": agent, "conversation": conversation, "prompt": "Review this"}
            asked = call(books, talk.key, books.names.tools.ask, arguments)
            keys, entries = receipt_of(books, generation(talk), None, paid.paid)
            return [asked, output(books, asked, "Reviewed", at, at, receipt=keys, entries=entries)]

        return special

    return maker


def _society_chat(
    books: Books, talk: Conversation, job: Job, path: str, role: str, version: int, at: datetime
) -> Meter:
    agent = books.names.agents[role]
    chat = books.chat(Chat(path, "log", talk.key, job))
    job.logs.append(chat)
    text = books.instruct(agent, version)
    chat.say(books.new(talk.key, "system", text))
    chat.say(books.new(talk.key, "user", books.prose.turn("Review the claims below.")))
    meter = Meter(books, talk.key)
    rounds(books, chat, meter, at, 60, 2, answer=books.prose.markdown("Review", 1), thinking=30)
    books.heads.append(Head(chat, agent, job.session, version, (text,)))
    return meter
