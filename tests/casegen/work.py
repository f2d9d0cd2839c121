"""The rounds of an agent's work: paid requests, each with its tool calls."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from .books import Books
from .chats import Chat
from .meter import Meter
from .said import Said
from .tools import call, compact, output, use

Special = Callable[[datetime], list[Said]]


def rounds(
    books: Books,
    log: Chat,
    meter: Meter,
    begun: datetime,
    seconds: float,
    calls: int,
    *,
    answer: str,
    specials: list[Special] | None = None,
    thinking: int = 60,
    ids: str = "call",
    oddities: bool = False,
) -> None:
    """Write about `calls` calls in rounds over `seconds`, the specials spread among them, then the answer.

    thinking   average characters of reasoning of a request; 0 for none
    oddities   also a reasoning-only round, a short remark between rounds, a truncated output, a call never
               answered, a call of another provider
    """
    rng, key = books.rng, log.conversation
    sizes: list[int] = []
    while sum(sizes) < calls:
        sizes.append(rng.randint(1, 3))
    specials = list(specials or ())
    total = max(len(sizes), len(specials))
    sizes += [0] * (total - len(sizes))
    due = {(number + 1) * total // (len(specials) + 1): special for number, special in enumerate(specials)}
    if len(due) < len(specials):
        due = dict(enumerate(specials))
    odd = dict(zip(rng.sample(range(total), min(5, total)), _ODDITIES, strict=False)) if oddities else {}
    step = seconds / (total + 1)
    for number, size in enumerate(sizes):
        at = begun + timedelta(milliseconds=int(1000 * step * number))
        _ask(books, log, meter, at, thinking)
        for _ in range(size):
            for said in use(books, key, at, ids):
                log.say(said)
        if number in due:
            for said in due[number](at):
                log.say(said)
        if number in odd:
            odd[number](books, log, meter, at)
    at = begun + timedelta(milliseconds=int(1000 * step * total))
    _ask(books, log, meter, at, thinking)
    log.say(books.new(key, "assistant", answer))


def _ask(books: Books, log: Chat, meter: Meter, at: datetime, thinking: int) -> None:
    size = int(thinking * books.rng.choice((0.3, 0.5, 1.0, 1.0, 1.4, 2.0)))
    meta = meter.request(at, books.prose.thought(max(size, 10)) if thinking else None)
    if meta is not None:
        log.say(meta)


def _reasoning_only(books: Books, log: Chat, meter: Meter, at: datetime) -> None:
    _ask(books, log, meter, at + timedelta(milliseconds=200), 40)


def _remark(books: Books, log: Chat, meter: Meter, at: datetime) -> None:
    _ask(books, log, meter, at + timedelta(milliseconds=300), 40)
    log.say(books.new(log.conversation, "assistant", "ok"))


def _truncated(books: Books, log: Chat, meter: Meter, at: datetime) -> None:
    names = books.names.tools
    asked = call(books, log.conversation, names.read, {"file": "big.log"})
    text = {
        "exception": f"Function {names.read} was executed successfully, but it returned 136942 characters,"
        " which is more than the maximum of 100000.",
        "stack": [],
    }
    log.say(asked)
    log.say(output(books, asked, compact(text), at, at, outcome="failure", error="truncated"))


def _unanswered(books: Books, log: Chat, meter: Meter, at: datetime) -> None:
    log.say(
        call(
            books, log.conversation, books.names.tools.shell, {"cmd": f"sleep {books.rng.randint(900, 9999)}"}
        )
    )


def _documented(books: Books, log: Chat, meter: Meter, at: datetime) -> None:
    asked = call(
        books, log.conversation, books.names.tools.docs, {"topic": books.rng.choice(books.stems)}, "toolu"
    )
    log.say(asked)
    log.say(output(books, asked, "No such topic", at, at))


_ODDITIES = (_reasoning_only, _remark, _truncated, _unanswered, _documented)


def same_status(books: Books, log: Chat, conversation: str, word: str) -> Special:
    """A call under the id that every conversation of the case uses once, with words of its own."""

    def special(at: datetime) -> list[Said]:
        arguments = {"cmd": f"ls {word}"}
        asked = call(books, conversation, books.names.tools.shell, arguments, fixed=books.shared_call_id)
        content = compact({"exit_status": 0, "stdout": f"{word}.md", "stderr": ""})
        return [asked, output(books, asked, content, at, at)]

    return special


def twice(books: Books, conversation: str) -> Special:
    """The same tool and arguments under two ids."""

    def special(at: datetime) -> list[Said]:
        said = []
        for _ in range(2):
            asked = call(books, conversation, books.names.tools.shell, {"cmd": "git status --short"})
            content = compact({"exit_status": 0, "stdout": "", "stderr": ""})
            said += [asked, output(books, asked, content, at, at)]
        return said

    return special


def polls(books: Books, conversation: str, subject: str) -> Special:
    """One running thing asked for three times: ids are made from the arguments, so all three have one id."""

    def special(at: datetime) -> list[Said]:
        said = []
        for number in range(3):
            later = at + timedelta(seconds=number)
            asked = call(books, conversation, books.names.tools.poll, {"job": subject}, "md5")
            content = compact({"status": "start", "seconds": 20 * number, "lap": books.rng.getrandbits(32)})
            said += [asked, output(books, asked, content, later, later)]
        return said

    return special
