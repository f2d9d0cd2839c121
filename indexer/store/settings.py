"""Which store a command uses, from `--store` and the environment.

`--store` wins over NEO4J_URI; with neither, the program's own server (`local:`) is used. What an address leaves out
(name, password, database) is taken from NEO4J_USERNAME, NEO4J_PASSWORD and NEO4J_DATABASE.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

import platformdirs
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from indexer.store.errors import BadStoreAddress

APP = "provenance-indexer"
SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
ADDRESS_FORMS = (
    "use local:, local:/some/folder, or a Neo4j address such as neo4j+s://host or bolt://host:7687"
)


@dataclass(frozen=True)
class LocalTarget:
    """The program's own server. `folder` holds its data, `lib` the server's jars (shared by all data folders)."""

    folder: Path
    lib: Path
    idle_minutes: float = 30.0
    heap: str = "1g"

    @property
    def where(self) -> str:
        """The store's name in messages."""
        return f"the local server in {self.folder}"


@dataclass(frozen=True)
class ServerTarget:
    """Any Neo4j by address. `database` None means the user's home database; no `username` means no sign-in."""

    uri: str
    username: str | None = None
    password: SecretStr | None = field(default=None, repr=False)
    database: str | None = None

    @property
    def where(self) -> str:
        """The store's name in messages: the address without credentials."""
        return self.uri


Target = LocalTarget | ServerTarget


class StoreSettings(BaseSettings):
    """Everything the environment says about stores. Passwords are `SecretStr` and never printed."""

    model_config = SettingsConfigDict(extra="ignore", populate_by_name=True, hide_input_in_errors=True)

    uri: str | None = Field(None, validation_alias="NEO4J_URI")
    username: str | None = Field(None, validation_alias="NEO4J_USERNAME")
    password: SecretStr | None = Field(None, validation_alias="NEO4J_PASSWORD")
    database: str | None = Field(None, validation_alias="NEO4J_DATABASE")
    home: Path | None = Field(None, validation_alias="INDEXER_HOME")
    lib: Path | None = Field(None, validation_alias="INDEXER_LOCAL_LIB")
    idle_minutes: float = Field(30.0, ge=0, validation_alias="INDEXER_LOCAL_IDLE_MINUTES")
    heap: str = Field("1g", pattern=r"^[1-9][0-9]*[kmgKMG]$", validation_alias="INDEXER_LOCAL_HEAP")

    def home_folder(self) -> Path:
        """The folder of everything the program keeps: INDEXER_HOME, else the user's data folder."""
        return _absolute(self.home) if self.home else platformdirs.user_data_path(APP, appauthor=False)


def load() -> StoreSettings:
    """Read the environment; a value that makes no sense is named in one line."""
    try:
        return StoreSettings()
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        name = str(first["loc"][0]) if first["loc"] else "a setting"
        raise BadStoreAddress(f"{name} cannot be used ({first['msg']})", "correct or unset it") from None


def resolve_target(store: str | None = None, settings: StoreSettings | None = None) -> Target:
    """The store that `--store` (or, without it, the environment) names. Raises BadStoreAddress."""
    settings = settings or load()
    address = (store or settings.uri or "local:").strip()
    if address == "local" or address.startswith("local:"):
        return _local(address.partition(":")[2], settings)
    return _server(address, settings)


def _local(folder: str, settings: StoreSettings) -> LocalTarget:
    home = settings.home_folder()
    return LocalTarget(
        folder=_absolute(Path(folder)) if folder else _absolute(home / "neo4j"),
        lib=_absolute(settings.lib or home / "lib"),
        idle_minutes=settings.idle_minutes,
        heap=settings.heap,
    )


def _server(address: str, settings: StoreSettings) -> ServerTarget:
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise BadStoreAddress("the store's address cannot be read", ADDRESS_FORMS) from None
    if parts.scheme not in SCHEMES or not host:
        shown = f"{parts.scheme}://..." if "://" in address else "that address"
        raise BadStoreAddress(f"{shown} names no store", ADDRESS_FORMS)
    query = parse_qsl(parts.query, keep_blank_values=True)
    database = dict(query).get("database") or unquote(parts.path.strip("/")) or settings.database
    routing = urlencode([(key, value) for key, value in query if key != "database"])
    host = f"[{host}]" if ":" in host else host
    uri = f"{parts.scheme}://{host}" + (f":{port}" if port else "") + (f"?{routing}" if routing else "")
    username = unquote(parts.username) if parts.username else settings.username
    password = SecretStr(unquote(parts.password)) if parts.password else settings.password
    if password is not None and not username:
        username = "neo4j"
    return ServerTarget(uri=uri, username=username or None, password=password, database=database or None)


def _absolute(path: Path) -> Path:
    return Path(path).expanduser().resolve()
