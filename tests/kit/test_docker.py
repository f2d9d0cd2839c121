"""The compose file by the compose specification's own types, and the Dockerfile by hadolint."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from compose_spec import PyCompose

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "docker/compose.yaml"


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    merged = yaml.safe_load(COMPOSE.read_text())  # resolves the merge keys
    return dict(merged["services"])


def interpolated(text: str) -> str:
    """The text as Compose reads it: defaults, and `/given` for what must be set."""
    text = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text)
    return re.sub(r"\$\{\w+:\?[^}]*\}", "/given", text).replace("$$", "$")


def test_compose_follows_the_specification() -> None:
    merged = yaml.safe_load(interpolated(COMPOSE.read_text()))
    compose = PyCompose.from_yaml(yaml.safe_dump(merged, sort_keys=False))
    compose.validate()
    assert set(compose.service_names()) == {"neo4j", "schema", "indexer", "pages", "neodash"}


def test_images_are_pinned_and_ports_are_local(services: dict[str, Any]) -> None:
    for service in services.values():
        tag = service["image"].rpartition(":")[2]
        assert tag[0].isdigit()
        assert tag.count(".") == 2
        for port in service.get("ports", []):
            assert port.startswith("127.0.0.1:")
        assert "no-new-privileges:true" in service["security_opt"]


def test_everything_is_watched_over(services: dict[str, Any]) -> None:
    # The image of the indexer brings its own check; `schema` ends by itself.
    assert "HEALTHCHECK" in (ROOT / "docker/Dockerfile").read_text()
    assert services["schema"]["healthcheck"] == {"disable": True}
    for name in ("neo4j", "pages", "neodash"):
        assert services[name]["healthcheck"]["test"]
    assert services["indexer"]["depends_on"]["schema"]["condition"] == "service_completed_successfully"
    assert services["schema"]["depends_on"]["neo4j"]["condition"] == "service_healthy"
    assert {name for name, s in services.items() if s.get("profiles")} == {"pages", "neodash"}


def test_secrets_come_from_the_environment_only(services: dict[str, Any]) -> None:
    assert "${NEO4J_PASSWORD:?" in services["neo4j"]["environment"]["NEO4J_AUTH"]
    for service in services.values():
        assert "PASSWORD" not in " ".join(map(str, service.get("command", [])))
    for line in (ROOT / "docker/env.example").read_text().splitlines():
        if line.startswith(("NEO4J_PASSWORD", "INDEXER_TOKEN")):
            assert line.endswith("=")


def test_the_indexer_reads_only_and_is_not_root(services: dict[str, Any]) -> None:
    (mount,) = services["indexer"]["volumes"]
    assert mount["read_only"]
    assert mount["source"] == mount["target"]
    assert services["indexer"]["read_only"]
    assert services["indexer"]["cap_drop"] == ["ALL"]
    lines = (ROOT / "docker/Dockerfile").read_text().splitlines()
    assert [line for line in lines if line.startswith("USER ")] == ["USER 10001:10001"]


def test_commands_of_the_services_exist(services: dict[str, Any]) -> None:
    from indexer.cli import COMMANDS

    for name in ("schema", "indexer", "pages"):
        assert services[name]["command"][0] in {*COMMANDS, "watch"}


def test_the_dockerfile_passes_hadolint() -> None:
    hadolint = shutil.which("hadolint", path=str(Path(sys.executable).parent)) or shutil.which("hadolint")
    assert hadolint, "install the test extra"
    done = subprocess.run(
        [hadolint, str(ROOT / "docker/Dockerfile")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_dockerfile_copies_what_the_package_is_made_of() -> None:
    text = (ROOT / "docker/Dockerfile").read_text()
    for part in ("indexer", "queries", "schema"):
        assert f"COPY {part} ./{part}" in text
        assert f"!{part}" in (ROOT / "docker/Dockerfile.dockerignore").read_text().splitlines()
