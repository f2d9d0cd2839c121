"""What a generated case can be told to be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Layout = Literal["legacy", "modern", "mixed"]
Backup = Literal["none", "after", "before"]


@dataclass(frozen=True, slots=True)
class Settings:
    """The parameters of a case. Two runs with equal settings give the same bytes.

    scale        size of the work: 1 gives about 15,000 tool-call records and 30 MB; 0.03 about 500 and 1 MB
    layout       log and receipt generation (FORMAT.md): legacy, modern, or mixed (E legacy, the rest modern)
    sessions     sessions that G delegates, each with the conversation so far as its context
    bulk         unrelated conversations besides, each with two jobs and `bulk_calls` tool calls
    jobs_root    where the jobs are, below the home folder
    info_times   whether the infos of jobs say when they were issued, started and ended
    message_times  whether metas and outputs carry times
    import_line  whether G says that it imports E
    earlier_root whether E's chat is still on disk
    backup       a copy of G's chat beside it, under a name that sorts after or before it
    """

    seed: int = 7
    layout: Layout = "modern"
    scale: float = 0.03
    jobs_root: str = ".rbbt/var/jobs"
    sessions: int = 2
    bulk: int = 0
    bulk_calls: int = 12
    info_times: bool = True
    message_times: bool = True
    import_line: bool = True
    earlier_root: bool = True
    backup: Backup = "after"
