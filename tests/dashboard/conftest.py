"""The dashboard over the example conversations and a hostile one, scanned into the tests' Neo4j."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from indexer import Index
from indexer.dashboard.app import create_app
from indexer.ingest.scan import Scanner
from indexer.store.connection import Store
from tests.conftest import empty

EXAMPLES = Path(__file__).parents[2] / "examples"
ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(2)>'
NAME = ATTACK.replace('"', "'")
HOSTILE = f"""user: {ATTACK}

assistant:

# A heading {ATTACK}

![tracker](https://evil.example/pixel.png) [go](javascript:alert(3)) [data](data:text/html,x) [fine](https://ok.example/)

| a | b |
|---|:-:|
| {ATTACK} | `{ATTACK}` |

function_call: {{"name":"{NAME}","arguments":{{"q":"<svg onload=alert(4)>"}},"id":"call_<i>"}}

function_call_output: {{"name":"x","content":"<iframe src=javascript:alert(5)>","id":"call_<i>"}}

meta: job=Work/{ATTACK.replace(" ", "_")}/x
"""


@dataclass(frozen=True)
class Shown:
    """A client of the dashboard, the index behind it, and ids of the examples."""

    client: TestClient
    index: Index
    analysis: str
    review: str
    hostile: str

    def text(self, address: str) -> str:
        """A page that must be there."""
        answer = self.client.get(address)
        assert answer.status_code == 200, f"{answer.status_code} {address}\n{answer.text[:500]}"
        return answer.text


@pytest.fixture(scope="module")
def examples(neo4j_store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the examples, scanned."""
    place = tmp_path_factory.mktemp("looked-at") / "garden"
    shutil.copytree(EXAMPLES, place)
    (place / "chats" / "hostile.chat").write_text(HOSTILE)
    empty(neo4j_store)
    Scanner(neo4j_store).scan([str(place)])
    return place


@pytest.fixture(scope="module")
def shown(neo4j_store: Store, examples: Path) -> Iterator[Shown]:
    """The dashboard, as a browser on this machine sees it."""
    with TestClient(create_app(neo4j_store), base_url="http://127.0.0.1:8642") as client:
        index = Index(neo4j_store)
        chats = examples.resolve() / "chats"
        yield Shown(
            client,
            index,
            str(chats / "analysis.chat"),
            str(chats / "review.chat"),
            str(chats / "hostile.chat"),
        )
