"""Times of all producers as ISO-8601 UTC strings of one width, so that strings sort as the times do."""

from __future__ import annotations

import re
from datetime import UTC, datetime

#: `2026-11-30 23:08:06.551088380 +00:00` (YAML), `2026-11-30 23:06:26 +0000` (JSON),
#: `2026-08-01T10:00:00.123Z` (meta).
_TIME = re.compile(
    r"\s*(\d{4}-\d\d-\d\d)[Tt ]\s*(\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?\d*"
    r"\s*(?:Z|z|UTC|GMT|([+-]\d\d):?(\d\d))?\s*",
    re.ASCII,
)
#: The form of nearly all of them.
_MILLISECONDS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)


def iso_utc(text: object) -> str | None:
    """`text` as `YYYY-MM-DDTHH:MM:SS.ffffffZ`, or None where it is no time. No offset means UTC."""
    if not isinstance(text, str):
        return None
    if _MILLISECONDS.fullmatch(text):
        try:
            datetime.fromisoformat(text)
            return f"{text[:-1]}000Z"
        except ValueError:
            return None
    found = _TIME.fullmatch(text)
    if not found:
        return None
    day, clock, fraction, hours, minutes = found.groups()
    offset = f"{hours}:{minutes}" if hours else "+00:00"
    try:
        time = datetime.fromisoformat(f"{day}T{clock}.{(fraction or '').ljust(6, '0')[:6]}{offset}")
        return iso(time)
    except (ValueError, OverflowError):
        return None


def iso(time: datetime) -> str:
    """An aware datetime as iso_utc gives it. OverflowError at the ends of the calendar."""
    return time.astimezone(UTC).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"
