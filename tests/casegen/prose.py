"""Readable enough text in any amount, cut from one pool so that 30 MB of it costs little time."""

from __future__ import annotations

import random

_VOCABULARY = """
about above after again all along also an and another around as at back been before begin below between both
bring build careful carry change check claim clear close column common compare copy count current data day
default depth detail different direct document done draft each earlier edge end enough entry even every
example field figure file find first follow form found four from further general given group half have help
here high hold how index inside into item just keep kind know large last late learn least left length level
light like line list little long look made main make many mark mean measure member method might more most
move much must name near need never new next none note now number often old once only open order other our
out over own page part past path plain point present quite range rather read real record relation report
rest result right row rule same sample section seem seen set several shape short show side similar simple
since single small some source stand start step still story such table take tell term test than that their
then there these thing third this those three through time together token total toward true turn type under
until upon use value very view way well were what when where which while whole why wide with within without
word work year
"""
_WORDS = tuple(_VOCABULARY.split())
FOREIGN = (
    "το κείμενο δεν συμφωνεί με τον κώδικα",
    "таблица и текст расходятся в третьей строке",
    "表と本文が一致していません",
    "la última versión añadió una cláusula más",
    "größere Änderungen prüfen wir später",
)
POOL_SENTENCES = 9000


class Prose:
    """Text of one case. Lines never look like headers, fences or tags unless a method says so."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        own = random.Random(rng.random())
        sentences = []
        for _ in range(POOL_SENTENCES):
            words = own.choices(_WORDS, k=own.randint(5, 17))
            sentences.append(" ".join(words).capitalize() + ".")
        self._pool = " ".join(sentences)
        self._serial = 0

    def run(self, size: int) -> str:
        """One line of about `size` characters, cut at words."""
        start = self._rng.randrange(len(self._pool) - size - 40)
        start = self._pool.index(" ", start) + 1
        end = self._pool.index(" ", start + size)
        return self._pool[start:end]

    def lines(self, size: int) -> str:
        """The same with a line for each sentence."""
        return self.run(size).replace(". ", ".\n")

    def turn(self, opening: str, size: int = 140) -> str:
        """What a person says: long enough to be known again, and never said twice."""
        self._serial += 1
        return f"{opening} {self.run(size)} (item {self._serial})"

    def markdown(self, title: str, paragraphs: int, size: int = 120) -> str:
        """A heading and lists and paragraphs, with a non-ASCII line now and then."""
        self._serial += 1
        parts = [f"## {title}"]
        for _ in range(paragraphs):
            shape = self._rng.randrange(5)
            text = self.run(self._rng.randint(size // 2, size * 2))
            if shape == 0:
                parts.append(f"- {text}\n  * {self.run(size // 2)}\n- {self.run(size // 2)}")
            elif shape == 1:
                parts.append(f"> {text}\n> {self.run(size // 2)}")
            elif shape == 2:
                parts.append(f"{self._rng.choice(FOREIGN)}\n{text}")
            else:
                parts.append(text)
        parts.append(f"Point {self._serial}.")
        return "\n\n".join(parts)

    def thought(self, size: int) -> str:
        """Reasoning as one line; some of it holds quotes and text like keys, which metas must quote."""
        text = self.run(size)
        shape = self._rng.randrange(12)
        if shape == 0:
            return f'{text} where limit=3 holds and "pt=5 ct=7" is only text'
        if shape == 1:
            return f"{text} a path like C:\\tmp\\x=1 stays"
        if shape == 2:
            return f'{text} "quoted" but plain'
        return text
