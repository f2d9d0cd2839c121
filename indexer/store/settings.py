"""Which store a command uses, from `--store` and the environment.

`--store` wins over NEO4J_URI; with neither, the program's own server (`local:`) is used. What an address
leaves out (name, password, database) is taken from NEO4J_USERNAME, NEO4J_PASSWORD and NEO4J_DATABASE.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

import platformdirs
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from indexer.store.errors import BadStoreAddress
from indexer.store.local.target import HEAP, IDLE_MINUTES, LocalTarget

APP = "provenance-indexer"
SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
ADDRESS_FORMS = (
    "use local:, local:/some/folder, or a Neo4j address such as neo4j+s://host or bolt://host:7687"
)


@dataclass(frozen=True)
class ServerTarget:
    """Any Neo4j by address.

    `uri` has no user information in it. `database` None means the user's home database; without a `username`
    there is no sign-in.
    """

    uri: str
    username: str | None = None
    password: SecretStr | None = None
    database: str | None = None

    @property
    def where(self) -> str:
        """The store's name in messages: the address without credentials."""
        return self.uri


Target = LocalTarget | ServerTarget


class StoreSettings(BaseSettings):
    """Everything the environment says about stores. Passwords are `SecretStr` and never printed."""

    model_config = SettingsConfigDict(extra="ignore", hide_input_in_errors=True)

    uri: str | None = Field(default=None, validation_alias="NEO4J_URI")
    username: str | None = Field(default=None, validation_alias="NEO4J_USERNAME")
    password: SecretStr | None = Field(default=None, validation_alias="NEO4J_PASSWORD")
    database: str | None = Field(default=None, validation_alias="NEO4J_DATABASE")
    home: Path | None = Field(default=None, validation_alias="INDEXER_HOME")
    lib: Path | None = Field(default=None, validation_alias="INDEXER_LOCAL_LIB")
    idle_minutes: float = Field(default=IDLE_MINUTES, ge=0, validation_alias="INDEXER_LOCAL_IDLE_MINUTES")
    heap: str = Field(default=HEAP, pattern=r"^[1-9][0-9]*[mgMG]$", validation_alias="INDEXER_LOCAL_HEAP")

    def home_folder(self) -> Path:
        """The folder of everything the program keeps: INDEXER_HOME, else the user's data folder."""
        return _absolute(self.home or platformdirs.user_data_path(APP, appauthor=False))


def load() -> StoreSettings:
    """Read the environment. Raises BadStoreAddress with the name of a value that makes no sense."""
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
    if is_local(address):
        return resolve_local(address, settings)
    return _server(address, settings)


def is_local(address: str) -> bool:
    """Whether an address names a store of the program's own."""
    return address == "local" or address.startswith("local:")


def resolve_local(address: str = "local:", settings: StoreSettings | None = None) -> LocalTarget:
    """The local store of `local:` or `local:/some/folder`."""
    settings = settings or load()
    folder = address.partition(":")[2].strip()
    home = settings.home_folder()
    return LocalTarget(
        folder=_absolute(Path(folder)) if folder else home / "neo4j",
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
        # The address itself may hold a password, so at most its scheme is shown.
        shown = f"{parts.scheme}://..." if "://" in address else "that value"
        raise BadStoreAddress(f"{shown} names no store", ADDRESS_FORMS)
    query = parse_qsl(parts.query, keep_blank_values=True)
    database = dict(query).get("database") or unquote(parts.path.strip("/")) or settings.database
    routing = urlencode([(key, value) for key, value in query if key != "database"])
    host = f"[{host}]" if ":" in host else host
    uri = f"{parts.scheme}://{host}{f':{port}' if port else ''}{f'?{routing}' if routing else ''}"
    username = unquote(parts.username) if parts.username else settings.username
    password = SecretStr(unquote(parts.password)) if parts.password else settings.password
    if password is not None and not username:
        username = "neo4j"
    return ServerTarget(uri, username or None, password, database or None)


def _absolute(path: Path) -> Path:
    return path.expanduser().resolve()
