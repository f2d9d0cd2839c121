"""`indexer serve`: the dashboard in a browser."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from contextlib import suppress
from threading import Thread
from time import sleep
from types import FrameType
from typing import TYPE_CHECKING

import click
import psutil

from indexer.commands.exits import Exit
from indexer.commands.options import StoreOptions, store_options
from indexer.commands.output import fail, note
from indexer.store.errors import StoreError

if TYPE_CHECKING:
    from starlette.datastructures import State

    from indexer.store.connection import Store

KEEP_SECONDS = 30.0
LOOPBACK = ("127.0.0.1", "::1", "localhost")


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8642, show_default=True, help="Port; 0 for any."
)
@click.option("--name", "names", multiple=True, metavar="HOST", help="A further name that it goes by.")
@click.option(
    "--token", envvar="INDEXER_TOKEN", help="Token that readers need. Made where listening for others."
)
@click.option("--open/--no-open", "show", default=False, help="Open the page in a browser.")
@store_options
def command(
    host: str, port: int, names: tuple[str, ...], token: str | None, show: bool, options: StoreOptions
) -> None:
    """Look at conversations, provenance, differences, copies and cost in a browser. It only reads.

    Listens for this machine alone, unless --host says otherwise: then a token is needed, which is in the
    address that is printed.
    """
    try:
        import uvicorn

        from indexer.dashboard.app import create_app
        from indexer.dashboard.security import LOOPBACK as NAMES
    except ImportError as error:
        fail(Exit.USAGE, f"the dashboard needs {error.name}: pip install 'provenance-indexer[dashboard]'")
    from indexer.store.connection import open_store

    if host not in LOOPBACK and not token:
        token = secrets.token_urlsafe(24)
    listener = _listen(host, port)
    number = listener.getsockname()[1]
    shown = host if host not in ("0.0.0.0", "::") else socket.gethostname()
    known = {*NAMES, *names, *(own_names(host) if host not in LOOPBACK else ())}
    with listener, open_store(options.store) as store:
        app = create_app(store, hosts=known, token=token)
        bracketed = f"[{shown}]" if ":" in shown else shown
        # The server plans a query when it is first asked: not while someone waits for the first page.
        Thread(target=_warm, args=(store, app.state), daemon=True).start()
        Thread(target=_keep, args=(store,), daemon=True).start()
        address = f"http://{bracketed}:{number}/" + (f"?token={token}" if token else "")
        note(f"Looking at {store.where}: {address}\nStop with Ctrl-C.")
        if show:
            webbrowser.open(address)
        level = "warning" if options.verbosity < 1 else "info"
        # No access log: the address holds the token once, and ids of chats always.
        config = uvicorn.Config(
            app, log_level=level, access_log=False, server_header=False, timeout_graceful_shutdown=5
        )
        server = uvicorn.Server(config)
        # Open streams of live pages would keep the server from ending.
        signals = server.handle_exit

        def leave(sig: int, frame: FrameType | None) -> None:
            app.state.live_news.end()
            signals(sig, frame)

        server.handle_exit = leave  # type: ignore[method-assign]
        server.run(sockets=[listener])


def own_names(host: str) -> set[str]:
    """Names by which others can call a server that listens on `host`: it, or all of this machine's."""
    found = {host}
    if host in ("0.0.0.0", "::"):
        found = {socket.gethostname(), socket.getfqdn()}
        found |= {
            address.address.partition("%")[0] for card in psutil.net_if_addrs().values() for address in card
        }
    return {f"[{name}]" if ":" in name else name for name in found}


def _warm(store: Store, state: State) -> None:
    from indexer.dashboard.conversations import ROWS

    with suppress(StoreError):
        state.index.conversations(per_page=ROWS)
        state.conversations.rows(store, state.index)


def _keep(store: Store) -> None:
    """Keep the program's own server from its idle stop for as long as its pages can be asked for."""
    while True:
        store.touch()
        sleep(KEEP_SECONDS)


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket. Ends the command where the address is taken or not this machine's."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=128)
    except OSError as error:
        fail(Exit.USAGE, f"cannot listen on {host}:{port}: {error.strerror or error}")
