"""`indexer mcp`: the answers as tools for agents."""

from __future__ import annotations

import ipaddress

import click

from indexer.commands.exits import Exit
from indexer.commands.options import StoreOptions, store_options
from indexer.commands.output import fail, note

PATH = "/mcp"


@click.command()
@click.option("--http", is_flag=True, help="Streamable HTTP on the loopback instead of stdio.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: a loopback address.")
@click.option("--port", type=click.IntRange(1, 65535), default=8650, show_default=True, help="With --http.")
@store_options
def command(http: bool, host: str, port: int, options: StoreOptions) -> None:
    """Serve the answers as tools for agents (Model Context Protocol), over stdio or HTTP on the loopback.

    Every tool only reads, and answers in at most 8,000 characters by default. In a scout-ai chat:

        mcp: stdio 'indexer mcp'
    """
    try:
        from indexer.mcp.server import create_server
    except ImportError:
        fail(Exit.USAGE, "this needs the package mcp: python -m pip install 'provenance-indexer[mcp]'")
    if http and not _is_loopback(host):
        fail(
            Exit.USAGE, f"{host} is not a loopback address: anyone on the network could read your chats there"
        )
    server = create_server(options.store)
    if not http:
        server.run("stdio")
        return
    note(f"http://{f'[{host}]' if ':' in host else host}:{port}{PATH} (stop with Ctrl-C)")
    server.run("streamable-http", host=host, port=port, streamable_http_path=PATH)


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
