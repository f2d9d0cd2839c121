"""The two conversations of the case: E, and G that takes E's outcome up again."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from .agentlog import Extent, result_piece
from .books import Books, Conversation
from .chats import Chat, Piece
from .helpers import ask_again, launch, one_shot, society
from .jobs import Job
from .meter import Meter
from .prose import FOREIGN
from .said import Said
from .session import Plan, Session
from .tools import call, output
from .work import same_status, twice

FULL_CALLS = (2700, 1400)
FIRST_THINKING = 8000
_SPACINGS = (("\n", "\n\n", ""), ("", "\n\n", "\n"), ("\n\n", "\n\n\n", "\n\n"))
_EXTENTS: tuple[Extent, ...] = ("whole", "whole", "final")


def earlier(books: Books) -> tuple[Conversation, list[Piece], list[Said]]:
    """Conversation E: (it, the history that G imports, its second answer, which U replays from a cache)."""
    names, prose, rng = books.names, books.prose, books.rng
    talk = books.converse("E", f"home/git/{names.projects[0]}/chats/{names.chats[0]}.chat", names.projects[0])
    root, begun = talk.root, books.day
    root.lead, root.gap, root.tail = rng.choice(_SPACINGS)
    opening = (
        f"{prose.turn('Say where the text and the tables disagree.')}\n\nA chat looks so\n\n"
        f"```\nuser: hello\nassistant: good day\n```\n\n{FOREIGN[0]}\n{FOREIGN[2]}\n"
        f"{prose.run(80)}\n\n{prose.run(90)}"
    )
    first = books.new("E", "user", opening)
    root.say(first, "typed")
    history = [Piece(((first, "typed"),))]
    gates: list[Job] = []
    inventory = _plain_job(books, "E", "C", begun - timedelta(hours=2))
    report = (
        f"# Final report\n\n{FOREIGN[1]}. {FOREIGN[2]}.\n\nnote: this line looks like a header\n\n"
        + prose.run(max(300, int(16000 * books.settings.scale)))
    )
    makers = [
        launch(
            books, talk, "C", "critic", _prompt(books, f"Gate {number}.", first if number == 4 else None),
            calls=1, seconds=400, keep=gates, early=number == 1, ids="md5" if number == 3 else "call",
            answer="ok" if number == 2 else None,
        )
        for number in (1, 2, 3, 4)
    ]  # fmt: skip
    plan = Plan(
        "C",
        list(history),
        begun,
        {"request": rng.randint(1, 2), "plan": rng.randint(1, 2), "work": rng.randint(3, 6)},
        extents={"work": rng.choice(("whole", "final"))},
        answers={"ask": report},
        dependencies={"plan": [(inventory, books.spellings(inventory)["absolute"])]},
        specials=[
            makers[0],
            makers[1],
            one_shot(books, talk),
            makers[2],
            ask_again(books, talk, gates, "link", names.tools.ask),
            makers[3],
            lambda log: same_status(books, log, "E", "doc"),
        ],
    )
    asked = Session(books, talk, plan).run()
    history.append(_answered(root, asked))
    books.note("fence line gains a backslash", said=[first])
    books.note(
        "one job, short path and path through a symlink", job=gates[0].path, chat=plan_log(asked, "work")
    )
    thanks = books.new("E", "user", prose.turn("Thanks. Look once more at the second point."))
    root.say(thanks)
    follow = [thanks, *_exchange(books, root, begun + timedelta(hours=3))]
    history.append(Piece(tuple((said, "printed") for said in follow)))
    return talk, history, follow[-2:]


def later(books: Books, imported: Conversation, history: list[Piece]) -> Conversation:
    """Conversation G: it imports E and delegates one session after the other."""
    names, prose, rng = books.names, books.prose, books.rng
    talk = books.converse("G", f"home/git/{names.projects[1]}/chats/{names.chats[1]}.chat", names.projects[1])
    root, begun = talk.root, books.day + timedelta(days=2)
    if books.settings.import_line:
        reference = f"../../{names.projects[0]}/chats/{names.chats[0]}.chat"
        root.say(books.new("G", "import", reference))
    history = list(history)
    handed = next(piece.job for piece in history if piece.job is not None)
    works: list[Job] = []
    for number in range(books.settings.sessions):
        opening = "Correct the text as the report says." if number == 0 else "Update: much is done already."
        turn = books.new("G", "user", f"{prose.turn(opening)}\n{prose.lines(90)}")
        root.say(turn)
        history.append(Piece(((turn, "printed"),)))
        plan = _session_plan(books, talk, number, list(history), begun)
        begun += timedelta(seconds=6726 + rng.choice((10, 900, 5000)))
        if number == 0:
            plan.respelled = {"plan": (handed, books.spellings(handed)["foreign"])}
        if works:
            plan.again = [result_piece(works[-1])]
        session = Session(books, talk, plan)
        asked = session.run()
        works.append(session.jobs["work"])
        history.append(_answered(root, asked))
        if number == 0:
            _note_fence(books, session)
    root.say(books.new("G", "user", "ok"), "inline")
    meter = Meter(books, "G")
    _say(root, meter.request(begun + timedelta(hours=3)))
    root.say(books.new("G", "assistant", "ok"))
    # E goes on after G has taken its copy, with words that G says too
    imported.root.say(books.new("E", "user", "ok"))
    _say(imported.root, Meter(books, "E").request(begun + timedelta(hours=9), prose.thought(60)))
    imported.root.say(books.new("E", "assistant", "ok"))
    books.note("equal short turns of two conversations", chats=[root.path, imported.root.path])
    return talk


def _session_plan(
    books: Books, talk: Conversation, number: int, history: list[Piece], begun: datetime
) -> Plan:
    """How one of G's sessions goes: the first has the most calls and the longest thoughts."""
    rng, prose, names, scale = books.rng, books.prose, books.names, books.settings.scale
    label = "AB"[number] if number < 2 else f"S{number + 1}"
    calls = FULL_CALLS[min(number, 1)]
    plan = Plan(
        label,
        history,
        begun,
        {
            "request": 1,
            "plan": rng.randint(1, 2),
            "work": max(6, int(calls * scale)),
            "ask": rng.choice((0, 1)),
        },
        versions={"work": 2},
        extents=dict[str, Extent](
            work="whole", plan="whole", request=rng.choice(("whole", "whole", "final"))
        ),
        thinking={"work": FIRST_THINKING if number == 0 else 120},
        crlf={rng.choice(("request", "plan", "work"))} if rng.random() < 0.4 else set(),
    )
    if number == 0:
        plan.answers["plan"] = (
            f"{prose.markdown('Plan', 1)}\n\nThe corrected example\n\n"
            "```\nuser: first line\nassistant: second line\n```\n\n"
            "and outside a fence\n\nuser: this line must not become a turn\n\nEnd of plan."
        )
        plan.styles["plan"] = "typed"
        plan.specials = [
            lambda log: same_status(books, log, "G", "lib"),
            lambda _: twice(books, "G"),
            one_shot(books, talk, other=True),
            society(books, talk, "critic", "check", 2),
        ]
        return plan
    plan.answers["plan"] = f"{prose.markdown('Plan', 1)}\n\nTrailing blanks here   \nand a tab here\t\n\nEnd."
    plan.trimmed = {("plan", "ask")}
    found: list[Job] = []
    table = _plain_job(books, "G", label, begun - timedelta(minutes=5), extension=".tsv")
    plan.specials = [
        launch(
            books, talk, label, "search", _prompt(books, "Where is the cache described?"), calls=2,
            seconds=250, ids=rng.choice(("call", "md5")), crlf=True, keep=found, dependencies=[table],
        ),
        one_shot(books, talk),
        ask_again(books, talk, found, "link", names.tools.resume),
        society(books, talk, "critic", f"fetch{number}", 2, ("search", f"audit{number}")),
    ]  # fmt: skip
    return plan


def _note_fence(books: Books, session: Session) -> None:
    result = session.jobs["plan"].result
    assert result is not None
    assert result.placed[-1].said is not None
    case = "original result without, inlined copies with a backslash inside a fence"
    books.note(case, original=result.path, said=[result.placed[-1].said])


def plan_log(asked: Job, role: str) -> str:
    """The path of the log of the stage that an ask job depends on."""
    return next(job.logs[0].path for job, _ in asked.dependencies if job.role == role)


def _answered(root: Chat, job: Job) -> Piece:
    """Splice a job's result into the root chat; the piece is what a later history repeats."""
    piece = result_piece(job)
    root.splice(piece)
    return piece


def _exchange(books: Books, root: Chat, at: datetime) -> list[Said]:
    """The root chat's own answer with one call."""
    meter = Meter(books, root.conversation)
    asked = call(
        books, root.conversation, books.names.tools.read, {"file": "doc/Guide.md", "start": 0, "end": 40}
    )
    said = [
        meter.request(at),
        asked,
        output(books, asked, books.prose.run(300), at, at),
        meter.request(at + timedelta(seconds=30)),
        books.new(root.conversation, "assistant", books.prose.markdown("Second point", 2, 60)),
    ]
    for one in said:
        _say(root, one)
    return [one for one in said if one is not None]


def _say(chat: Chat, said: Said | None) -> None:
    if said is not None:
        chat.say(said)


def _prompt(books: Books, opening: str, quoted: Said | None = None) -> str:
    """A task for a helper; one quotes a whole turn, header and all, within its own text."""
    if quoted is not None:
        opening = f"{opening} So it began\n\nuser: {quoted.content}\n\nNow to the gate."
    return f"{books.prose.turn(opening)}\n\n* {books.prose.run(90)}\n\n- {books.prose.run(30)}"


def _plain_job(books: Books, key: str, label: str, at: datetime, extension: str = "") -> Job:
    """A job whose result is no chat."""
    job = books.job(key, label, "inventory", extension=extension)
    job.type = "tsv" if extension else "string"
    job.issued, job.start, job.end = at, at + timedelta(seconds=2), at + timedelta(seconds=40)
    rows = [random.Random(job.short).randrange(1000) for _ in range(5)]
    job.files[job.path] = "".join(f"row{i}\t{value}\n" for i, value in enumerate(rows))
    job.files[f"{job.path}.files/notes.txt"] = "user: this is no chat\n"
    return job
