"""Names that differ from seed to seed: people, machines, workflows, tasks, agents, files, tools."""

from __future__ import annotations

import random
from dataclasses import dataclass

ROLES = ("request", "plan", "work", "ask", "critic", "search")

_USERS = ("mira", "jtanaka", "o_reyes", "lwirth", "bsingh", "petrov")
_HOSTS = ("node-03", "gpu07.cluster", "atlas", "tern", "cn0412")
_WORKFLOWS = ("Bench", "Fieldwork", "Ledger", "Kiln", "Survey", "Atlas")
_TASKS = {
    "request": ("intake", "brief", "clarify", "triage"),
    "plan": ("sketch", "design", "schedule", "layout"),
    "work": ("carry_out", "craft", "implement", "produce"),
    "ask": ("reply", "consult", "respond", "solve"),
    "critic": ("check", "inspect", "gate", "referee"),
    "search": ("lookup", "trace", "hunt", "browse"),
}
_AGENTS = {
    "request": ("Usher", "Porter", "Herald"),
    "plan": ("Planner", "Surveyor", "Drafter"),
    "work": ("Smith", "Maker", "Weaver"),
    "ask": ("Captain", "Steward", "Warden"),
    "critic": ("Censor", "Assayer", "Referee"),
    "search": ("Pathfinder", "Ranger", "Falcon"),
}
_PROJECTS = ("lowland", "quartz", "heron", "saltmarsh", "meridian", "bramble", "copper", "fathom")
_CHATS = ("review", "draft_two", "methods", "tables", "cleanup", "notes", "figures", "appendix")
_JOB_NAMES = ("main", "Default", "run", "step")


@dataclass(frozen=True, slots=True)
class Tools:
    """Tool names of one case."""

    shell: str
    read: str
    save: str
    listing: str
    script: str
    docs: str
    ask: str
    resume: str
    poll: str


@dataclass(frozen=True, slots=True)
class Names:
    """All names of one case. `foreign_root` is the jobs root as another machine would spell it."""

    user: str
    host: str
    workflow: str
    tasks: dict[str, str]
    agents: dict[str, str]
    projects: tuple[str, str]
    chats: tuple[str, str, str]
    job_name: str
    foreign_home: str
    foreign_root: str
    tools: Tools


def choose_names(rng: random.Random, jobs_root: str) -> Names:
    """The names of a case, by its generator."""
    user = rng.choice(_USERS)
    projects = rng.sample(_PROJECTS, 2)
    chats = rng.sample(_CHATS, 3)
    foreign_home = rng.choice((f"/home/{user}", f"/Users/{user}", f"/data/people/{user}"))
    return Names(
        user=user,
        host=rng.choice(_HOSTS),
        workflow=rng.choice(_WORKFLOWS),
        tasks={role: rng.choice(_TASKS[role]) for role in ROLES},
        agents={role: rng.choice(_AGENTS[role]) for role in ROLES},
        projects=(projects[0], projects[1]),
        chats=(chats[0], chats[1], chats[2]),
        job_name=rng.choice(_JOB_NAMES),
        foreign_home=foreign_home,
        foreign_root=f"{foreign_home}/{jobs_root}",
        tools=Tools(
            shell=rng.choice(("bash", "shell", "run_command")),
            read=rng.choice(("read", "open_file", "view")),
            save=rng.choice(("write", "save_file", "edit")),
            listing=rng.choice(("list_directory", "ls", "tree")),
            script=rng.choice(("python", "ruby", "evaluate")),
            docs=rng.choice(("docs", "lookup_help", "manual")),
            ask="ask",
            resume=rng.choice(("cortex_continue", "hand_off_to_search")),
            poll=rng.choice(("job_status", "poll")),
        ),
    )
