"""Conversations beside the case: U with its odd jobs, the bulk, and the backup copy of G."""

from __future__ import annotations

from datetime import timedelta

from .agentlog import open_log, project, result_piece
from .books import Books, Conversation, Head
from .chats import Chat, Piece
from .jobs import Job
from .meter import Meter
from .said import Said
from .tools import call, compact, output
from .work import rounds


def third(books: Books, replayed: list[Said]) -> Conversation:
    """Conversation U: loose text first, a job under three names, jobs in all states, a cached answer."""
    names, prose = books.names, books.prose
    talk = books.converse("U", f"home/chats/{names.chats[2]}.chat", "elsewhere", loose=True)
    root, at = talk.root, books.day + timedelta(days=5)
    root.say(books.new("U", "user", f"This chat starts with loose text. {prose.run(80)}"))
    meter = Meter(books, "U")
    _tell(root, meter.request(at))
    asked = call(books, "U", names.tools.shell, {"cmd": "uptime"}, fixed=books.shared_call_id)
    root.say(asked)
    content = compact({"exit_status": 0, "stdout": "up 3 days", "stderr": ""})
    root.say(output(books, asked, content, at, at))
    _tell(root, meter.request(at + timedelta(seconds=20)))
    root.say(books.new("U", "assistant", prose.markdown("Load", 2)))

    if talk.layout != "legacy":
        _sidecar(books, root)
    running = _job(books, "ask", "start")
    running.issued = running.start = at + timedelta(minutes=5)
    for turn, spelling, answer in (
        ("Ask the team.", "short", f"No answer yet. {prose.run(60)}"),
        ("Did the other machine answer?", "foreign", f"No answer yet. {prose.run(60)}"),
        ("ok", "link", "ok"),
    ):
        _poll(books, root, running, turn, spelling, answer)
    books.note("one job, three spellings, information only", job=running.path, chat=root.path)
    _poll(books, root, _job(books, "ask", "waiting"), "And the next in the queue?", "short", "ok")
    _failed(books, talk)
    _exception(books, talk)

    gone = _job(books, "ask", "missing")
    root.say(books.new("U", "user", "Then use the old answer."))
    old = books.new("U", "assistant", prose.markdown("Old answer", 2))
    marker = books.new("U", "meta", gone.marker(), job=gone)
    root.splice(Piece(((marker, "printed"), (old, "printed")), gone))
    books.note("original of an inlined copy is missing", job=gone.path, chat=root.path, said=[old])

    root.say(books.new("U", "user", "And before there were ids?"))
    _tell(root, Meter(books, "U", "provider").request(at + timedelta(hours=1)))
    root.say(books.new("U", "assistant", prose.turn("An older program wrote this.")))
    root.say(books.new("U", "user", "Even older?"))
    _tell(root, Meter(books, "U", "none").request(at + timedelta(hours=2)))
    root.say(books.new("U", "assistant", prose.turn("The oldest wrote this.")))

    root.say(books.new("U", "user", "Look once more at the second point."))
    for said in replayed:
        root.say(books.new("U", said.role, said.content, bare=said.bare, paid=said.paid))
    paid = replayed[0].paid
    if paid is not None:
        chats = [books.conversations["E"].root.path, root.path]
        books.note("cached answer replayed", inference_id=paid.identity, chats=chats)
    return talk


def _sidecar(books: Books, root: Chat) -> None:
    """A chat that a helper of the root chat keeps beside it."""
    agent = books.names.agents["critic"]
    path = f"{root.path}.files/agent.society/{agent}/aside/agent.chat"
    chat = books.chat(Chat(path, "log", "U"))
    root.sidecars.append(chat)
    text = books.instruct(agent, 1)
    chat.say(books.new("U", "system", text))
    chat.say(books.new("U", "user", books.prose.turn("A word aside.")))
    answer = books.prose.turn("Aside.")
    at = books.day + timedelta(days=5, minutes=1)
    rounds(books, chat, Meter(books, "U"), at, 30, 1, answer=answer, thinking=20)
    books.heads.append(Head(chat, agent, "U", 1, (text,)))


def _job(books: Books, role: str, status: str) -> Job:
    job = books.job("U", "U", role)
    job.status = status
    job.prompt = "Ask the team."
    return job


def _tell(chat: Chat, said: Said | None) -> None:
    if said is not None:
        chat.say(said)


def _poll(books: Books, root: Chat, job: Job, turn: str, spelling: str, answer: str) -> None:
    """Somebody asks for a job that has no answer: its marker, and what the agent says of it."""
    root.say(books.new("U", "user", turn))
    marker = books.new("U", "meta", f"job={books.spellings(job)[spelling]}", job=job)
    root.say(marker)
    root.say(books.new("U", "assistant", answer))


def _failed(books: Books, talk: Conversation) -> None:
    """A job that broke off: a log without a result."""
    at = books.day + timedelta(days=5, minutes=20)
    job = _job(books, "work", "error")
    job.issued, job.start, job.end = at, at + timedelta(seconds=1), at + timedelta(seconds=30)
    job.error = "connection reset"
    turn = books.new("U", "user", books.prose.turn("Try the big one."))
    talk.root.say(turn)
    log = open_log(books, talk, job, 1, [Piece(((turn, "printed"),))])
    log.say(books.new("U", "user", books.prose.turn("You have been assigned the work stage.")))
    rounds(books, log, Meter(books, "U"), job.start, 20, 2, answer=books.prose.turn("So far"), thinking=20)
    talk.root.say(books.new("U", "meta", job.marker(), job=job))
    talk.root.say(books.new("U", "assistant", "The job failed: connection reset"))


def _exception(books: Books, talk: Conversation) -> None:
    """A job that is done, with an exception as its answer."""
    at = books.day + timedelta(days=5, minutes=40)
    job = _job(books, "search", "done")
    job.issued, job.start, job.end = at, at + timedelta(seconds=1), at + timedelta(seconds=9)
    turn = books.new("U", "user", books.prose.turn("Look it up."))
    talk.root.say(turn)
    open_log(books, talk, job, 1, [Piece(((turn, "printed"),))])
    result = books.chat(Chat(job.path, "result", "U", job))
    job.result = result
    result.say(books.new("U", "meta", job.marker(), job=job))
    content = compact({"exception": "Index not built", "job": job.short})
    result.say(books.new("U", "assistant", content))
    talk.root.splice(result_piece(job))


def bulk(books: Books, number: int) -> Conversation:
    """One more unrelated conversation: a root chat, a work job and the ask job that depends on it."""
    key, prose = f"K{number}", books.prose
    talk = books.converse(key, f"home/chats/bulk/{number // 100:03d}/talk_{number:05d}.chat", "elsewhere")
    at = books.day + timedelta(days=6, hours=number)
    turn = books.new(key, "user", prose.turn("Say where the text and the tables disagree."))
    talk.root.say(turn)
    history = [Piece(((turn, "printed"),))]
    made = []
    for role, minutes in (("work", 30), ("ask", 5)):
        job = books.job(key, key, role)
        made.append(job)
        job.issued, job.start = at, at + timedelta(seconds=2 if role == "work" else 1900)
        job.end = job.start + timedelta(minutes=minutes)
        job.prompt = turn.content
        job.dependencies = [(one, books.spellings(one)["absolute"]) for one in made[:-1]]
        log = open_log(books, talk, job, 1, history)
        for one in made[:-1]:
            log.splice(result_piece(one))
        log.say(books.new(key, "user", prose.turn(f"You have been assigned the {role} stage.")))
        start, calls = len(log.placed), books.settings.bulk_calls if role == "work" else 0
        answer = prose.markdown(role, 1)
        rounds(books, log, Meter(books, key), job.start, 60 * minutes, calls, answer=answer, thinking=40)
        project(books, talk, job, log, start, "whole")
    talk.root.splice(result_piece(made[-1]))
    talk.root.say(books.new(key, "user", "ok"))
    _tell(talk.root, Meter(books, key).request(at + timedelta(hours=3)))
    talk.root.say(books.new(key, "assistant", "ok"))
    return talk


def backup(books: Books, talk: Conversation) -> Chat:
    """A copy of a root chat beside it: a chat of its own, whose messages were all said in the other."""
    folder, name = talk.root.path.rsplit("/", 1)
    name = f"0_{name}" if books.settings.backup == "before" else name.replace(".chat", "_copy.chat")
    copy = books.chat(Chat(f"{folder}/{name}", "root", talk.key))
    for placed in talk.root.placed:
        if placed.said is not None:
            copy.placed.append(placed)
    copy.blocks = list(talk.root.blocks)
    return copy
